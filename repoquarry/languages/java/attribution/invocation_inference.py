"""Inference of type arguments of a Java invocation from its arguments and expected type (JLS 18.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import JavaProgram
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    AttributionLog,
    CodeContext,
    Method,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    is_open,
    mentions,
    substitute,
)
from repoquarry.languages.java.attribution.lambda_attributor import LambdaAttributor
from repoquarry.languages.java.attribution.name_lookup import NameLookup, TypeOf
from repoquarry.languages.java.attribution.overload_resolution import (
    Candidate,
    OverloadResolver,
    PassedArgument,
    is_poly,
)
from repoquarry.languages.java.reduced_tree import Expression, WrittenType


@dataclass(slots=True)
class Inference:
    """Type parameters of one invocation and their values."""

    found: dict[TypeVariable, Type]
    """By its arguments; None where they say nothing."""
    guess: dict[TypeVariable, Type]
    """By what its place asks for."""

    def known(self) -> dict[TypeVariable, Type]:
        """By either, the arguments first."""
        return {one: given if given is not None else self.guess.get(one) for one, given in self.found.items()}

    def result(self, result: Type) -> Type:
        """Return the type of the result, of these type arguments."""
        known, own = self.known(), set(self.found)
        final = {one: substitute(given, known) if mentions(given, own) else given for one, given in known.items()}
        if isinstance(result, VariableType) and result.variable in final and final[result.variable] is None:
            return result.variable.bounds[0] if result.variable.bounds else None
        return substitute(result, final)


class InvocationInference:
    """Attributes arguments, and what a chosen method gives for them."""

    def __init__(
        self,
        program: JavaProgram,
        findings: AttributionLog,
        meanings: NameLookup,
        functions: LambdaAttributor,
        type_of: TypeOf,
    ) -> None:
        self._program = program
        self._findings = findings
        self._meanings = meanings
        self._functions = functions
        self._type_of = type_of
        self._overloads = OverloadResolver(program)

    def without_method(self, written: Sequence[Expression | None], place: CodeContext) -> None:
        """Attribute the arguments of an unknown call."""
        for one in written:
            self._type_of(one, place)

    def without_overload(self, arguments: Sequence[PassedArgument], place: CodeContext) -> None:
        """Attribute the rest of the arguments where no method takes them."""
        for one in arguments:
            if one.is_deferred:
                self._type_of(one.node, place)

    def arguments(
        self, written: Sequence[Expression | None], place: CodeContext, candidates: Sequence[Candidate]
    ) -> list[PassedArgument]:
        """The arguments of a call; those whose type follows from the parameter are attributed once the method is chosen."""
        fitting = [
            method for method, _ in candidates
            if len(method.node.parameters) == len(written) or method.has(tree.VARIADIC)
        ]  # fmt: skip
        out = []
        for one in written:
            if not is_poly(one):
                out.append(PassedArgument(one, self._type_of(one, place)))
                continue
            argument = PassedArgument(one, None, is_deferred=True)
            is_function = isinstance(one, tree.Lambda | tree.Reference)
            if len(fitting) > 1 and self._findings.may_try and not is_function:
                with self._findings.trying():
                    argument.type = self._type_of(one, place)
            out.append(argument)
        return out

    def apply(
        self,
        candidate: Candidate,
        arguments: Sequence[PassedArgument],
        place: CodeContext,
        types: Sequence[WrittenType] | None = None,
        expected: Type = None,
        variables: Sequence[TypeVariable] = (),
        made: Type = None,
    ) -> Type:
        """Return the type that a chosen method gives, when the rest of its arguments has been attributed.

        `variables` and `made` are those of the class that a constructor makes instances of with `<>`.
        """
        method, mapping = candidate
        self._program.naming.header(method)
        own = (*method.variables, *variables)
        inference = Inference(dict.fromkeys(own), dict.fromkeys(own))
        result = made if made is not None else substitute(method.result, mapping)
        if types is not None and len(types) == len(method.variables):
            written = (self._meanings.written(one, place) for one in types)
            inference.found.update(zip(method.variables, written, strict=True))
        formals = self._formals(candidate, arguments)
        open_ended = self._infer(formals, arguments, inference)
        if expected is not None and own:
            self._program.infer(result, self._program.boxed(expected), inference.guess)
        for formal, argument in open_ended:
            self._complete(argument, formal, inference, place)
        for position, argument in enumerate(arguments):
            if argument.is_deferred:
                formal = formals[position] if position < len(formals) else None
                self._deferred(argument, formal, inference, place)
            self._note_passed(method, position, argument, formals, place)
        for formal, argument in open_ended:
            # functions among the other arguments may have told more: `mapping(Dog::owner, toList())`
            if is_open(argument.type):
                self._complete(argument, formal, inference, place)
        return inference.result(result)

    def _infer(
        self, formals: Sequence[Type], arguments: Sequence[PassedArgument], inference: Inference
    ) -> list[tuple[Type, PassedArgument]]:
        """Learns from the arguments that have been attributed; (parameter, argument) of generic calls that leave type parameters open."""
        open_ended = []
        for formal, argument in zip(formals, arguments, strict=False):
            if argument.is_deferred:
                continue
            self._program.infer(formal, argument.type, inference.found)
            if isinstance(argument.node, tree.Call) and is_open(argument.type) and self._findings.may_try:
                open_ended.append((formal, argument))
        return open_ended

    def _formals(self, candidate: Candidate, arguments: Sequence[PassedArgument]) -> list[Type]:
        count = len(arguments)
        plain = self._overloads.formals(candidate, count, variadic=False)
        if not candidate[0].has(tree.VARIADIC):
            return plain or []
        last = arguments[-1].type if arguments else None
        if plain is not None and (isinstance(last, ArrayType) or last == Primitive("null")):
            return plain
        return self._overloads.formals(candidate, count, variadic=True) or []

    def _complete(self, argument: PassedArgument, formal: Type, inference: Inference, place: CodeContext) -> None:
        """Learns from a generic call that does not determine its own type parameters (`Collectors.toList()`) through the expected type."""
        with self._findings.trying():
            argument.type = self._type_of(argument.node, place, substitute(formal, inference.known()))
        self._program.infer(formal, argument.type, inference.found)

    def _deferred(self, argument: PassedArgument, formal: Type, inference: Inference, place: CodeContext) -> None:
        """Attribute an argument by its parameter, and infer the parameter's types from it."""
        asked = substitute(formal, inference.known())
        node = argument.node
        if node is None:
            return
        if isinstance(node, tree.Lambda):
            given = self._functions.body_of(node, place, asked)
        elif isinstance(node, tree.Reference):
            self._learn(node, formal, inference.found, place)
            given = self._functions.refer(node, place, substitute(formal, _with_bounds(inference.known())))
        else:
            argument.type = self._type_of(node, place, asked)
            self._program.infer(formal, argument.type, inference.found)
            return
        argument.type = asked
        function = self._functions.function_type(formal)
        if function is not None and mentions(function[1], set(inference.found)):
            self._program.infer(function[1], given, inference.found)

    def _learn(self, node: tree.Reference, formal: Type, found: dict[TypeVariable, Type], place: CodeContext) -> None:
        """An exact reference, to a method that is not overloaded, says what its parameters are (JLS 15.13.1)."""
        function = self._functions.function_type(formal)
        exact = self._functions.exact(node, place)
        if function is None or exact is None:
            return
        for one, actual in zip(function[0], exact, strict=False):
            if isinstance(one, VariableType) and found.get(one.variable, one) is None:
                self._program.infer(one, actual, found)

    def _note_passed(
        self, method: Method, position: int, argument: PassedArgument, formals: Sequence[Type], place: CodeContext
    ) -> None:
        """Functions that are passed: code outside the program calls them, code inside does where it calls the parameter."""
        node = argument.node
        if not isinstance(node, tree.Lambda | tree.Reference) or self._findings.is_trying:
            return
        formal = formals[position] if position < len(formals) else None
        targets = self._functions.targets(node, place, formal)
        if self._program.declared.is_stub(method.cls):
            self._findings.call(place.caller, sorted(targets), node.line, "callback")
        else:
            self._findings.passed[method.symbol, min(position, len(method.node.parameters) - 1)] |= targets


def _with_bounds(known: dict[TypeVariable, Type]) -> dict[TypeVariable, Type]:
    """Type parameters of which nothing is known are something of their bound: `C extends Collection<Dog>`."""
    return {
        one: substitute(one.bounds[0], known) if given is None and len(one.bounds) == 1 else given
        for one, given in known.items()
    }
