"""Reduced syntax tree of Java: the records that extraction writes and type attribution reads.

They pack as msgpack arrays, the number of their kind first. Lines are 1-based; `definition` is an index into `FileFacts.definitions`.
"""

from __future__ import annotations

from msgspec import Struct


class WrittenType(Struct, array_like=True, gc=False):
    """A type as it is written: `Map.Entry<K, V>[]`, `int`, `var`.

    A wildcard is `?` without arguments, or `? extends` or `? super` with its bound as argument; an intersection (in casts) is `&`, a union
    (in `catch`) is `|`, of their arguments.
    """

    name: str
    """Dotted, without annotations and arguments."""
    arguments: list[WrittenType] | None = None
    """An empty list is the diamond."""
    dimensions: int = 0
    outer_arguments: list[WrittenType] = []
    """Arguments of the enclosing types: `Outer<T>.Inner`."""


def is_inferred(written: WrittenType | None) -> bool:
    """Return whether a declaration leaves the type to inference: it says `var`, or nothing."""
    return written is None or written.name == "var"


#: name of a wildcard -> its kind, as `elements.Wildcard` has it
WILDCARDS = {"?": 0, "? extends": 1, "? super": 2}


class Parameter(Struct, array_like=True, gc=False):
    """A parameter, or a component of a record; no type where a lambda leaves it out."""

    name: str
    type: WrittenType | None


class TypeParameter(Struct, array_like=True, gc=False):
    """`T extends Shape & Closeable`."""

    name: str
    bounds: list[WrittenType]


class Node(Struct, array_like=True, gc=False, eq=False, tag_field="node"):
    """Part of a body."""


# ---- expressions


class Name(Node, tag=0):
    """A simple name."""

    name: str
    line: int


class FieldAccess(Node, tag=1):
    """`object.name`, which may also be a package or a class."""

    object: Expression | None
    name: str
    line: int


class Call(Node, tag=2):
    """`object.<T>name(arguments)`."""

    object: Expression | None
    name: str
    arguments: list[Expression | None]
    line: int
    type_arguments: list[WrittenType] | None


class New(Node, tag=3):
    """`outer.new T(arguments) { body }`."""

    type: WrittenType
    arguments: list[Expression | None]
    line: int
    body: ClassNode | None
    outer: Expression | None

    @property
    def is_diamond(self) -> bool:
        """Return whether the type arguments are left to inference, `new T<>()`."""
        return self.type.arguments == []


class Literal(Node, tag=4):
    """A literal; a string has its text where reflection may take it for a name, and in constants."""

    type: str
    text: str = ""


class ClassLiteral(Node, tag=5):
    """`T.class`."""

    type: WrittenType


class Assign(Node, tag=6):
    """`target = value`, `target += value`."""

    target: Expression | None
    value: Expression | None
    operator: str


class Binary(Node, tag=7):
    """A chain of one operator: `a + b + c`."""

    operator: str
    operands: list[Expression | None]


class Unary(Node, tag=8):
    """`!a`, `-a`; `++` stands for all that change their operand."""

    operator: str
    operand: Expression | None


class Conditional(Node, tag=9):
    """`condition ? left : right`."""

    condition: Expression | None
    left: Expression | None
    right: Expression | None


class Cast(Node, tag=10):
    """`(T) value`."""

    type: WrittenType
    value: Expression | None


class InstanceOf(Node, tag=11):
    """`value instanceof T name`."""

    value: Expression | None
    type: WrittenType | None
    pattern: Pattern | None


class Index(Node, tag=12):
    """`array[index]`."""

    array: Expression | None
    index: Expression | None


class ArrayCreation(Node, tag=13):
    """`new T[size]` or `{a, b}`: sizes or elements."""

    type: WrittenType | None
    elements: list[Expression | None]


class Lambda(Node, tag=14):
    """`(parameters) -> body`."""

    parameters: list[Parameter]
    body: Expression | Block | None
    definition: int
    line: int


class Reference(Node, tag=15):
    """`object::name` or `T::name`."""

    object: Expression | None
    type: WrittenType | None
    name: str
    line: int


class Switch(Node, tag=16):
    """`switch (value) { cases }`."""

    value: Expression | None
    cases: list[Case]
    line: int


class Several(Node, tag=17):
    """Expressions that have no value of their own together."""

    expressions: list[Expression | None]


class This(Node, tag=30):
    """`this` or `Outer.this`."""

    type: str | None = None


