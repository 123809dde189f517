"""Bytes of unknown encoding -> text. Python files declare theirs (`python/source`); all others are read as is found here."""

from __future__ import annotations

import codecs
from typing import Final

_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def detect_encoding(content: bytes) -> str:
    """The Python codec for bytes of unknown encoding: a byte order mark, else UTF-8 if valid, else latin-1."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return codec
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def as_utf8(content: bytes) -> tuple[bytes, str]:
    """The text as UTF-8 without a byte order mark, and the codec that reads the bytes given; what it cannot read is replaced."""
    encoding = detect_encoding(content)
    return content if encoding == "utf-8" else content.decode(encoding, "replace").encode("utf-8", "replace"), encoding
