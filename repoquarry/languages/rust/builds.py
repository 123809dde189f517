"""`cfg` attributes of Rust: whether the usual build has what they stand before."""

from __future__ import annotations

import re

_ATTRIBUTE = re.compile(r"#!?\[\s*cfg\s*\((.*)\)\s*\]", re.DOTALL)
_TOKEN = re.compile(r'\w+\s*=\s*"[^"]*"|\w+|[(),]')
_OTHERS = frozenset({"windows", "test", "miri", "doc", "loom", "fuzzing", "doctest"})
_USUAL = {"target_os": "linux", "target_family": "unix", "target_arch": "x86_64", "target_pointer_width": "64",
          "target_env": "gnu", "target_endian": "little"}  # fmt: skip


def is_built(attribute: str) -> bool:
    """Return whether a build for Linux on x86-64 with all features and without tests has what an attribute stands before."""
    match = _ATTRIBUTE.match(attribute)
    return _value([*reversed(_TOKEN.findall(match[1]))]) if match else True


def _value(tokens: list[str]) -> bool:
    """Evaluate the predicate that begins at the end of the reversed tokens."""
    word = tokens.pop() if tokens else ""
    if tokens and tokens[-1] == "(":
        tokens.pop()
        parts = []
        while tokens and tokens[-1] != ")":
            if tokens[-1] == ",":
                tokens.pop()
            else:
                parts.append(_value(tokens))
        if tokens:
            tokens.pop()
        if word == "not":
            return not all(parts)
        return any(parts) if word == "any" else all(parts)
    name, is_pair, value = word.partition("=")
    if is_pair:
        return _USUAL.get(name.strip(), value.strip(' "')) == value.strip(' "')
    return word not in _OTHERS
