"""Readable text of C and C++: macros and branches of the preprocessor that the grammar cannot read become blanks of their length."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node, Tree

_MACRO = rb"[A-Z_][A-Z0-9_]{2,}"
_ARGUMENTS = rb"(?:\((?:[^()\n]|\([^()\n]*\))*\))?"
#: `class LIB_API Name {`: the grammar sees a function of this name
_EXPORT = re.compile(
    rb"\b(?:class|struct|union)[ \t\r\n]+(" + _MACRO + _ARGUMENTS + rb")"
    rb"(?=[ \t\r\n]+[A-Za-z_][\w:]*[ \t\r\n]*(?:final\b[ \t\r\n]*)?(?:<[^;{}]{0,300}>[ \t\r\n]*)?[{:])"
)  # fmt: skip
#: `enum class LIB_API Name`
_EXPORTED_ENUM = re.compile(rb"\benum[ \t]+(?:(?:class|struct)[ \t]+)?(" + _MACRO + rb")(?=[ \t]+[A-Za-z_]\w*\s*[{:])")
#: `DEFINE_CALL(name, int, a) {`: the macro makes a function of this name
_DEFINING = re.compile(rb"^(\w*DEFINE\w*\()(\s*)(\w+)(\s*)(,|\))(?=[^;{}#]{0,600}\{)", re.MULTILINE)
_SPECIFIERS = (
    # `int run() NOEXCEPT {`
    re.compile(rb"(?<=\))[ \t\r\n]+(?:const[ \t\r\n]+)?(" + _MACRO + _ARGUMENTS + rb")(?=[ \t\r\n]*\{)"),
    # `LIB_INLINE void run(int a)`
    re.compile(
        rb"^[ \t]*(?:(?:static|inline|extern|virtual|typedef)[ \t]+)*(" + _MACRO + _ARGUMENTS + rb")"
        rb"(?=[ \t\r\n]+(?:[A-Za-z_][\w:<>,]*[ \t&*\r\n]+){1,6}[~\w:]+[ \t]*\()",
        re.MULTILINE,
    ),
    # `int WINAPI run(int a)`
    re.compile(rb"^[ \t]*(?:[a-z_][\w:<>]*[ \t*&]+){1,6}(" + _MACRO + rb")(?=[ \t]+[a-z_]\w*[ \t]*\()", re.MULTILINE),
    # a line of its own inside a class or between declarations
    re.compile(rb"^[ \t]*(" + _MACRO + rb"(?:\([^()\n;{}]*\))?)(?=[ \t]*\r?$)", re.MULTILINE),
)
_DEFINED = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^()\n]*\))?(.*)$", re.MULTILINE)
_MEANINGLESS = re.compile(
    rb"__attribute__\s*\(\(.*\)\)|__declspec\s*\([^)]*\)|\[\[.*?\]\]|//.*|/\*.*?\*/|"
    rb"\b(?:const|inline|static|extern|noexcept|constexpr|volatile|__inline|__inline__|__forceinline|__restrict|__extension__|__stdcall|__cdecl)\b"
)
"""What a macro may consist of that only specifies declarations."""
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b[ \t]*(.*)$", re.MULTILINE)
_NOT_BLANK = re.compile(rb"[^\n\r]")
_MAX_BYTES = 4_000_000


def read(source: bytes, parse: Callable[[bytes], Tree]) -> Node:
    """Return the tree of a file; where it has errors, that of the most readable of several texts."""
    text = source
    for pattern in (_EXPORT, _EXPORTED_ENUM):
        text = pattern.sub(_blank_first, text)
    root = parse(_DEFINING.sub(_define, text)).root_node
    if not root.has_error or len(source) > _MAX_BYTES:
        return root
    best, lost = root, _unread(root)
    for change in (_without_specifiers, _choose_branches):
        changed = change(text, best)
        if changed == text:
            continue
        found = parse(_DEFINING.sub(_define, changed)).root_node
        left = _unread(found)
        if left <= lost:
            best, lost, text = found, left, changed
    return best


def _blank(found: re.Match[bytes]) -> bytes:
    return _NOT_BLANK.sub(b" ", found[0])


def _blank_first(found: re.Match[bytes]) -> bytes:
    """Blank the first group."""
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    whole = found[0]
    return whole[:start] + _NOT_BLANK.sub(b" ", whole[start:end]) + whole[end:]


def _define(found: re.Match[bytes]) -> bytes:
    """Write the head of a function over the macro that makes it."""
    if found[5] == b")":
        return found[0]
    return b"void".ljust(len(found[1])) + found[2] + found[3] + found[4] + b"("


def _without_specifiers(text: bytes, _root: Node) -> bytes:
    definitions = [(found[1], _MEANINGLESS.sub(b"", found[2]).strip()) for found in _DEFINED.finditer(text)]
    kept = {name for name, value in definitions if value}
    names = sorted({re.escape(name) for name, _ in definitions if name not in kept}, key=len, reverse=True)
    if names:
        use = rb"^[ \t]*#.*|\b(" + b"|".join(names) + rb")\b" + _ARGUMENTS
        text = re.sub(use, lambda found: _blank(found) if found[1] else found[0], text, flags=re.MULTILINE)
    for pattern in _SPECIFIERS:
        text = pattern.sub(_blank_first, text)
    return text


def _errors(root: Node) -> Iterator[Node]:
    """Yield the outermost nodes that could not be read."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting += node.children


def _unread(root: Node) -> int:
    return sum(1 + node.end_byte - node.start_byte for node in _errors(root))


def _choose_branches(text: bytes, root: Node) -> bytes:
    """Keep one branch of each conditional group with an error in it, and no directives there."""
    errors = [(node.start_byte, node.end_byte) for node in _errors(root)]
    changed = bytearray(text)
    groups: list[list[tuple[int, int, bool]]] = []
    for found in _DIRECTIVE.finditer(text):
        kind = found[1]
        if kind.startswith(b"if"):
            groups.append([])
        if not groups:
            continue
        groups[-1].append((found.start(), found.end(), kind == b"if" and found[2].strip() == b"0"))
        if kind == b"endif":
            group = groups.pop()
            start, end = group[0][0], group[-1][1]
            if any(first <= end and last >= start for first, last in errors):
                _keep_one(changed, group)
    return bytes(changed)


def _keep_one(text: bytearray, group: list[tuple[int, int, bool]]) -> None:
    """Blank all directives of a group, and all of its branches but the first that is not `#if 0`."""
    kept = 1 if group[0][2] and len(group) > 2 else 0
    for position, (start, end, _) in enumerate(group):
        last = end
        if position != kept and position + 1 < len(group):
            last = group[position + 1][0]
        text[start:last] = _NOT_BLANK.sub(b" ", bytes(text[start:last]))
