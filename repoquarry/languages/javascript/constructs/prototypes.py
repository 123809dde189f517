"""Classes made of functions: `F.prototype.m = function`, `Object.create(Base.prototype)`, `util.inherits(F, Base)`."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.javascript.reader import Reader

_INHERIT = frozenset(("inherits", "setPrototypeOf"))


class Prototypes:
    """Reads what ties functions to what they inherit from."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def receiver(self, target: Node) -> int:
        """What a function is called on that is assigned to a property: the object that has it, or an instance."""
        reader = self.reader
        owner = target.child_by_field_name("object")
        if owner is None:
            return -1
        function = self._function_of(owner)
        if function is not None:
            return reader.graph.value(op.TYPED, reader.value(function), -1)
        return reader.value(owner)

    def assign(self, target: Node, source: Node) -> bool:
        """`F.prototype = Object.create(Base.prototype)` or `new Base()`: whether it was that."""
        function = self._function_of(target)
        if function is None:
            return False
        base = self._base_of(source)
        if base is None:
            return False
        self._inherit(self.reader.value(function), self.reader.value(base))
        return True

    def inherits(self, function: Node, given: Node, arguments: list[int]) -> bool:
        """`inherits(F, Base)`, `Object.setPrototypeOf(F.prototype, Base.prototype)`: whether it was that."""
        if len(arguments) < 4:
            return False
        reader = self.reader
        name = function.child_by_field_name("property") or function
        if reader.text(name) not in _INHERIT:
            return False
        first, second = reader.parts(given)[:2]
        sub, base = self._function_of(first) or first, self._function_of(second) or second
        self._inherit(reader.value(sub), reader.value(base))
        return reader.text(name) == "setPrototypeOf"

    def _inherit(self, sub: int, base: int) -> None:
        self.reader.graph.effect(op.INHERITS, sub, base)

    def _function_of(self, node: Node) -> Node | None:
        """`F` of `F.prototype`."""
        name = node.child_by_field_name("property")
        if name is None or self.reader.text(name) != "prototype":
            return None
        return node.child_by_field_name("object")

    def _base_of(self, node: Node) -> Node | None:
        reader = self.reader
        kind = reader.kind(node)
        if kind == "new_expression":
            return node.child_by_field_name("constructor")
        if kind != "call_expression":
            return None
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or given is None or reader.text(function) != "Object.create":
            return None
        parts = reader.parts(given)
        return self._function_of(parts[0]) if parts else None
