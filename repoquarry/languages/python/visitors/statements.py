"""Visitors that turn Python statements, imports and function results into constraints; groups of overload stubs.

A stub shares the definition of the implementation that follows it: calls, counts and lists know the implementation alone. Where none
follows (stub files, protocols) all stubs of a name together are one definition. Results that stubs declare count where the
implementation declares nothing.
Source: https://typing.python.org/en/latest/spec/overload.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Decorator, Definition, Import
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor

_OVERLOADS = ("typing.overload", "typing_extensions.overload")


def is_overload(decorators: Sequence[Decorator], *, is_empty: bool) -> bool:
    """Return whether a function with these decorators is a stub.

    One that is imported from elsewhere, as from a project's own module for old Pythons, is believed if the body is empty.
    """
    return any(
        decorator.arguments is None
        and (decorator.dotted in _OVERLOADS or (is_empty and decorator.dotted.endswith(".overload")))
        for decorator in decorators
    )


@dataclass(slots=True)
class OverloadGroup:
    """The stubs of one function, as far as they have been read."""

    index: int = -1
    """Index of their definition, -1 before the first."""
    stubs: list[Definition] = field(default_factory=list)
    declared: int = -1
    """Variable of all results that they declare, -1 where they declare none."""

    def add(self, stub: Definition, declared: int) -> Definition:
        """Takes up one more stub; return the definition that all of them make."""
        self.stubs.append(stub)
        self.declared = declared
        first = self.stubs[0]
        return replace(
            stub,
            start_line=first.start_line,
            name_line=first.name_line,
            signature=first.signature,
            overloads=self._signatures(),
        )

    def implemented_by(self, definition: Definition) -> Definition:
        """Return the definition of the implementation."""
        return replace(definition, overloads=self._signatures()) if self.stubs else definition

    def _signatures(self) -> tuple[str, ...]:
        return tuple(stub.signature for stub in self.stubs)


class OverloadGroups:
    """The stubs of a file that still wait for their implementation."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, str], OverloadGroup] = {}
        self.unbound: dict[str, int] = {}
        """Name -> variable of the stubs in the block being read, which the block binds at its end."""

    def of(self, owner: int, name: str, *, is_stub: bool) -> OverloadGroup:
        """The group of a function in `owner`; its implementation ends it."""
        if is_stub:
            return self._open.setdefault((owner, name), OverloadGroup())
        self.unbound.pop(name, None)
        return self._open.pop((owner, name), None) or OverloadGroup()


@dataclass(slots=True)
class _Results:
    """Where the results of one function go."""

    returned: int
    yielded: int
    yields: bool = False


