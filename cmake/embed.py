"""Turns a JSON file into a C++ function that returns its content as a `tilery::Value`.

    python cmake/embed.py java_153 java-153.json java_153.cpp

makes `const tilery::Value& tilery::data::java_153()`. The content is written as a flat table, which
compilers take in a moment; nested initialisers of the same data cost them minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def flat(value: Any) -> Iterator[tuple[str, int, str]]:
    """The nodes of a value: kind, number (or count of what follows), text."""
    if value is None:
        yield "kNull", 0, ""
    elif isinstance(value, bool):
        yield "kBool", int(value), ""
    elif isinstance(value, int):
        yield "kInt", value, ""
    elif isinstance(value, str):
        yield "kText", 0, value
    elif isinstance(value, list):
        yield "kList", len(value), ""
        for item in value:
            yield from flat(item)
    elif isinstance(value, dict):
        yield "kObject", len(value), ""
        for key, member in value.items():
            yield "kText", 0, key
            yield from flat(member)
    else:
        raise TypeError(f"no data of a box is a {type(value).__name__}: {value!r}")


def main(name: str, source: str, target: str) -> None:
    content = json.loads(Path(source).read_text(encoding="utf-8"))
    nodes = "".join(
        f"    {{FlatValue::{kind}, {number}, {json.dumps(text)}}},\n" for kind, number, text in flat(content)
    )
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(
        f"// Made by cmake/embed.py from {Path(source).name}.\n"
        '#include "tilery/core/value.hpp"\n\n'
        "namespace tilery::data {\n\n"
        f"const Value& {name}();\n\n"
        f"const Value& {name}() {{\n"
        f"    static constexpr FlatValue kNodes[] = {{\n{nodes}}};\n"
        "    static const Value value = Value::from_flat(kNodes);\n"
        "    return value;\n}\n\n"
        "}  // namespace tilery::data\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
