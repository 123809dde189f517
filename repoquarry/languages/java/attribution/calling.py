"""Calls and creations: which method they reach, and what they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassInfo,
    ClassType,
    Method,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
)
from repoquarry.languages.java.attribution.overloads import Argument, Candidate, Overloads, is_poly
from repoquarry.languages.java.attribution.places import Place, this_type
from repoquarry.languages.java.attribution.types import OPAQUE, is_open, mentions, substitute, upper
from repoquarry.languages.java.tree import Node

if TYPE_CHECKING:
    from repoquarry.languages.java.attribution.values import Values


class Calling:
    """Attributes calls."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._program = values.program
        self._findings = values.findings
        self._overloads = Overloads(values.program, values.subtyping)

    # ---- calls

    def call(self, node: Node, place: Place, expected: Type) -> Type:
        """A method call."""
        _, receiver, name, *_ = node
        if receiver is None:
            return self._unqualified(node, place, expected)
        found, is_type = self._values.place_of(receiver, place)
        found = upper(found)
        if found == OPAQUE:
            self._findings.unresolved(place.caller, name, node[4], "outside the repository")
            self._forgotten(node[3], place)
            return OPAQUE
        if isinstance(found, OutsideType):
            return self._outside(f"{found.name}.{name}", node, place)
        candidates = self._candidates(found, name, is_type=is_type)
        if isinstance(found, ArrayType) and name == "clone" and candidates:
            self._findings.call(place.caller, [candidates[0][0].symbol], node[4], "receiver")
            return found
        if not candidates:
            return self._nothing(node, place, found)
        rule = (
            "super"
            if receiver[0] == tree.SUPER
            else "self"
            if receiver[0] == tree.THIS
            else "class"
            if is_type
            else "receiver"
        )
        return self._reach(node, place, candidates, rule, found, expected)

    def _candidates(self, found: Type, name: str, *, is_type: bool) -> list[Candidate]:
        out: list[Candidate] = []
        for cls in self._values.classes_of(found):
            own = {} if is_type else self._program.mapping(cls)
            for method, mapping in self._program.members(cls.cls, name):
                seen = {one: substitute(given, own) for one, given in mapping.items()}
                out.append((method, {**seen, **own} if method.cls is cls.cls else seen))
        return out

    def _unqualified(self, node: Node, place: Place, expected: Type) -> Type:
        name = node[2]
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

    def _outside_bases(self, place: Place) -> list[str]:
        return [base for here in place.around() for base in self._program.outside_bases(here.cls)]

    def _outside(self, name: str, node: Node, place: Place) -> Type:
        """A call of which only the name is known."""
        self._findings.call(place.caller, [name], node[4], "receiver")
        self._forgotten(node[3], place)
        return OPAQUE

    def _forgotten(self, written: Sequence[Node | None], place: Place) -> None:
        """Arguments of a call of which nothing is known."""
        for one in written:
            self._values.type_of(one, place)

    def _nothing(self, node: Node, place: Place, found: Type) -> Type:
        """A call that no method answers."""
        name = node[2]
        bases = [base for cls in self._values.classes_of(found) for base in self._program.outside_bases(cls.cls)]
        if bases:
            return self._outside(f"{bases[0]}.{name}", node, place)
        reason = "unknown name" if node[1] is None else "unknown receiver" if found is None else "dynamic attribute"
        self._findings.unresolved(place.caller, name, node[4], reason)
        self._forgotten(node[3], place)
        return None

    def _reach(
        self, node: Node, place: Place, candidates: list[Candidate], rule: str, receiver: Type, expected: Type
    ) -> Type:
        arguments = self.arguments(node[3], place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            return self._no_overload(node, place, candidates, arguments)
        self._findings.call(place.caller, [method.symbol for method, _ in chosen], node[4], rule)
        self._note_dispatch(node, place, chosen, rule, receiver)
        return self.apply(chosen[0], arguments, place, node[5], expected)

    def _no_overload(self, node: Node, place: Place, candidates: list[Candidate], arguments: list[Argument]) -> Type:
        bases = [base for method, _ in candidates for base in self._program.outside_bases(method.cls)]
        if bases:
            self._findings.call(place.caller, [f"{bases[0]}.{node[2]}"], node[4], "receiver")
            found: Type = OPAQUE
        else:
            found = None
            self._findings.unresolved(place.caller, node[2], node[4], "dynamic attribute")
        for one in arguments:
            if one.is_deferred:
                self._values.type_of(one.node, place)
        return found

    def _note_dispatch(self, node: Node, place: Place, chosen: list[Candidate], rule: str, receiver: Type) -> None:
        """What else a call may reach: overriding methods, and functions that are called through their interface."""
        if rule in ("super", "class", "name") or self._findings.is_trying:
            return
        method = chosen[0][0]
        if method.has(tree.STATIC) or method.has(tree.PRIVATE) or method.has(tree.FINAL):
            return
        variable = self._values.variable(node[1], place)
        if variable is not None and self._program.function(method.cls) is method:
            if variable.functions:
                self._findings.call(place.caller, sorted(variable.functions), node[4], "value")
            if variable.parameter is not None:
                self._findings.received.append((place.caller, variable.parameter, node[4]))
        made = self._made(node[1], place)
        if made:
            own = [cls for cls in made if not self._program.declared.is_stub(cls)]
            exact = {self._implementation(cls, method) for cls in own} - {method.symbol}
            self._findings.call(place.caller, sorted(exact), node[4], "instance")
            return
        for cls in self._values.classes_of(receiver) or [ClassType(method.cls)]:
            self._findings.virtual.append((place.caller, method, cls.cls, node[4]))

    def _made(self, node: Node | None, place: Place) -> set[ClassInfo]:
        """Classes of the objects that an expression was seen to be made of; empty where others are possible."""
        if node is None:
            return set()
        if node[0] == tree.NEW:
            found = self._values.written(node[1], place)
            return {found.cls} if isinstance(found, ClassType) and node[4] is None else set()
        variable = self._values.variable(node, place)
        if variable is not None:
            return variable.made or set()
        name = (
            node[1]
            if node[0] == tree.NAME
            else node[2]
            if node[0] == tree.FIELD and node[1] == [tree.THIS, None]
            else None
        )
        found_field = self._program.field(place.cls, name) if name is not None else None
        if found_field is None or not found_field[0].is_final or found_field[0].value is None:
            return set()
        value, cls = found_field[0].value, found_field[0].cls
        if value[0] != tree.NEW or value[4] is not None:
            return set()
        made = self._program.naming.type_of(value[1], cls.unit, cls, cls.names)
        return {made.cls} if isinstance(made, ClassType) else set()

    def _implementation(self, cls: ClassInfo, method: Method) -> int:
        """What an instance of a class has for a method."""
        wanted = {len(one.node[3] or ()) for one in (method,)}
        same = [one for one, _ in self._program.members(cls, method.name) if len(one.node[3] or ()) in wanted]
        if len(same) > 1:
            mapping = next((given for above, given in self._program.line(cls) if above is method.cls), {})
            signature = self._program.signature(method, mapping)
            same = [
                one for one, given in self._program.members(cls, method.name)
                if self._program.signature(one, given) == signature
            ]  # fmt: skip
        return same[0].symbol if same else method.symbol

    # ---- arguments and results

    def arguments(
        self, written: Sequence[Node | None], place: Place, candidates: Sequence[Candidate]
    ) -> list[Argument]:
        """The arguments of a call; those whose type follows from the parameter are attributed once the method is chosen."""
        fitting = [
            method for method, _ in candidates
            if len(method.node[3] or ()) == len(written) or method.has(tree.VARIADIC)
        ]  # fmt: skip
        out = []
        for one in written:
            if not is_poly(one):
                out.append(Argument(one, self._values.type_of(one, place)))
                continue
            argument = Argument(one, None, is_deferred=True)
            if (
                len(fitting) > 1
                and self._findings.may_try
                and one is not None
                and one[0] not in (tree.LAMBDA, tree.REFERENCE)
            ):
                with self._findings.trying():
                    argument.type = self._values.type_of(one, place)
            out.append(argument)
        return out

    def apply(
        self,
        candidate: Candidate,
        arguments: Sequence[Argument],
        place: Place,
        types: Sequence[Node] | None = None,
        expected: Type = None,
        variables: Sequence[TypeVariable] = (),
        made: Type = None,
    ) -> Type:
        """The type that a chosen method gives, when the rest of its arguments has been attributed.

        `variables` and `made` are those of the class that a constructor makes instances of with `<>`.
        """
        method, mapping = candidate
        self._program.naming.header(method)
        own = (*method.variables, *variables)
        found: dict[TypeVariable, Type] = dict.fromkeys(own)
        result = made if made is not None else substitute(method.result, mapping)
        if types is not None and len(types) == len(method.variables):
            found.update(zip(method.variables, (self._values.written(one, place) for one in types), strict=True))
        formals = self._formals(candidate, arguments)
        open_ended = []
        for formal, argument in zip(formals, arguments, strict=False):
            if not argument.is_deferred:
                self._values.subtyping.infer(formal, argument.type, found)
                if (
                    argument.node is not None
                    and argument.node[0] == tree.CALL
                    and is_open(argument.type)
                    and self._findings.may_try
                ):
                    open_ended.append((formal, argument))
        guess: dict[TypeVariable, Type] = dict.fromkeys(own)
        if expected is not None and own:
            self._values.subtyping.infer(result, self._program.boxed(expected), guess)
        for formal, argument in open_ended:
            self._complete(argument, formal, found, guess, place)
        for position, argument in enumerate(arguments):
            if argument.is_deferred:
                formal = formals[position] if position < len(formals) else None
                self._deferred(argument, formal, found, guess, place)
            self._note_passed(method, position, argument, formals, place)
        for formal, argument in open_ended:
            if is_open(
                argument.type
            ):  # functions among the other arguments may have told more: `mapping(Dog::owner, toList())`
                self._complete(argument, formal, found, guess, place)
        known = {one: given if given is not None else guess.get(one) for one, given in found.items()}
        final = {one: substitute(given, known) if mentions(given, set(own)) else given for one, given in known.items()}
        if isinstance(result, VariableType) and result.variable in final and final[result.variable] is None:
            return result.variable.bounds[0] if result.variable.bounds else None
        return substitute(result, final)

    def _formals(self, candidate: Candidate, arguments: Sequence[Argument]) -> list[Type]:
        count = len(arguments)
        plain = self._overloads.formals(candidate, count, variadic=False)
        if not candidate[0].has(tree.VARIADIC):
            return plain or []
        last = arguments[-1].type if arguments else None
        if plain is not None and (isinstance(last, ArrayType) or last == Primitive("null")):
            return plain
        return self._overloads.formals(candidate, count, variadic=True) or []

    def _complete(
        self,
        argument: Argument,
        formal: Type,
        found: dict[TypeVariable, Type],
        guess: dict[TypeVariable, Type],
        place: Place,
    ) -> None:
        """Learns from a generic call that says nothing of its own type parameters (`Collectors.toList()`) by what is asked of it."""
        known = {one: given if given is not None else guess.get(one) for one, given in found.items()}
        with self._findings.trying():
            argument.type = self._values.type_of(argument.node, place, substitute(formal, known))
        self._values.subtyping.infer(formal, argument.type, found)

    def _deferred(
        self,
        argument: Argument,
        formal: Type,
        found: dict[TypeVariable, Type],
        guess: dict[TypeVariable, Type],
        place: Place,
    ) -> None:
        """Attributes an argument by the parameter that takes it, and learns from it what the parameter's types are."""
        known = {one: given if given is not None else guess.get(one) for one, given in found.items()}
        asked = substitute(formal, known)
        node = argument.node
        if node is None:
            return
        if node[0] == tree.LAMBDA:
            given = self._values.functions.body_of(node, place, asked)
        elif node[0] == tree.REFERENCE:
            self._learn(node, formal, found, place)
            known = {one: given if given is not None else guess.get(one) for one, given in found.items()}
            given = self._values.functions.refer(node, place, substitute(formal, _with_bounds(known)))
        else:
            argument.type = self._values.type_of(node, place, asked)
            self._values.subtyping.infer(formal, argument.type, found)
            return
        argument.type = asked
        function = self._values.functions.function_type(formal)
        if function is not None and mentions(function[1], set(found)):
            self._values.subtyping.infer(function[1], given, found)

    def _learn(self, node: Node, formal: Type, found: dict[TypeVariable, Type], place: Place) -> None:
        """An exact reference, to a method that is not overloaded, says what its parameters are (JLS 15.13.1)."""
        function = self._values.functions.function_type(formal)
        exact = self._values.functions.exact(node, place)
        if function is None or exact is None:
            return
        for one, actual in zip(function[0], exact, strict=False):
            if isinstance(one, VariableType) and found.get(one.variable, one) is None:
                self._values.subtyping.infer(one, actual, found)

    def _note_passed(
        self, method: Method, position: int, argument: Argument, formals: Sequence[Type], place: Place
    ) -> None:
        """Functions that are passed: code outside the program calls them, code inside does where it calls the parameter."""
        node = argument.node
        if node is None or node[0] not in (tree.LAMBDA, tree.REFERENCE) or self._findings.is_trying:
            return
        formal = formals[position] if position < len(formals) else None
        targets = self._values.functions.targets(node, place, formal)
        if self._program.declared.is_stub(method.cls):
            self._findings.call(place.caller, sorted(targets), node[-1], "callback")
        else:
            self._findings.passed[method.symbol, min(position, len(method.node[3] or ()) - 1)] |= targets

    # ---- creations

    def creation(self, node: Node, place: Place, expected: Type) -> Type:
        """`new T(...)`, perhaps with a body."""
        _, written, values, line, body, outer = node
        found = self._created(written, outer, place)
        if not isinstance(found, ClassType):
            name = found.name if isinstance(found, OutsideType) else str(written[0])
            self._findings.call(place.caller, [name], line, "constructor")
            self._forgotten(values, place)
            return self._with_body(body, found, place) if body is not None else found
        if written[1] == [] and body is not None and isinstance(expected, ClassType):
            found = self._program.as_super(expected, found.cls) or found
        is_diamond = written[1] == []
        if body is None or "<init>" in found.cls.methods:
            self.construct(found.cls, values, place, line, "constructor")
        if body is not None:
            return self._with_body(body, found, place)
        if not self._findings.is_trying:
            self._findings.live.add(found.cls)
        return self._diamond(found.cls, values, place, expected) if is_diamond else found

    def _created(self, written: Node, outer: Node | None, place: Place) -> Type:
        if outer is None:
            return self._values.written(written, place)
        around, _ = self._values.place_of(outer, place)
        for cls in self._values.classes_of(around):
            inner = self._program.naming.member_class(cls.cls, written[0])
            if inner is None:
                continue
            above = self._program.as_super(cls, inner.outer) if inner.outer is not None else None
            own = tuple(self._values.written(one, place) for one in written[1] or ())
            return ClassType(inner, (*own, *above.arguments) if above is not None else own)
        return None

    def _diamond(self, cls: ClassInfo, values: Sequence[Node | None], place: Place, expected: Type) -> Type:
        """The type of `new T<>(...)`: by what it is given, and by what is asked for."""
        made = this_type(cls)
        if self._findings.may_try:
            with self._findings.trying():
                candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
                arguments = self.arguments(values, place, candidates)
                chosen = self._overloads.choose(candidates, arguments)
                if chosen:
                    return self.apply(chosen[0], arguments, place, None, expected, cls.variables, made)
        guess: dict[TypeVariable, Type] = dict.fromkeys(cls.variables)
        self._values.subtyping.infer(made, expected, guess)
        return substitute(made, guess)

    def construct(self, cls: ClassInfo, values: Sequence[Node | None], place: Place, line: int, rule: str) -> None:
        """A call of a constructor of a class; the class itself where it has none of its own."""
        candidates: list[Candidate] = [(one, {}) for one, _ in self._program.members(cls, "<init>")]
        arguments = self.arguments(values, place, candidates)
        chosen = self._overloads.choose(candidates, arguments)
        if not chosen:
            self._findings.call(place.caller, [cls.symbol], line, rule)
            for one in arguments:
                if one.is_deferred:
                    self._values.type_of(one.node, place)
            return
        self._findings.call(place.caller, [method.symbol for method, _ in chosen], line, rule)
        self.apply(chosen[0], arguments, place)

    def _with_body(self, body: Node, base: Type, place: Place) -> Type:
        made = self._program.declared.declare(body, place.cls.unit, place.cls, place.names, is_local=True)
        made.anonymous_of = base if base is not None else OutsideType("")
        if not self._findings.is_trying:
            self._findings.live.add(made)
            self._findings.call(place.caller, [made.symbol], made.node[12], "constructor")
            self._values.open_class(made, place)
        return ClassType(made)

    def above(self, name: str | None, place: Place) -> Type:
        """What `super` or `Name.super` is."""
        if name is not None:
            named = self._program.naming.type_name(name, place.cls.unit, place.cls, place.names)
            for here in place.around():
                if isinstance(named, ClassType) and here.cls is named.cls:
                    self._program.naming.read(here.cls)
                    return here.cls.superclass
            return named
        self._program.naming.read(place.cls)
        found = place.cls.superclass
        if found is None and place.cls.interfaces:
            return place.cls.interfaces[0]
        return found


def _with_bounds(known: dict[TypeVariable, Type]) -> dict[TypeVariable, Type]:
    """Type parameters of which nothing is known are something of their bound: `C extends Collection<Dog>`."""
    return {
        one: substitute(one.bounds[0], known) if given is None and len(one.bounds) == 1 else given
        for one, given in known.items()
    }
