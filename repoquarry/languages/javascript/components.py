"""Single-file components of Vue and Svelte: the script as it is, and the expressions of the template as statements behind each other.

Everything else becomes blanks, so that every name keeps its place in the file. An expression `{x}` of a template becomes `;(x)`, a handler
`@click="a(); b()"` becomes `;{a(); b()}`.
Source: https://vuejs.org/api/sfc-spec.html, https://svelte.dev/docs/svelte/basic-markup
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SCRIPT = re.compile(rb"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_STYLE = re.compile(rb"<style\b[^>]*>.*?</style\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TYPED = re.compile(rb"""lang\s*=\s*["']?(?:ts|tsx|typescript)\b""")
_NOT_BLANK = re.compile(rb"[^\n]")
#: `{{ expression }}` of Vue
_INTERPOLATION = re.compile(rb"\{(\{.*?\})\}", re.DOTALL)
#: `:name="expression"`, `v-name="expression"`, `@event="statements"`, `#slot="pattern"`
_DIRECTIVE = re.compile(
    rb"""\s(?P<name>[:@]|v-)(?P<rest>[\w.:\[\]-]*)=(?P<quote>["'])(?P<value>.*?)(?P=quote)""", re.DOTALL
)
_FOR = re.compile(rb"^.*?\s(?:in|of)\s", re.DOTALL)
#: what stands before the expression of a Svelte block: `{#if`, `{:else if`, `{@html`, `{#each`
_BLOCK = re.compile(rb"^[#:@/]\s*(?:else\s+if|\w+)")
_EACH = re.compile(rb"\s(?:as|then)\s.*$", re.DOTALL)
#: longer expressions are no expressions but text with a brace in it
_LONGEST = 20_000


def plain(suffix: str, source: bytes) -> tuple[bytes, str]:
    """The source of a component as one of JavaScript or TypeScript, and the suffix of such a file."""
    scripts = list(_SCRIPT.finditer(source))
    typed = any(_TYPED.search(found.group(1)) for found in scripts)
    out = bytearray(_NOT_BLANK.sub(b" ", source))
    for found in scripts:
        out[found.start(2) : found.end(2)] = source[found.start(2) : found.end(2)]
    template = _blanked(source, [*scripts, *_STYLE.finditer(source)])
    spans = _vue(template) if suffix == ".vue" else _svelte(template)
    for start, end, is_statements in spans:
        if start < 2 or end >= len(out) or end - start > _LONGEST:
            continue
        out[start:end] = template[start:end]
        out[start - 2 : start] = b";{" if is_statements else b";("
        out[end : end + 1] = b"}" if is_statements else b")"
    return bytes(out), ".ts" if typed else ".js"


def _blanked(source: bytes, parts: list[re.Match[bytes]]) -> bytes:
    out = bytearray(source)
    for found in parts:
        out[found.start() : found.end()] = _NOT_BLANK.sub(b" ", found.group())
    return bytes(out)


def _vue(template: bytes) -> Iterator[tuple[int, int, bool]]:
    for found in _INTERPOLATION.finditer(template):
        yield found.start() + 2, found.end() - 2, False
    for found in _DIRECTIVE.finditer(template):
        start, end = found.span("value")
        if not template[start:end].strip():
            continue
        name, rest = found["name"], found["rest"]
        if name == b"v-" and rest.startswith((b"slot", b"else")):
            continue
        if name == b"v-" and rest == b"for":
            head = _FOR.match(template, start, end)
            if head is None:
                continue
            start = head.end()
        yield start, end, name == b"@" or rest.startswith(b"on:")


def _svelte(template: bytes) -> Iterator[tuple[int, int, bool]]:
    at = template.find(b"{")
    while at >= 0:
        end = _closing(template, at)
        if end < 0:
            return
        start = at + 1
        inside = template[start:end]
        block = _BLOCK.match(inside)
        if block is not None:
            if inside.startswith((b"/", b":then", b":catch", b"#snippet")):
                inside = b""
            if inside.startswith((b"#each", b"#await")):
                shown = _EACH.search(inside)
                end_of_value = start + (shown.start() if shown is not None else len(inside))
            else:
                end_of_value = end
            if inside:
                yield start + block.end(), end_of_value, False
        elif inside.strip() and not inside.lstrip().startswith(b"..."):
            yield start, end, False
        at = template.find(b"{", end)


def _closing(text: bytes, at: int) -> int:
    """Where the brace that opens at a place is closed, -1 where it is not."""
    depth = 0
    for place in range(at, min(len(text), at + _LONGEST)):
        if text[place] == 123:
            depth += 1
        elif text[place] == 125:
            depth -= 1
            if depth == 0:
                return place
    return -1
