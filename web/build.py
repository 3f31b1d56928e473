"""Builds the engine for WebAssembly and the pages that need no server; `nox -s web` runs it (docs/play.md).

    python web/build.py build/web [game ...]

makes tilery.wasm with all games and <game>.wasm with one, tilery.mjs with its types, a page for each game that holds
everything it needs but the network, which is <game>.tnn.gz next to it, the same with the network inside in offline/, an
index of them, and in npm/ the packages @tilery/engine and @tilery/board for `npm pack`.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import re
import shutil
import string
import subprocess
import sys
import zlib
from dataclasses import asdict
from importlib.metadata import metadata
from pathlib import Path

import tilery
from tilery import record
from tilery.pages import as_html
from tilery.pictures import title_of
from tilery.play.files import PAGE, alone, bundled, component
from tilery.play.session import levels
from tilery.tutorial import lessons

WEB = Path(__file__).resolve().parent
NETS = Path(tilery.__file__).parent / "data" / "nets"
GAMES = WEB.parent / "docs" / "games"


def compiled(folder: Path, games: list[str], *targets: str) -> list[Path]:
    """The modules, or other targets, brought up to date."""
    import ziglang

    zig = Path(ziglang.__file__).parent / "zig"
    configure = ["cmake", "-S", WEB, "-B", folder / "engine", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    configure += [f"-DCMAKE_TOOLCHAIN_FILE={WEB / 'zig-wasm.cmake'}", f"-DTILERY_ZIG={zig}"]
    configure += ["-DTILERY_WERROR=ON"]  # one compiler, of one version
    configure += [f"-DTILERY_GAMES={';'.join(games)}", "-DCMAKE_CXX_COMPILER_LAUNCHER=", "-DCMAKE_C_COMPILER_LAUNCHER="]
    for command in (configure, ["cmake", "--build", folder / "engine", "--target", *targets]):
        subprocess.run([str(word) for word in command], check=True, env=os.environ)
    return [folder / "engine" / f"{target.removesuffix('_wasm')}.wasm" for target in targets]


def about(name: str) -> dict[str, object]:
    """What a board shows besides the game: the page of its rules, its tutorial, and its bots by strength."""
    return {
        "rules": as_html(tilery.rules_page(name)),
        "lessons": [asdict(lesson) for lesson in lessons(name)],
        "levels": levels(name, named=False),
    }


def packed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def page_of(name: str, module: bytes, network: bytes = b"") -> str:
    """The page of a game: engine, bots, drawings and the page itself in one file."""
    worker = bundled(WEB / name for name in ("tilery.mjs", "session.mjs", "worker.mjs"))
    inside = [base64.b64encode(packed(each)).decode() if each else "" for each in (module, network)]
    start = (
        f'const source = URL.createObjectURL(new Blob([{json.dumps(worker)}], {{ type: "text/javascript" }}));\n'
        f'run({json.dumps(name)}, new Worker(source), "{inside[0]}", {json.dumps(about(name))}, "{inside[1]}");'
    )
    return alone(title_of(tilery.load(name)), [WEB / "local.mjs"], start)


def card_of(name: str) -> str:
    """What the index says of a game: the picture and the first sentences of its page, and what can be done with it."""
    page = (GAMES / f"{name}.md").read_text(encoding="utf-8")
    _, sentences, picture = page.split("\n\n")[:3]
    (alt,) = re.findall(r"!\[(.*)\]", picture)
    recorded = (GAMES / f"{name}.jsonl").read_bytes()
    shared = base64.urlsafe_b64encode(zlib.compress(recorded, 9, wbits=-15)).decode().rstrip("=")
    links = {
        f"{name}.html": "Play",
        f"{name}.html#tutorial": "Tutorial",
        f"{name}.html#watch": "Watch two bots",
        f"{name}.html#record={shared}": "A shared game",
        f"../docs/games/{name}.html": "How to play",
    }
    buttons = "\n".join(f'<a class="button" href="{link}">{words}</a>' for link, words in links.items())
    return f"""<article>
