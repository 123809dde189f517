"""Attribution of Java lambdas and method references: their types, and the methods that they refer to."""

from __future__ import annotations

from collections.abc import Callable

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    AttributionLog,
    ClassInfo,
    ClassType,
    CodeContext,
    LocalVariable,
    OutsideType,
    Type,
    TypeVariable,
    either_bound,
    substitute,
    this_type,
    upper,
)
from repoquarry.languages.java.attribution.name_lookup import NameLookup, TypeOf
from repoquarry.languages.java.attribution.overload_resolution import Candidate, OverloadResolver, PassedArgument
from repoquarry.languages.java.reduced_tree import Statement


class LambdaAttributor:
    """Attribution of functions that are values."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        meanings: NameLookup,
        type_of: TypeOf,
        run_block: Callable[[Statement | None, CodeContext], None],
    ) -> None:
        """`run_block` goes through the statements of a lambda's body."""
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._type_of = type_of
        self._run_block = run_block
        self._overloads = OverloadResolver(program)

    def function_type(self, asked: Type) -> tuple[list[Type], Type] | None:
        """Return the types of the parameters and of the result of a functional interface; None where it is none."""
        asked = upper(asked)
        function = self._program.function(asked.cls) if isinstance(asked, ClassType) else None
        if function is None or not isinstance(asked, ClassType):
            return None
        own = self._program.mapping(asked)
        inherited = next((given for cls, given in self._program.line(asked.cls) if cls is function.cls), {})
        mapping: dict[TypeVariable, Type] = {one: substitute(given, own) for one, given in inherited.items()} or own
        method = self._program.naming.header(function)
        parameters = [either_bound(substitute(one, mapping)) for one in method.parameters]
        return parameters, either_bound(substitute(method.result, mapping))

    # ---- lambdas

    def lambda_value(self, node: tree.Lambda, place: CodeContext, expected: Type) -> Type:
        """A lambda where something is asked for."""
        self.body_of(node, place, expected)
        return expected

    def body_of(self, node: tree.Lambda, place: CodeContext, asked: Type) -> Type:
        """Attribute the body of a lambda; return the type of its result."""
        body = node.body
        function = self.function_type(asked)
        given = function[0] if function is not None else []
        scope: dict[str, LocalVariable] = {}
        for position, one in enumerate(node.parameters):
            declared = self._meanings.written(one.type, place)  # None where the type is left to inference
            scope[one.name] = LocalVariable(declared or (given[position] if position < len(given) else None), None)
        before = place.caller, place.result, place.returned
        place.caller = self._program.declared.starts[place.cls.unit] + 1 + node.definition
        place.result, place.returned = function[1] if function is not None else None, []
        place.locals.append(scope)
        if isinstance(body, tree.Block):
            self._run_block(body, place)
            found = self._program.common(place.returned, None)
        else:
            found = self._type_of(body, place, place.result)
        place.locals.pop()
        place.caller, place.result, place.returned = before
        return found

    # ---- method references

    def reference_value(self, node: tree.Reference, place: CodeContext, expected: Type) -> Type:
        """A method reference where something is asked for."""
        self.refer(node, place, expected)
        return expected

    def refer(self, node: tree.Reference, place: CodeContext, asked: Type) -> Type:
        """Record the method that a method reference means; return the type of its result."""
        found, result = self._resolve(node, place, asked)
        for target in sorted(found, key=str):
            self._findings.reference(place.caller, target, node.line, "handler")
        return result

    def exact(self, node: tree.Reference, place: CodeContext) -> list[Type] | None:
        """Return the types of the parameters of a reference that names one method only; None for others."""
        around, is_type = self._around(node, place)
        if not isinstance(around, ClassType) or node.name == "new":
            return None
        members = self._program.members(around.cls, node.name)
        if len(members) != 1:
            return None
        method, mapping = members[0]
        own = self._program.mapping(around) if around.arguments or not around.cls.variables else {}
        parameters = [
            substitute(substitute(one, mapping), own) for one in self._program.naming.header(method).parameters
        ]
        return [around, *parameters] if is_type and not method.has(tree.STATIC) else parameters

    def targets(self, node: tree.Lambda | tree.Reference, place: CodeContext, asked: Type) -> set[int]:
        """Return the definitions that a lambda or method reference stands for."""
        if isinstance(node, tree.Lambda):
            return {self._program.declared.starts[place.cls.unit] + 1 + node.definition}
        with self._findings.trying():
            found, _ = self._resolve(node, place, asked)
        return {target for target in found if isinstance(target, int)}

    def _around(self, node: tree.Reference, place: CodeContext) -> tuple[Type, bool]:
        """Return the type before the `::`, and whether it is a type itself and not a value."""
        if node.type is not None:
            return self._meanings.written(node.type, place), True
        return self._meanings.place_of(node.object, place) if node.object is not None else (None, False)

    def _resolve(self, node: tree.Reference, place: CodeContext, asked: Type) -> tuple[set[int | str], Type]:
        name = node.name
        around, is_type = self._around(node, place)
        function = self.function_type(asked)
        given = function[0] if function is not None else None
        if isinstance(around, OutsideType):
            return {around.name if name == "new" else f"{around.name}.{name}"}, around if name == "new" else None
        if name == "new":
            return self._constructor(around, given, function[1] if function is not None else None)
        return self._method(around, name, given, is_type=is_type)

    def _constructor(self, around: Type, given: list[Type] | None, wanted: Type) -> tuple[set[int | str], Type]:
        if not isinstance(around, ClassType):
            return set(), around
        if not self._findings.is_trying:
            self._findings.live.add(around.cls)
        candidates = [(one, dict[TypeVariable, Type]()) for one, _ in self._program.members(around.cls, "<init>")]
        chosen = self._choose(candidates, given)
        is_open = around.cls.variables and not around.arguments
        made = self._made(around.cls, chosen[0] if chosen else None, given, wanted) if is_open else around
        return {one.symbol for one, _ in chosen} or {around.cls.symbol}, made

    def _made(self, cls: ClassInfo, chosen: Candidate | None, given: list[Type] | None, wanted: Type) -> Type:
        """`ArrayList::new`: its type arguments follow from what is asked for, `Supplier<Collection<Dog>>`, and from what it is given."""
        made = this_type(cls)
        guess: dict[TypeVariable, Type] = dict.fromkeys(cls.variables)
        self._program.infer(made, wanted, guess)
        if isinstance(wanted, ClassType):
            self._program.infer(self._program.as_super(made, wanted.cls), wanted, guess)
        for formal, actual in zip(
            self._program.naming.header(chosen[0]).parameters if chosen else (), given or (), strict=False
        ):
            self._program.infer(formal, actual, guess)
        return substitute(made, guess)

    def _method(
        self, around: Type, name: str, given: list[Type] | None, *, is_type: bool
    ) -> tuple[set[int | str], Type]:
        if isinstance(around, ArrayType) and name == "clone":
            return set(), around
        bound: list[Candidate] = []
        unbound: list[Candidate] = []
        for cls in self._meanings.classes_of(around):
            seen = self._receiver(cls, given) if is_type else cls
            own = self._program.mapping(seen)
            for method, mapping in self._program.members(cls.cls, name):
                whole = {one: substitute(type_, own) for one, type_ in mapping.items()} or own
                (unbound if is_type and not method.has(tree.STATIC) else bound).append((method, whole))
        first = self._choose(bound, given) if bound else []
        rest = given[1:] if given else given
        second = self._choose(unbound, rest) if unbound and (given is None or given) else []
        chosen = (
            (first or second) if not (given is not None and first and second) else self._nearer(first, second, given)
        )
        if not chosen:
            return set(), None
        arguments = given if chosen[0] in first else rest
        return {method.symbol for method, _ in chosen}, self._result(chosen[0], arguments)

    def _nearer(self, static: list[Candidate], own: list[Candidate], given: list[Type]) -> list[Candidate]:
        """Return a static method that takes the first parameter too, or one of the first parameter."""
        count = len(static[0][0].node.parameters)
        return static if count == len(given) and not static[0][0].has(tree.VARIADIC) else own

    def _receiver(self, cls: ClassType, given: list[Type] | None) -> ClassType:
        """Return the type through which an unbound reference reads its first parameter."""
        if cls.arguments or not cls.cls.variables or not given:
            return cls
        for one in self._meanings.classes_of(given[0]):
            above = self._program.as_super(one, cls.cls)
            if above is not None:
                return above
        return cls

    def _choose(self, candidates: list[Candidate], given: list[Type] | None) -> list[Candidate]:
        if given is None:
            return candidates
        return self._overloads.choose(candidates, [PassedArgument(None, one) for one in given])

    def _result(self, candidate: Candidate, given: list[Type] | None) -> Type:
        """Result of a chosen method for arguments of these types."""
        method, mapping = candidate
        found: dict[TypeVariable, Type] = dict.fromkeys(self._program.naming.header(method).variables)
        for formal, actual in zip(method.parameters, given or (), strict=False):
            self._program.infer(substitute(formal, mapping), actual, found)
        result = substitute(method.result, mapping)
        known = {one: type_ for one, type_ in found.items() if type_ is not None}
        return substitute(result, known)
