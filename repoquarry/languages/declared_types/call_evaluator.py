"""`CallEvaluator`: targets of calls, types of their results, and creations of objects."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.dialect import Evaluation
from repoquarry.languages.declared_types.lowered_tree import Node
from repoquarry.languages.declared_types.overloads import is_applicable, place_arguments, takes
from repoquarry.languages.declared_types.types import (
    CLASS_OBJECT,
    ClassType,
    Context,
    Found,
    FunctionType,
    FunctionValue,
    OutsideType,
    OutsideValue,
    ParameterType,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    Value,
    arguments_by_name,
    as_type,
    object_type,
    substitute,
    unify,
    without_self,
)

_OUTSIDE = "outside the repository"
_UNKNOWN = "unknown value"


def called_name(function: Node) -> str:
    """Return the last part of the called name; empty for other expressions."""
    if function[0] == tree.NAME:
        return str(function[1])
    if function[0] == tree.MEMBER:
        return str(function[2]).removeprefix(tree.ABOVE)
    return str(function[1][-1]) if function[0] == tree.PATH else ""


_MAX_SHAPES = 3
"""Arguments inside so many others count as unknown before their call is looked at."""


class CallEvaluator:
    """Calls of a program."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._names = evaluator.names
        self._log = evaluator.log
        self._dialect = evaluator.dialect
        self._depth = 0
        """Depth of arguments that are looked at before their call is."""

    def call(self, node: Node, context: Context) -> Found:
        """Return the result of a call, and log its targets."""
        own = self._dialect.evaluate_call(self._evaluator, node, context)
        if own is not None:
            return own
        _, function, arguments, written, line = node
        while function[0] == tree.SAME and len(function[1]) == 1:
            function = function[1][0]
        if function[0] == tree.MEMBER:
            value, rule = self._evaluator.evaluate(function[1], context)
            own = self._call_member(value, node, function, context)
            if own is not None:
                return own
            callee, rule = self._evaluator.member_of(value, rule, function[2], context, is_call=True)
        else:
            callee, rule = self._find_callee(function, context)
        for one in written:
            self._log.mention_type(self._names.read_type(one, context), line, context, "value")
        name = called_name(function)
        if isinstance(callee, FunctionValue):
            callee, rule = self._choose_extension(callee, rule, node, context)
        if isinstance(callee, FunctionValue):
            return self._call_function(callee, rule, node, context)
        if isinstance(callee, TypeValue):
            return self._call_type(callee, node, context)
        if isinstance(callee, OutsideValue):
            self._arguments(arguments, (), context)
            self._log.call_outside(callee.name, line, context, rule)
            return None, _OUTSIDE
        return self._call_value(callee, rule, name, node, context)

    def _find_callee(self, function: Node, context: Context) -> Found:
        """Return what is called; without a mention."""
        form = function[0]
        if form == tree.NAME:
            return self._names.find(function[1], context)
        if form == tree.PATH:
            return self._names.walk(function[1], context)
        return self._evaluator.evaluate(function, context)

    # ---- kinds of callees

    def _call_type(self, callee: TypeValue, node: Node, context: Context) -> Found:
        """Convert a value, or construct an object by calling its class."""
        _, _, arguments, written, line = node
        type_ = callee.type
        _, placed = place_arguments(self._constructors(type_), arguments, 0)
        types = self._evaluator.types(placed, context)
        if written and isinstance(type_, ClassType):
            type_ = ClassType(type_.symbol, tuple(self._names.read_type(one, context) for one in written))
        if self._dialect.constructs_by_class:
            self.construct(type_, types, line, context)
        else:
            self._log.mention_type(type_, line, context, "value")
        return self._infer_arguments(type_, callee.named_by, types), "receiver"

    def _infer_arguments(self, type_: Type, variant: Symbol | None, types: Sequence[Type]) -> Type:
        """Add the type arguments of a class or variant with positional fields, by the values of those fields."""
        if not isinstance(type_, ClassType) or type_.arguments or not type_.symbol.generic:
            return type_
        by_name: dict[str, Type] = {}
        holder = variant if variant is not None and variant.kind == tree.VARIANT else type_.symbol
        for position, given in enumerate(types):
            for field in holder.members.get(str(position), ()):
                unify(self._names.type_of(field), given, by_name)
        return ClassType(type_.symbol, tuple(map(by_name.get, type_.symbol.generic))) if by_name else type_

    def _call_value(self, callee: Value, rule: str, name: str, node: Node, context: Context) -> Found:
        """Call a value whose function is not known by name."""
        _, _, arguments, _, line = node
        below = self._names.members.underlying(callee)  # type: ignore[arg-type]
        is_function = isinstance(below, FunctionType)
        expected = below.parameters if isinstance(below, FunctionType) else ()
        types = self._arguments(arguments, expected, context)
        if isinstance(below, FunctionType) and below.is_lambda:
            self._names.learn_literal(below, types)
            return below.result, "receiver"
        reason = rule if callee is None else _UNKNOWN
        if isinstance(below, OutsideType) and not is_function:
            reason = _OUTSIDE
        self._log.leave_unresolved(name, line, context, reason)
        if isinstance(below, FunctionType):
            return below.result, "receiver" if below.result is not None else _UNKNOWN
        return None, reason if reason == _OUTSIDE else _UNKNOWN

    def _choose_extension(self, callee: FunctionValue, rule: str, node: Node, context: Context) -> Found:
        """Return extensions where no member takes the arguments, and nothing for extensions that do not."""
        _, function, arguments, *_ = node
        first = callee.symbols[0]
        if function[0] != tree.MEMBER or (function[1] is not None and function[1][0] == tree.TYPE):
            return callee, rule
        is_exact = self._dialect.looks_above_for_overloads
        extended = self._extends(first, callee.receiver, function)
        takes_some = any(takes(one, len(arguments) + extended) for one in callee.symbols)
        if takes_some and not is_exact:
            return callee, rule
        name = called_name(function)
        found = () if extended else self._dialect.find_extensions(self._names, name, callee.receiver, context)
        if not found and not extended:
            return callee, rule
        _, placed = place_arguments(callee.symbols, arguments, 1 if extended else 0)
        types = [self._shape(one, context) if is_exact else None for one in placed]
        own = self._look_above(callee.symbols, callee.receiver, types) if is_exact and not extended else callee.symbols
        given = [callee.receiver, *types] if extended else types
        if any(is_applicable(self._names, one, len(given), given) for one in own):
            return callee, rule
        fitting = tuple(one for one in found if is_applicable(self._names, one, len(types) + 1, [None, *types]))
        if fitting:
            return FunctionValue(fitting, callee.receiver), "receiver"
        return (None, _OUTSIDE) if extended else (callee, rule)

    def _call_function(self, callee: FunctionValue, rule: str, node: Node, context: Context) -> Found:
        _, function, _, written, line = node
        callee, arguments = self._narrow(callee, node, context)
        first = callee.symbols[0]
        by_type = function[0] == tree.PATH or (function[0] == tree.MEMBER and function[1][0] == tree.TYPE)
        is_static = by_type and first.has(tree.WRITES_RECEIVER)
        skipped = 1 if is_static else 0
        extended = self._extended(callee, function, context)
        if extended:
            first = self._dialect.choose_overloads(callee.symbols, len(arguments) + 1, extended)[0]
        declared = self._names.signature_of(first).parameters
        known = self._receiver_arguments(first, callee.receiver)
        if extended and declared:
            self._unify(declared[0], extended[0], known)
        expected = [None] * skipped + [substitute(one, known) for one in declared[len(extended) :]]
        if self._dialect.has_scoped_receivers and arguments and len(expected) > len(arguments):
            # A function literal that follows other arguments is the last one, whichever are left out.
            expected = [*expected[: len(arguments) - 1], expected[-1]]
        types = extended + self._arguments(arguments, expected, context)
        usual, others = self._dialect.split_builds(callee.symbols, context)
        if self._dialect.looks_above_for_overloads:
            usual = self._look_above(usual, callee.receiver, types)
        symbols = self._dialect.choose_overloads(usual, len(types) - skipped, types[skipped:])
        self._log.call(others, line, context, "possible")
        if first.has(tree.CONSTRUCTOR):
            rule = "constructor"
        self._log.call(symbols, line, context, rule)
        self._learn(symbols, types[skipped:])
        receiver = types[0] if skipped and types and types[0] is not None else callee.receiver
        by_name = self._type_arguments(symbols[0], receiver, types[skipped:])
        given = tuple(self._names.read_type(one, context) for one in written) or callee.arguments
        by_name.update(zip(symbols[0].generic, given, strict=False))
        result = substitute(self._names.signature_of(symbols[0]).result, by_name)
        outside = all(self._names.is_stub(one) for one in symbols)
        return result, "receiver" if result is not None else _OUTSIDE if outside else _UNKNOWN

    def _narrow(self, callee: FunctionValue, node: Node, context: Context) -> tuple[FunctionValue, list[Node | None]]:
        """Return those functions that written type arguments, names and function literals allow, the likeliest first, with its arguments."""
        _, function, arguments, written, _ = node
        symbols = callee.symbols
        if written and len(symbols) > 1:
            symbols = tuple(one for one in symbols if len(one.generic) == len(written)) or symbols
        extended = self._extends(symbols[0], callee.receiver, function)
        symbols, placed = place_arguments(symbols, arguments, 1 if extended else 0)
        if len(symbols) > 1 and any(one is not None and one[0] == tree.LAMBDA for one in placed):
            types = ([callee.receiver] if extended else []) + [self._shape(one, context) for one in placed]
            likely = self._dialect.choose_overloads(symbols, len(types), types)
            symbols = (*likely, *(one for one in symbols if one not in likely))
        return FunctionValue(symbols, callee.receiver, callee.arguments), placed

    def _shape(self, argument: Node | None, context: Context) -> Type:
        """Return the type of an argument before its function literals are looked at."""
        if argument is None or self._depth >= _MAX_SHAPES:
            return None
        if argument[0] != tree.LAMBDA:
            self._depth += 1
            found = self._names.evaluate_quietly(argument, context)[0]
            self._depth -= 1
            return self._argument_type(found)
        types = tuple(self._names.read_type(type_, context) for _, type_ in argument[1])
        return FunctionType(types, self._names.read_type(argument[3], context), is_lambda=True)

    def _look_above(self, symbols: tuple[Symbol, ...], receiver: Type, types: Sequence[Type]) -> tuple[Symbol, ...]:
        """Return the methods of the nearest class above where none of the given ones takes the arguments."""
        found, name = symbols, symbols[0].name
        while not any(is_applicable(self._names, one, len(types), types) for one in found):
            owner = found[0].owner
            as_owner = self._names.members.view_as(receiver, owner) if owner is not None and receiver else None
            as_owner = as_owner or (ClassType(owner) if owner is not None else None)
            member = self._names.members.find(as_owner, tree.ABOVE + name, is_call=True) if as_owner else None
            if member is None or member.symbols[0].kind != tree.FUNCTION or member.symbols == found:
                return symbols
            found = member.symbols
        return found

    def _learn(self, symbols: Sequence[Symbol], types: Sequence[Type]) -> None:
        """Let parameters without a declared type have those of arguments."""
        below = [one for symbol in symbols for one in self._evaluator.overriding(symbol)] if self._names.round else []
        for symbol in (*symbols, *below) if self._dialect.learns_types else ():
            for position, (parameter, given) in enumerate(zip(symbol.declaration.parameters, types, strict=False)):
                if parameter.type is None and given is not None:
                    self._names.learn(symbol, position, without_self(given))

    def _type_arguments(self, symbol: Symbol, receiver: Type, types: Sequence[Type]) -> dict[str, Type]:
        """Return what the type parameters in a signature stand for at a call."""
        by_name = self._receiver_arguments(symbol, receiver)
        for declared, given in zip(self._names.signature_of(symbol).parameters, types, strict=False):
            self._unify(declared, given, by_name)
        return by_name

    def _unify(self, declared: Type, given: Type, by_name: dict[str, Type]) -> None:
        """Add what type parameters stand for, where a given type or one of its bases shows it."""
        if isinstance(declared, ClassType) and declared.arguments:
            given = self._names.members.view_as(given, declared.symbol) or given
        unify(declared, given, by_name)

    def _extends(self, symbol: Symbol, receiver: Type, function: Node) -> bool:
        """Return whether a call passes its receiver as the first argument."""
        is_own = isinstance(receiver, ClassType) and receiver.symbol is symbol.owner
        return symbol.has(tree.EXTENSION) and function[0] == tree.MEMBER and not is_own

    def _extended(self, callee: FunctionValue, function: Node, context: Context) -> list[Type]:
        """Return the receiver that a call passes as the first argument, written or implicit; nothing where it passes none."""
        first = callee.symbols[0]
        if self._extends(first, callee.receiver, function):
            return [callee.receiver]
        is_implicit = function[0] == tree.NAME and first.has(tree.EXTENSION) and self._dialect.has_scoped_receivers
        return [as_type(self._names.find("this", context)[0])] if is_implicit else []

    def _receiver_arguments(self, symbol: Symbol, receiver: Type) -> dict[str, Type]:
        """Return what the type parameters of the class that declares a function stand for."""
        if receiver is None:
            return {}
        member = self._names.members.find(receiver, symbol.name, is_call=True)
        found = member.by_name if member is not None else arguments_by_name(receiver)
        return {**{name: one for name, one in found.items() if one is not None}, "Self": receiver}

    # ---- arguments

    def _arguments(self, arguments: Sequence[Node | None], expected: Sequence[Type], context: Context) -> list[Type]:
        """Return the types of arguments; function literals take those of their parameters from the declaration."""
        types: list[Type] = []
        for position, one in enumerate(arguments):
            declared = expected[position] if position < len(expected) else None
            if one is not None and one[0] == tree.LET and one[2] is None and one[3] is None:
                self._evaluator.bind(one[1], (declared, "receiver"), context)
                types.append(declared)
                continue
            if one is not None and one[0] == tree.LAMBDA:
                wanted = self._function_type(declared)
                parameters = wanted.parameters if wanted is not None else ()
                types.append(self._evaluator.function_literal(one, context, parameters)[0])  # type: ignore[arg-type]
            else:
                types.append(self._argument_type(self._evaluator.evaluate(one, context)[0]))
        if len(types) == 1 and isinstance(types[0], TupleType) and len(expected) > 1:
            return list(types[0].parts)
        return types

    def _argument_type(self, value: Value) -> Type:
        if self._dialect.learns_types and isinstance(value, TypeValue):
            return object_type(value)
        if isinstance(value, FunctionValue) and len(value.symbols) > 1:
            return None
        return value.type if isinstance(value, TypeValue) else self._names.value_type(value)

    def _function_type(self, declared: Type) -> FunctionType | None:
        below = self._names.members.underlying(declared)
        if isinstance(below, ParameterType):
            return next((one for one in below.bounds if isinstance(one, FunctionType)), None)
        return below if isinstance(below, FunctionType) else None

    # ---- creations

    def create(self, node: Node, context: Context) -> Found:
        """Return the type of a new object, and log its constructor."""
        _, written, arguments, line = node
        type_ = self._names.read_type(written, context)
        _, placed = place_arguments(self._constructors(type_), arguments, 0)
        self.construct(type_, self._evaluator.types(placed, context), line, context)
        return type_, "receiver"

    def _constructors(self, type_: Type) -> tuple[Symbol, ...]:
        if not isinstance(type_, ClassType):
            return ()
        members = (one for group in type_.symbol.members.values() for one in group)
        return tuple(one for one in members if self._dialect.is_constructor(one, type_.symbol))

    def _call_member(self, value: Value, node: Node, function: Node, context: Context) -> Found | None:
        """Return the new object of a class that creates it by a method, or what the language itself says of a call."""
        type_ = object_type(value)
        if function[2] == self._dialect.creation_name and isinstance(type_, OutsideType) and type_.name == CLASS_OBJECT:
            made = type_.arguments[0]
            if not self._dialect.find_class_method(self._names, made, self._dialect.creation_name):
                self.construct(made, self._arguments(node[2], (), context), node[4], context)
                return made, "receiver"
        return self._dialect.call_member(self._evaluator, value, node, context)

    def construct(self, type_: Type, types: Sequence[Type], line: int, context: Context) -> None:
        """Log the constructor of a class; the class itself is the target where it declares none."""
        if isinstance(type_, OutsideType):
            self._log.call_outside(type_.name, line, context, "constructor")
        type_ = without_self(type_)
        if not isinstance(type_, ClassType):
            return
        if self._dialect.constructor_name:
            member = self._names.members.find(type_, self._dialect.constructor_name, is_call=True)
            own = member.symbols if member is not None else ()
            self._log.call(own or (type_.symbol,), line, context, "constructor")
            self._learn(own, types)
            return
        own = self._constructors(type_)
        chosen = self._dialect.choose_overloads(own, len(types), types) if own else (type_.symbol,)
        self._log.call(chosen, line, context, "constructor")
