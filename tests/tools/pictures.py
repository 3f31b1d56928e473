"""Records the drawings that tests compare with, and draws those of the documentation.

    python -m tests.tools.pictures

Three positions of each game, in tests/games/<game>/pictures/ as SVG and in docs/pictures/ as PNG. A person looks at
the differences before they are committed. Needs resvg-py (the extra `tilery[png]`) and Pillow.
"""

from __future__ import annotations

import io

from PIL import Image

from tests.kit.games import GAMES, ROOT
from tests.kit.pictures import recorded
from tilery import pictures

DOCS = ROOT / "docs" / "pictures"
WIDTH = 1000
COLOURS = 240


def small_png(svg: str) -> bytes:
    """A PNG of the documentation's width. Its palette are the colours that fill most, unchanged."""
    own = Image.open(io.BytesIO(pictures.png(svg)))
    drawn = Image.open(io.BytesIO(pictures.png(svg, scale=min(1.0, WIDTH / own.width))))
    page = Image.new("RGB", drawn.size, "white")
    page.paste(drawn, mask=drawn.getchannel("A"))
    found = sorted(page.getcolors(drawn.width * drawn.height) or (), reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in found for part in colour])
    out = io.BytesIO()
    page.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    for name in GAMES:
        for path, svg in recorded(name):
            path.write_text(svg + "\n", encoding="utf-8")
            image = DOCS / f"{name}-{path.stem}.png"
            image.write_bytes(small_png(svg))
            print(path.relative_to(ROOT), len(svg), image.relative_to(ROOT), image.stat().st_size)


if __name__ == "__main__":
    main()
