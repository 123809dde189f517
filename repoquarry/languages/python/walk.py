"""The walk over one file: the parts that read its constructs, each with those that it builds on."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.python.constructs.assignments import Assignments
from repoquarry.languages.python.constructs.branches import Branches
from repoquarry.languages.python.constructs.calls import Calls
from repoquarry.languages.python.constructs.classes import Classes
from repoquarry.languages.python.constructs.decorators import Decorators
from repoquarry.languages.python.constructs.expressions import Expressions
from repoquarry.languages.python.constructs.functions import Functions
from repoquarry.languages.python.constructs.imports import Imports
from repoquarry.languages.python.constructs.literals import Literals
from repoquarry.languages.python.constructs.names import Names
from repoquarry.languages.python.constructs.operators import Operators
from repoquarry.languages.python.constructs.overloads import OverloadGroups
from repoquarry.languages.python.constructs.patterns import Patterns
from repoquarry.languages.python.constructs.results import Results
from repoquarry.languages.python.constructs.statements import Statements
from repoquarry.languages.python.reader import Reader
from repoquarry.languages.python.typing.annotations import Annotations
from repoquarry.languages.python.typing.narrowing import Narrowing


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
