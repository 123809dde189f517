"""`Dialect`: differences between languages with declared types that the evaluator asks for, with answers that fit most languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from repoquarry.languages.declared_types.attribution_log import AttributionLog
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.member_lookup import MemberLookup
from repoquarry.languages.declared_types.types import (
    ClassType,
    Context,
    Found,
    FunctionType,
    OutsideType,
    OutsideValue,
    Signature,
    SpaceValue,
    Symbol,
    Type,
    Value,
    fill_arguments,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import ModuleMap

Meaning: TypeAlias = list[Symbol] | SpaceValue | OutsideValue | None
"""Meaning of a name in a space: declarations, a space, or something outside the program."""


class NameLookup(Protocol):
    """Names and types of a program, as dialects see them."""

    @property
    def members(self) -> MemberLookup:
        """Members of types."""

    @property
    def dialect(self) -> Dialect:
        """The language."""

    @property
    def imports(self) -> Mapping[int | str, Mapping[str, list[str]]]:
        """Imported paths by name, by file or space."""

    @property
    def extensions(self) -> Mapping[str, list[Symbol]]:
        """Functions by name that extend types which are not classes of the program."""

    @property
    def spaces(self) -> Mapping[str, Mapping[str, list[Symbol]]]:
        """All declarations by space and name."""

    def find(self, name: str, context: Context) -> Found:
        """Return what a plain name means."""

    def find_in_space(self, space: str, name: str) -> Meaning:
        """Return what a name means in a space."""

    def walk(self, parts: Sequence[str], context: Context) -> Found:
        """Return what a path means."""

    def value_of(self, meaning: Meaning, context: Context, rule: str) -> Found:
        """Return declarations as a value."""

    def own_type(self, cls: Symbol | None, context: Context) -> Type:
        """Return the type of the receiver in the methods of a class or of an implementation block."""

    def value_type(self, value: Value) -> Type:
        """Return the type of a value, functions included."""

    def read_type(self, node: Node | None, context: Context) -> Type:
        """Return the type that is written."""

    def evaluate_quietly(self, node: Node, context: Context, /) -> Found:
        """Return the value of an expression without logging its calls."""

    def type_of(self, symbol: Symbol) -> Type:
        """Return the type of a variable or field."""

    def signature_of(self, symbol: Symbol) -> Signature:
        """Return the declared types of a function."""

    @property
    def round(self) -> int:
        """Round of learning; 0 outside of them."""

    def learn(self, symbol: Symbol, key: int | str, type_: Type) -> None:
        """Add a type that a parameter, result or field of a program that declares none is seen to have."""

    def learn_literal(self, function: FunctionType, types: Sequence[Type]) -> None:
        """Add the types of arguments with which a function literal is called."""

    def is_stub(self, symbol: Symbol) -> bool:
        """Return whether a symbol is declared in a stub."""


class Evaluation(Protocol):
    """Evaluation of expressions, as dialects and calls see it."""

    @property
    def names(self) -> NameLookup:
        """Names of the program."""

    @property
    def log(self) -> AttributionLog:
        """Findings."""

    @property
    def dialect(self) -> Dialect:
        """The language."""

    def bind(self, pattern: Node, found: Found, context: Context) -> None:
        """Bind the names of a pattern to a value."""

    def evaluate(self, node: Node | None, context: Context) -> Found:
        """Return the value of an expression."""

    def overriding(self, method: Symbol) -> Sequence[Symbol]:
        """Return the methods of the classes below that override a method."""

    def types(self, nodes: Sequence[Node | None], context: Context) -> list[Type]:
        """Return the types of several expressions."""

    def member_of(self, value: Value, rule: str, name: str, context: Context, *, is_call: bool = False) -> Found:
        """Return a member of a value."""

    def function_literal(self, node: Node, context: Context, expected: Sequence[Type] = ()) -> Found:
        """Return the type of a function literal."""


class Dialect:
    """A language; one object per program. Subclasses replace what differs."""

    own_types: frozenset[str] = frozenset()
    """Names of the type around (`Self`)."""
    imports_per_file = True
    """Imports bind names in their file; otherwise in the space of the file."""
    has_implicit_receiver = False
    """Members of the class around are plain names in its methods."""
    has_scoped_receivers = False
    """Members of what `this` means in a scope are plain names there."""
    replaces_prototypes = False
    """A definition outside of its class takes the place of its declaration there."""
    constructs_by_class = False
    """A call or NEW of a class calls its constructor, or the class where it declares none."""
    separates_fields = False
    """A field and a method may have one name: calls mean the method."""
    has_structural_interfaces = False
    """A class with the methods of an interface implements it without saying so."""

    learns_types = False
    """Types that are not declared are those of the values that the program gives: arguments, stored and returned values."""
    returns_from_literals = False
    """`return` in a function literal ends the function around."""
    looks_above_for_overloads = False
    """Where no method of a class takes the arguments of a call, those of its bases may."""
    literal_fit = 0
    """Fit of a function literal to a parameter of no function type, or of one with another number of parameters."""
    other_class_fit = -2
    """Fit of an object to a parameter of a class that is none of its bases."""
    overrides_by_name = False
    """A method overrides that of a base by its name alone."""
    creation_name = ""
    """Name of the method of classes that creates an object; empty for none."""
    constructor_name = ""
    """Name of the methods, inherited ones included, that a creation of an object calls; empty where `is_constructor` says."""

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, conditions: Sequence[str]) -> None:
        """Initialize; `conditions` are those of `LoweredFile.condition`."""
        self.names: NameLookup
        """Names of the program; set once its declarations are known."""
        self.files = files
        self.modules = modules
        self.conditions = conditions

    def space_of(self, unit: int) -> str:
        """Return the space to which the names of a file belong; names of one space are seen without an import."""
        return self.files[unit].namespace

    def space_inside(self, _space: str, name: str, /) -> str:
        """Return the space of a module or namespace that is declared in a space."""
        return name

    def find_parent(self, _space: str, /) -> str | None:
        """Return the space whose names are also seen in a space."""
        return None

    def own_names(self, path: Sequence[str]) -> Sequence[str]:
        """Return the names under which a path may be imported without naming it, the likeliest first."""
        return path[-1:]

    def find_outside(self, _space: str, _name: str, /) -> OutsideValue | None:
        """Return what a name means in a space of which only stubs are known."""
        return None

    def find_import(self, _names: NameLookup, _path: Sequence[str], _unit: int, _space: str, /) -> Meaning:
        """Return what an imported path means."""
        return None

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """Return what the first part of a path means."""
        return names.find(parts[0], context)

    def find_subspace(self, _names: NameLookup, _space: str, _name: str, /) -> str | None:
        """Return the space of a name in a space."""
        return None

    def find_declared(self, _names: NameLookup, _full_name: str, /) -> Meaning:
        """Return what stubs declare by the full name of something outside the program."""
        return None

    def find_value(self, _names: NameLookup, value: Value, /) -> Value:
        """Return what a type that is named in an expression has as a value."""
        return value

    def complete(self, declared: Type, given: Type) -> Type:
        """Return a declared type with those type arguments that it leaves out and that its first value has."""
        return fill_arguments(declared, given)

    def literal_receiver(self, _expected: Sequence[Type], /) -> Type:
        """Return the type of the receiver of a function literal; its parameters begin with it in the expected ones."""
        return None

    def find_components(self, type_: Type) -> Sequence[Type]:
        """Return the types of the parts that a pattern takes a value apart into."""
        return (type_,)

    def sequence_type(self, _names: NameLookup, element: Type, /) -> Type:
        """Return the type of a literal sequence."""
        return OutsideType("[]", (element,))

    def find_undeclared(self, space: str, name: str) -> Value:
        """Return what a plain name means in a space that nothing declares."""
        return self.find_builtin(name) or self.find_outside(space, name)

    def find_builtin(self, _name: str, /) -> Value:
        """Return what the language itself means by a name."""
        return None

    def choose_visible(self, symbols: list[Symbol], _context: Context, /) -> list[Symbol]:
        """Return those of several declarations of one name that the code of a context can see."""
        return symbols

    def split_builds(
        self, symbols: tuple[Symbol, ...], _context: Context, /
    ) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
        """Return the functions of one name in the build of a context, and those of other builds."""
        return symbols, ()

    def choose_overloads(
        self, symbols: tuple[Symbol, ...], _count: int, _types: Sequence[Type], /
    ) -> tuple[Symbol, ...]:
        """Return those of several functions that a call with so many arguments of these types means."""
        return symbols

    def fit_outside(self, declared: Type, given: Type) -> int:
        """Return how well a value fits a parameter, where not both have classes of the program."""
        if isinstance(declared, OutsideType) and isinstance(given, OutsideType):
            return 2 if declared.name == given.name else -1
        known = (ClassType, OutsideType, FunctionType)
        is_other = isinstance(declared, known) and isinstance(given, known) and type(declared) is not type(given)
        return -2 if is_other else 0

    def converts(self, _declared: ClassType, _given: ClassType, /) -> bool:
        """Return whether the program converts an object to another class by itself."""
        return False

    def is_nothing(self, _result: Type, /) -> bool:
        """Return whether a function with such a result has none."""
        return False

    def is_constructor(self, symbol: Symbol, cls: Symbol) -> bool:
        """Return whether a member constructs its class."""
        return symbol.name == cls.name

    def find_extensions(
        self, _names: NameLookup, _name: str, _receiver: Type, _context: Context, /
    ) -> tuple[Symbol, ...]:
        """Return functions that extend a type without such a member."""
        return ()

    def find_class_method(self, _names: NameLookup, _type: Type, _name: str, /) -> tuple[Symbol, ...]:
        """Return the methods that a class itself has, where they have other names than those of its objects."""
        return ()

    def call_member(self, _evaluator: Evaluation, _value: Value, _node: Node, _context: Context, /) -> Found | None:
        """Return the result of a call of a member of a value, which the language itself defines; None for all others."""
        return None

    def evaluate_call(self, _evaluator: Evaluation, _node: Node, _context: Context, /) -> Found | None:
        """Return the result of a call that the language itself defines; None for all others."""
        return None

    def find_element(self, type_: Type) -> Type:
        """Return the type of an element of an indexed or received value."""
        return type_.arguments[-1] if isinstance(type_, OutsideType) and type_.arguments else None

    def iterate(self, type_: Type) -> Type:
        """Return the type that iteration gives."""
        return self.find_element(type_)

    def dereference(self, _names: NameLookup, _type: Type, /) -> Type:
        """Return the type that a value gives access to where it has no such member itself; None for no other."""
        return None

    def unwrap(self, type_: Type) -> Type:
        """Return the type of a value that `?` or the like takes out of a result."""
        return type_.arguments[0] if isinstance(type_, OutsideType | ClassType) and type_.arguments else None

    def find_variant_parts(
        self, _names: NameLookup, _parts: Sequence[str], _type: Type, _context: Context, /
    ) -> Sequence[Type]:
        """Return the types of the positional parts of a variant in a pattern."""
        return ()

    def receiver_type(self, cls: Symbol, bounds: tuple[Type, ...]) -> Type:
        """Return the type of the receiver in a method of a class."""
        return ClassType(cls, bounds)
