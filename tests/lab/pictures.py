"""Records the drawings that tests compare with, and draws those of the documentation.

    python -m tests.lab.pictures

Three positions of each game, in tests/games/<game>/pictures/ as SVG and in docs/pictures/ as PNG, a moving picture of
all games, and the drawings of docs/games by tests/kit/drawings.toml. A person looks at the differences before they are
committed. Needs resvg-py (the extra `tilery[png]`) and Pillow.
"""

from __future__ import annotations

import io

from PIL import Image

import tilery
from tests.kit.games import GAMES, ROOT, folder_of
from tests.kit.pictures import drawings, drawn, recorded
from tilery import pictures, record

DOCS = ROOT / "docs" / "pictures"
WIDTH = 1000
COLOURS = 240

STEPS = 5
"""Boards of each game in the moving picture."""
MOVING = (520, 390)


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


def board_within(svg: str, size: tuple[int, int]) -> Image.Image:
    """A drawing in the middle of a white page, as large as fits."""
    own = Image.open(io.BytesIO(pictures.png(svg)))
    scale = min(wanted / drawn for wanted, drawn in zip(size, own.size, strict=True))
    drawn = Image.open(io.BytesIO(pictures.png(svg, scale=scale)))
    page = Image.new("RGB", size, "white")
    page.paste(drawn, tuple((a - b) // 2 for a, b in zip(size, drawn.size, strict=True)), drawn.getchannel("A"))
    return page


def moving_gif() -> bytes:
    """The recorded games of all boxes, from opening to end, one after the other."""
    frames, milliseconds = [], []
    for name in tilery.games():
        (written,) = record.read(folder_of(name) / "pictures" / "game.jsonl")
        positions = [state for _, state in record.positions(written) if not state.is_chance_node()]
        for step in range(1, STEPS + 1):
            svg = positions[(len(positions) - 1) * step // STEPS].to_svg(part="board")  # type: ignore[attr-defined]
            frames.append(board_within(svg, MOVING).quantize(48, dither=Image.Dither.NONE))
            milliseconds.append(1800 if step == STEPS else 700)
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=milliseconds, loop=0, optimize=True)
    return out.getvalue()


def main() -> None:
    DOCS.mkdir(exist_ok=True)
    for name in GAMES:
        for path, svg in recorded(name):
            path.write_text(svg + "\n", encoding="utf-8")
            image = DOCS / f"{name}-{path.stem}.png"
            image.write_bytes(small_png(svg))
            print(path.relative_to(ROOT), len(svg), image.relative_to(ROOT), image.stat().st_size)
    for name in drawings():
        path = ROOT / "docs" / "games" / f"{name}.svg"
        path.write_text(drawn(name) + "\n", encoding="utf-8")
        print(path.relative_to(ROOT), path.stat().st_size)
    (DOCS / "games.gif").write_bytes(moving := moving_gif())
    print("docs/pictures/games.gif", len(moving))


if __name__ == "__main__":
    main()
