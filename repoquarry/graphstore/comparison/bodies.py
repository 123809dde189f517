"""The same code under another name or at another place, by a hash of its tokens.

White space, line breaks and the definition's own name do not count; comments and documentation do, because what is a comment
differs from language to language and a text alone does not say so.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

_TOKEN = re.compile(r"\w+|[^\w\s]")
_FEWEST_TOKENS: Final = 20
"""Shorter bodies are alike by chance: getters, delegations, `pass`."""


def token_hash(text: str, name: str) -> str:
    """Hash of a definition's tokens without its own name; empty for one too short to be told from others."""
    tokens = [token for token in _TOKEN.findall(text) if token != name]
    if len(tokens) < _FEWEST_TOKENS:
        return ""
    return hashlib.sha256("\0".join(tokens).encode("utf-8", "surrogatepass")).hexdigest()
