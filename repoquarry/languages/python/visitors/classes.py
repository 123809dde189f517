"""Visitor of classes and decorated definitions: records of the definitions, and points-to constraints for bases and members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from tree_sitter import Node

from repoquarry.languages import constraints as op
from repoquarry.languages.python import grammar as g
from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.scopes import CLASS
from repoquarry.languages.python.type_annotations import Annotations
from repoquarry.languages.python.visitors import functions as forms
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor
from repoquarry.languages.python.visitors.functions import PythonDecoratorVisitor, PythonFunctionVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor
from repoquarry.languages.python.visitors.statements import PythonStatementVisitor
from repoquarry.languages.source_text import normalize_layout


@dataclass(eq=False, repr=False)
class PythonClassVisitor:
    """Reads classes, and definitions with decorators."""

    reader: PythonExtractionState
    functions: PythonFunctionVisitor
    statements: PythonStatementVisitor
    assignments: PythonAssignmentVisitor
    decorators: PythonDecoratorVisitor
    annotations: Annotations
    literals: PythonLiteralVisitor

    def __post_init__(self) -> None:
        self.reader.register(
            {"class_definition": self._class_definition, "decorated_definition": self._decorated_definition}
        )

    def _decorated_definition(self, node: Node) -> int:
        children = g.significant(node)
        decorators = [child for child in children if child.kind_id == g.DECORATOR]
        definition = children[-1]
        if definition.kind_id == g.FUNCTION_DEFINITION:
            return self.functions.define(definition, decorators)
        return self._class_definition(definition, decorators)

    def _class_definition(self, node: Node, decorators: Sequence[Node] = ()) -> int:
        applied = self.decorators.evaluated(decorators)
        given = next((child for child in g.significant(node) if child.kind_id == g.ARGUMENT_LIST), None)
        with self.annotations.type_parameters(node, given) as parameters:
            name, value = self._read(node, given, parameters, decorators)
        self.assignments.write(name, self.decorators.decorate(value, applied))
        return -1

    def _read(
        self, node: Node, given: Node | None, parameters: list[tuple[int, int]], decorators: Sequence[Node]
    ) -> tuple[str, int]:
        """Read a class within its type parameters; return its name and variable."""
        reader = self.reader
        calls = len(reader.called)
        children = g.significant(node)
        name = reader.text(children[1])
        bases, keywords = self._bases(given)
        body = children[-1].children if children[-1].kind_id == g.BLOCK else []
        index = reader.allocate(name)
        value = reader.graph.value(op.CLASS, index)
        for position, (variable, bound) in enumerate(parameters):
            reader.graph.assign(variable, op.PARAMETER, index, position, bound)
        outer_branches, reader.branches = reader.branches, 0
        outer_owner, reader.owner = reader.owner, index
        reader.scopes.enter(CLASS, index)
        self.assignments.fields.append([])
        self.statements.block(body)
        fields = self.assignments.fields.pop()
        reader.scopes.leave()
        reader.owner = outer_owner
        branches, reader.branches = reader.branches, outer_branches
        reader.total_branches += branches
        if parameters:
            keywords += reader.graph.symbol(op.TYPE_PARAMETERS), value
        variables = [variable for _, variable, _ in bases]
        record = [op.CLASS, len(bases), *variables, len(keywords) // 2, *keywords, len(fields) // 2, *fields]
        reader.graph.functions[index] = [len(record) + 1, *record]
        written = self.decorators.written(decorators)
        reader.definitions[index] = replace(
            reader.definitions[index],
            kind="class",
            start_line=reader.line(decorators[0] if decorators else node),
            name_line=reader.line(node),
            end_line=node.end_point[0] + 1,
            signature=normalize_layout(reader.plain(given), "#") if given is not None else "",
            docstring=self.literals.docstring(body),
            decorators=written,
            bases=tuple(text for text, _, _ in bases),
            base_lines=tuple(line for _, _, line in bases),
            branches=branches,
            indent=node.start_point[1],
            calls=len(reader.called) - calls,
            form=forms.class_kind(written, [text for text, _, _ in bases]),
        )
        return name, value

    def _bases(self, node: Node | None) -> tuple[list[tuple[str, int, int]], list[int]]:
        """Return (text, variable, line) of each base, and the keyword arguments as (symbol, variable) pairs."""
        reader = self.reader
        bases: list[tuple[str, int, int]] = []
        keywords: list[int] = []
        for child in g.named(node) if node is not None else ():
            if child.kind_id == g.KEYWORD_ARGUMENT:
                keywords += (reader.symbol(child.children[0]), reader.value(child.children[-1]))
            else:
                # a parametrized base is its generic class; its brackets contain types
                base = child
                while base.kind_id == g.SUBSCRIPT:
                    keywords += (reader.graph.symbol(op.GENERIC_BASE), self.annotations.annotation(base))
                    base = base.children[0]
                bases.append((reader.flat(child), reader.value(base), reader.line(child)))
        return bases, keywords