class PythonResultVisitor:
    """Visitor of statements that leave a function."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader
        self._open: list[_Results] = []
        """State of the functions being read, innermost last."""
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
        """Leave the function; whether it yields."""
        return self._open.pop().yields

    def _return_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        if children:
            value = reader.value(children[0])
            reader.keep(children[0], value)
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
        if not delegates:
            return reader.graph.value(op.SENT, value)
        return reader.graph.value(op.AWAIT, value, reader.line(node), reader.owner)

    def _raise_statement(self, node: Node) -> int:
        reader = self.reader
        children = g.named(node)
        for child in children:
            value = reader.value(child)
            if child is children[0] and child.kind_id in (g.IDENTIFIER, g.ATTRIBUTE):
                reader.graph.effect(op.RAISE, value, reader.line(child), reader.owner)
                self._mention_raised(child, value)
            elif child is children[0] and child.kind_id == g.CALL:
                offset = reader.graph.first[value]
                if offset >= 0 and reader.graph.code[offset] == op.CALL:
                    self._mention_raised(child, reader.graph.code[offset + 3])
        reader.scopes.current.dead = True
        return -1

    def _mention_raised(self, node: Node, variable: int) -> None:
        """`variable` holds an exception or, where one is made in place, its class."""
        reader = self.reader
        reader.graph.effect(op.MENTION, variable, reader.line(node), reader.owner, reader.graph.symbol("raises"))


@dataclass(eq=False, repr=False)
class PythonImportVisitor:
    """Visitor of import statements."""

    reader: PythonExtractionState
    assignments: PythonAssignmentVisitor

    def __post_init__(self) -> None:
        self.typing_only = False
        """True if the code being read is for type checkers alone."""
        self.reader.register(
            {
                "import_statement": self._import_statement,
                "import_from_statement": self._import_from_statement,
                "future_import_statement": self._future_import_statement,
            }
        )

    def _import_statement(self, node: Node) -> int:
        reader = self.reader
        direct = _at_top(node)
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                module = reader.text(child)
                self._note(child, module, "", "", 0, "import", direct)
                top = reader.graph.value(op.IMPORT, reader.graph.symbol(module), 0)
                self.assignments.write(module.split(".", 1)[0], top)
            elif child.kind_id == g.ALIASED_IMPORT:
                parts = g.significant(child)
                module, alias = reader.text(parts[0]), reader.text(parts[-1])
                self._note(child, module, "", alias, 0, "import", direct)
                self.assignments.write(alias, reader.graph.value(op.IMPORT, reader.graph.symbol(module), 1))
        return -1

    def _import_from_statement(self, node: Node) -> int:
        reader = self.reader
        children = [child for child in g.significant(node) if child.is_named]
        direct = _at_top(node)
        module, level = self._source_module(children[0])
        for child in children[1:]:
            if child.kind_id == g.WILDCARD_IMPORT:
                self._note(child, module, "*", "", level, "star", direct)
                reader.graph.effect(op.STAR, reader.graph.symbol(module), level)
                continue
            parts = g.significant(child) if child.kind_id == g.ALIASED_IMPORT else [child]
            name, alias = reader.text(parts[0]), reader.text(parts[-1])
            self._note(child, module, name, "" if alias == name else alias, level, "from", direct)
            operands = reader.graph.symbol(module), level, reader.graph.symbol(name), reader.line(child), reader.owner
            value = reader.graph.value(op.FROM, *operands)
            self.assignments.write(alias, value)
        return -1

    def _future_import_statement(self, node: Node) -> int:
        for child in node.children:
            if child.kind_id == g.DOTTED_NAME:
                self._note(child, "__future__", self.reader.text(child), "", 0, "from", _at_top(node))
        return -1

    def _source_module(self, node: Node) -> tuple[str, int]:
        reader = self.reader
        if node.kind_id != g.RELATIVE_IMPORT:
            return reader.text(node), 0
        level = len(reader.text(node.children[0]).replace(" ", ""))
        return (reader.text(node.children[1]) if len(node.children) > 1 else ""), level

    def _note(self, node: Node, module: str, name: str, alias: str, level: int, how: str, direct: bool) -> None:
        reader = self.reader
        how = "typing" if self.typing_only else how
        deferred = not direct and reader.scopes.is_in_function()
        reader.imports.append(Import(module, name, alias, level, reader.line(node), direct, how, deferred))


def _at_top(statement: Node) -> bool:
    """Return whether it is directly in the module. Finding a parent walks the tree from its root, so this is asked once a statement."""
    return statement.parent is not None and statement.parent.parent is None


@dataclass(eq=False, repr=False)
class PythonStatementVisitor:
    """Reads blocks, and statements about names."""

    reader: PythonExtractionState
    assignments: PythonAssignmentVisitor
    groups: OverloadGroups

    def __post_init__(self) -> None:
        self.reader.register(
            {
                "expression_statement": self._expression_statement,
                "delete_statement": self._delete_statement,
                "global_statement": self._outer_names,
                "nonlocal_statement": self._outer_names,
                "print_statement": self._python_2_statement,
                "exec_statement": self._python_2_statement,
                "break_statement": self._break_statement,
                "continue_statement": self._break_statement,
            }
        )

    def block(self, nodes: Sequence[Node]) -> None:
        """Read statements in order. One that cannot be understood is recorded, and the rest is read.

        Stubs of overloads whose implementation does not follow in the block stand for themselves from its end on.
        """
        reader, groups = self.reader, self.groups
        outer, groups.unbound = groups.unbound, {}
        handlers = reader.handlers
        for node in nodes:
            if not node.is_named or node.kind_id in g.INSIGNIFICANT:
                continue
            try:
                handlers[node.kind_id](node)
            except (IndexError, KeyError, TypeError, ValueError, StopIteration):
                # only broken source has nodes of another shape than the grammar says
                reader.complain(node, f"not understood: {node.type}")
        for name, value in groups.unbound.items():
            self.assignments.write(name, value)
        groups.unbound = outer

    def _expression_statement(self, node: Node) -> int:
        reader = self.reader
        children = node.children
        if len(children) > 1:
            return reader.values(children)
        only = children[0]
        return reader.handlers[only.kind_id](only)

    def _delete_statement(self, node: Node) -> int:
        reader = self.reader
        reader.scopes.current.items.clear()
        for child in g.named(node):
            self._delete(child)
        return -1

    def _delete(self, target: Node) -> None:
        reader, kind = self.reader, target.kind_id
        if kind == g.IDENTIFIER:
            reader.scopes.forget(reader.text(target))
        elif kind == g.ATTRIBUTE:
            receiver, *_, name = g.significant(target)
            symbol, line = reader.symbol(name), reader.line(name)
            reader.graph.effect(op.DELATTR, reader.value(receiver), symbol, line, reader.owner)
        elif kind == g.SUBSCRIPT:
            receiver, *keys = g.named(target)
            value, line = reader.value(receiver), reader.line(target)
            key = reader.values(keys)
            method = reader.graph.value(op.ATTR, value, reader.graph.symbol("__delitem__"), line, reader.owner)
            given = [op.POSITIONAL, key] if key >= 0 else []
            reader.graph.call(method, line, reader.owner, op.HANDLES, -1, given)
        elif kind in (g.EXPRESSION_LIST, g.TUPLE, g.LIST, g.PARENTHESIZED):
            for child in g.named(target):
                self._delete(child)
        else:
            reader.value(target)

    def _outer_names(self, node: Node) -> int:
        reader = self.reader
        for child in node.children:
            if child.kind_id == g.IDENTIFIER:
                reader.scopes.declare(reader.text(child), is_global=node.type == "global_statement")
        return -1

    def _python_2_statement(self, node: Node) -> int:
        self.reader.complain(node, f"Python 2: {node.type.removesuffix('_statement')} without brackets")
        return self.reader.values(node.children)

    def _break_statement(self, _: Node) -> int:
        return -1
