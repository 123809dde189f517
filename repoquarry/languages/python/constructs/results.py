"""What functions return, yield and raise."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.reader import Reader


@dataclass(slots=True)
class _Results:
    """Where the results of one function go."""

    returned: int
    yielded: int
    yields: bool = False


class Results:
    """Reads what leaves a function."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._open: list[_Results] = []
        """Of the functions being read, innermost last."""
        reader.register(
            {
                "return_statement": self._return_statement,
                "yield": self._yield,
                "raise_statement": self._raise_statement,
            }
        )

    def open(self, returned: int, yielded: int) -> None:
        """Goes on within a function whose results flow into these variables."""
        self._open.append(_Results(returned, yielded))

    def close(self) -> bool:
        """Leaves the function; whether it yields."""
        return self._open.pop().yields

    def _return_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        if children:
            value = reader.value(children[0])
            if self._open:
                reader.graph.assign(self._open[-1].returned, op.COPY, value)
        reader.scopes.current.dead = True
        return -1

    def _yield(self, node: Node) -> int:
        reader = self.reader
        children = g.significant(node)
        if self._open:
            self._open[-1].yields = True
        if len(children) == 1:
            return reader.constant("object")
        value = reader.value(children[-1])
        delegates = children[1].kind_id == g.FROM
        element = reader.graph.rooted(op.EACH, value, reader.line(node), reader.owner) if delegates else value
        if self._open:
            reader.graph.assign(self._open[-1].yielded, op.COPY, element)
        return reader.graph.value(op.AWAIT if delegates else op.SENT, value)

    def _raise_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        for child in children:
            value = reader.value(child)
            if child is children[0] and child.kind_id in (g.IDENTIFIER, g.ATTRIBUTE):
                reader.graph.effect(op.RAISE, value, reader.line(child), reader.owner)
                self._mention_raised(child, value)
            elif child is children[0] and child.kind_id == g.CALL:
                self._return_by_raising(child, value)
                offset = reader.graph.first[value]
                if offset >= 0 and reader.graph.code[offset] == op.CALL:
                    self._mention_raised(child, reader.graph.code[offset + 3])
        reader.scopes.current.dead = True
        return -1

    def _mention_raised(self, node: Node, variable: int) -> None:
        """`variable` holds an exception or, where one is made in place, its class."""
        reader = self.reader
        reader.graph.effect(op.MENTION, variable, reader.line(node), reader.owner, reader.graph.symbol("raises"))

    def _return_by_raising(self, node: Node, call: int) -> None:
        """`raise StopIteration(x)`, `raise gen.Return(x)`: how generators returned values before they could `return` them."""
        reader = self.reader
        name = reader.text(node.children[0]).rpartition(".")[2]
        offset = reader.graph.first[call]
        code = reader.graph.code[offset : offset + 11]
        if self._open and name in ("StopIteration", "Return") and code[8:10] == [1, op.POSITIONAL]:
            reader.graph.assign(self._open[-1].returned, op.COPY, code[10])
