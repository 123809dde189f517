"""Type annotations as operations, and what conditions tell about types.

An annotation is read as an expression whose names are looked up late (they may name what is defined further down), strings are read as
what they say, and `X | Y` is either.
"""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.expressions import Expressions, Narrowing

_GENERIC = g.kind("generic_type")
_UNION = g.kind("union_type")
_MEMBER = g.kind("member_type")
_CONSTRAINED = g.kind("constrained_type")


class Types(Expressions):
    """Adds the reading of annotations."""

    def annotated(self, node: Node) -> int:
        """A variable that holds instances of the annotated type."""
        return self.graph.value(op.TYPED, self.annotation(node), self.owner)

    def annotation(self, node: Node) -> int:
        """The variable of a type expression."""
        kind = node.kind_id
        if kind == g.IDENTIFIER:
            variable = self.scopes.later(self.text(node))
            self._mention(variable, node)
            return variable
        if kind in (g.TYPE, g.PARENTHESIZED, _CONSTRAINED):
            return self.annotation(next(child for child in node.children if child.is_named))
        if kind in (g.ATTRIBUTE, _MEMBER):
            children = g.significant(node)
            target = self.annotation(children[0])
            variable = self.graph.value(op.ATTR, target, self.symbol(children[-1]), self.line(children[-1]), self.owner)
            self._mention(variable, children[-1])
            return variable
        if kind == g.STRING:
            return self._quoted(node)
        if kind in (_GENERIC, g.SUBSCRIPT):
            return self._generic(node)
        if kind in (g.BINARY_OPERATOR, _UNION):
            children = g.significant(node)
            return self.graph.copies([self.annotation(children[0]), self.annotation(children[-1])])
        if kind in (g.LIST, g.TUPLE):
            parts = [self.annotation(child) for child in node.children if child.is_named]
            return self.graph.value(op.TYPEARGS, self.constant("object"), len(parts), *parts)
        if kind == g.NONE:
            return self.constant("NoneType")
        self.value(node)  # no type, but evaluated: `Depends(connect)`, `Param(str, "help")`
        return self.constant("object")

    def _mention(self, variable: int, node: Node) -> None:
        self.graph.effect(op.MENTION, variable, self.line(node), self.owner, self.graph.symbol("annotation"))

    def _generic(self, node: Node) -> int:
        children = [child for child in node.children if child.is_named and child.kind_id != g.COMMENT]
        base = self.annotation(children[0])
        if len(children) == 2 and children[1].kind_id == g.TYPE_PARAMETER:
            children = [children[0], *(child for child in children[1].children if child.is_named)]
        if children[0].kind_id == g.IDENTIFIER and self.text(children[0]) == "Literal":
            return base
        arguments = [self.annotation(child) for child in children[1:]]
        return self.graph.value(op.TYPEARGS, base, len(arguments), *arguments)

    def read_types(self, called: str, node: Node, arguments: list[int]) -> None:
        given = [child for child in node.named_children if child.kind_id != g.COMMENT]
        for at, child in enumerate(given):
            keyword = child.kind_id == g.KEYWORD_ARGUMENT
            value = child.children[-1] if keyword else child
            if called == "cast":
                is_type = at == 0 and not keyword
            else:
                is_type = called == "TypeVar" and (self.text(child.children[0]) == "bound" if keyword else at > 0)
            if is_type and value.kind_id in (g.STRING, g.SUBSCRIPT):
                arguments[2 * at + 1] = self.annotation(value)

    def _quoted(self, node: Node) -> int:
        text = (self.literal(node) or "").strip()
        if text.isidentifier():
            variable = self.scopes.later(text)
            self._mention(variable, node)
            return variable
        if not text or "\n" in text:
            return self.constant("object")
        source, line, called = self.source, self.line(node), self.called
        self.source, self.line_offset, self.called = text.encode(), line, set()
        try:
            root = g.parse(self.source).root_node
            statement = root.children[0] if root.children and not root.has_error else None
            if statement is None or statement.kind_id != g.EXPRESSION_STATEMENT:
                return self.constant("object")
            return self.annotation(statement.children[0])
        finally:
            self.source, self.line_offset, self.called = source, None, called

    # ---- what conditions tell

    def narrowings(self, node: Node) -> list[Narrowing]:
        kind = node.kind_id
        if kind == g.CALL:
            return self._isinstance(node)
        if kind == g.PARENTHESIZED:
            return self.narrowings(node.children[1])
        if kind == g.NOT_OPERATOR:
            return [
                Narrowing(found.name, found.cls, not found.belongs, None if found.when is None else not found.when)
                for found in self.narrowings(node.children[-1])
            ]
        if kind == g.BOOLEAN_OPERATOR:
            operands, both = g.operands(node)
            return [
                Narrowing(found.name, found.cls, found.belongs, both)
                for operand in operands
                for found in self.narrowings(operand)
                if found.when is None or found.when is both
            ]
        return []

    def _isinstance(self, node: Node) -> list[Narrowing]:
        if self.text(node.children[0]) != "isinstance":
            return []
        given = [child for child in node.children[-1].children if child.is_named]
        if (
            len(given) != 2
            or given[0].kind_id != g.IDENTIFIER
            or given[1].kind_id not in (g.IDENTIFIER, g.ATTRIBUTE, g.TUPLE)
        ):
            return []
        return [Narrowing(self.text(given[0]), self.value(given[1]), True, None)]

    def apply(self, narrowed: list[Narrowing], *, truth: bool) -> None:
        env = self.scopes.current.env
        for found in narrowed:
            if found.name in env and (found.when is None or found.when is truth):
                keep = found.belongs is truth
                env[found.name] = self.graph.value(op.NARROW, self.scopes.read(found.name), found.cls, int(keep))
