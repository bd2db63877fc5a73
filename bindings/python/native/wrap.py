"""Writes cffi's C wrapper of the public headers: wrap.py OUT.c HEADER...

The headers are the only declarations: what the preprocessor says is dropped
but for numbers, which cffi reads as constants; the two macros in front of
functions mean nothing to a caller. The C compiler then checks every type and
value against the headers themselves.
"""

import re
import sys
from pathlib import Path

from cffi import FFI

NUMBER = re.compile(r"#define (DOSI_\w+) (\d+)$")


def declarations(text: str) -> str:
    """What cffi should read of one header."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = text.replace("\\\n", " ")
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    lines = []
    for line in text.splitlines():
        if line.startswith("#"):
            number = NUMBER.match(line.rstrip())
            if number:
                lines.append(line)
            continue
        lines.append(re.sub(r"\bDOSI_(API|CHECK)\b", "", line))
    return "\n".join(lines)


def main(out: str, headers: list[str]) -> None:
    builder = FFI()
    includes = []
    for header in headers:
        builder.cdef(declarations(Path(header).read_text(encoding="utf-8")))
        includes.append(f'#include "{header}"')
    builder.set_source("dosimeter._core", "\n".join(includes))
    builder.emit_c_code(out)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
