"""Bytes of a Python file -> UTF-8 text: PEP 263 cookies, byte order marks, and what to do when a file lies about itself."""

from __future__ import annotations

import codecs
import re

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(source: bytes) -> tuple[bytes, str, str]:
    """`source` as UTF-8 bytes, the encoding that was used, and what was wrong with the declared one (empty when nothing)."""
    declared = _declared(source)
    if declared == "utf-8" and source.isascii():
        return source, "utf-8", ""
    for encoding, complaint in ((declared, ""), ("latin-1", f"cannot be decoded as {declared}; read as latin-1")):
        try:
            return source.decode(encoding).encode("utf-8", "replace"), encoding, complaint
        except (UnicodeError, LookupError):
            continue
    raise AssertionError("latin-1 decodes any bytes")


def _declared(source: bytes) -> str:
    for mark, encoding in _MARKS:
        if source.startswith(mark):
            return encoding
    for line in source[:400].split(b"\n", 2)[:2]:
        if found := _COOKIE.match(line):
            name = found.group(1).decode("ascii", "replace").lower().replace("_", "-")
            return "utf-8" if name in ("utf8", "utf-8") or name.startswith("utf-8-") else name
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return "utf-8"