<img src="{name}.svg" alt="{html.escape(alt)}">
<h2>{html.escape(title_of(tilery.load(name)))}</h2>
<p>{html.escape(sentences)}</p>
<div class="buttons">
{buttons.replace("button", "button go", 1)}
</div>
</article>
"""


def index_of(games: list[str]) -> str:
    """The shop window: what each game is, and links to all that can be done with it."""
    template = string.Template((WEB / "index.html").read_text(encoding="utf-8"))
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    return template.substitute(style=style, games="".join(map(card_of, games)))


def packages(folder: Path, games: list[str]) -> None:
    """The npm packages @tilery/engine and @tilery/board in folder/npm, as `npm pack` takes them."""
    shutil.rmtree(folder / "npm", ignore_errors=True)
    addresses = dict(each.split(", ") for each in metadata("tilery").get_all("Project-URL", []))
    modules = [f"{name}.wasm" for name in ("tilery", *games)]
    files = {
        "engine": {name: (folder / name).read_bytes() for name in ("tilery.mjs", "tilery.d.mts", *modules)},
        "board": {
            "board.mjs": (component() + bundled([WEB / "local.mjs"]) + "export { TileryBoard, begin };\n").encode(),
            "worker.mjs": bundled(WEB / name for name in ("tilery.mjs", "session.mjs", "worker.mjs")).encode(),
            **{f"{name}.json": json.dumps(about(name)).encode() for name in games},
            **{f"{name}.tnn.gz": (folder / f"{name}.tnn.gz").read_bytes() for name in games},
        },
    }
    for name, contents in files.items():
        main = "tilery" if name == "engine" else "board"
        types = {"types": "./tilery.d.mts"} if name == "engine" else {}
        described = json.loads((WEB / "npm" / f"{name}.json").read_text(encoding="utf-8"))
        described |= {"version": tilery.__version__, "type": "module", "license": "MIT"}
        described["homepage"] = addresses["Homepage"]
        # npm publishes with attestations only if this is the repository that asks for it.
        described["repository"] = {"type": "git", "url": f"git+{addresses['Source']}.git"}
        described["exports"] = {".": types | {"default": f"./{main}.mjs"}, "./*": "./*"}
        contents |= {each: (WEB.parent / each).read_bytes() for each in ("LICENSE", "NOTICE")}
        contents["README.md"] = (WEB / "npm" / f"{name}.md").read_bytes()
        contents["package.json"] = (json.dumps(described, indent=2) + "\n").encode()
        (folder / "npm" / name).mkdir(parents=True)
        for file, content in contents.items():
            (folder / "npm" / name / file).write_bytes(content)


def main(target: str, *games: str) -> None:
    folder, names = Path(target).resolve(), list(games) or tilery.games()
    (folder / "offline").mkdir(parents=True, exist_ok=True)
    modules = compiled(folder, names, *(f"{name}_wasm" for name in ("tilery", *names)))
    for module in modules:
        shutil.copy(module, folder)
    for file in (WEB / "tilery.mjs", WEB / "tilery.d.mts"):
        shutil.copy(file, folder)
    for name in names:
        module, network = (folder / f"{name}.wasm").read_bytes(), (NETS / f"{name}.tnn").read_bytes()
        (folder / f"{name}.html").write_text(page_of(name, module), encoding="utf-8")
        (folder / f"{name}.tnn.gz").write_bytes(packed(network))
        (folder / "offline" / f"{name}.html").write_text(page_of(name, module, network), encoding="utf-8")
    shown = [name for name in names if (GAMES / f"{name}.md").exists()]  # the toy has no page for people
    for name in shown:
        (played,) = record.read(GAMES / f"{name}.jsonl")
        (folder / f"{name}.svg").write_text(record.replay(played).to_svg(part="board"), encoding="utf-8")
    (folder / "index.html").write_text(index_of(shown), encoding="utf-8")
    shutil.copy(WEB.parent / "LICENSE", folder / "LICENSE.txt")
    shutil.copy(WEB.parent / "NOTICE", folder / "NOTICE.txt")
    packages(folder, names)
    sizes = ", ".join(f"{each.name} {len(packed(each.read_bytes())) / 1000:.0f}" for each in modules)
    sys.stdout.write(f"{folder / 'index.html'}: {len(names)} games; kB compressed: {sizes}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
