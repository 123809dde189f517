"""`CSharpDialect`: namespaces, extension methods and collections of C#; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.csharp.lowering import ARRAY, CONVERSION, GLOBAL, TASK
from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Meaning, NameLookup
from repoquarry.languages.declared_types.namespaces import NamespaceDialect
from repoquarry.languages.declared_types.overloads import choose_by_arguments, extends, find_base, fit, last_name
from repoquarry.languages.declared_types.types import (
    ClassType,
    Context,
    FunctionType,
    OutsideType,
    OutsideValue,
    SpaceValue,
    Symbol,
    Type,
    TypeValue,
    substitute,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.structural.rules import words

_LIBRARY = "System"
"""Space of the stubs; the libraries' own namespaces are not told apart."""
_TYPES = words(
    "bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void"
)
_INTEGERS = words("byte sbyte short ushort int uint long ulong")
_WIDER = {
    "sbyte": words("short int long"),
    "byte": words("short ushort int uint long ulong"),
    "short": words("int long"),
    "ushort": words("int uint long ulong"),
    "char": words("ushort int uint long ulong"),
    "int": words("long"),
    "uint": words("long ulong"),
    "float": words("double"),
}
"""Types that take a number of another type, besides the fractions that take all integers."""


def _fit_number(declared: str, given: str) -> int:
    """Return how well a value of one type of the language fits another; a constant may fit a narrower one."""
    if declared in _WIDER.get(given, ()):
        return 2
    if declared in ("float", "double", "decimal") and (given in _INTEGERS or given == "char"):
        return 1
    return -2 if given == "int" and declared in _INTEGERS else -20


