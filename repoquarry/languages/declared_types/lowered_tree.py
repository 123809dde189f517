"""Lowered tree: the expression language to which every language with declared types is lowered, file by file.

Nodes are lists `[form, ...]` that pack as msgpack arrays; an absent part is None. Lines are 1-based. A language's lowering writes
them, and only the evaluator reads them.

Types as written:
    NAMED parts arguments            `a.b[C]`; a type constructor of the language has a name that no source has (`[]`, `map`)
    TUPLE types                      FUNCTION_TYPE parameters result            RECORD ((name, type), ...) bases

Expressions and statements:
    NAME name line                   PATH parts type_arguments line             MEMBER object name line
    CALL function arguments type_arguments line                                 NEW type arguments line
    TYPE type line (as a value)      LITERAL type parts line                    CAST type value line
    INDEX object index               ELEMENT object                             DEREFERENCE object
    TRY value                        SEQUENCE values (element type of the first)
    PARTS values (a tuple)           OPERATOR values (no type)                  SAME values (type of the first)
    ALTERNATIVES values              MATCH value ((pattern, body), ...)
    LAMBDA ((pattern, type), ...) body result                                   BLOCK statements value
    INSTANCE object type_arguments line
    SEVERAL statements (in the scope around them)                               LET pattern type value is_iteration
    DECLARE declaration              USE imports wildcards
    RETURN value                     STORE object name value (of a field)
    LAST values (type of the last, in the scope around)                         WRAP value class (an object of a generic class)
    ARGUMENT value name (of its parameter)

Patterns:
    BIND name        ANY        EACH patterns        TYPED type pattern        ALIAS name pattern
    EITHER patterns  MADE parts patterns             FIELDS parts ((field, pattern), ...)
"""

from __future__ import annotations

from typing import Any

import msgspec

Node = list[Any]

NAMED, TUPLE, FUNCTION_TYPE, RECORD = range(4)

(
    NAME, PATH, MEMBER, CALL, NEW, TYPE, LITERAL, CAST, INDEX, ELEMENT, DEREFERENCE, TRY, SEQUENCE, PARTS, OPERATOR, SAME, ALTERNATIVES,
    MATCH, LAMBDA, BLOCK, SEVERAL, LET, DECLARE, USE, INSTANCE, RETURN, STORE, LAST, WRAP, ARGUMENT,
) = range(30)  # fmt: skip

ABOVE = "super "
"""Beginning of the name of a member that is looked for above the class; alone, the name of the class above."""

BIND, ANY, EACH, TYPED, ALIAS, EITHER, MADE, FIELDS = range(8)

#: kinds of declarations
CLASS, TYPE_ALIAS, FUNCTION, VARIABLE, FIELD, VARIANT, SPACE, IMPLEMENTATION = range(8)

#: flags of declarations
ABSTRACT, STATIC, CONSTRUCTOR, WRITES_RECEIVER, EMBEDDED, PROTOTYPE, LOCAL, OTHER_BUILD, PARTIAL, EXTENSION, HIDDEN = (
    1 << bit for bit in range(11)
)


class Parameter(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A parameter of a function, or a result with a name."""

    pattern: Node | None
    type: Node | None
    is_optional: bool = False
    """Calls may leave it out."""
    is_rest: bool = False
    """Calls may give several arguments for it."""


class TypeParameter(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A type parameter with the types that bound it."""

    name: str
    bounds: list[Node] = []
    default: Node | None = None
    """Type where none is given."""


class Declaration(msgspec.Struct, array_like=True, gc=False):
    """A class, function, variable, module or implementation block."""

    kind: int
    name: str
    line: int = 0
    definition: int = -1
    """Index among `FileFacts.definitions`; -1 where the graph has no node for it."""
    flags: int = 0
    type: Node | None = None
    """Type of a variable or field, aliased type, or underlying type of a class that is declared by another type."""
    value: Node | None = None
    """First value of a variable or field."""
    position: int = -1
    """Position among the parts of `value`; -1 for all of it."""
    type_parameters: list[TypeParameter] = []
    bases: list[Node] = []
    members: list[Declaration] = []
    parameters: list[Parameter] = []
    result: Node | None = None
    results: list[Parameter] = []
    """Results with names."""
    receiver: str = ""
    """Name of the receiver in the body."""
    owner: Node | None = None
    """Type that a member written outside of it belongs to."""
    trait: Node | None = None
    """Type that an implementation block implements."""
    body: Node | None = None
    imports: dict[str, list[str]] = {}
    """Name -> path, for a module or namespace inside a file."""
    wildcards: list[list[str]] = []


class LoweredFile(msgspec.Struct, array_like=True, gc=False):
    """All of a file."""

    declarations: list[Declaration] = []
    imports: dict[str, list[str]] = {}
    """Name -> imported path."""
    modules: list[list[str]] = []
    """Paths that are imported under the name that they have themselves."""
    wildcards: list[list[str]] = []
    """Paths whose names are all imported."""
    statements: list[Node] = []
    """Statements at the level of the file, besides the values of variables."""
    condition: str = ""
    """Builds that compile the file, as the language writes it; empty for all."""


_decoder = msgspec.msgpack.Decoder(LoweredFile)


def encode_file(lowered: LoweredFile) -> bytes:
    """Return the bytes that `FileFacts.own` holds."""
    return msgspec.msgpack.encode(lowered)


def decode_file(packed: bytes) -> LoweredFile:
    """Decode `FileFacts.own`.

    Raises: msgspec.MsgspecError where the bytes are damaged.
    """
    return _decoder.decode(packed) if packed else LoweredFile()
