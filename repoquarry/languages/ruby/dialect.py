"""`RubyDialect`: constants, methods of classes, mixins and iterators of Ruby; entry point of call resolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution import attribute_lowered
from repoquarry.languages.declared_types.dialect import Dialect, Evaluation, NameLookup
from repoquarry.languages.declared_types.lowered_tree import ABOVE, Node
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    SELF,
    ClassType,
    Context,
    Found,
    FunctionType,
    OutsideType,
    OutsideValue,
    ParameterType,
    SpaceValue,
    Symbol,
    Type,
    TypeValue,
    Value,
    as_type,
    without_self,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import AttributionResult, ModuleMap
from repoquarry.languages.ruby.lowering import CONSTRUCTOR, CREATION, EXTENDED, MAIN, OWN, STATIC

#: method of lists and hashes -> what its block takes (`e` an element, `a` what was accumulated, `-` anything), and what it returns:
#: `s` itself, `e` an element, `b` a list of what the block returns, `r` what the block returns, `-` anything
_ITERATORS: Final = {
    "each": "e:s", "each_with_index": "e-:s", "each_value": "e:s", "each_pair": "-e:s", "reverse_each": "e:s", "map": "e:b",
    "collect": "e:b", "flat_map": "e:b", "filter_map": "e:b", "select": "e:s", "filter": "e:s", "reject": "e:s", "sort_by": "e:s",
    "find": "e:e", "detect": "e:e", "any?": "e:-", "all?": "e:-", "first": ":e", "last": ":e", "pop": ":e", "shift": ":e",
    "fetch": "-:e", "dig": ":e", "values": ":s", "to_a": ":s", "reverse": ":s", "compact": ":s", "uniq": "e:s", "dup": ":s",
    "sort": "ee:s", "min_by": "e:e", "max_by": "e:e", "inject": "ae:r", "reduce": "ae:r", "each_with_object": "e-:-", "freeze": ":s",
    "delete": ":e", "group_by": "e:s", "partition": "e:s", "flatten": ":s",
}  # fmt: skip
_SAME: Final = frozenset({"freeze", "dup", "clone", "itself", "tap", "then"})


class RubyDialect(Dialect):
    """Ruby."""

    own_types = frozenset({OWN})
    learns_types = True
    returns_from_literals = True
    overrides_by_name = True
    constructor_name = CONSTRUCTOR
    creation_name = CREATION

    def space_of(self, unit: int) -> str:
        """Constants and methods of all files are seen everywhere."""
        return ""

    def find_first(self, names: NameLookup, parts: Sequence[str], context: Context) -> Found:
        """Return what the first part of a path means: in the classes around, in the bases of the innermost, at the top."""
        name = parts[0]
        if not name:
            return SpaceValue(""), "module"
        if name in (OWN, "|", MAIN) or name[:1].islower():
            return None, "unknown name"
        cls = context.cls
        while cls is not None:
            if own := cls.members.get(name):
                return names.value_of(own, context, "name")
            cls = cls.owner
        if context.cls is not None and (member := names.members.find(ClassType(context.cls), name)) is not None:
            return names.value_of(list(member.symbols), context, "name")
        top = names.spaces[""].get(name) if "" in names.spaces else None
        return names.value_of(top, context, "name") if top else (OutsideValue(name), "name")

    def find_outside(self, _space: str, name: str) -> OutsideValue | None:
        """What the program does not declare is declared outside."""
        return OutsideValue(name)

    def find_builtin(self, name: str) -> Value:
        """The language's own list has no members of the program."""
        return OutsideValue(name) if name == "Array" else None

    def sequence_type(self, _names: NameLookup, element: Type) -> Type:
        """Return the type of a list, and of a hash by its values."""
        return OutsideType("Array", (element,))

    # ---- members

    def receiver_type(self, cls: Symbol, bounds: tuple[Type, ...]) -> Type:
        """Return the type of `self`, which a method may return."""
        return ParameterType(SELF, (ClassType(cls, bounds),))

    def find_class_method(self, names: NameLookup, type_: Type, name: str) -> tuple[Symbol, ...]:
        """Return a method of a class itself, of its bases, or of a module that extends it."""
        cls = without_self(type_)
        if not isinstance(cls, ClassType) or name[:1].isupper():
            return ()
        above = name.startswith(ABOVE)
        wanted = name if above else f"{STATIC}{name}"
        member = names.members.find(cls, wanted, is_call=True)
        if member is not None:
            return member.symbols
        for module in self._extending(names, cls):
            if (found := names.members.find(module, name.removeprefix(ABOVE), is_call=True)) is not None:
                return found.symbols
        return ()

    def _extending(self, names: NameLookup, cls: ClassType) -> list[Type]:
        """Return the modules that extend a class or one of its bases, or that a mixin brings as `ClassMethods`."""
        found: list[Type] = []
        level: list[Type] = [cls]
        for _ in range(MAX_DEPTH):
            classes = [one.symbol for one in level if isinstance(one, ClassType)]
            for one in classes:
                for name, group in one.members.items():
                    if name.startswith(EXTENDED):
                        found.append(without_self(names.read_type(group[0].declaration.type, _inside(one))))
                    elif name == "ClassMethods":
                        found.append(ClassType(group[0]))
            level = [base for one in classes for base in names.members.bases(ClassType(one))][:64]
        return found

    def find_extensions(self, names: NameLookup, name: str, receiver: Type, _context: Context) -> tuple[Symbol, ...]:
        """Methods at the top are those of every `self`."""
        is_own = isinstance(receiver, ParameterType) and receiver.name == SELF
        if is_own or (isinstance(receiver, OutsideType) and receiver.name == MAIN):
            top = names.spaces[""].get(name, []) if "" in names.spaces else []
            return tuple(one for one in top if one.kind == tree.FUNCTION)
        return ()

    def choose_visible(self, symbols: list[Symbol], context: Context) -> list[Symbol]:
        """Of methods at the top those of the same file come first."""
        return [one for one in symbols if one.unit == context.unit and one.kind == tree.FUNCTION] or symbols

    # ---- calls of the language itself

    def call_member(self, evaluator: Evaluation, value: Value, node: Node, context: Context) -> Found | None:
        """Return the result of an iterator, of `call`, `class`, and of methods that return their receiver."""
        _, function, arguments, *_ = node
        name, type_ = function[2], as_type(value)
        if isinstance(type_, FunctionType) and name in ("call", "()", "yield"):
            types = evaluator.types(arguments, context)
            evaluator.names.learn_literal(type_, types)
            return type_.result, "receiver"
        if name == "class" and type_ is not None:
            return TypeValue(without_self(type_)), "class"
        if isinstance(type_, OutsideType) and type_.name == "Array" and name in _ITERATORS:
            return self._iterate(evaluator, type_, node, context)
        if name in _SAME and type_ is not None and evaluator.names.members.find(type_, name) is None:
            for one in arguments:
                if one is not None and one[0] == tree.LAMBDA:
                    evaluator.function_literal(one, context, [type_])
            return type_, "receiver"
        return None

    def _iterate(self, evaluator: Evaluation, type_: OutsideType, node: Node, context: Context) -> Found:
        element = type_.arguments[0] if type_.arguments else None
        taken, _, given = _ITERATORS[node[1][2]].partition(":")
        result: Type = None
        for one in node[2]:
            if one is None or one[0] != tree.LAMBDA:
                found = as_type(evaluator.evaluate(one, context)[0])
                result = found if taken.startswith("a") else result
                continue
            # A hash gives its keys and values to a block with two parameters.
            kinds = "-e" if taken == "e" and len(one[1]) == 2 else taken
            expected = [element if kind == "e" else result if kind == "a" else None for kind in kinds]
            literal = evaluator.function_literal(one, context, expected)[0]
            result = literal.result if isinstance(literal, FunctionType) else None
        by_kind = {"s": type_, "e": element, "b": OutsideType("Array", (result,)), "r": result}
        return by_kind.get(given), "receiver"


def _inside(cls: Symbol) -> Context:
    return Context(cls.unit, cls.space, cls)


def attribute(files: Sequence[FileFacts], modules: ModuleMap) -> AttributionResult:
    """Return targets of calls, bases and overriding methods of a program."""
    return attribute_lowered(files, modules, RubyDialect)
