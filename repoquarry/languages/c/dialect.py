"""`CDialect`: includes, namespaces, overloads and containers of C and C++; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.c.body_lowering import INITIALIZED, VARIADIC
from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Dialect, Evaluation, Meaning, NameLookup
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.types import (
    ClassType,
    Context,
    Found,
    OutsideType,
    OutsideValue,
    SpaceValue,
    Symbol,
    Type,
    TypeValue,
    Value,
    arguments_by_name,
    substitute,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.structural.rules import words

_PRIMITIVES = words(
    """auto bool char char16_t char32_t char8_t double float int long short signed unsigned void wchar_t size_t ssize_t ptrdiff_t
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t"""
)
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl")
_SCOPE = "::"
_REST = OutsideType(VARIADIC)
_ARGUMENTS = OutsideType("va_list")
"""A type that no other value has."""


class CDialect(Dialect):
    """C and C++."""

    has_implicit_receiver = True
    replaces_prototypes = True
    constructs_by_class = True

    def __init__(self, files: Sequence[FileFacts], modules: ModuleMap, conditions: Sequence[str]) -> None:
        super().__init__(files, modules, conditions)
        self._included: dict[int, frozenset[int]] = {}
        self._prefixes: set[str] = set()
        """Names of namespaces, and of those around them."""

    # ---- namespaces

    def space_of(self, unit: int) -> str:
        """All files share the names outside of namespaces."""
        return ""

    def find_parent(self, space: str) -> str | None:
        """Return the namespace around."""
        return space.rpartition(_SCOPE)[0] if space else None

    def find_outside(self, space: str, name: str) -> OutsideValue | None:
        """A name that no file declares is from a header outside the repository."""
        return OutsideValue(
            f"{space}{_SCOPE}{name}".removeprefix(_SCOPE).replace(_SCOPE, ".") if space == "std" else name
        )

    def find_import(self, names: NameLookup, path: Sequence[str], _unit: int, _space: str) -> Meaning:
        """Return what a `using` declaration names."""
        whole = _SCOPE.join(path).removeprefix(_SCOPE)
        if self._is_space(names, whole):
            return SpaceValue(whole)
        space, _, name = whole.rpartition(_SCOPE)
        return names.spaces[space].get(name) if space in names.spaces else OutsideValue(".".join(path))

    def _is_space(self, names: NameLookup, space: str) -> bool:
        if not self._prefixes:
            for one in names.spaces:
                parts = one.split(_SCOPE)
                self._prefixes.update(_SCOPE.join(parts[:end]) for end in range(len(parts) + 1))
        return space in self._prefixes

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """A namespace from inside to outside, otherwise a name."""
        if len(parts) == 1:
            return names.find(parts[0], context)
        if not parts[0]:
            return SpaceValue(""), "module"
        space: str | None = context.space
        while space is not None:
            inside = f"{space}{_SCOPE}{parts[0]}".removeprefix(_SCOPE)
            if self._is_space(names, inside):
                return SpaceValue(inside), "module"
            space = self.find_parent(space)
        return names.find(parts[0], context)

    def find_subspace(self, names: NameLookup, space: str, name: str) -> str | None:
        """Return a namespace in a namespace."""
        inside = f"{space}{_SCOPE}{name}".removeprefix(_SCOPE)
        return inside if self._is_space(names, inside) else None

    # ---- files

    def _reach(self, unit: int) -> frozenset[int]:
        """Return the files that a file includes, directly or not."""
        if unit not in self._included:
            found, waiting = {unit}, [unit]
            while waiting:
                current = waiting.pop()
                for entry in self.files[current].imports:
                    target = self.modules.targets.get((current, entry.module, entry.level))
                    if isinstance(target, int) and target not in found:
                        found.add(target)
                        waiting.append(target)
            self._included[unit] = frozenset(found)
        return self._included[unit]

    def choose_visible(self, symbols: list[Symbol], context: Context) -> list[Symbol]:
        """Choose declarations of included files, and no local ones of others; a class hides its aliases."""
        seen = [one for one in symbols if not one.has(tree.LOCAL) or self._is_shown(one, context.unit)]
        local = [one for one in seen if one.has(tree.LOCAL)]
        if local and any(one.unit == context.unit for one in local):
            seen = [one for one in seen if one.unit == context.unit]
        if len(seen) > 1 and len({one.unit for one in seen}) > 1:
            seen = self._nearest(seen, context.unit)
        classes = [one for one in seen if one.kind == tree.CLASS]
        if classes and seen[0].kind == tree.TYPE_ALIAS:
            return classes
        return seen

    def _is_shown(self, symbol: Symbol, unit: int) -> bool:
        return symbol.unit == unit or symbol.unit in self._reach(unit)

    def _nearest(self, symbols: list[Symbol], unit: int) -> list[Symbol]:
        """Prefer what is included; a function may be defined in a file that nobody includes."""
        near = self._reach(unit)
        included = [one for one in symbols if one.unit in near]
        if not included:
            return symbols
        if included[0].kind != tree.FUNCTION:
            return included
        defined = {len(one.declaration.parameters) for one in included if one.declaration.body is not None}
        others = [one for one in symbols if one.unit not in near and len(one.declaration.parameters) not in defined]
        return included + others

    # ---- calls

    def choose_overloads(self, symbols: tuple[Symbol, ...], count: int, types: Sequence[Type]) -> tuple[Symbol, ...]:
        """Choose by the number of arguments, then by their types; of a function and its prototypes the function."""
        if len(symbols) < 2:
            return symbols
        required: dict[int, int] = {}
        for one in symbols:
            parameters = one.declaration.parameters
            needed = sum(not each.is_optional for each in parameters)
            required[len(parameters)] = min(needed, required.get(len(parameters), needed))
        fitting = [one for one in symbols if self._takes(one, count, required)] or list(symbols)
        defined = [one for one in fitting if one.number >= 0] or fitting[:1]
        if len(defined) > 1 and any(types):
            scores = [self._fit(one, types) for one in defined]
            defined = [one for one, score in zip(defined, scores, strict=True) if score == max(scores)]
        return tuple(defined)

    def _takes(self, symbol: Symbol, count: int, required: dict[int, int]) -> bool:
        parameters = symbol.declaration.parameters
        if parameters and parameters[-1].type == [tree.NAMED, [VARIADIC], []]:
            return count >= required[len(parameters)]
        return required[len(parameters)] <= count <= len(parameters)

    def _fit(self, symbol: Symbol, types: Sequence[Type]) -> int:
        """Return how many arguments have the declared types, less those that have others."""
        declared = self.names.signature_of(symbol).parameters
        score = 0
        for one, given in zip(declared, types, strict=False):
            if one == _ARGUMENTS or not (one is None or given is None or one == _REST):
                score += 1 if _is_same(one, given) else -1
        return score

    def evaluate_call(self, evaluator: Evaluation, node: Node, context: Context) -> Found | None:
        """Initialize a member or a base: only a base is called by its name."""
        _, function, arguments, written, line = node
        if function[0] != tree.PATH or not function[1][-1].startswith(INITIALIZED):
            return None
        parts = [*function[1][:-1], function[1][-1].removeprefix(INITIALIZED)]
        if isinstance(evaluator.names.walk(parts, context)[0], TypeValue):
            path = [tree.PATH, parts, [], line]
            return evaluator.evaluate([tree.CALL, path, arguments, written, line], context)
        evaluator.types(arguments, context)
        return None, ""

    # ---- the language itself

    def find_builtin(self, name: str) -> Value:
        """Return a type of the language."""
        return TypeValue(OutsideType(name)) if name in _PRIMITIVES or " " in name else None

    def find_element(self, type_: Type) -> Type:
        """A pointer has the type of its target; a container is declared in the stubs."""
        if isinstance(type_, ClassType) and self.files[type_.symbol.unit].path.startswith("/"):
            return type_.arguments[-1] if type_.arguments else None
        return self._result(type_, "operator[]") or type_

    def iterate(self, type_: Type) -> Type:
        """Return what the iterators of a container give access to."""
        found = self._result(type_, "begin")
        if found is None:
            return type_
        return self._result(found, "operator->") or found

    def _result(self, type_: Type, name: str) -> Type:
        """Return the result of a member function."""
        member = self.names.members.find(type_, name)
        if member is None:
            return None
        result = self.names.signature_of(member.symbols[0]).result
        return substitute(result, {**member.by_name, **arguments_by_name(type_)})

    def dereference(self, _names: NameLookup, type_: Type) -> Type:
        """Return the result of `operator->`."""
        return self._result(type_, "operator->")


def _is_same(one: Type, other: Type) -> bool:
    if isinstance(one, ClassType) and isinstance(other, ClassType):
        return one.symbol is other.symbol
    if isinstance(one, OutsideType) and isinstance(other, OutsideType):
        return one.name == other.name
    return type(one) is type(other)


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases and overriding methods of a program."""
    return attribute_lowered(files, modules, CDialect)
