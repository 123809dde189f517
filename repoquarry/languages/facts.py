"""Facts of one source file: definitions, imports, and the constraint graph with its calls; the input of resolution.

A language extractor (`repoquarry/languages/*`) makes one `FileFacts` from one file, alone and without looking at any other, so that
files can be read in parallel and cached by content. Resolution (`repoquarry/ingest/resolution`) needs nothing but these records. They are
array-like msgspec structs: cheap to pickle between processes and to encode with `msgspec.msgpack`.

Conventions: lines are 1-based, spans inclusive; columns 0-based; paths relative to the repository with forward slashes; a definition's
`key` is unique in its file.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate

import msgspec

#: Changes whenever the meaning or layout of any record below changes: part of every cache key.
FACTS_VERSION = 16


class ParseError(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that the grammar could not read. The surrounding code has been extracted all the same."""

    line: int
    message: str


class Decorator(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One decorator of a definition."""

    text: str
    """As written, without the `@`, white space collapsed."""
    dotted: str
    """Dotted name of the applied function or, with arguments, of the first called one. An imported first part is written as the import names it
    (`typing.overload` for `t.overload` after `import typing as t`; leading dots where the import is relative). Empty for other expressions."""
    arguments: str | None
    """Source text between the brackets; None without brackets."""

    @property
    def name(self) -> str:
        """Last part of the dotted name."""
        return self.dotted.rpartition(".")[2]


class Definition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A class, function, method or lambda."""

    key: str
    """`qualname`, with `#2`, `#3` in order of appearance where a file defines the same name again."""
    kind: str
    """`class`, `function`, `method` (its direct parent is a class) or `lambda`."""
    name: str
    qualname: str
    """Dots inside the module: `Outer.method`, `outer.inner`, `f.<lambda1>`; no `#n`."""
    parent: str
    """Key of the definition around it, empty at module level."""
    start_line: int
    """First line, decorators included."""
    name_line: int
    """The line that carries the name (`def f`, `class C`)."""
    end_line: int
    signature: str
    """One line as written, white space collapsed: `(self, x: int = 0) -> str`; for classes the bracketed bases."""
    docstring: str = ""
    """Without quotes, indentation removed; empty when absent."""
    decorators: tuple[Decorator, ...] = ()
    """Outermost first."""
    bases: tuple[str, ...] = ()
    """Source text of each base of a class (without keyword arguments)."""
    branches: int = 0
    """if, for, while, except of its own body; nested definitions count for themselves."""
    indent: int = 0
    """Column of the definition keyword."""
    calls: int = 0
    """Call expressions on a name or an attribute inside it, those of nested definitions included (decorators and
    defaults too)."""
    is_async: bool = False
    is_generator: bool = False
    overloads: tuple[str, ...] = ()
    """Signatures of its `@overload` stubs, which are not definitions of their own. Where the file has no
    implementation, as in a `.pyi`, the stubs together are one definition with the first one's signature."""
    form: str = ""
    """Kind in the language where that is more specific than `kind`: `interface`, `enum`, `record`, `struct`, `trait`, `dataclass`,
    `constructor`, `property`; one lower-case word or two."""
    is_abstract: bool = False
    """A declaration without a body of its own: of an interface, abstract, or in a file of declarations."""
    base_lines: tuple[int, ...] = ()
    """Line of each base of a class."""


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One imported name. `import a.b as c` is (module `a.b`, name empty, alias `c`); `from .a import b` is (`a`, `b`,
    level 1)."""

    module: str
    """Dotted, without leading dots; may be empty (`from . import x`)."""
    name: str
    """The name taken from the module; empty for a plain import, `*` for all."""
    alias: str
    """Name under which it is imported here; empty when nothing is renamed."""
    level: int
    """Number of leading dots; 0 is absolute."""
    line: int
    at_module_level: bool
    """Directly a statement of the module, not within if, try, def or class."""
    how: str
    """`import`, `from`, `star`, `dynamic` (`importlib.import_module` with a constant) or `typing` (seen by type
    checkers only)."""
    deferred: bool = False
    """True if it runs with a function or at the first use, not while its file is loaded."""


class Variable(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A constant, field or other name that a module or class holds, except definitions and imports."""

    owner: int
    """Index of the class among the definitions; -1 for the module."""
    name: str
    line: int
    """Line of the first assignment or of the declaration."""
    is_received: bool = False
    """True if only methods assign the attribute, on their receiver."""


class LambdaArgument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A lambda that is written as an argument of a call."""

    definition: int
    """Index of the lambda among the definitions."""
    callee: str
    """Last part of the called name; empty for other expressions."""
    line: int
    """Line of the call site, as calls state it."""
    position: int
    """0-based position among the arguments."""
    keyword: str = ""
    """Name of the parameter where the call names it."""


class TextPool(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Texts one after the other, as the kernel reads them: as Python's strings they take several times as much memory."""

    text: bytes = b""
    """UTF-8, lone surrogates included."""
    counts: bytes = b""
    """How many code points each has, int32."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextPool:
        """Lay texts out."""
        listed = list(texts)
        return cls("".join(listed).encode("utf-8", "surrogatepass"), array("i", map(len, listed)).tobytes())

    def texts(self) -> tuple[str, ...]:
        """All of them."""
        whole = self.text.decode("utf-8", "surrogatepass")
        ends = list(accumulate(memoryview(self.counts).cast("i"))) if self.counts else []
        return tuple([whole[start:end] for start, end in zip([0, *ends], ends, strict=False)])


class ConstraintGraph(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The assignments, attribute accesses and calls of one file as constraints over numbered variables.

    Variables are numbered from 0 in each file; each definition, scope name and intermediate result has one. `code` is a stream of
    little-endian int32 operations, laid out as `repoquarry/languages/constraints.py` documents; `first` gives for each variable the offset
    in `code` of the first operation that assigns to it (-1 when none does), from which a chain leads to the others: resolution starts from
    the call sites and reads only what they need. Strings are indices into `symbols`.
    """

    symbols: TextPool
    code: bytes
    first: bytes
    roots: bytes
    """Offsets in `code` of the operations that always matter: calls, stores, implicit calls."""
    scopes: bytes
    """(definition index or -1 for the module, name symbol, variable) triples: the names that each module and class
    scope binds."""
    functions: bytes
    """Per definition a record of parameters and results, laid out as `repoquarry/languages/constraints.py` documents."""
    receivers: bytes = b""
    """(offset of a call in `code`, name symbol) pairs: the local variable whose method is called."""


NO_GRAPH = ConstraintGraph(TextPool(), b"", b"", b"", b"", b"")
"""The graph of facts that are not resolved again: it takes most of their memory."""


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Everything that one source file says by itself."""

    path: str
    language: str
    encoding: str
    """Python codec name with which the bytes were decoded."""
    loc: int
    """Physical lines."""
    module_name: str
    """Last part of the module's dotted name: the file's stem, or its folder's name where the file stands for the folder
    (`__init__.py`), empty for such a file at the top."""
    is_package: bool
    """The file stands for its folder (`__init__.py`)."""
    is_stub: bool
    """Declarations without bodies (`.pyi`)."""
    docstring: str
    branches: int
    """if, for, while, except in the whole file."""
    deepest_indent: int
    """Largest column of a definition keyword."""
    definitions: tuple[Definition, ...]
    """In order of appearance: a definition comes after the one around it."""
    imports: tuple[Import, ...]
    exports: tuple[str, ...] | None
    """The names of `__all__` where it is a constant list; None where the file has none."""
    entry_points: tuple[tuple[str, str, int], ...]
    """(kind, text, line) seen in the file itself, e.g. (`main`, `__name__ == '__main__'`, 40)."""
    parse_errors: tuple[ParseError, ...]
    graph: ConstraintGraph
    namespace: str = ""
    """Package or namespace to which the file itself says that it belongs (`package com.acme.util;`)."""
    own: bytes = b""
    """Further input of the language's own `AttributionConfig`, in a format of its own; empty for languages of the kernel."""
    bodies: tuple[str, ...] = ()
    """Hash of each definition's text, as `repoquarry/languages/source_text.py` makes it, empty where it has none; no entries at all where no
    definition has one."""
    variables: tuple[Variable, ...] = ()
    """In order of appearance; each owner and name once."""
    mentions: bytes = b""
    """(symbol of the graph, line, definition index or -1) triples, int32: plain names of the module, of the class directly around or of
    imports; the line is negative where the name is assigned to."""
    lambdas: tuple[LambdaArgument, ...] = ()
    """Lambdas that are arguments, in order of appearance."""
    words: bytes = b""
    """Sorted hashes (`hash_words`) of the words that the file has, comments and strings included, besides its own definitions."""
    beginnings: tuple[str, ...] = ()
    """Beginnings of computed names in strings (`"visit_" + kind`), sorted; `_` alone stands for private names with any."""
