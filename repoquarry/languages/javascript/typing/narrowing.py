"""What conditions say of the classes of names: `x instanceof C`, alone, negated, and joined by `&&` and `||`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.reader import Reader


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A name is an instance of a class where the condition has the outcome `when`, and is none where it has the other."""

    name: str
    cls: int
    when: bool
    both: bool = True
    """The other outcome says the opposite; if not, it says nothing."""


def narrowings(reader: Reader, node: Node) -> list[Narrowing]:
    """What a condition tells, after it has been read."""
    kind = reader.kind(node)
    if kind == "parenthesized_expression" and (parts := reader.parts(node)):
        return narrowings(reader, parts[0])
    if kind == "unary_expression" and reader.has_token(node, "!") and (parts := reader.parts(node)):
        return [Narrowing(one.name, one.cls, not one.when, one.both) for one in narrowings(reader, parts[0])]
    if kind != "binary_expression":
        return []
    left, right, sign = (node.child_by_field_name(field) for field in ("left", "right", "operator"))
    if left is None or right is None or sign is None:
        return []
    text = reader.text(sign)
    if text in ("&&", "||"):
        truth = text == "&&"
        found = [*narrowings(reader, left), *narrowings(reader, right)]
        return [Narrowing(one.name, one.cls, truth, False) for one in found if one.when is truth]
    if text != "instanceof" or reader.kind(left) != "identifier":
        return []
    if reader.kind(right) not in ("identifier", "member_expression"):
        return []
    return [Narrowing(reader.text(left), reader.value(right), True)]


def apply(reader: Reader, known: Sequence[Narrowing], *, truth: bool) -> None:
    """Narrows names in the current block as the condition having an outcome says."""
    for one in known:
        if one.when is not truth and not one.both:
            continue
        source = reader.scopes.read(one.name)
        narrowed = reader.graph.value(op.NARROW, source, one.cls, int(one.when is truth))
        reader.scopes.current.narrowed[one.name] = narrowed
