"""Visitors that turn Python assignments, their targets and comprehensions into points-to constraints."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.scopes import CLASS, COMPREHENSION, MODULE
from repoquarry.languages.python.type_annotations import Annotations
from repoquarry.languages.python.visitors.expressions import OPERATORS, PythonOperatorVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor


@dataclass(eq=False, repr=False)
class PythonAssignmentVisitor:
    """Visitor of assignments; other parts bind names and targets through it."""

    reader: PythonExtractionState
    literals: PythonLiteralVisitor
    annotations: Annotations

    def __post_init__(self) -> None:
        self.comprehending = False
        """The targets being bound belong to a comprehension, not to the scope around it."""
        self.fields: list[list[int]] = []
        """(name symbol, variable) pairs of the annotated names of the classes being read, innermost last."""
        self.reader.register(
            {
                "assignment": self._assignment,
                "augmented_assignment": self._augmented_assignment,
                "type_alias_statement": self._type_alias_statement,
            }
        )

    def _assignment(self, node: Node) -> int:
        reader = self.reader
        children = node.children
        if len(children) != 3:
            children = g.significant(node)
        target, last = children[0], children[-1]
        if children[1].kind_id == g.EQUALS:
            value = self._value(target, last)
            reader.keep(last, value)
            self._note(target)
            if target.kind_id == g.IDENTIFIER:
                name = reader.text(target)
                if name == "__all__":
                    self._export(last, replace=True)
                self.write(name, value)
            else:
                self.bind(target, value)
                if target.kind_id in (g.ATTRIBUTE, g.SUBSCRIPT):
                    self.literals.keep(last, value)
            return value
        annotation = next(child for child in children if child.kind_id == g.TYPE)
        self._note(target)
        if last is not annotation and reader.text(annotation).rpartition(".")[2] == "TypeAlias":
            typed = self.annotations.annotation(last)
            self.bind(target, typed)
        elif last is not annotation:
            typed = reader.graph.value(
                op.DECLARED, self.annotations.annotation(annotation), reader.owner, reader.value(last)
            )
            self.bind(target, typed)
        else:
            typed = self.annotations.annotated(annotation)
            is_lasting = target.kind_id == g.IDENTIFIER and reader.scopes.current.kind in (MODULE, CLASS)
            if is_lasting or target.kind_id == g.ATTRIBUTE:
                self.bind(target, typed)
        if target.kind_id == g.IDENTIFIER and reader.scopes.current.kind == CLASS:
            self.fields[-1] += (reader.symbol(target), typed)
        return typed

    def _value(self, target: Node, node: Node) -> int:
        """Return the variable of a value; one that may be a type, at module level, is read as such too."""
        reader = self.reader
        is_name = target.kind_id == g.IDENTIFIER and reader.scopes.current.kind == MODULE
        if not is_name or not self.annotations.may_be_type(node):
            return reader.value(node)
        if node.kind_id == g.SUBSCRIPT and not self.annotations.is_typing_form(node):
            return reader.graph.copies([reader.value(node), self.annotations.annotation(node)])
        return self.annotations.annotation(node)

    def _augmented_assignment(self, node: Node) -> int:
        reader = self.reader
        target, sign, expression = g.significant(node)
        reader.scopes.current.items.clear()
        before = reader.value(target)
        value = reader.value(expression)
        self._note(target)
        if target.kind_id == g.IDENTIFIER and reader.text(target) == "__all__":
            self._export(expression, replace=False)
        method = OPERATORS.get(reader.text(sign)[:-1], "__add__").replace("__", "__i", 1)
        result = reader.graph.rooted(
            op.OPER, reader.graph.symbol(method), before, value, reader.line(sign), reader.owner
        )
        self.bind(target, result)
        return result

    def _export(self, node: Node, *, replace: bool) -> None:
        reader = self.reader
        if reader.scopes.current.kind != MODULE or node.kind_id not in (g.LIST, g.TUPLE, g.EXPRESSION_LIST):
            return
        names = [self.literals.literal(child) for child in node.children if child.kind_id == g.STRING]
        kept = [] if replace or reader.exports is None else reader.exports
        reader.exports = kept + [name for name in names if name]

    # ---- targets

    def _note(self, target: Node) -> None:
        """Log the names of a module or class that a statement assigns to."""
        reader, scope = self.reader, self.reader.scopes.current
        if target.kind_id in (g.PATTERN_LIST, g.TUPLE_PATTERN, g.LIST_PATTERN):
            for child in g.named(target):
                self._note(child)
        elif target.kind_id == g.IDENTIFIER:
            name, line = reader.text(target), reader.line(target)
            if scope.kind in (MODULE, CLASS):
                reader.scopes.log.assign(scope.definition, name, line, scope)
            elif scope.declared.get(name):
                reader.scopes.log.mentions.append((scope, name, -line, reader.owner))

    def bind(self, target: Node, value: int) -> None:
        """Assign `value` to a target expression."""
        reader = self.reader
        kind = target.kind_id
        if kind == g.IDENTIFIER:
            self.write(reader.text(target), value)
        elif kind == g.ATTRIBUTE:
            children = g.significant(target)
            receiver = reader.value(children[0])
            reader.graph.effect(
                op.SETATTR, receiver, reader.symbol(children[-1]), value, reader.line(children[-1]), reader.owner
            )
        elif kind == g.SUBSCRIPT:
            self._set_item(target, value)
        elif kind in (g.PATTERN_LIST, g.TUPLE_PATTERN, g.LIST_PATTERN, g.TUPLE, g.LIST, g.EXPRESSION_LIST):
            self._unpack(target, value)
        elif kind in (g.AS_PATTERN_TARGET, g.PARENTHESIZED, g.LIST_SPLAT, g.LIST_SPLAT_PATTERN):
            self.bind(g.named(target)[0], value)
        else:
            reader.value(target)

    def write(self, name: str, value: int) -> None:
        """Bind a name."""
        reader = self.reader
        if self.comprehending:
            reader.scopes.write_here(name, value)
        else:
            reader.scopes.write(name, value)

    def _set_item(self, target: Node, value: int) -> None:
        reader = self.reader
        children = g.named(target)
        receiver = reader.value(children[0])
        if len(children) == 2 and children[1].kind_id != g.SLICE:
            key, variable = self.literals.key(children[1])
        else:
            key, variable = -1, reader.values(children[1:])
        reader.graph.effect(op.SETITEM, receiver, key, variable, value, reader.line(target), reader.owner)
        items = reader.scopes.current.items
        items.clear()
        if key >= 0:
            items[reader.text(target)] = value

    def _unpack(self, target: Node, value: int) -> None:
        reader = self.reader
        elements = self.literals.elements(target)
        starred = next((at for at, (mark, _) in enumerate(elements) if mark == op.SPREAD), len(elements))
        for position, (mark, child) in enumerate(elements):
            if mark == op.SPREAD:
                part = reader.graph.value(op.SLICE, value, position, 0, reader.owner)
            else:
                key = reader.graph.symbol(str(position)) if position < starred else op.ANY
                part = reader.graph.rooted(op.UNPACK, value, key, reader.line(child), reader.owner)
            self.bind(child, part)

    # ---- aliases

    def _type_alias_statement(self, node: Node) -> int:
        children = [child for child in node.children if child.kind_id == g.TYPE]
        name = g.named(children[0])[0]
        if name.kind_id not in (g.IDENTIFIER, g.GENERIC_TYPE):
            return self._assignment_to_type(name, children[-1])
        while name.kind_id != g.IDENTIFIER:
            name = name.children[0]
        self.write(self.reader.text(name), self.annotations.annotation(children[-1]))
        return -1

    def _assignment_to_type(self, target: Node, value: Node) -> int:
        """`type(x).name = value`, which the grammar takes for an alias called `(x).name`."""
        reader = self.reader
        given = target
        while given.kind_id not in (g.PARENTHESIZED, g.TUPLE):
            given = g.named(given)[0]
        reader.called.add(given.end_byte)
        called = reader.scopes.read("type")
        reader.graph.call(called, reader.line(given), reader.owner, 0, reader.graph.symbol("type"), [])
        reader.value(target)
        reader.value(value)
        return -1


_COMPREHENSIONS = {
    "list_comprehension": "list",
    "set_comprehension": "set",
    "generator_expression": "generator",
    "dictionary_comprehension": "dict",
}


@dataclass(eq=False, repr=False)
class PythonExpressionVisitor:
    """Reads comprehensions, assignments within expressions, and what stands around a value."""

    reader: PythonExtractionState
    assignments: PythonAssignmentVisitor
    operators: PythonOperatorVisitor

    def __post_init__(self) -> None:
        self.reader.register(
            {
                "parenthesized_expression": self._parenthesized_expression,
                "named_expression": self._named_expression,
                "await": self._await,
                "list_splat": self._list_splat,
                "type": self._type,
                "list_comprehension": self._comprehension,
                "set_comprehension": self._comprehension,
                "generator_expression": self._comprehension,
                "dictionary_comprehension": self._comprehension,
            }
        )

    def _parenthesized_expression(self, node: Node) -> int:
        return self.reader.value(g.first_named(node.children) or node.children[0])

    def _named_expression(self, node: Node) -> int:
        reader = self.reader
        name, _, expression = g.significant(node)
        value = reader.value(expression)
        reader.scopes.write(reader.text(name), value)
        return value

    def _await(self, node: Node) -> int:
        reader = self.reader
        value = reader.value(g.significant(node)[-1])
        return reader.graph.rooted(op.AWAIT, value, reader.line(node), reader.owner)

    def _list_splat(self, node: Node) -> int:
        return self.reader.value(node.children[-1])

    def _type(self, node: Node) -> int:
        return self.reader.value(node.children[0])

    # ---- comprehensions

    def _comprehension(self, node: Node) -> int:
        reader = self.reader
        kind = _COMPREHENSIONS[node.type]
        children = g.significant(node)
        clauses = [child for child in children if child.kind_id in (g.FOR_IN_CLAUSE, g.IF_CLAUSE)]
        source = self._iterated(clauses[0])
        reader.scopes.enter(COMPREHENSION, reader.owner)
        for clause in clauses:
            if clause.kind_id == g.IF_CLAUSE:
                self.operators.condition(clause.children[-1])
                continue
            iterated = source if clause is clauses[0] else self._iterated(clause)
            left = g.named(clause)[0]
            element = reader.graph.rooted(op.EACH, iterated, reader.line(clause), reader.owner)
            self.assignments.comprehending = True
            self.assignments.bind(left, element)
            self.assignments.comprehending = False
        body = next(child for child in children if child.is_named)
        if body.kind_id == g.PAIR:
            parts = g.significant(body)
            reader.value(parts[0])
            body = parts[-1]
        element = reader.value(body)
        reader.scopes.leave()
        return reader.graph.value(op.CONTAINER, reader.graph.symbol(kind), 1, op.ANY, element)

    def _iterated(self, clause: Node) -> int:
        return self.reader.value(g.named(clause)[1])
