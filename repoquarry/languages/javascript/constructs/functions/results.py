"""What functions say of their results: annotations, type predicates, comments, and what their place expects."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.constructs.functions.forms import Form
from repoquarry.languages.javascript.reader import Body, Reader
from repoquarry.languages.javascript.typing.attributes import RESULT
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.field_types import given_back
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes, Tags
from repoquarry.languages.javascript.typing.members import OpenClasses
from repoquarry.languages.javascript.typing.predicates import predicate
from repoquarry.languages.javascript.typing.types import Types


class Results:
    """Reads declared results."""

    def __init__(
        self, reader: Reader, types: Types, contexts: Contexts, documented: DocumentedTypes, classes: OpenClasses
    ) -> None:
        self.reader = reader
        self.types = types
        self.contexts = contexts
        self.documented = documented
        self.classes = classes

    def read(
        self, value: int, node: Node, form: Form, body: Body, context: int, tags: Tags | None, *, is_generic: bool
    ) -> tuple[int, list[int]]:
        """Flags of the function, and variables of the declared types. `context`: what its place expects of it, -1 for nothing."""
        returns = node.child_by_field_name("return_type")
        flags = op.GUARDS * self._declares_predicate(value, node)
        if is_generic:
            self.contexts.offer_result(value, returns, self.reader.line(node))
            self.contexts.offer_defaults(value, self.types.generics.default_types(node), self.reader.line(node))
        body.expected = self.contexts.of_type(returns)
        if returns is None and context >= 0:
            body.expected = self.contexts.attribute(context, RESULT)
        declared = [
            *(form.group.declared if form.group is not None else ()),
            *self._declared(returns or self._own_field(node, form)),
        ]
        if returns is None and tags is not None and tags.returns:
            told = self.documented.told(tags.returns, node)
            flags |= op.GUARDS * self._tells(value, told, node)
            known = -1 if told is not None else self.documented.annotated(tags.returns, node)
            declared += [known] if known >= 0 else []
        return flags, declared

    def of_class(self, returns: Node | None, declared: list[int], result: int) -> int:
        """The variable of the result, as far as it is of the declared type, where that is a class."""
        if returns is None or not declared or not self.types.is_plain_class(returns):
            return result
        return self.types.declared(returns, result)

    def _declares_predicate(self, value: int, node: Node) -> bool:
        """`isCircle(v): v is Circle`: the function has the type, and calls read it."""
        found = predicate(self.reader, node)
        return found is not None and self._tells(value, (found.name, self.types.type(found.type)), found.type)

    def _tells(self, value: int, told: tuple[str, int] | None, node: Node) -> bool:
        """Notes attribute and type of a predicate; whether it has a type."""
        if told is None or told[1] < 0:
            return False
        reader, graph = self.reader, self.reader.graph
        graph.effect(op.SETATTR, value, graph.symbol(told[0]), told[1], reader.line(node), reader.owner)
        return True

    def _own_field(self, node: Node, form: Form) -> Node | None:
        """The declared type of the field that a method of a class with type parameters gives."""
        members = self.classes.innermost
        if members is None or not members.types or form.home < 0:
            return None
        return members.types.get(given_back(self.reader, node))

    def _declared(self, returns: Node | None) -> list[int]:
        if returns is None:
            return []
        found = self.types.annotated(returns)
        return [found] if found >= 0 else []
