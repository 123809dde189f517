"""Type parameters of functions, classes and aliases, and the arguments that stand for them in brackets."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.reader import Handler, Reader


class Generics:
    """Reads type parameters and type arguments."""

    def __init__(self, reader: Reader, type_of: Handler) -> None:
        """`type_of` reads the types that stand in brackets."""
        self.reader = reader
        self._type_of = type_of
        self._names: set[str] = set()
        """Names of all type parameters of the file."""

    def declare(self, node: Node, owner: int) -> int:
        """`<T extends Base>` of definition `owner`: itself, and its bound; how many there are."""
        reader = self.reader
        given = node.child_by_field_name("type_parameters")
        position = -1
        for child in reader.parts(given) if given is not None else ():
            name = child.child_by_field_name("name")
            if name is None:
                continue
            position += 1
            variable = reader.scopes.current.names[reader.text(name)] = reader.graph.variable()
            self._names.add(reader.text(name))
            bound = child.child_by_field_name("constraint")
            found = self._type_of(bound) if bound is not None else -1
            reader.graph.assign(variable, op.PARAMETER, owner, position, found if owner >= 0 else -1)
            if owner < 0 <= found:  # parameters of aliases are not told apart
                reader.graph.assign(variable, op.COPY, found)
        return position + 1

    def mentioned(self, node: Node | None) -> bool:
        """Whether a type mentions a name that some class or function of the file has as a type parameter."""
        pending = [node] if node is not None else []
        while pending:
            one = pending.pop()
            if self.reader.kind(one) == "type_identifier" and self.reader.text(one) in self._names:
                return True
            pending.extend(one.named_children)
        return False

    def default_types(self, node: Node) -> list[Node | None]:
        """What the type parameters of a definition are where nothing says it, `<T = Item>`; None for those without a default."""
        given = node.child_by_field_name("type_parameters")
        return [child.child_by_field_name("value") for child in self.reader.parts(given)] if given is not None else []

    def defaults(self, node: Node) -> list[int]:
        """Variables of what the type parameters of a class are where nothing says it, `<T = Item>`; -1 for those without a default."""
        return [self._type_of(one) if one is not None else -1 for one in self.default_types(node)]

    def with_arguments(self, base: int, given: Node) -> int:
        """The type `base` of what stands in brackets behind it."""
        graph = self.reader.graph
        arguments = [self._type_of(child) for child in self.reader.parts(given)]
        empty = graph.variable()
        return graph.value(op.TYPEARGS, base, len(arguments), *(one if one >= 0 else empty for one in arguments))

    def is_parameter(self, name: str) -> bool:
        """Whether some class or function of the file has a type parameter of this name."""
        return name in self._names
