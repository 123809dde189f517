"""ctypes structures of the tokenizer library's C interface (`abi.h`): texts in, term counts and bags of tokens out."""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Sequence

VERSION = 1
_LETTER, _DIGIT = 1, 3
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


class TokenizerTexts(ctypes.Structure):
    """Strings in one block, and the number of bytes of each."""

    _fields_ = (
        ("text", ctypes.c_char_p),
        ("bytes", ctypes.c_int64),
        ("sizes", ctypes.c_char_p),
        ("count", ctypes.c_int64),
    )

    @classmethod
    def of(cls, texts: Sequence[str]) -> TokenizerTexts:
        block = "".join(texts)
        encoded = utf8(block)
        sizes = (
            map(len, texts)
            if len(encoded) == len(block)
            else (len(one if one.isascii() else utf8(one)) for one in texts)
        )
        return cls(encoded, len(encoded), array("i", sizes).tobytes(), len(texts))


class LetterTable(ctypes.Structure):
    """Word characters beyond ASCII."""

    _fields_ = (("codes", ctypes.c_char_p), ("kinds", ctypes.c_char_p), ("count", ctypes.c_int64))

    @classmethod
    def of(cls, *texts: str) -> LetterTable:
        """Collect the word characters beyond ASCII of strings."""
        if all(map(str.isascii, texts)):
            return cls(b"", b"", 0)
        beyond = (character for text in texts if not text.isascii() for character in _BEYOND_ASCII.findall(text))
        found = sorted(filter(str.isalnum, set(beyond)))
        kinds = bytes(_DIGIT if character.isdecimal() else _LETTER for character in found)
        return cls(array("i", map(ord, found)).tobytes(), kinds, len(found))


class TokenizerFile(ctypes.Structure):
    """File with the positions of its definitions."""

    _fields_ = (
        ("version", ctypes.c_int64),
        ("text", ctypes.c_char_p),
        ("bytes", ctypes.c_int64),
        ("letters", LetterTable),
        ("owners", ctypes.c_char_p),
        ("documented", ctypes.c_char_p),
        ("lines", ctypes.c_int64),
        ("path", ctypes.c_char_p),
        ("path_bytes", ctypes.c_int64),
        ("names", TokenizerTexts),
        ("parents", ctypes.c_char_p),
        ("functions", ctypes.c_char_p),
    )


class TermRequest(ctypes.Structure):
    """Words whose terms the caller must supply."""

    _fields_ = (
        ("parts", ctypes.c_void_p),
        ("parts_bytes", ctypes.c_int64),
        ("odd", ctypes.c_void_p),
        ("odd_bytes", ctypes.c_int64),
        ("odd_sizes", ctypes.c_void_p),
        ("odd_count", ctypes.c_int64),
    )


class TermResponse(ctypes.Structure):
    """Terms of the requested words."""

    _fields_ = (
        ("parts", ctypes.c_char_p),
        ("parts_bytes", ctypes.c_int64),
        ("odd", ctypes.c_char_p),
        ("odd_bytes", ctypes.c_int64),
    )


class TermCountTables(ctypes.Structure):
    """Tables in column order."""

    _fields_ = (
        ("terms", ctypes.c_void_p),
        ("term_count", ctypes.c_int64),
        ("whole", ctypes.c_void_p),
        ("body", ctypes.c_void_p),
        ("body_rows", ctypes.c_int64),
        ("names", ctypes.c_void_p),
        ("name_rows", ctypes.c_int64),
        ("bigrams", ctypes.c_void_p),
        ("bigram_rows", ctypes.c_int64),
        ("phrases", ctypes.c_void_p),
        ("phrase_places", ctypes.c_void_p),
        ("phrase_count", ctypes.c_int64),
    )


class BagBuffers(ctypes.Structure):
    """Texts to convert to token bags."""

    _fields_ = (
        ("version", ctypes.c_int64),
        ("texts", TokenizerTexts),
        ("letters", LetterTable),
        ("odd", TokenizerTexts),
        ("odd_tokens", ctypes.c_char_p),
        ("odd_first", ctypes.c_char_p),
        ("limit", ctypes.c_int64),
    )


class BagSums(ctypes.Structure):
    """Bags, and the table of a model; arrays are addresses."""

    _fields_ = (
        ("version", ctypes.c_int64),
        ("tokens", ctypes.c_void_p),
        ("offsets", ctypes.c_void_p),
        ("bags", ctypes.c_int64),
        ("vectors", ctypes.c_void_p),
        ("dimension", ctypes.c_int64),
        ("weights", ctypes.c_void_p),
        ("token_count", ctypes.c_int64),
        ("positions", ctypes.c_void_p),
        ("position_count", ctypes.c_int64),
    )


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
