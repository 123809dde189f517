"""Token counts of text by a language model's tokenizer (o200k_base), and truncation and splitting of text at a number of tokens.

Token budgets are guarantees ("never over 8,000 tokens"), which an estimate of four characters per token breaks for code and for other
scripts. The encoding is loaded on first use: it costs 0.2 s and 60 MB.
"""

from __future__ import annotations

import codecs
import functools
from typing import Final, Protocol, cast

ENCODING: Final = "o200k_base"
"""Vocabulary of the count; tokenizers of other models differ by a few percent on code."""


_PART: Final = 50_000
"""Characters encoded in one step: the tokenizer rejects more than 200,000 tokens, and a character has at most four bytes."""


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_bytes(self, tokens: list[int]) -> bytes: ...


@functools.cache
def _encoding(name: str = ENCODING) -> _Encoding:
    import bpe_openai  # Lazy import: most commands never count tokens.

    return cast(_Encoding, bpe_openai.get_encoding(name))


def count_tokens(text: str, encoding: str = ENCODING) -> int:
    """Return the number of tokens of `text`; markers such as `<|endoftext|>` count as ordinary text.

    The count of a very long text may be slightly too high, never too low.
    """
    return len(_encode(text, encoding))


def truncate_end(text: str, limit: int) -> str:
    """Return the longest prefix of `text` with at most `limit` tokens, without splitting a character."""
    tokens = _encode(text)
    if len(tokens) <= limit:
        return text
    while limit > 0:
        piece = _encoding().decode_bytes(tokens[:limit]).decode("utf-8", "ignore")
        # A cut inside a character, or a prefix that merges differently by itself, may count one token more: step back.
        if text.startswith(piece) and count_tokens(piece) <= limit:
            return piece
        limit -= 1
    return ""


def split_tokens(text: str, limit: int) -> list[str]:
    """Split `text` into pieces of about `limit` tokens, without splitting a character."""
    tokens, decoder = _encode(text), codecs.getincrementaldecoder("utf-8")()
    pieces = (decoder.decode(_encoding().decode_bytes(tokens[at : at + limit])) for at in range(0, len(tokens), limit))
    return [piece for piece in pieces if piece]


def _encode(text: str, name: str = ENCODING) -> list[int]:
    encoding = _encoding(name)
    return [
        token for start in range(0, len(text), _PART) for token in encoding.encode_ordinary(text[start : start + _PART])
    ]
