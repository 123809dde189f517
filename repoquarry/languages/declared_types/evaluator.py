"""`Evaluator`: types of expressions and effects of statements, form by form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from repoquarry.languages.declared_types import lowered_tree as tree
from repoquarry.languages.declared_types.attribution_log import AttributionLog
from repoquarry.languages.declared_types.call_evaluator import CallEvaluator
from repoquarry.languages.declared_types.descendants import Descendants
from repoquarry.languages.declared_types.linker import link_block
from repoquarry.languages.declared_types.lowered_tree import Declaration, LoweredFile, Node
from repoquarry.languages.declared_types.name_resolver import NameResolver
from repoquarry.languages.declared_types.pattern_binder import PatternBinder
from repoquarry.languages.declared_types.types import (
    CLASS_OBJECT,
    RESULT,
    VALUE,
    ClassType,
    Context,
    Found,
    FunctionType,
    FunctionValue,
    OutsideType,
    OutsideValue,
    SpaceValue,
    Symbol,
    TupleType,
    Type,
    TypeValue,
    Value,
    as_type,
    join,
    object_type,
    without_self,
)

MAX_DEREFERENCES = 6
NO_VALUE = "unknown value"


class Evaluator:
    """Expressions and statements of a program."""

    def __init__(self, names: NameResolver, log: AttributionLog) -> None:
        self.names = names
        self.log = log
        self.dialect = names.dialect
        self.calls = CallEvaluator(self)
        self.patterns = PatternBinder(names)
        self.descendants = Descendants(names)
        self.bind = self.patterns.bind
        self._local: list[tuple[Symbol, Context]] = []
        names.evaluate_quietly = self._evaluate_quietly
        names.run_quietly = self._run_quietly
        self._run: dict[int, Callable[[Node, Context], Found]] = {
            tree.NAME: self._name,
            tree.PATH: self._path,
            tree.MEMBER: self._member,
            tree.CALL: self.calls.call,
            tree.NEW: self.calls.create,
            tree.TYPE: self._type,
            tree.LITERAL: self._literal,
            tree.CAST: self._cast,
            tree.INDEX: self._index,
            tree.ELEMENT: self._element,
            tree.INSTANCE: self._instance,
            tree.DEREFERENCE: self._dereference,
            tree.TRY: self._try,
            tree.SEQUENCE: self._sequence,
            tree.PARTS: lambda node, context: (TupleType(tuple(self.types(node[1], context))), "receiver"),
            tree.OPERATOR: self._several,
            tree.SAME: self._same,
            tree.ALTERNATIVES: self._alternatives,
            tree.MATCH: self._match,
            tree.LAMBDA: self.function_literal,
            tree.BLOCK: self._block,
            tree.SEVERAL: self._several,
            tree.LET: self._let,
            tree.DECLARE: lambda _node, _context: (None, NO_VALUE),
            tree.USE: self._use,
            tree.RETURN: self._return,
            tree.STORE: self._store,
            tree.LAST: self._last,
            tree.WRAP: self._wrap,
            tree.ARGUMENT: lambda node, context: self.evaluate(node[1], context),
        }

    def evaluate(self, node: Node | None, context: Context) -> Found:
        """Return the value of an expression, and log the calls in it."""
        return self._run[node[0]](node, context) if node is not None else (None, NO_VALUE)

    def overriding(self, method: Symbol) -> Sequence[Symbol]:
        """Return the methods of the classes below that override a method."""
        owner = method.owner
        return self.descendants.overriding(owner, method.name) if owner is not None else ()

    def types(self, nodes: Sequence[Node | None], context: Context) -> list[Type]:
        """Return the types of several expressions."""
        return [as_type(self.evaluate(one, context)[0]) for one in nodes]

    def _evaluate_quietly(self, node: Node, context: Context) -> Found:
        with self.log.mute():
            return self.evaluate(node, context)

    # ---- bodies

    def _run_quietly(self, symbol: Symbol) -> None:
        if symbol.declaration.body is not None and symbol.scopes is None:
            with self.log.mute():
                self.run_body(symbol)

    def run_body(self, symbol: Symbol, outer: Context | None = None) -> None:
        """Evaluate the body of a function; a local one sees the names around it."""
        names, written = self.names, symbol.declaration
        context = names.context_of(symbol, symbol.number if symbol.number >= 0 or outer is None else outer.caller)
        if outer is not None:
            context.scopes = [*outer.scopes, {}]
            context.cls = context.cls or outer.cls
            context.generic = {**outer.generic, **context.generic}
        for name in symbol.generic:
            for bound in names.bounds(symbol.generic[name], context):
                self.log.mention_type(bound, written.line, context, "annotation")
        if written.receiver and (symbol.owner is not None or symbol.block is not None):
            context.scopes[-1][written.receiver] = names.own_type(symbol.owner, context), "self"
        for position, parameter in enumerate((*written.parameters, *written.results)):
            type_ = names.read_type(parameter.type, context)
            self.log.mention_type(type_, written.line, context, "annotation")
            if type_ is None and parameter.type is None:
                type_ = symbol.learned.get(position)
            if parameter.pattern is not None:
                self.patterns.bind(parameter.pattern, (type_, "receiver"), context)
        if not written.results:
            self.log.mention_type(names.read_type(written.result, context), written.line, context, "annotation")
        self._run_with_local([written.body], context)
        if written.result is None:
            names.learn(symbol, RESULT, join(context.returned))

    def _return(self, node: Node, context: Context) -> Found:
        value, rule = self.evaluate(node[1], context)
        context.returned.append(as_type(value) if not isinstance(value, TypeValue) else object_type(value))
        return value, rule

    def _store(self, node: Node, context: Context) -> Found:
        """Learn the type of a field from what is stored there."""
        found = self.evaluate(node[3], context)
        receiver = without_self(as_type(self.evaluate(node[1], context)[0]))
        type_ = object_type(found[0])
        if not isinstance(receiver, ClassType) or type_ is None:
            return found
        member = self.names.members.find(receiver, node[2])
        cls = receiver.symbol
        field = (
            member.symbols[0]
            if member is not None
            else self.names.program.create(Declaration(tree.FIELD, node[2]), cls.unit, cls.space, cls)
        )
        if field.kind == tree.FIELD and field.declaration.type is None:
            self.names.learn(field, VALUE, type_)
        return found

    def _run_with_local(self, nodes: Sequence[Node | None], context: Context) -> None:
        """Evaluate statements, then the bodies of the functions that they declare."""
        around, self._local = self._local, []
        self._hoist(nodes, context)
        for node in nodes:
            self.evaluate(node, context)
        local, self._local = self._local, around
        for inner, place in local:
            self.run_body(inner, place)

    def run_file(self, unit: int, lowered: LoweredFile) -> None:
        """Evaluate what runs at the level of a file: first values of variables, and statements."""
        program = self.names.program
        context = Context(unit, self.dialect.space_of(unit), caller=program.starts[unit])
        for one in lowered.declarations:
            if one.kind == tree.VARIABLE:
                type_ = self.names.read_type(one.type, context)
                self.log.mention_type(type_, one.line, context, "annotation")
                if one.position <= 0:
                    self.evaluate(one.value, context)
        self._run_with_local(lowered.statements, context)

    def run_fields(self, cls: Symbol) -> None:
        """Evaluate the first values of the fields of a class."""
        context = self.names.context_of(cls, cls.number)
        context.scopes[-1]["this"] = self.names.own_type(cls, context), "self"
        for field in [one for group in cls.members.values() for one in group]:  # evaluation may add fields
            if field.kind in (tree.FIELD, tree.VARIABLE) and field.declaration.position <= 0:
                if field.unit != context.unit:
                    # Another part of the class: what it runs there is run by its file.
                    context.unit, context.caller = field.unit, self.names.program.starts[field.unit]
                elif field.unit == cls.unit:
                    context.caller = cls.number
                self._first_value(field.declaration.value, self.names.type_of(field), context)

    def _declare(self, packed: Node, context: Context) -> None:
        """Add a local class or function, or the members of an implementation block."""
        written = msgspec.convert(packed, Declaration)
        if written.kind == tree.IMPLEMENTATION:
            functions = link_block(written, context, self.names)
        else:
            symbol = self.names.program.create(written, context.unit, context.space, None)
            symbol.scopes = list(context.scopes)
            context.scopes[-1][symbol.name] = self.names.value_of([symbol], context, "name")
            functions = [symbol, *(one for group in symbol.members.values() for one in group)]
        for function in functions:
            if function.kind == tree.FUNCTION and function.declaration.body is not None:
                self._local.append((function, context))

    def _block(self, node: Node, context: Context) -> Found:
        context.scopes.append({})
        self._hoist(node[1], context)
        for one in node[1]:
            self.evaluate(one, context)
        found = self.evaluate(node[2], context) if len(node) > 2 else (None, NO_VALUE)
        context.scopes.pop()
        return found

    def _hoist(self, statements: Sequence[Node | None], context: Context) -> None:
        declared = [one[1] for one in statements if one is not None and one[0] == tree.DECLARE]
        for packed in sorted(declared, key=lambda one: one[0] == tree.IMPLEMENTATION):
            self._declare(packed, context)
        for one in statements:
            if one is not None and one[0] == tree.SEVERAL:
                self._hoist(one[1], context)

    def _several(self, node: Node, context: Context) -> Found:
        for one in node[1]:
            self.evaluate(one, context)
        return None, NO_VALUE

    def _let(self, node: Node, context: Context) -> Found:
        _, pattern, written, value, is_iteration, line = node
        declared = self.names.read_type(written, context)
        self.log.mention_type(declared, line, context, "annotation")
        found = self._first_value(value, declared, context)
        if is_iteration:
            value_type = self.names.value_type(found[0])
            found = self.dialect.iterate(self.names.members.underlying(value_type)), found[1]
        if declared is not None:
            found = self.dialect.complete(declared, as_type(found[0])), "receiver"
        self.patterns.bind(pattern, found, context)
        return found

    def _first_value(self, value: Node | None, declared: Type, context: Context) -> Found:
        """Return a value; parameters of a function literal have the types that its variable declares."""
        declared = self.names.members.underlying(declared)
        if value is not None and value[0] == tree.LAMBDA and isinstance(declared, FunctionType):
            return self.function_literal(value, context, declared.parameters)
        return self.evaluate(value, context)

    def _use(self, node: Node, context: Context) -> Found:
        names = self.names
        for name, path in node[1].items():
            meaning = self.dialect.find_import(names, path, context.unit, context.space)
            if meaning is not None:
                context.scopes[-1][name] = names.value_of(meaning, context, "name")
        for path in node[2]:
            meaning = self.dialect.find_import(names, path, context.unit, context.space)
            every = names.program.spaces[meaning.space] if isinstance(meaning, SpaceValue) else {}
            if isinstance(meaning, list) and meaning[0].kind == tree.CLASS:
                every = meaning[0].members
            for name, symbols in list(every.items()):
                context.scopes[-1].setdefault(name, names.value_of(symbols, context, "name"))
        return None, NO_VALUE

    # ---- names and members

    def _mentioned(self, found: Found, line: int, context: Context) -> Found:
        """Log a function or class that is used as a value."""
        value = found[0]
        if isinstance(value, FunctionValue):
            self.log.mention(value.symbols, line, context, "handler")
        elif isinstance(value, TypeValue):
            self.log.mention_type(value.type, line, context, "value")
            return self.dialect.find_value(self.names, value), found[1]
        return found

    def _name(self, node: Node, context: Context) -> Found:
        return self._mentioned(self.names.find(node[1], context), node[2], context)

    def _path(self, node: Node, context: Context) -> Found:
        return self._mentioned(self.names.walk(node[1], context), node[3], context)

    def _member(self, node: Node, context: Context) -> Found:
        value, rule = self.evaluate(node[1], context)
        return self._mentioned(self.member_of(value, rule, node[2], context), node[3], context)

    def member_of(self, value: Value, rule: str, name: str, context: Context, *, is_call: bool = False) -> Found:
        """Return a member of a value, through as many dereferences as needed; the rule is that of a call."""
        if isinstance(value, SpaceValue | OutsideValue | TypeValue):
            return self.names.step(value, name, context)
        receiver = type_ = as_type(value)
        if type_ is None:
            more = self.dialect.find_extensions(self.names, name, None, context) if is_call else ()
            unknown = rule if rule == "outside the repository" else "unknown receiver"
            return (FunctionValue(more, None), "receiver") if more else (None, unknown)
        if isinstance(type_, OutsideType) and type_.name == CLASS_OBJECT:
            return self.names.step(TypeValue(type_.arguments[0]), name, context)
        for _ in range(MAX_DEREFERENCES):
            found, _how = self.names.members.get(type_, name, is_call=is_call)
            if found is not None:
                return found, self._rule(found, rule)
            target = self.dialect.dereference(self.names, type_)
            if target is None:
                break
            type_ = target
        if is_call and (more := self.dialect.find_extensions(self.names, name, receiver, context)):
            return FunctionValue(more, receiver), "receiver"
        if is_call and self.dialect.learns_types and (below := self.descendants.find(receiver, name)):
            return FunctionValue(below, receiver), "implementation"
        owner = self._outside_owner(type_)
        if owner:
            return (OutsideValue(f"{owner}.{name}"), "receiver") if is_call else (None, "outside the repository")
        return None, "unknown receiver" if is_call else NO_VALUE

    def _outside_owner(self, type_: Type) -> str:
        """Return the full name of the type outside the program to which unknown members belong; empty for none."""
        below = self.names.members.outside_base(self.names.members.underlying(type_))
        if below is not None:
            is_known = "." in below.name or self.dialect.find_builtin(below.name) is not None
            return below.name if is_known else ""
        symbol = type_.symbol if isinstance(type_, ClassType) and self.names.is_stub(type_.symbol) else None
        outside = self.dialect.find_outside(symbol.space, symbol.name) if symbol is not None else None
        return outside.name if outside is not None else ""

    def _rule(self, found: Value, rule: str) -> str:
        """Return the rule of a call of a member."""
        if isinstance(found, FunctionValue):
            first = found.symbols[0]
            if first.has(tree.ABSTRACT):
                return "declared"
            return "self" if rule == "self" else "receiver"
        return "receiver"

    # ---- values

    def _type(self, node: Node, context: Context) -> Found:
        type_ = self.names.read_type(node[1], context)
        self.log.mention_type(type_, node[2], context, "value")
        return TypeValue(type_), "class"

    def _literal(self, node: Node, context: Context) -> Found:
        type_ = self.names.read_type(node[1], context)
        self.log.mention_type(type_, node[3], context, "value")
        for one in node[2]:
            self.evaluate(one, context)
        return type_, "receiver"

    def _cast(self, node: Node, context: Context) -> Found:
        self.evaluate(node[2], context)
        type_ = self.names.read_type(node[1], context)
        self.log.mention_type(type_, node[3], context, "value")
        return type_, "receiver"

    def _index(self, node: Node, context: Context) -> Found:
        value, rule = self.evaluate(node[1], context)
        index = self.evaluate(node[2], context)[0]
        if isinstance(value, FunctionValue) and isinstance(index, TypeValue):
            return FunctionValue(value.symbols, value.receiver, (index.type,)), rule
        if isinstance(value, FunctionValue | TypeValue):
            return value, rule
        return self._element_of(value, rule)

    def _instance(self, node: Node, context: Context) -> Found:
        """Return a function or type with type arguments."""
        value, rule = self.evaluate(node[1], context)
        arguments = tuple(self.names.read_type(one, context) for one in node[2])
        for one in arguments:
            self.log.mention_type(one, node[3], context, "value")
        if isinstance(value, FunctionValue):
            return FunctionValue(value.symbols, value.receiver, arguments), rule
        return (
            (TypeValue(self.names.apply(value, arguments, "")), rule) if isinstance(value, TypeValue) else (value, rule)
        )

    def _element(self, node: Node, context: Context) -> Found:
        return self._element_of(*self.evaluate(node[1], context))

    def _element_of(self, value: Value, rule: str) -> Found:
        type_ = self.dialect.find_element(self.names.members.underlying(as_type(value)))
        return type_, "receiver" if type_ is not None else rule

    def _dereference(self, node: Node, context: Context) -> Found:
        value, rule = self.evaluate(node[1], context)
        type_ = as_type(value)
        below = self.dialect.dereference(self.names, type_) if type_ is not None else None
        return (below, rule) if below is not None else (value, rule)

    def _try(self, node: Node, context: Context) -> Found:
        value, rule = self.evaluate(node[1], context)
        return self.dialect.unwrap(as_type(value)), rule

    def _sequence(self, node: Node, context: Context) -> Found:
        types = self.types(node[1], context)
        element = next((one for one in types if one is not None), None)
        if self.dialect.learns_types:
            element = join(map(without_self, types))
        return self.dialect.sequence_type(self.names, element), "receiver"

    def _same(self, node: Node, context: Context) -> Found:
        found = [self.evaluate(one, context) for one in node[1]]
        return found[0] if found else (None, NO_VALUE)

    def _last(self, node: Node, context: Context) -> Found:
        self._hoist(node[1], context)
        found = [self.evaluate(one, context) for one in node[1]]
        return found[-1] if found else (None, NO_VALUE)

    def _wrap(self, node: Node, context: Context) -> Found:
        inside = self.names.value_type(self.evaluate(node[1], context)[0])
        arguments = () if self.dialect.is_nothing(inside) else (inside,)
        return self.names.apply(self.names.walk(node[2], context)[0], arguments, ""), "receiver"

    def _alternatives(self, node: Node, context: Context) -> Found:
        found = [self.evaluate(one, context) for one in node[1]]
        if self.dialect.learns_types and sum(as_type(one[0]) is not None for one in found) > 1:
            return join(as_type(one[0]) for one in found), "receiver"
        return next((one for one in found if one[0] is not None), (None, NO_VALUE))

    def _match(self, node: Node, context: Context) -> Found:
        found = self.evaluate(node[1], context)
        result: Found = (None, NO_VALUE)
        for pattern, body in node[2]:
            context.scopes.append({})
            self.patterns.bind(pattern, found, context)
            value = self.evaluate(body, context)
            context.scopes.pop()
            result = value if result[0] is None else result
        return result

    def function_literal(self, node: Node, context: Context, expected: Sequence[Type] = ()) -> Found:
        """Return the type of a function literal; parameters without a type have the expected one."""
        _, parameters, body, written = node
        context.scopes.append({})
        receiver = self.dialect.literal_receiver(expected)
        if receiver is not None:
            context.scopes[-1]["this"] = receiver, "receiver"
            expected = expected[1:]
        types: list[Type] = []
        for position, (pattern, type_) in enumerate(parameters):
            declared = self.names.read_type(type_, context)
            if declared is None and position < len(expected):
                declared = expected[position]
            if declared is None and type_ is None and self.dialect.learns_types:
                declared = self.names.literal_parameters.get((id(node), position))
            types.append(declared)
            self.patterns.bind(pattern, (declared, "receiver"), context)
        around, context.returned = context.returned, []
        result = as_type(self.evaluate(body, context)[0])
        inside, context.returned = context.returned, around
        if self.dialect.returns_from_literals:
            context.returned += inside
        elif self.dialect.learns_types:
            result = join((result, *inside))
        context.scopes.pop()
        if written is not None:
            result = self.names.read_type(written, context)
        literals = (id(node),) if self.dialect.learns_types else ()
        return FunctionType(tuple(types), result, is_lambda=True, literals=literals), "receiver"
