"""The walk over one file: the parts that read its constructs, which see each other through it."""

from __future__ import annotations

from tree_sitter import Node

from repoquarry.languages.javascript.comments import documented_places
from repoquarry.languages.javascript.constructs.classes import Classes
from repoquarry.languages.javascript.constructs.expressions import Expressions
from repoquarry.languages.javascript.constructs.functions import Functions
from repoquarry.languages.javascript.constructs.imports import Imports
from repoquarry.languages.javascript.constructs.jsx import Jsx
from repoquarry.languages.javascript.constructs.literals import Literals
from repoquarry.languages.javascript.constructs.patterns import Patterns
from repoquarry.languages.javascript.constructs.prototypes import Prototypes
from repoquarry.languages.javascript.constructs.statements import Statements
from repoquarry.languages.javascript.reader import Reader
from repoquarry.languages.javascript.typing.contexts import Contexts
from repoquarry.languages.javascript.typing.jsdoc import DocumentedTypes
from repoquarry.languages.javascript.typing.narrowing import Conditions
from repoquarry.languages.javascript.typing.types import Types

#: suffixes of files in which annotations say what comments say elsewhere
TYPED = (".ts", ".tsx", ".mts", ".cts")


class Walk:
    """One file being read. Each part puts its handlers into the reader's table."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.exports: tuple[str, ...] | None = None
        is_typed = reader.path.lower().endswith(TYPED)
        self.conditions = Conditions(reader, is_read=is_typed)
        self.patterns = Patterns(reader, self.conditions)
        self.functions = Functions(self)
        self.literals = Literals(self)
        self.types = Types(self)
        self.contexts = Contexts(self, is_read=is_typed)
        self.documented = DocumentedTypes(self, is_read=not is_typed)
        self.classes = Classes(self)
        self.imports = Imports(self)
        self.prototypes = Prototypes(self)
        self.expressions = Expressions(self)
        self.statements = Statements(self)
        self.jsx = Jsx(self)

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
        self.exports = self.imports.finish()
        self.documented.finish()
        scopes.finish()
        self.reader.total_branches += self.reader.body.branches
