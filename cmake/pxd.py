"""Writes tilery/capi.pxd, the C table for Cython, from the header: python pxd.py capi.h capi.pxd.in capi.pxd."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def declarations(header: str) -> str:
    """What Cython declares of the header: constants, structs, and the members of the table."""
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    constants = re.findall(r"#define (TILERY_\w+) .", code) + re.findall(r"^    (TILERY_\w+) =", code, re.MULTILINE)
    lines = ['cdef extern from "tilery/capi.h" nogil:', "    enum:", *(f"        {name}" for name in constants)]
    lines += ["", "    ctypedef int32_t tilery_status"]
    for name in re.findall(r"typedef struct (\w+) \1;", code):  # known by pointer only
        lines += ["", f"    ctypedef struct {name}:", "        pass"]
    for function in re.findall(r"typedef (\w+ \(\*\w+\)\([^;]*\));", code):
        lines += ["", f"    ctypedef {' '.join(function.split())} noexcept nogil"]
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\} \1;", code, re.DOTALL):
        lines += ["", f"    ctypedef struct {name}:"]
        for member in filter(None, (" ".join(part.split()) for part in body.split(";"))):
            if member.endswith(")"):
                lines.append(f"        {member.replace('(void)', '()')} noexcept nogil")
            else:
                kind, names = re.fullmatch(r"(.*?[ *])(\w+(?:, \w+)*)", member).groups()  # type: ignore[union-attr]
                lines += [f"        {kind.strip()} {one}" for one in names.split(", ")]
    return "\n".join(lines)


def main(header: str, template: str, output: str) -> None:
    text = Path(template).read_text(encoding="utf-8")
    text = text.replace("@DECLARATIONS@", declarations(Path(header).read_text(encoding="utf-8")))
    Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
