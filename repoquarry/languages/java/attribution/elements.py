"""Data model of Java type attribution: types, classes, methods, fields and scopes; log of resolved calls and references.

Types name classes, and classes have types. None stands for a type that is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from repoquarry.languages.family import AttributionResult, Target
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.reduced_tree import ClassNode, Expression, MethodNode, TypeParameter, WrittenType


class TypeVariable:
    """A type parameter of a class or method; equal only to itself."""

    __slots__ = ("bounds", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.bounds: tuple[Type, ...] = ()


class ClassType(NamedTuple):
    """A class of the program or of the stubs; without arguments it is raw or has no parameters."""

    cls: ClassInfo
    arguments: tuple[Type, ...] = ()


class OutsideType(NamedTuple):
    """A class of which only the name is known."""

    name: str


class Primitive(NamedTuple):
    """`int`, ..., `void`, and `null` for the type of null."""

    name: str


class ArrayType(NamedTuple):
    """An array."""

    element: Type


class VariableType(NamedTuple):
    """A type parameter as a type."""

    variable: TypeVariable


class Wildcard(NamedTuple):
    """A type argument: kind 0 is `?`, 1 `? extends bound`, 2 `? super bound`."""

    kind: int
    bound: Type


class Intersection(NamedTuple):
    """All of several types."""

    types: tuple[Type, ...]


class ReflectedMethods(NamedTuple):
    """A type argument of `Method` and `MethodHandle`: the methods that the object calls."""

    cls: ClassInfo
    methods: tuple[Method, ...]


Type = (
    ClassType | OutsideType | Primitive | ArrayType | VariableType | Wildcard | Intersection | ReflectedMethods | None
)


@dataclass(eq=False, slots=True)
class TypeNameScope:
    """Types that a place gives names to: type parameters, local classes."""

    outer: TypeNameScope | None
    types: dict[str, TypeVariable | ClassInfo] = field(default_factory=dict)

    def find(self, name: str) -> TypeVariable | ClassInfo | None:
        here: TypeNameScope | None = self
        while here is not None:
            if name in here.types:
                return here.types[name]
            here = here.outer
        return None


@dataclass(eq=False, slots=True)
class Method:
    """A method or constructor; its types are resolved when they are first asked for (`JavaNameResolver.header`)."""

    cls: ClassInfo
    name: str
    flags: int
    symbol: int
    node: MethodNode
    variables: tuple[TypeVariable, ...] = ()
    parameters: tuple[Type, ...] = ()
    result: Type = None
    names: TypeNameScope | None = None
    is_read: bool = False
    model: str = ""
    """Model of the framework that generates it; empty for others."""

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)


@dataclass(eq=False, slots=True)
class Field:
    """A field or constant of an enumeration."""

    cls: ClassInfo
    name: str
    written: WrittenType | None
    is_static: bool
    value: Expression | None = None
    is_final: bool = False
    type: Type = None
    is_read: bool = False
    reflected: list[Type] = field(default_factory=list)
    """Types of the values that are assigned to it, if it holds a class or a method."""


@dataclass(eq=False, slots=True)
class ClassInfo:
    """A class of the program or of the stubs."""

    name: str
    full: str
    kind: str
    unit: int
    symbol: int
    outer: ClassInfo | None
    node: ClassNode
    names: TypeNameScope
    is_static: bool
    variables: tuple[TypeVariable, ...] = ()
    """Its type parameters, and behind them those of the classes around that it is an inner class of."""
    superclass: Type = None
    interfaces: tuple[Type, ...] = ()
    methods: dict[str, list[Method]] = field(default_factory=dict)
    fields: dict[str, Field] = field(default_factory=dict)
    inner: dict[str, ClassInfo] = field(default_factory=dict)
    anonymous_of: Type = None
    is_read: bool = False
    is_reading: bool = False

    @property
    def is_interface(self) -> bool:
        return self.kind in ("interface", "annotation")


def variables_of(written: Sequence[TypeParameter], names: TypeNameScope) -> tuple[TypeVariable, ...]:
    """Type parameters, put among the names."""
    made = tuple(TypeVariable(one.name) for one in written)
    names.types.update({one.name: one for one in made})
    return made


Substitution = Mapping[TypeVariable, Type]

NULL, VOID, BOOLEAN = Primitive("null"), Primitive("void"), Primitive("boolean")
PRIMITIVES = frozenset({"byte", "short", "char", "int", "long", "float", "double", "boolean", "void"})
BOXES = {
    "byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long", "float": "Float", "double": "Double",
    "boolean": "Boolean",
}  # fmt: skip
#: type of values from outside code, of which not even the name of the class is known
OPAQUE = OutsideType("")
_WIDER = ("byte", "short", "int", "long", "float", "double")


def substitute(found: Type, mapping: Substitution) -> Type:
    """Return a type with its parameters replaced."""
    if not mapping or found is None:
        return found
    if isinstance(found, VariableType):
        return mapping.get(found.variable, found)
    if isinstance(found, ClassType):
        if not found.arguments:
            return found
        return ClassType(found.cls, tuple(substitute(one, mapping) for one in found.arguments))
    if isinstance(found, ArrayType):
        return ArrayType(substitute(found.element, mapping))
    if isinstance(found, Wildcard):
        return Wildcard(found.kind, substitute(found.bound, mapping))
    if isinstance(found, Intersection):
        return Intersection(tuple(substitute(one, mapping) for one in found.types))
    return found


def upper(found: Type) -> Type:
    """The upper bound of a value of a type argument: the bound of `? extends B`; `?` has none."""
    if isinstance(found, Wildcard):
        return found.bound if found.kind == 1 else None
    return found


def either_bound(found: Type) -> Type:
    """Return the bound of a wildcard whatever its direction: the parameters of a function type are taken so."""
    return found.bound if isinstance(found, Wildcard) else found


def bounds_of(found: Wildcard | VariableType | Intersection) -> tuple[Type, ...]:
    """Return the types whose members a value of such a type has."""
    if isinstance(found, Intersection):
        return found.types
    return (found.bound,) if isinstance(found, Wildcard) else found.variable.bounds


def parts_of(found: Type) -> tuple[Type, ...]:
    """Return the types that a type is written with."""
    if isinstance(found, ClassType):
        return found.arguments
    if isinstance(found, Intersection):
        return found.types
    return (found.element,) if isinstance(found, ArrayType) else (found.bound,) if isinstance(found, Wildcard) else ()


def widens(narrow: str, wide: str) -> bool:
    """Return whether a primitive type is converted to another one without a cast."""
    if narrow == wide:
        return True
    if narrow == "char":
        return wide in _WIDER[2:]
    return narrow in _WIDER and wide in _WIDER and _WIDER.index(narrow) <= _WIDER.index(wide)


def promoted(left: Type, right: Type) -> Type:
    """Return the type of an arithmetic operation on two unboxed types."""
    names = [one.name for one in (left, right) if isinstance(one, Primitive) and one.name in _WIDER]
    widest = max((_WIDER.index(name) for name in names), default=2)
    return Primitive(_WIDER[max(2, widest)])


def is_open(found: Type) -> bool:
    """Return whether a type argument somewhere in a type is not known."""
    if isinstance(found, ClassType):
        return any(one is None or is_open(one) for one in found.arguments)
    return isinstance(found, Wildcard) and found.kind != 0 and (found.bound is None or is_open(found.bound))


def mentions(found: Type, variables: frozenset[TypeVariable] | set[TypeVariable]) -> bool:
    """Return whether a type mentions one of the variables."""
    if isinstance(found, VariableType):
        return found.variable in variables
    return any(mentions(one, variables) for one in parts_of(found))


@dataclass(slots=True)
class LocalVariable:
    """A local variable or parameter."""

    type: Type
    made: set[ClassInfo] | None = field(default_factory=set)
    """Classes of the objects that were assigned to it; None as soon as one is not seen to be made."""
    functions: set[int] = field(default_factory=set)
    """Lambdas and methods that were assigned to it."""
    parameter: tuple[int, int] | None = None
    """(method, position) of a parameter."""
    reflected: list[Type] = field(default_factory=list)
    """Types of the values that are assigned to it, if it holds a class or a method."""


@dataclass(slots=True)
class CodeContext:
    """The inside of a class, method or lambda."""

    cls: ClassInfo
    caller: int
    """Symbol of the definition around the code."""
    names: TypeNameScope
    is_static: bool
    outer: CodeContext | None = None
    """The place in which the class stands."""
    locals: list[dict[str, LocalVariable]] = field(default_factory=lambda: [{}])
    result: Type = None
    """Expected type of a `return`."""
    returned: list[Type] | None = None
    """Types that a lambda's body returns; None in methods."""

    def variable(self, name: str) -> LocalVariable | None:
        """Return a local variable by its name."""
        for scope in reversed(self.locals):
            if name in scope:
                return scope[name]
        return None

    def around(self) -> Iterator[CodeContext]:
        """This place, and those of the classes around, innermost first."""
        here: CodeContext | None = self
        while here is not None:
            yield here
            here = here.outer


