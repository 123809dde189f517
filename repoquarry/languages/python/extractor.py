"""`PythonExtractor`: the visitors of one file, wired together."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.python.extraction_state import Reader
from repoquarry.languages.python.type_annotations import Annotations, Narrowing
from repoquarry.languages.python.visitors.assignments import Assignments, Expressions
from repoquarry.languages.python.visitors.branches import Branches, Patterns
from repoquarry.languages.python.visitors.classes import Classes
from repoquarry.languages.python.visitors.expressions import Calls, Operators
from repoquarry.languages.python.visitors.functions import Decorators, Functions
from repoquarry.languages.python.visitors.names import Literals, Names
from repoquarry.languages.python.visitors.statements import Imports, OverloadGroups, Results, Statements


class Walk:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.literals = literals = Literals(reader)
        groups, results, decorators, narrowing = (
            OverloadGroups(),
            Results(reader),
            Decorators(reader),
            Narrowing(reader),
        )
        names = Names(reader, literals)
        annotations = Annotations(reader, literals)
        Calls(reader, names, literals, annotations)
        Operators(reader, literals, narrowing)
        assignments = Assignments(reader, names, literals, annotations)
        Expressions(reader, assignments)
        imports = Imports(reader, assignments)
        self.statements = statements = Statements(reader, assignments, groups)
        branches = Branches(reader, statements, assignments, narrowing, imports)
        Patterns(reader, branches, assignments, literals)
        functions = Functions(reader, statements, assignments, results, decorators, groups, annotations, literals)
        Classes(reader, functions, statements, assignments, decorators, annotations, literals)

    def module(self, root: Node) -> None:
        """Reads the whole file."""
        reader = self.reader
        self.statements.block(root.children)
        reader.total_branches += reader.branches
        reader.scopes.finish()
