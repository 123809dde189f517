"""`PythonExtractor`: the visitors of one file, wired together."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.python.extraction_state import PythonExtractionState
from repoquarry.languages.python.type_annotations import Annotations, PythonNarrowing
from repoquarry.languages.python.visitors.assignments import PythonAssignmentVisitor, PythonExpressionVisitor
from repoquarry.languages.python.visitors.branches import PythonBranchVisitor, PythonPatternVisitor
from repoquarry.languages.python.visitors.classes import PythonClassVisitor
from repoquarry.languages.python.visitors.expressions import (
    PythonCallVisitor,
    PythonEventVisitor,
    PythonOperatorVisitor,
)
from repoquarry.languages.python.visitors.functions import PythonDecoratorVisitor, PythonFunctionVisitor
from repoquarry.languages.python.visitors.names import PythonLiteralVisitor, PythonNameVisitor
from repoquarry.languages.python.visitors.statements import (
    OverloadGroups,
    PythonImportVisitor,
    PythonResultVisitor,
    PythonStatementVisitor,
)


class PythonExtractor:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: PythonExtractionState) -> None:
        self.reader = reader
        self.literals = literals = PythonLiteralVisitor(reader)
        groups, results, decorators, narrowing = (
            OverloadGroups(),
            PythonResultVisitor(reader),
            PythonDecoratorVisitor(reader),
            PythonNarrowing(reader),
        )
        names = PythonNameVisitor(reader, literals)
        annotations = Annotations(reader, literals)
        events = PythonEventVisitor(reader, literals)
        PythonCallVisitor(reader, names, literals, annotations, events)
        PythonOperatorVisitor(reader, literals, narrowing)
        assignments = PythonAssignmentVisitor(reader, literals, annotations)
        PythonExpressionVisitor(reader, assignments)
        imports = PythonImportVisitor(reader, assignments)
        self.statements = statements = PythonStatementVisitor(reader, assignments, groups)
        branches = PythonBranchVisitor(reader, statements, assignments, narrowing, imports)
        PythonPatternVisitor(reader, branches, assignments, literals)
        functions = PythonFunctionVisitor(
            reader, statements, assignments, results, decorators, groups, annotations, literals, events
        )
        PythonClassVisitor(reader, functions, statements, assignments, decorators, annotations, literals)

    def module(self, root: Node) -> None:
        """Read the whole file."""
        reader = self.reader
        self.statements.block(root.children)
        reader.total_branches += reader.branches
        reader.scopes.finish()
