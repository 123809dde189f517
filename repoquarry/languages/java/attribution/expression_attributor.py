"""Attribution of Java expressions: computes their static types, and the targets of method calls and object creations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    BOOLEAN,
    NULL,
    OPAQUE,
    ArrayType,
    AttributionLog,
    ClassInfo,
    ClassType,
    CodeContext,
    LocalVariable,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    promoted,
    substitute,
    this_type,
    upper,
)
from repoquarry.languages.java.attribution.framework_models import FrameworkModels
from repoquarry.languages.java.attribution.invocation_inference import InvocationInference
from repoquarry.languages.java.attribution.lambda_attributor import LambdaAttributor
from repoquarry.languages.java.attribution.name_lookup import NameLookup, ReceiverTracker
from repoquarry.languages.java.attribution.overload_resolution import Candidate, OverloadResolver, PassedArgument
from repoquarry.languages.java.attribution.reflection import ReflectionModel, note_reflected
from repoquarry.languages.java.reduced_tree import ClassNode, Expression, Node, Pattern, Statement, WrittenType


class CallAttributor:
    """Attribution of calls."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        meanings: NameLookup,
        invocations: InvocationInference,
        models: FrameworkModels,
    ) -> None:
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._invocations = invocations
        self._models = models
        self._receivers = ReceiverTracker(program, findings, meanings)
        self._overloads = OverloadResolver(program)
        self._reflection = ReflectionModel(program, findings, meanings.written, meanings.constant, self._overloads)

    def call(self, node: tree.Call, place: CodeContext, expected: Type) -> Type:
        """Return the type of a method call."""
        receiver, name = node.object, node.name
        if receiver is None:
            return self._unqualified(node, place, expected)
        found, is_type = self._meanings.place_of(receiver, place)
        found = upper(found)
        if found == OPAQUE:
            self._findings.unresolved(place.caller, name, node.line, "outside the repository")
            self._invocations.without_method(node.arguments, place)
            return OPAQUE
        if isinstance(found, OutsideType):
            return self._outside(f"{found.name}.{name}", node, place)
        candidates = self._candidates(found, name, is_type=is_type)
        if isinstance(found, ArrayType) and name == "clone" and candidates:
            self._findings.call(place.caller, [candidates[0][0].symbol], node.line, "receiver")
            return found
        if not candidates:
            return self._nothing(node, place, found)
        written = {tree.Super: "super", tree.This: "self"}
        rule = written.get(type(receiver)) or ("class" if is_type else "receiver")
        return self._reach(node, place, candidates, rule, found, expected)

    def _candidates(self, found: Type, name: str, *, is_type: bool) -> list[Candidate]:
        out: list[Candidate] = []
        for cls in self._meanings.classes_of(found):
            own = {} if is_type else self._program.mapping(cls)
            for method, mapping in self._program.members(cls.cls, name):
                seen = {one: substitute(given, own) for one, given in mapping.items()}
                out.append((method, {**seen, **own} if method.cls is cls.cls else seen))
        return out

    def _unqualified(self, node: tree.Call, place: CodeContext, expected: Type) -> Type:
        name = node.name
        for here in place.around():
            candidates = self._candidates(this_type(here.cls), name, is_type=False)
            if candidates:
                return self._reach(node, place, candidates, "self", this_type(here.cls), expected)
        imported = [
            (method, mapping)
            for cls in self._program.naming.static_imports(name, place.cls.unit)
            if isinstance(cls, ClassType)
            for method, mapping in self._program.members(cls.cls, name)
            if method.has(tree.STATIC)
        ]
        if imported:
            return self._reach(node, place, imported, "name", None, expected)
        outside = next((f"{base}.{name}" for base in self._outside_bases(place)), None)
        static = [
            one.name
            for one in self._program.naming.static_imports(name, place.cls.unit)
            if isinstance(one, OutsideType)
        ]
        if static:
            outside = f"{static[0]}.{name}" if len(static) == 1 or outside is None else outside
        if outside is not None:
            return self._outside(outside, node, place)
        return self._nothing(node, place, None)

    def _outside_bases(self, place: CodeContext) -> list[str]:
        return [base for here in place.around() for base in self._program.claimable_bases(here.cls)]

    def _outside(self, name: str, node: tree.Call, place: CodeContext) -> Type:
        """Return a call of which only the name is known."""
        self._findings.call(place.caller, [name], node.line, "receiver")
        self._invocations.without_method(node.arguments, place)
        return OPAQUE

    def _nothing(self, node: tree.Call, place: CodeContext, found: Type) -> Type:
        """Return the type of a call that no method answers."""
        name = node.name
        bases = [base for cls in self._meanings.classes_of(found) for base in self._program.claimable_bases(cls.cls)]
        if bases:
            return self._outside(f"{bases[0]}.{name}", node, place)
        reason = "unknown name" if node.object is None else "unknown receiver" if found is None else "dynamic attribute"
        self._findings.unresolved(place.caller, name, node.line, reason)
        self._invocations.without_method(node.arguments, place)
        return None

    def _reach(
        self,
        node: tree.Call,
        place: CodeContext,
        candidates: list[Candidate],
        rule: str,
        receiver: Type,
        expected: Type,
    ) -> Type:
        arguments = self._invocations.arguments(node.arguments, place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            return self._no_overload(node, place, candidates, arguments)
        self._findings.call_methods(place.caller, [method for method, _ in chosen], node.line, rule)
        self._receivers.note_dispatch(node, place, chosen, rule, receiver)
        model = self._models.sender_of(chosen[0][0])
        if model and node.arguments and not self._findings.is_trying:
            with self._findings.trying():
                sent = self._meanings.place_of(node.arguments[0], place)[0]
            self._findings.sent.append((place.caller, sent, node.line, model))
        found = self._invocations.apply(chosen[0], arguments, place, node.type_arguments, expected)
        return self._reflection.call(node, place, chosen[0][0], receiver, arguments, found)

    def _no_overload(
        self, node: tree.Call, place: CodeContext, candidates: list[Candidate], arguments: list[PassedArgument]
    ) -> Type:
        bases = [base for method, _ in candidates for base in self._program.claimable_bases(method.cls)]
        if bases:
            self._findings.call(place.caller, [f"{bases[0]}.{node.name}"], node.line, "receiver")
            found: Type = OPAQUE
        else:
            found = None
            self._findings.unresolved(place.caller, node.name, node.line, "dynamic attribute")
        self._invocations.without_overload(arguments, place)
        return found


class CreationAttributor:
    """Attribution of creations."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        meanings: NameLookup,
        invocations: InvocationInference,
        open_class: Callable[[ClassInfo, CodeContext], None],
    ) -> None:
        """`open_class` goes through the members of an anonymous class."""
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._invocations = invocations
        self._open_class = open_class
        self._overloads = OverloadResolver(program)

    def creation(self, node: tree.New, place: CodeContext, expected: Type) -> Type:
        """Return the type of `new T(...)`, perhaps with a body."""
        values, body = node.arguments, node.body
        found = self._created(node.type, node.outer, place)
        if not isinstance(found, ClassType):
            name = found.name if isinstance(found, OutsideType) else node.type.name
            self._findings.call(place.caller, [name], node.line, "constructor")
            self._invocations.without_method(values, place)
            return self._with_body(body, found, place) if body is not None else found
        if node.is_diamond and body is not None and isinstance(expected, ClassType):
            found = self._program.as_super(expected, found.cls) or found
        if body is None or "<init>" in found.cls.methods:
            self.construct(found.cls, values, place, node.line, "constructor")
        if body is not None:
            return self._with_body(body, found, place)
        if not self._findings.is_trying:
            self._findings.live.add(found.cls)
        return self._diamond(found.cls, values, place, expected) if node.is_diamond else found

    def _created(self, written: WrittenType, outer: Expression | None, place: CodeContext) -> Type:
        if outer is None:
            return self._meanings.written(written, place)
        around, _ = self._meanings.place_of(outer, place)
        for cls in self._meanings.classes_of(around):
            inner = self._program.naming.member_class(cls.cls, written.name)
            if inner is None:
                continue
            above = self._program.as_super(cls, inner.outer) if inner.outer is not None else None
            own = tuple(self._meanings.written(one, place) for one in written.arguments or ())
            return ClassType(inner, (*own, *above.arguments) if above is not None else own)
        return None

    def _diamond(self, cls: ClassInfo, values: Sequence[Expression | None], place: CodeContext, expected: Type) -> Type:
        """Return the type of `new T<>(...)`: from its arguments, and from the expected type."""
        made = this_type(cls)
        if self._findings.may_try:
            with self._findings.trying():
                candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
                arguments = self._invocations.arguments(values, place, candidates)
                chosen = self._overloads.choose(candidates, arguments)
                if chosen:
                    return self._invocations.apply(chosen[0], arguments, place, None, expected, cls.variables, made)
        guess: dict[TypeVariable, Type] = dict.fromkeys(cls.variables)
        self._program.infer(made, expected, guess)
        return substitute(made, guess)

    def construct(
        self, cls: ClassInfo, values: Sequence[Expression | None], place: CodeContext, line: int, rule: str
    ) -> None:
        """A call of a constructor of a class; the class itself where it has none of its own."""
        candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
        arguments = self._invocations.arguments(values, place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            self._findings.call(place.caller, [cls.symbol], line, rule)
            self._invocations.without_overload(arguments, place)
            return
        self._findings.call_methods(place.caller, [method for method, _ in chosen], line, rule)
        self._invocations.apply(chosen[0], arguments, place)

    def _with_body(self, body: ClassNode, base: Type, place: CodeContext) -> Type:
        made = self._program.declared.declare(body, place.cls.unit, place.cls, place.names, is_local=True)
        made.anonymous_of = base if base is not None else OutsideType("")
        if not self._findings.is_trying:
            self._findings.live.add(made)
            self._findings.call(place.caller, [made.symbol], made.node.line, "constructor")
            self._open_class(made, place)
        return ClassType(made)


_LOGICAL = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class ExpressionAttributor:
    """Attribution of expressions of a program."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        open_class: Callable[[ClassInfo, CodeContext], None],
        run_block: Callable[[Statement | None, CodeContext], None],
        models: FrameworkModels,
    ) -> None:
        """`open_class` and `run_block` go through classes and blocks that stand within expressions."""
        self._program = program
        self._run_block = run_block
        self.meanings = NameLookup(program, findings, self.type_of)
        self._functions = LambdaAttributor(program, findings, self.meanings, self.type_of, run_block)
        invocations = InvocationInference(program, findings, self.meanings, self._functions, self.type_of)
        self.creations = CreationAttributor(program, findings, self.meanings, invocations, open_class)
        calls = CallAttributor(program, findings, self.meanings, invocations, models)
        self._read: dict[type[Node], Callable[[Any, CodeContext, Type], Type]] = {
            tree.Name: self._named,
            tree.FieldAccess: self._named,
            tree.This: self._named,
            tree.Super: self._named,
            tree.Call: calls.call,
            tree.New: self.creations.creation,
            tree.Literal: self._literal,
            tree.ClassLiteral: self._class_literal,
            tree.Assign: self._assignment,
            tree.Binary: self._binary,
            tree.Unary: self._unary,
            tree.Conditional: self._conditional,
            tree.Cast: self._cast,
            tree.InstanceOf: self._instance,
            tree.Index: self._index,
            tree.ArrayCreation: self._array,
            tree.Lambda: self._functions.lambda_value,
            tree.Reference: self._functions.reference_value,
            tree.Switch: self._switch,
            tree.Several: self._several,
        }

    def type_of(self, node: Expression | None, place: CodeContext, expected: Type = None) -> Type:
        """Return the type of an expression; `expected` is what the place where it stands asks for."""
        if node is None:
            return None
        return self._read[type(node)](node, place, expected)

    def _named(self, node: Expression, place: CodeContext, expected: Type) -> Type:
        return self.meanings.place_of(node, place)[0]

    def _literal(self, node: tree.Literal, place: CodeContext, expected: Type) -> Type:
        if node.type == "String":
            return self._program.string
        return NULL if node.type == "null" else Primitive(node.type)

    def _class_literal(self, node: tree.ClassLiteral, place: CodeContext, expected: Type) -> Type:
        found = self._program.naming.class_type("java.lang.Class")
        own = self._program.boxed(self.meanings.written(node.type, place))
        return ClassType(found.cls, (own,)) if isinstance(found, ClassType) else found

    def _assignment(self, node: tree.Assign, place: CodeContext, expected: Type) -> Type:
        self.meanings.assigned.add(id(node.target))
        target = self.type_of(node.target, place)
        value = self.type_of(node.value, place, target)
        variable = self.meanings.variable(node.target, place)
        if variable is not None:
            self.assigned(variable, node.value, value, place)
        elif (field := self.meanings.own_field(node.target, place)) is not None:
            note_reflected(field, value)
        return target if target is not None else value

    def assigned(self, variable: LocalVariable, node: Expression | None, value: Type, place: CodeContext) -> None:
        """Record what an assignment puts into a local variable."""
        if node is not None:
            note_reflected(variable, value)
        if node is None or variable.made is None:
            return
        if isinstance(node, tree.New) and isinstance(value, ClassType):
            variable.made.add(value.cls)
        elif isinstance(node, tree.Lambda | tree.Reference):
            variable.functions |= self._functions.targets(node, place, variable.type)
        elif not (isinstance(node, tree.Literal) and node.type == "null"):
            variable.made = None

    def _binary(self, node: tree.Binary, place: CodeContext, expected: Type) -> Type:
        types = [self.type_of(one, place) for one in node.operands]
        if node.operator in _LOGICAL:
            return BOOLEAN
        if node.operator == "+" and any(one == self._program.string for one in types):
            return self._program.string
        plain = [self._program.unboxed(one) for one in types]
        if node.operator in ("<<", ">>", ">>>"):
            return promoted(plain[0], plain[0])
        if any(one is None for one in plain):
            return None
        if all(one == BOOLEAN for one in plain):
            return BOOLEAN
        found = plain[0]
        for one in plain[1:]:
            found = promoted(found, one)
        return found

    def _unary(self, node: tree.Unary, place: CodeContext, expected: Type) -> Type:
        if node.operator == "++":
            self.meanings.assigned.add(id(node.operand))
        found = self._program.unboxed(self.type_of(node.operand, place))
        if node.operator == "!":
            return BOOLEAN
        return promoted(found, found) if node.operator in ("-", "+", "~") and found else found

    def _conditional(self, node: tree.Conditional, place: CodeContext, expected: Type) -> Type:
        self.type_of(node.condition, place)
        return self._program.common([self.type_of(one, place, expected) for one in (node.left, node.right)], expected)

    def _cast(self, node: tree.Cast, place: CodeContext, expected: Type) -> Type:
        asked = self.meanings.written(node.type, place)
        self.type_of(node.value, place, asked)
        return asked

    def _instance(self, node: tree.InstanceOf, place: CodeContext, expected: Type) -> Type:
        found = self.type_of(node.value, place)
        if node.pattern is not None:
            self._bind(node.pattern, place, found)
        return BOOLEAN

    def _bind(self, pattern: Pattern, place: CodeContext, value: Type) -> None:
        """Bind the names of a pattern."""
        found = value if tree.is_inferred(pattern.type) else self.meanings.written(pattern.type, place)
        if pattern.name is not None:
            place.locals[-1][pattern.name] = LocalVariable(found, None)
        components = (found.cls.node.components or []) if isinstance(found, ClassType) else []
        own = self._program.mapping(found) if isinstance(found, ClassType) else {}
        for position, part in enumerate(pattern.parts):
            type_: Type = None
            if isinstance(found, ClassType) and position < len(components):
                type_ = substitute(self._program.naming.field_type(found.cls.fields[components[position].name]), own)
            self._bind(part, place, type_)

    def _index(self, node: tree.Index, place: CodeContext, expected: Type) -> Type:
        found = self.type_of(node.array, place)
        self.type_of(node.index, place)
        return found.element if isinstance(found, ArrayType) else None

    def _array(self, node: tree.ArrayCreation, place: CodeContext, expected: Type) -> Type:
        found = self.meanings.written(node.type, place) if node.type is not None else expected
        element = found.element if isinstance(found, ArrayType) else None
        for one in node.elements:
            self.type_of(one, place, element)
        return found

    def _switch(self, node: tree.Switch, place: CodeContext, expected: Type) -> Type:
        value = self.type_of(node.value, place)
        types: list[Type] = []
        for case in node.cases:
            place.locals.append({})
            for label in case.labels:
                self._label(label, place, value)
            if isinstance(case.body, tree.Yield):
                types.append(self.type_of(case.body.value, place, expected))
            else:
                self._run_block(case.body, place)
            place.locals.pop()
        return self._program.common(types, expected)

    def _label(self, label: Expression | Pattern | None, place: CodeContext, value: Type) -> None:
        """Attribute what stands behind `case`: a pattern, a constant of the value's enumeration, or an expression."""
        if isinstance(label, Pattern):
            self._bind(label, place, value)
            return
        if isinstance(label, tree.Name) and isinstance(value, ClassType):
            constant = value.cls.fields.get(label.name)
            if constant is not None:
                self.meanings.use(constant, label, place, "name")
                return
        self.type_of(label, place)

    def _several(self, node: tree.Several, place: CodeContext, expected: Type) -> Type:
        for one in node.expressions:
            self.type_of(one, place)
        return None
