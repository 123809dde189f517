"""`NameResolver`: what names, paths and written types mean where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import Meaning
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.member_lookup import MemberLookup
from repoquarry.languages.declared_types.program import Program, ScopeKey
from repoquarry.languages.declared_types.types import (
    MAX_DEPTH,
    RESULT,
    UNION,
    VALUE,
    ClassType,
    Context,
    Found,
    FunctionType,
    FunctionValue,
    OutsideType,
    OutsideValue,
    ParameterType,
    RecordType,
    Signature,
    SpaceValue,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    Value,
    arguments_by_name,
    as_type,
    join,
    substitute,
    without_self,
)

_MAX_CALLS = 30
"""Depth of calls whose bodies are run for the type of a result."""
UNKNOWN_NAME = "unknown name"
OUTSIDE = "outside the repository"
_TYPE_KINDS = (tree.CLASS, tree.TYPE_ALIAS)


class NameResolver:
    """Names of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.dialect = program.dialect
        self.dialect.names = self
        self.members = MemberLookup(self, separates_fields=program.dialect.separates_fields)
        self.evaluate_quietly: Callable[[Node, Context], Found] = lambda _node, _context: (None, UNKNOWN_NAME)
        """Evaluates the first value of a variable; set by the evaluator."""
        self.run_quietly: Callable[[Symbol], None] = lambda _symbol: None
        """Runs a body for the types that it shows; set by the evaluator."""
        self.literal_parameters: dict[tuple[int, int], Type] = {}
        """(node of a function literal, position) -> type of the arguments that it is seen to be called with."""
        self.round = 0
        """Round of learning; 0 outside of them."""
        self._depth = 0

    # ---- names

    def find(self, name: str, context: Context, *, is_type: bool = False) -> Found:
        """Return what a plain name means; where a type stands, variables and functions are not meant."""
        local = context.find_local(name)
        if local is not None and not (is_type and not isinstance(local[0], TypeValue)):
            return local
        if self.dialect.has_scoped_receivers and not is_type:
            for scope in reversed(context.scopes):
                value = scope["this"][0] if "this" in scope else None
                found = self.members.get(value, name, is_call=True) if as_type(value) is not None else (None, "")  # type: ignore[arg-type]
                if found[0] is not None:
                    is_function = isinstance(found[0], FunctionValue) and found[0].symbols[0].has(tree.ABSTRACT)
                    return found[0], "declared" if is_function else "self"
        if self.dialect.has_implicit_receiver:
            member = self._find_implicit(name, context, is_type=is_type)
            if member is not None:
                return member
        parameter = context.renamed.get(name, name)
        if parameter in context.generic:
            return TypeValue(ParameterType(parameter, self.bounds(context.generic[parameter], context))), "name"
        space: str | None = context.space
        while space is not None:
            meaning = self.find_in_space(space, name, context.unit)
            if meaning is not None:
                return self.value_of(meaning, context, "name")
            space = self.dialect.find_parent(space)
        builtin = self.dialect.find_undeclared(context.space, name)
        return (builtin, "name") if builtin is not None else (None, UNKNOWN_NAME)

    def _find_implicit(self, name: str, context: Context, *, is_type: bool) -> Found | None:
        """Return a member of the classes around."""
        cls = context.cls
        while cls is not None:
            if cls.kind == tree.CLASS:
                if name == cls.name:
                    return TypeValue(ClassType(self._with_parameters(cls, 0))), "class"
                member = self.members.find(ClassType(cls), name)
                if member is not None and not (is_type and member.symbols[0].kind not in _TYPE_KINDS):
                    first = member.symbols[0]
                    if first.owner is not None and self.dialect.is_constructor(first, first.owner):
                        return TypeValue(ClassType(first.owner)), "class"
                    return self.value_of(list(member.symbols), context, "self")
            cls = cls.owner
        return None

    def find_in_space(self, space: str, name: str, unit: int = -1, seen: set[tuple[str, str]] | None = None) -> Meaning:
        """Return what a name means in a space, seen from one of its files or, without `unit`, from elsewhere."""
        own = self.program.spaces[space].get(name) if space in self.program.spaces else None
        if own:
            return own
        seen = set() if seen is None else seen
        if (space, name) in seen:
            return None
        seen.add((space, name))
        keys: list[ScopeKey] = [space]
        if self.dialect.imports_per_file:
            keys.insert(0, unit)
        for key in keys:
            path = self.program.imports[key].get(name) if key in self.program.imports else None
            if path is not None and (found := self.dialect.find_import(self, path, unit, space)) is not None:
                return found
        for key in keys:
            for path in self.program.wildcards.get(key, ()):
                found = self._find_in_all(self.dialect.find_import(self, path, unit, space), name, seen)
                if found is not None:
                    return found
        return None

    def _find_in_all(self, whole: Meaning, name: str, seen: set[tuple[str, str]]) -> Meaning:
        if isinstance(whole, SpaceValue):
            return self.find_in_space(whole.space, name, -1, seen)
        if isinstance(whole, list) and whole[0].kind == tree.CLASS and name in whole[0].members:
            return whole[0].members[name]
        return None

    def value_of(self, meaning: Meaning, context: Context, rule: str) -> Found:
        """Return declarations as a value."""
        if meaning is None or isinstance(meaning, SpaceValue | OutsideValue):
            return meaning, rule
        symbols = self.dialect.choose_visible(meaning, context)
        if not symbols:
            outside = self.dialect.find_outside(context.space, meaning[0].name)
            return outside, rule if outside is not None else UNKNOWN_NAME
        first = symbols[0]
        if first.kind == tree.CLASS:
            return TypeValue(ClassType(first)), rule
        if first.kind == tree.TYPE_ALIAS:
            return TypeValue(self.aliased(first), first), rule
        if first.kind == tree.FUNCTION:
            return FunctionValue(tuple(symbols)), rule
        if first.kind == tree.VARIANT and first.owner is not None:
            return TypeValue(ClassType(first.owner), first), rule
        type_ = self.type_of(first)
        if first.function is not None:
            return first.function, "value"
        return type_, "receiver" if type_ is not None else first.reason

    def aliased(self, alias: Symbol) -> Type:
        """Return the type that an alias stands for."""
        if alias.is_busy:
            return None
        alias.is_busy = True
        try:
            return self.read_type(alias.declaration.type, self.context_of(alias))
        finally:
            alias.is_busy = False

    @property
    def imports(self) -> Mapping[ScopeKey, Mapping[str, list[str]]]:
        """Imported paths by name, by file or space."""
        return self.program.imports

    @property
    def extensions(self) -> Mapping[str, list[Symbol]]:
        """Functions by name that extend types which are not classes of the program."""
        return self.program.extensions

    @property
    def spaces(self) -> Mapping[str, Mapping[str, list[Symbol]]]:
        """All declarations by space and name."""
        return self.program.spaces

    def is_stub(self, symbol: Symbol) -> bool:
        """Return whether a symbol is declared in a stub."""
        return self.program.is_stub(symbol)

    def context_of(self, symbol: Symbol, caller: int = -1) -> Context:
        """Return where a declaration stands."""
        generic, scopes = dict(symbol.generic), symbol.scopes
        owner = symbol.owner
        while owner is not None:
            generic, scopes = {**owner.generic, **generic}, scopes or owner.scopes
            owner = owner.owner
        cls = symbol if symbol.kind == tree.CLASS else symbol.owner
        context = Context(symbol.unit, symbol.space, cls, generic, caller)
        context.renamed = symbol.renamed
        context.own_type = symbol.block[0].owner if symbol.block is not None else None
        if scopes is not None:
            context.scopes = [*scopes, {}]
        return context

    # ---- types

    def type_of(self, symbol: Symbol) -> Type:
        """Return the type of a variable or field: the declared one, otherwise that of its first value."""
        if not symbol.type_is_known:
            symbol.type_is_known = True
            written, context = symbol.declaration, self.context_of(symbol)
            if written.type is not None:
                symbol.type = self.read_type(written.type, context)
            elif written.value is not None:
                value, reason = self.evaluate_quietly(written.value, context)
                if written.position >= 0:
                    parts = value.parts if isinstance(value, TupleType) else ()
                    value = parts[written.position] if written.position < len(parts) else None
                symbol.function = value if isinstance(value, FunctionValue) else None
                symbol.type = self.value_type(value)
                symbol.reason = reason if value is None else symbol.reason
            if written.type is None and symbol.learned:
                symbol.type = join((symbol.type, symbol.learned.get(VALUE)))
        return symbol.type

    def function_type(self, function: FunctionValue) -> FunctionType:
        """Return the type of a function as a value."""
        first = function.symbols[0]
        by_name = arguments_by_name(function.receiver)
        by_name.update(zip(first.generic, function.arguments, strict=False))
        signature = self.signature_of(first)
        parameters = tuple(substitute(one, by_name) for one in signature.parameters)
        return FunctionType(parameters, substitute(signature.result, by_name))

    def value_type(self, value: Value) -> Type:
        """Return the type of a value, functions included."""
        return self.function_type(value) if isinstance(value, FunctionValue) else as_type(value)

    def signature_of(self, symbol: Symbol) -> Signature:
        """Return the declared types of a function."""
        if symbol.signature is None:
            context, written = self.context_of(symbol), symbol.declaration
            if self.round and written.result is None and symbol.round < self.round and self._depth < _MAX_CALLS:
                symbol.round, self._depth = self.round, self._depth + 1
                self.run_quietly(symbol)
                self._depth -= 1
            parameters = [
                self.read_type(one.type, context) if one.type is not None else symbol.learned.get(position)
                for position, one in enumerate(written.parameters)
            ]
            result = (
                self.read_type(written.result, context) if written.result is not None else symbol.learned.get(RESULT)
            )
            if written.value is not None and not symbol.is_busy:
                symbol.is_busy = True
                context.scopes[-1]["this"] = self.own_type(symbol.owner, context), "self"
                whole = self.evaluate_quietly(written.value, context)[0]
                result = whole.result if isinstance(whole, FunctionType) else None
                symbol.is_busy = False
            symbol.signature = Signature(parameters, result)
        return symbol.signature

    def learn(self, symbol: Symbol, key: int | str, type_: Type) -> None:
        """Add a type that a parameter, result or field of a program that declares none is seen to have."""
        before = symbol.learned.get(key)
        after = join((before, type_)) if self.round else before
        if after != before:
            symbol.learned[key] = after
            symbol.signature, symbol.type_is_known = None, False

    def learn_literal(self, function: FunctionType, types: Sequence[Type]) -> None:
        """Add the types of arguments with which a function literal is called."""
        for literal in function.literals if self.round else ():
            for position, type_ in enumerate(types):
                key = literal, position
                self.literal_parameters[key] = join((self.literal_parameters.get(key), without_self(type_)))

    def bounds(self, written: Iterable[Node], context: Context) -> tuple[Type, ...]:
        """Return the known types among the bounds of a type parameter."""
        # Bounds in terms of type parameters know no more of those than their names: `T: Ord<T>` has no end.
        plain = Context(context.unit, context.space, context.cls, dict.fromkeys(context.generic, ()))
        plain.renamed, plain.own_type = context.renamed, context.own_type
        return tuple(found for one in written if (found := self.read_type(one, plain)) is not None)

    def own_type(self, cls: Symbol | None, context: Context) -> Type:
        """Return the type of the receiver in the methods of a class or of an implementation block."""
        if context.own_type is not None:
            return self.read_type(context.own_type, context)
        if cls is None:
            return None
        bounds = tuple(ParameterType(name, self.bounds(written, context)) for name, written in cls.generic.items())
        return self.dialect.receiver_type(cls, bounds)

    def read_type(self, node: Node | None, context: Context, depth: int = 0) -> Type:
        """Return the type that is written."""
        if node is None or depth > MAX_DEPTH:
            return None
        form = node[0]
        if form == tree.TUPLE:
            return TupleType(self._read_types(node[1], context, depth))
        if form == tree.FUNCTION_TYPE:
            parameters = self._read_types(node[1], context, depth)
            return FunctionType(parameters, self.read_type(node[2], context, depth + 1))
        if form == tree.RECORD:
            fields = {name: self.read_type(one, context, depth + 1) for name, one in node[1]}
            return RecordType(fields, self._read_types(node[2], context, depth))
        parts, arguments = node[1], self._read_types(node[2], context, depth)
        if parts == [UNION]:
            return join(arguments)
        if len(parts) == 1 and parts[0] in self.dialect.own_types:
            return self.own_type(context.cls, context)
        if parts == [tree.ABOVE]:
            return self._class_above(context)
        plain = len(parts) == 1 and self.dialect.has_implicit_receiver
        value, _ = self.find(parts[0], context, is_type=True) if plain else self.walk(parts, context)
        return self.apply(value, arguments, ".".join(parts))

    def _class_above(self, context: Context) -> Type:
        """Return the first base of the class around that is no interface of the program."""
        bases = self.members.bases(ClassType(context.cls)) if context.cls is not None else []
        return next((one for one in bases if not (isinstance(one, ClassType) and one.symbol.has(tree.ABSTRACT))), None)

    def _read_types(self, nodes: Sequence[Node | None], context: Context, depth: int) -> tuple[Type, ...]:
        return tuple(self.read_type(one, context, depth + 1) for one in nodes)

    def apply(self, value: object, arguments: tuple[Type, ...], written: str) -> Type:
        """Return the type that a value stands for in a place of a type."""
        if isinstance(value, TypeValue):
            type_ = value.type
            if isinstance(type_, ClassType):
                type_ = ClassType(self._with_parameters(type_.symbol, len(arguments)), type_.arguments)
            alias = value.named_by
            if alias is not None and alias.kind == tree.TYPE_ALIAS and alias.generic:
                return substitute(type_, self._alias_arguments(alias, arguments))
            if not arguments:
                return type_
            if isinstance(type_, ClassType):
                return ClassType(type_.symbol, arguments)
            return OutsideType(type_.name, arguments) if isinstance(type_, OutsideType) else type_
        if isinstance(value, OutsideValue):
            return OutsideType(value.name, arguments)
        return OutsideType(written, arguments) if value is None else None

    def _with_parameters(self, cls: Symbol, count: int) -> Symbol:
        """Return the class of the same name and place that has so many type parameters; the class itself where none has."""
        if len(cls.generic) == count:
            return cls
        same = cls.owner.members if cls.owner is not None else self.program.spaces.get(cls.space, {})
        others = (one for one in same.get(cls.name, ()) if one.kind == tree.CLASS)
        return next((one for one in others if len(one.generic) == count), cls)

    def _alias_arguments(self, alias: Symbol, arguments: tuple[Type, ...]) -> dict[str, Type]:
        """Return what the type parameters of an alias stand for, by default where they are not given."""
        found = dict(zip(alias.generic, arguments, strict=False))
        for one in alias.declaration.type_parameters[len(arguments) :]:
            found[one.name] = self.read_type(one.default, self.context_of(alias))
        return found

    # ---- paths

    def walk(self, parts: Sequence[str], context: Context) -> Found:
        """Return what a path means, part by part."""
        value, rule = self.dialect.find_first(self, parts, context)
        for position, name in enumerate(parts[1:], 2):
            if value is None:
                return None, rule
            value, rule = self.step(value, name, context, is_last=position == len(parts))
        return value, rule

    def step(self, value: object, name: str, context: Context, *, is_last: bool = True) -> Found:
        """Return a member of a space, of something outside or of a type itself."""
        if isinstance(value, SpaceValue):
            below = None if is_last else self.dialect.find_subspace(self, value.space, name)
            if below is not None:
                return SpaceValue(below), "module"
            meaning = self.find_in_space(value.space, name)
            if meaning is not None:
                found, reason = self.value_of(meaning, context, "module")
                return found, reason
            below = self.dialect.find_subspace(self, value.space, name)
            if below is not None:
                return SpaceValue(below), "module"
            outside = self.dialect.find_outside(value.space, name)
            return outside, "module" if outside is not None else UNKNOWN_NAME
        if isinstance(value, OutsideValue):
            full_name = f"{value.name}.{name}"
            declared = self.dialect.find_declared(self, full_name)
            return (
                (OutsideValue(full_name), "module") if declared is None else self.value_of(declared, context, "module")
            )
        if isinstance(value, TypeValue):
            return self._static(value.type, name, context)
        return None, UNKNOWN_NAME

    def _static(self, type_: Type, name: str, context: Context) -> Found:
        """Return a member of a type itself."""
        if isinstance(type_, OutsideType):
            return OutsideValue(f"{type_.name}.{name}"), "class"
        if methods := self.dialect.find_class_method(self, type_, name):
            return FunctionValue(methods, type_), "class"
        member = self.members.find(type_, name, is_call=True)
        if member is None:
            more = self.dialect.find_extensions(self, name, type_, context)
            return (FunctionValue(more, type_), "class") if more else (None, UNKNOWN_NAME)
        first = member.symbols[0]
        if first.kind == tree.VARIANT:
            return TypeValue(type_, first), "class"
        if first.kind == tree.FUNCTION:
            return FunctionValue(member.symbols, type_), "class"
        return self.value_of(list(member.symbols), context, "class")