class CSharpDialect(NamespaceDialect):
    """C#."""

    own_types = frozenset({"this"})
    library = _LIBRARY
    types = _TYPES
    has_implicit_receiver = True
    constructs_by_class = True
    separates_fields = True
    looks_above_for_overloads = True
    literal_fit = other_class_fit = -20

    # ---- namespaces

    def space_of(self, unit: int) -> str:
        """Namespaces are declared inside files."""
        return ""

    def find_parent(self, space: str) -> str | None:
        """Return the namespace around, then those that are imported everywhere."""
        if space == _LIBRARY:
            return None
        if space == GLOBAL:
            return _LIBRARY
        return space.rpartition(".")[0] if space else GLOBAL

    def find_import(self, names: NameLookup, path: Sequence[str], _unit: int, space: str) -> Meaning:
        """Return the namespace or type of a `using` directive."""
        whole = ".".join(path)
        around: str | None = space if space not in (GLOBAL, _LIBRARY) else ""
        while around is not None:
            inside = f"{around}.{whole}".strip(".")
            if self.is_space(inside):
                return SpaceValue(inside)
            before, _, name = inside.rpartition(".")
            if name in names.spaces.get(before, ()):
                return names.spaces[before][name]
            around = around.rpartition(".")[0] if around else None
        return OutsideValue(whole)

    # ---- members

    def find_extensions(self, names: NameLookup, name: str, receiver: Type, _context: Context) -> tuple[Symbol, ...]:
        """Return extension methods for a type, its bases and interfaces."""
        candidates = names.extensions.get(name, ())
        fitting = [one for one in candidates if receiver is not None and self._extends(names, one, receiver)]
        if fitting or isinstance(receiver, ClassType) or any(map(names.is_stub, candidates)):
            return tuple(sorted(fitting, key=names.is_stub))
        # Of a type outside whose bases are not known, or of an unknown one, extensions of types outside are the likeliest meaning.
        return tuple(one for one in candidates if not self._extends_own(names, one))

    def _extends(self, names: NameLookup, function: Symbol, receiver: Type) -> bool:
        """Return whether a method extends a type; methods of `object` extend all, those of delegates functions."""
        declared = next(iter(names.signature_of(function).parameters), None)
        if isinstance(names.members.underlying(declared), FunctionType):
            return fit(names, declared, receiver) > 0
        is_all = isinstance(declared, OutsideType) and last_name(declared) == "object"
        return is_all or extends(names, function, receiver)

    def _extends_own(self, names: NameLookup, function: Symbol) -> bool:
        """Return whether a method extends a class of the program."""
        declared = next(iter(names.signature_of(function).parameters), None)
        return isinstance(declared, ClassType) and not names.is_stub(declared.symbol)

    def choose_overloads(self, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]) -> tuple[Symbol, ...]:
        """Choose by the number of arguments, then by their types; a method that an interface is named for is called by the interface only."""
        plain = tuple(one for one in symbols if not one.has(tree.HIDDEN))
        return choose_by_arguments(self.names, plain or symbols, count, types)

    def fit_outside(self, declared: Type, given: Type) -> int:
        """Return how well a value fits; numbers become wider ones."""
        if isinstance(declared, OutsideType):
            name, other = last_name(declared), last_name(given) if isinstance(given, OutsideType) else ""
            if name == other:
                return 4
            if name in ("object", "dynamic", "Object"):
                return 1
            if isinstance(given, FunctionType):
                return 0 if name.endswith("Delegate") else -20
            if name in _TYPES:
                return _fit_number(name, other)
            return 0 if other not in _TYPES or name.startswith("I") else -10
        if isinstance(given, FunctionType):
            return -20
        is_known = isinstance(declared, ClassType) and isinstance(given, OutsideType)
        return -20 if is_known and not self._converts(declared) else 0

    def converts(self, declared: ClassType, given: ClassType) -> bool:
        """Return whether one of both classes declares conversions."""
        return self._converts(declared) or self._converts(given)

    def _converts(self, type_: Type) -> bool:
        return isinstance(type_, ClassType) and (CONVERSION in type_.symbol.members or self.names.is_stub(type_.symbol))

    def is_nothing(self, result: Type) -> bool:
        """Return whether a function with such a result has none."""
        return isinstance(result, OutsideType) and result.name == "void"

    def unwrap(self, type_: Type) -> Type:
        """Return the result of a task."""
        if isinstance(type_, ClassType) and self.names.is_stub(type_.symbol) and type_.symbol.name.endswith(TASK):
            return type_.arguments[0] if type_.arguments else OutsideType("void")
        return None

    def is_constructor(self, symbol: Symbol, cls: Symbol) -> bool:
        """Return whether a member constructs its class."""
        return symbol.name == cls.name and symbol.has(tree.CONSTRUCTOR)

    # ---- collections

    def sequence_type(self, names: NameLookup, element: Type) -> Type:
        """Return the type of an array."""
        found = names.spaces[_LIBRARY].get(ARRAY) if _LIBRARY in names.spaces else None
        return ClassType(found[0], (element,)) if found else None

    def find_element(self, type_: Type) -> Type:
        """Return the result of the indexer."""
        member = self.names.members.find(type_, "this[]")
        if member is None:
            return None
        return substitute(self.names.signature_of(member.symbols[0]).result, member.by_name)

    def iterate(self, type_: Type) -> Type:
        """Return the type of the elements of an enumerable."""
        for name in ("IEnumerable", "IAsyncEnumerable"):
            found = find_base(self.names, type_, name)
            if found is not None and found.arguments:
                return found.arguments[0]
        return None

    def find_variant_parts(
        self, names: NameLookup, parts: Sequence[str], type_: Type, context: Context
    ) -> Sequence[Type]:
        """Return the types of the positional fields of a record."""
        value = names.walk(parts, context)[0] if parts else None
        whole = value.type if isinstance(value, TypeValue) else type_
        if not isinstance(whole, ClassType):
            return ()
        fields = (group[0] for group in whole.symbol.members.values() if group[0].kind == tree.FIELD)
        return [names.type_of(one) for one in fields]


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases and overriding methods of a program."""
    return attribute_lowered(files, modules, CSharpDialect)
