"""The walk over one file: the parts that read its constructs, which receive those that they ask."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.comments import documented_places
from repoquarry.languages.javascript.constructs.assignments import Assignments
from repoquarry.languages.javascript.constructs.branches import Branches
from repoquarry.languages.javascript.constructs.calls import Calls
from repoquarry.languages.javascript.constructs.classes.bodies import ClassBodies
from repoquarry.languages.javascript.constructs.classes.classes import Classes
from repoquarry.languages.javascript.constructs.classes.decorators import Decorators
from repoquarry.languages.javascript.constructs.classes.fields import Fields
from repoquarry.languages.javascript.constructs.declared_types import DeclaredTypes
from repoquarry.languages.javascript.constructs.expressions import Expressions
from repoquarry.languages.javascript.constructs.functions.functions import Functions
from repoquarry.languages.javascript.constructs.functions.parameters import Parameters
from repoquarry.languages.javascript.constructs.jsx import Jsx
from repoquarry.languages.javascript.constructs.literals import Literals
from repoquarry.languages.javascript.constructs.modules.commonjs import CommonJs
from repoquarry.languages.javascript.constructs.modules.exports import Exports
from repoquarry.languages.javascript.constructs.modules.imports import Imports
from repoquarry.languages.javascript.constructs.modules.namespaces import Namespaces
from repoquarry.languages.javascript.constructs.operators import Operators
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.constructs.prototypes import Prototypes
from repoquarry.languages.javascript.constructs.statements import Statements
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.members import OpenClasses
from repoquarry.languages.javascript.typing.narrowing import Conditions
from repoquarry.languages.javascript.typing.shapes import Shapes
from repoquarry.languages.javascript.typing.types import Types

#: suffixes of files in which annotations say what comments say elsewhere
TYPED = (".ts", ".tsx", ".mts", ".cts")


class Walk:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.exported: tuple[str, ...] | None = None
        is_typed = reader.path.lower().endswith(TYPED)
        conditions = Conditions(reader, is_read=is_typed)
        self.documented = documented = DocumentedTypes(reader, is_read=not is_typed)
        open_classes = OpenClasses()
        types = Types(reader, open_classes)
        contexts = Contexts(reader, types, is_read=is_typed)
        shapes = Shapes(reader, types, contexts, open_classes)
        patterns, prototypes, commonjs = Patterns(reader, conditions), Prototypes(reader), CommonJs(reader)
        parameters = Parameters(reader, types, contexts, documented, patterns, shapes)
        functions = Functions(reader, types, contexts, documented, open_classes, parameters)
        decorators = Decorators(reader)
        fields = Fields(reader, types, contexts, documented, functions, decorators, shapes)
        bodies = ClassBodies(reader, types, contexts, functions, decorators, fields, shapes)
        classes = Classes(reader, types, decorators, open_classes, bodies)
        self.exports = Exports(reader, Imports(reader, types), commonjs, classes)
        Namespaces(reader, self.exports)
        DeclaredTypes(reader, types, contexts, classes)
        Literals(reader, contexts, functions)
        Expressions(reader, documented, conditions, commonjs)
        Operators(reader, conditions)
        Calls(reader, types, contexts, conditions, commonjs, prototypes)
        Assignments(reader, documented, commonjs, prototypes, patterns)
        Statements(reader, types, contexts, documented, conditions, patterns)
        Branches(reader, conditions, patterns)
        Jsx(reader, types, contexts)

    def program(self, root: Node) -> None:
        """Reads the whole file."""
        self.reader.documented = documented_places(self.reader, root)
        self.documented.define(root)
        self.reader.statements(root.named_children)

    def finish(self) -> None:
        """Ties names to what binds them."""
        scopes = self.reader.scopes
        while scopes.current.parent is not None:
            scopes.leave()
        self.exported = self.exports.finish()
        self.documented.finish()
        scopes.finish()
        self.reader.total_branches += self.reader.body.branches