def this_type(cls: ClassInfo) -> ClassType:
    """Return the type of `this` in a class."""
    return ClassType(cls, tuple(VariableType(one) for one in cls.variables))


#: so many trials run one inside another
MAX_TRIALS = 2


@dataclass
class AttributionLog:
    """Record of the findings of one program."""

    found: AttributionResult = field(default_factory=AttributionResult)
    live: set[ClassInfo] = field(default_factory=set)
    """Classes of which instances are made."""
    virtual: list[tuple[int, Method, ClassInfo, int]] = field(default_factory=list)
    """(caller, method, class of the receiver, line) of calls that an overriding method may answer."""
    passed: dict[tuple[int, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    """(method, position of a parameter) -> lambdas and methods that are passed there."""
    received: list[tuple[int, tuple[int, int], str, int]] = field(default_factory=list)
    """(caller, (method, position), called name, line) of calls of a parameter that is a function."""
    sent: list[tuple[int, Type, int, str]] = field(default_factory=list)
    """(caller, type, line, model) of objects that are sent to those who listen to their type."""
    trials: int = 0
    """How many trials are under way, one inside another."""

    @property
    def is_trying(self) -> bool:
        return self.trials > 0

    @property
    def may_try(self) -> bool:
        """Return whether one more trial is worth it: nested calls would double the work with each level."""
        return self.trials < MAX_TRIALS

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Nothing is noted inside."""
        self.trials += 1
        try:
            yield
        finally:
            self.trials -= 1

    def call_methods(self, caller: int, methods: Sequence[Method], line: int, rule: str) -> None:
        """Record a call site and its methods; one whose parameters cannot be read is as uncertain as one of two."""
        broken = any(method.has(tree.BROKEN) for method in methods)
        if methods and methods[0].model:
            rule = f"model:{methods[0].model}"
        self.call(caller, [method.symbol for method in methods], line, rule, extra=int(broken))

    def call(self, caller: int, targets: Sequence[Target], line: int, rule: str, *, extra: int = 0) -> None:
        """Record a call site and its targets; `extra` counts targets that may be missing."""
        if not self.is_trying:
            self.found.calls += [(caller, target, line, rule, len(targets) + extra) for target in targets]

    def unresolved(self, caller: int, name: str, line: int, reason: str) -> None:
        """Record a call site without a known target."""
        if not self.is_trying:
            self.found.unresolved.append((caller, name, line, reason))

    def reference(self, source: int, target: Target, line: int, how: str) -> None:
        """Record a mention."""
        if not self.is_trying:
            self.found.references.append((source, target, line, how))

    def use(self, source: int, owner: int, name: str, line: int, kind: str, how: str) -> None:
        """Record a use of a field."""
        if not self.is_trying:
            self.found.uses.append((source, owner, name, line, kind, how))
