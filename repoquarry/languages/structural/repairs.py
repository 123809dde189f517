"""Repairs of texts that a grammar cannot read: measures of what is unread, and conditional groups."""

from __future__ import annotations

import re

from tree_sitter import Node

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|elif|else|endif)\b.*$")
_NOT_BLANK = re.compile(rb"[^\r\n]")
_MAX_ERRORS = 1_000_000


def count_unread(root: Node) -> int:
    """Return the number of bytes in errors, and of missing tokens."""
    count, pending = 0, [root] if root.has_error else []
    while pending and count < _MAX_ERRORS:
        node = pending.pop()
        if node.is_error or node.is_missing:
            count += node.end_byte - node.start_byte + 1
        else:
            pending += [child for child in node.children if child.has_error or child.is_missing]
    return count


def choose_branches(source: bytes) -> bytes:
    """Blank all directives of conditional groups, and all branches but the first of each."""
    lines, groups = [], []
    for line in source.splitlines(keepends=True):
        match = _DIRECTIVE.match(line.rstrip(b"\r\n"))
        word = match[1] if match else b""
        if word == b"if":
            groups.append(True)
        elif word == b"endif" and groups:
            groups.pop()
        elif word and groups:
            groups[-1] = False
        lines.append(_NOT_BLANK.sub(b" ", line) if word or not all(groups) else line)
    return b"".join(lines)
