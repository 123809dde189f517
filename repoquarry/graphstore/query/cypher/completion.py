"""Autocompletion of Cypher: lists the variables, keywords, functions, labels, types and properties that fit at the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.model import schema
from repoquarry.graphstore.query.cypher.semantics.types import SIGNATURES

_KEYWORDS: Final = (
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "ORDER BY", "LIMIT", "SKIP", "DISTINCT", "AS", "AND", "OR", "NOT",
    "IN", "IS NULL", "IS NOT NULL", "STARTS WITH", "ENDS WITH", "CONTAINS", "CASE", "WHEN", "THEN", "ELSE", "END", "UNION", "EXISTS",
    "DESC", "ASC", "TRUE", "FALSE", "NULL",
)  # fmt: skip
_WORD: Final = re.compile(r"\w*$")
_QUIET: Final = re.compile(r"'(?:[^'\\]|\\.)*'?|\"(?:[^\"\\]|\\.)*\"?|//[^\n]*|/\*.*?(?:\*/|$)", re.DOTALL)
_BOUND: Final = re.compile(
    r"[(\[]\s*(?P<name>[^\W\d]\w*)\s*(?::\s*(?P<labels>[\w|:&]+))?|\bAS\s+(?P<alias>[^\W\d]\w*)", re.IGNORECASE
)
_PROPERTY: Final = re.compile(r"(?P<name>[^\W\d]\w*)\.$")
_MAP_KEY: Final = re.compile(r"[(\[]\s*\w*\s*(?::\s*(?P<labels>[\w|:&]+))?[^(\[{]*\{(?:[^{}]*,)?\s*$")
_LABEL: Final = re.compile(r"\(\s*\w*\s*(?::\s*[\w|&:]*)?[:|&]\s*$")
_TYPE: Final = re.compile(r"\[\s*\w*\s*(?::\s*[\w|]*)?[:|]\s*$")
_HAS_LABEL: Final = re.compile(r"\b[^\W\d]\w*\s*:\s*$")
MAX_ITEMS: Final = 50


@dataclass(frozen=True)
class CompletionItem:
    """Text that fits at a position."""

    text: str
    kind: str
    """`keyword`, `label`, `relationship`, `property`, `function` or `variable`."""
    meaning: str = ""


@dataclass(frozen=True)
class Completion:
    """Items for the text from `start` to the position, best first."""

    start: int
    items: tuple[CompletionItem, ...]


def complete_query(text: str, position: int) -> Completion:
    """Return the texts that fit at a position of a query, in characters from its beginning."""
    before = text[: max(0, min(position, len(text)))]
    word = (_WORD.search(before) or re.match("", before) or [""])[0]
    start = len(before) - len(word)
    # Strings and comments keep their length, and hold nothing to complete.
    quiet = _QUIET.sub(lambda match: " " * len(match[0]) if match.end() < len(before) else "\0" * len(match[0]), before)
    if quiet.endswith("\0"):
        return Completion(len(before), ())
    found = list(_items(quiet[:start], text))
    prefix = word.lower()
    first = [item for item in found if item.text.lower().startswith(prefix)]
    later = [item for item in found if prefix in item.text.lower() and item not in first]
    return Completion(start, tuple([*first, *later][:MAX_ITEMS]))


def _items(before: str, text: str) -> Iterator[CompletionItem]:
    """Yield the items that fit after `before`, likely ones first."""
    if match := _PROPERTY.search(before):
        yield from _properties(_labels_by_variable(text).get(match["name"], ""))
    elif match := _MAP_KEY.search(before):
        yield from _properties(match["labels"] or "")
    elif _TYPE.search(before):
        yield from (
            CompletionItem(kind.name, "relationship", kind.meaning) for kind in schema.RELATIONSHIP_TYPES.values()
        )
    elif _LABEL.search(before) or _HAS_LABEL.search(before):
        yield from (CompletionItem(label.name, "label", label.meaning) for label in schema.NODE_LABELS.values())
    else:
        yield from (CompletionItem(name, "variable") for name in sorted(_labels_by_variable(text)))
        yield from (CompletionItem(keyword, "keyword") for keyword in _KEYWORDS)
        yield from (
            CompletionItem(f"{item.name}(", "function")
            for item in sorted(SIGNATURES.values(), key=lambda one: one.name)
        )


def _labels_by_variable(text: str) -> Mapping[str, str]:
    """Return the labels or types of the variables of a query; empty where the query states none."""
    found: dict[str, str] = {}
    for match in _BOUND.finditer(_QUIET.sub(" ", text)):
        name = match["name"] or match["alias"]
        found[name] = found.get(name) or match["labels"] or ""
    return found


def _properties(labels: str) -> Iterator[CompletionItem]:
    """Yield the properties of some labels or types, or of all where none is known."""
    table: dict[str, schema.NodeLabel | schema.RelationshipType] = {**schema.NODE_LABELS, **schema.RELATIONSHIP_TYPES}
    chosen = [table[name] for name in re.findall(r"\w+", labels) if name in table] or list(table.values())
    found = {
        item.name: CompletionItem(item.name, "property", item.meaning) for kind in chosen for item in kind.properties
    }
    yield from (found[name] for name in sorted(found))
