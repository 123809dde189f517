"""Counting and truncation of text in model tokens.

Budgets are promises ("never over 8,000 tokens"), and characters divided by four break them on code and on other scripts,
so everything that has a token budget counts here. The encoding is loaded on first use: it costs 0.2 s and 60 MB.
"""

from __future__ import annotations

import functools
from typing import Final, Protocol, cast

ENCODING: Final = "o200k_base"
"""Vocabulary that is counted in; other models' tokenizers differ from it by a few per cent on code."""


_PART: Final = 50_000
"""Characters that are encoded at a time: the tokenizer refuses a text of more than 200,000 tokens, and a character has at most four bytes."""


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_bytes(self, tokens: list[int]) -> bytes: ...


@functools.cache
def _encoding() -> _Encoding:
    import bpe_openai  # here because most commands of the command line never count a token

    return cast(_Encoding, bpe_openai.get_encoding(ENCODING))


def count_tokens(text: str) -> int:
    """Return the number of tokens of `text`; markers such as `<|endoftext|>` count as the ordinary text they are.

    Of a very long text it may be a few too many, never too few.
    """
    return len(_encode(text))


def truncate_end(text: str, limit: int) -> str:
    """Return the longest start of `text` that has at most `limit` tokens, never splitting a character."""
    tokens = _encode(text)
    if len(tokens) <= limit:
        return text
    while limit > 0:
        piece = _encoding().decode_bytes(tokens[:limit]).decode("utf-8", "ignore")
        # A cut inside a character, or one that merges differently on its own, may count one token more: step back.
        if text.startswith(piece) and count_tokens(piece) <= limit:
            return piece
        limit -= 1
    return ""


def _encode(text: str) -> list[int]:
    encoding = _encoding()
    return [
        token for start in range(0, len(text), _PART) for token in encoding.encode_ordinary(text[start : start + _PART])
    ]