class Super(Node, tag=31):
    """`super` or `Outer.super`."""

    type: str | None = None


# ---- statements


class Declarator(Struct, array_like=True, gc=False):
    """`name[] = value` in a declaration of local variables."""

    name: str
    dimensions: int
    value: Expression | None


class Local(Node, tag=18):
    """A declaration of local variables."""

    type: WrittenType | None
    declarators: list[Declarator]


class Do(Node, tag=19):
    """An expression as a statement."""

    value: Expression | None


class Block(Node, tag=20):
    """Statements; without a scope of its own it binds names for what is around it: `if (!(x instanceof T t)) return;`."""

    statements: list[Statement]
    has_scope: bool = True


class Return(Node, tag=21):
    """`return value`."""

    value: Expression | None


class ForEach(Node, tag=22):
    """`for (T name : value) body`."""

    type: WrittenType | None
    name: str
    value: Expression | None
    body: Statement | None
    line: int


class Resource(Struct, array_like=True, gc=False):
    """`T name = value` or `value` between the parentheses of `try`."""

    type: WrittenType | None
    name: str | None
    value: Expression | None


class Catch(Struct, array_like=True, gc=False):
    """`catch (T name) body`."""

    type: WrittenType | None
    name: str
    body: Statement | None


class Try(Node, tag=23):
    """`try (resources) body catches finally last`."""

    resources: list[Resource]
    body: Statement | None
    catches: list[Catch]
    last: Statement | None


class LocalClass(Node, tag=24):
    """A class among statements."""

    cls: ClassNode


class For(Node, tag=25):
    """`for (init; condition; update) body`."""

    init: list[Statement]
    condition: Expression | None
    update: list[Expression | None]
    body: Statement | None


class Construct(Node, tag=26):
    """`this(arguments)` or `outer.super(arguments)`; `which` is the word."""

    which: str
    arguments: list[Expression | None]
    line: int
    outer: Expression | None


class Yield(Node, tag=27):
    """`yield value`, and the value of a case after an arrow."""

    value: Expression | None


class Case(Node, tag=28):
    """One case: patterns, constants and guards, then what it does."""

    labels: list[Expression | Pattern | None]
    body: Yield | Block


class Pattern(Node, tag=29):
    """A binding, `T name`, or the parts of a record."""

    type: WrittenType | None = None
    name: str | None = None
    parts: list[Pattern] = []


# ---- declarations


class FieldNode(Struct, array_like=True, gc=False, eq=False):
    """A field."""

    name: str
    type: WrittenType | None
    is_static: bool
    value: Expression | None
    line: int
    is_final: bool


class MethodNode(Struct, array_like=True, gc=False, eq=False):
    """A method or constructor. `definition` is -1 where it is written nowhere; `flags` are those below."""

    definition: int
    name: str
    type_parameters: list[TypeParameter]
    parameters: list[Parameter]
    result: WrittenType | None
    flags: int
    body: Block | None
    line: int


class Initializer(Struct, array_like=True, gc=False, eq=False):
    """`static { ... }` or `{ ... }`."""

    is_static: bool
    block: Block


class EnumConstant(Struct, array_like=True, gc=False, eq=False):
    """`NAME(arguments) { body }`."""

    name: str
    arguments: list[Expression | None]
    body: ClassNode | None
    line: int


class ClassNode(Struct, array_like=True, gc=False, eq=False):
    """A class, interface, enumeration, record or annotation."""

    definition: int
    kind: str
    name: str
    type_parameters: list[TypeParameter]
    superclass: WrittenType | None
    interfaces: list[WrittenType]
    fields: list[FieldNode]
    methods: list[MethodNode]
    initializers: list[Initializer]
    classes: list[ClassNode]
    constants: list[EnumConstant]
    is_static: bool
    line: int
    components: list[Parameter] | None
    """Those of a record."""


Expression = (
    Name | FieldAccess | Call | New | Literal | ClassLiteral | Assign | Binary | Unary | Conditional | Cast | InstanceOf | Index
    | ArrayCreation | Lambda | Reference | Switch | Several | This | Super
)  # fmt: skip
Statement = Local | Do | Block | Return | ForEach | Try | LocalClass | For | Construct | Yield

#: flags of methods
STATIC, ABSTRACT, VARIADIC, CONSTRUCTOR, PRIVATE, DEFAULT, FINAL, PUBLIC = 1, 2, 4, 8, 16, 32, 64, 128
#: a method with a syntax error in its parameters: their number is unknown
BROKEN = 256
