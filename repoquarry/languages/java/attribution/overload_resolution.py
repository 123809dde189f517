"""Overload resolution: choice among methods of one name (JLS 15.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct

from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.class_hierarchy import MAYBE, NO, YES, JavaProgram
from repoquarry.languages.java.attribution.elements import (
    VOID,
    ArrayType,
    ClassType,
    Method,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    substitute,
)
from repoquarry.languages.java.reduced_tree import Expression

Candidate = tuple[Method, dict[TypeVariable, Type]]
"""A method, and what the type parameters of its class are for the receiver."""


@dataclass(slots=True)
class PassedArgument:
    """A value that is passed. Lambdas, method references and calls that take such get their type from the parameter."""

    node: Expression | None
    type: Type = None
    is_deferred: bool = False


class OverloadResolver:
    """Chooses among methods."""

    def __init__(self, program: JavaProgram) -> None:
        self._program = program

    def choose(self, candidates: Sequence[Candidate], arguments: Sequence[PassedArgument]) -> list[Candidate]:
        """Return the methods that a call may mean: one, several that cannot be distinguished, or none."""
        by_number = [one for one in candidates if _takes(one[0], len(arguments))]
        if len(by_number) <= 1:
            return by_number
        for boxing, variadic in ((False, False), (True, False), (True, True)):
            scored = [(self._score(one, arguments, boxing, variadic), one) for one in by_number]
            best = max(score for score, _ in scored)
            if best > 0:
                return self._most_specific([one for score, one in scored if score == best], arguments, variadic)
        return self._most_specific(by_number, arguments, False)

    def _score(self, candidate: Candidate, arguments: Sequence[PassedArgument], boxing: bool, variadic: bool) -> int:
        """0 where it is not applicable; else more, the more of it is certain."""
        method = candidate[0]
        if variadic and not method.has(tree.VARIADIC):
            return 0
        formals = self.formals(candidate, len(arguments), variadic=variadic)
        if formals is None:
            return 0
        score = 1
        for formal, argument in zip(formals, arguments, strict=True):
            fit = self._fits(formal, argument, boxing)
            if fit == NO:
                return 0
            score += fit
        return score

    def formals(self, candidate: Candidate, count: int, *, variadic: bool) -> list[Type] | None:
        """Types of the parameters for so many arguments, by the receiver's type; None where the number does not fit."""
        method, mapping = candidate
        types = [substitute(one, mapping) for one in self._program.naming.header(method).parameters]
        if not variadic:
            return types if len(types) == count else None
        last = types[-1] if types else None
        element = last.element if isinstance(last, ArrayType) else None
        fixed = types[:-1]
        return [*fixed, *[element] * (count - len(fixed))] if count >= len(fixed) else None

    def _fits(self, formal: Type, argument: PassedArgument, boxing: bool) -> int:
        node = argument.node
        if isinstance(node, tree.Lambda):
            return self._lambda_fits(formal, node)
        if isinstance(node, tree.Reference):
            return self._functional(formal)
        if argument.is_deferred and argument.type is None:
            return MAYBE
        return self._program.fits(argument.type, formal, boxing=boxing)

    def _functional(self, formal: Type) -> int:
        if isinstance(formal, ClassType):
            return YES if self._program.function(formal.cls) is not None else NO
        if isinstance(formal, Primitive | ArrayType):
            return NO
        return MAYBE

    def _lambda_fits(self, formal: Type, node: tree.Lambda) -> int:
        if not isinstance(formal, ClassType):
            return NO if isinstance(formal, Primitive | ArrayType) else MAYBE
        function = self._program.function(formal.cls)
        if function is None or len(self._program.naming.header(function).parameters) != len(node.parameters):
            return NO
        if function.result == VOID:
            return YES if gives_nothing(node.body) is not False else NO
        return YES if gives_nothing(node.body) is not True else NO

    def _most_specific(
        self, candidates: list[Candidate], arguments: Sequence[PassedArgument], variadic: bool
    ) -> list[Candidate]:
        if len(candidates) == 1:
            return candidates
        best = [
            one for one in candidates
            if all(other is one or self._is_more_specific(one, other, arguments, variadic) for other in candidates)
        ]  # fmt: skip
        if len(best) > 1:
            best = [one for one in best if not one[0].has(tree.ABSTRACT)][:1] or best[:1]
        return best or candidates

    def _is_more_specific(
        self, one: Candidate, other: Candidate, arguments: Sequence[PassedArgument], variadic: bool
    ) -> bool:
        left = self.formals(one, len(arguments), variadic=variadic)
        right = self.formals(other, len(arguments), variadic=variadic)
        if left is None or right is None:
            return left is not None
        return all(
            self._is_narrower(mine, theirs, argument)
            for mine, theirs, argument in zip(left, right, arguments, strict=True)
        )

    def _is_narrower(self, mine: Type, theirs: Type, argument: PassedArgument) -> bool:
        if isinstance(argument.node, tree.Lambda | tree.Reference):
            return self._is_better_function(mine, theirs)
        if isinstance(mine, VariableType) and isinstance(theirs, VariableType):
            return True
        given = argument.type
        if isinstance(mine, Primitive) != isinstance(theirs, Primitive) and given is not None:
            return isinstance(given, Primitive) == isinstance(mine, Primitive)
        if isinstance(mine, OutsideType) and mine != theirs:
            return given == mine
        return self._program.fits(mine, theirs, boxing=False) != NO

    def _is_better_function(self, mine: Type, theirs: Type) -> bool:
        """Return a function type that gives something before one that gives nothing, a primitive before its box."""
        left = self._program.function(mine.cls) if isinstance(mine, ClassType) else None
        right = self._program.function(theirs.cls) if isinstance(theirs, ClassType) else None
        if left is None or right is None or left is right:
            return True
        gives, other = self._program.naming.header(left).result, self._program.naming.header(right).result
        if gives == VOID:
            return other == VOID
        return True


def _takes(method: Method, count: int) -> bool:
    written = len(method.node.parameters)
    is_open = method.has(tree.BROKEN) or (method.has(tree.VARIADIC) and count >= written - 1)
    return written == count or is_open


def gives_nothing(body: Expression | tree.Block | None) -> bool | None:
    """Return whether a lambda's body gives no value; None where it may be taken either way."""
    if body is None:
        return True
    if isinstance(body, tree.Block):
        if _returns_value(body):
            return False
        return None if _only_throws(body) else True
    is_statement = isinstance(body, tree.Call | tree.New | tree.Assign)
    return None if is_statement or (isinstance(body, tree.Unary) and body.operator == "++") else False


def _only_throws(body: tree.Block) -> bool:
    """Return whether code after the last statement is unreachable: it throws, which the tree does not distinguish from other creations."""
    last = body.statements[-1] if body.statements else None
    return isinstance(last, tree.Do) and isinstance(last.value, tree.New)


def _returns_value(part: object) -> bool:
    if isinstance(part, list):
        return any(map(_returns_value, part))
    if isinstance(part, tree.Return):
        return part.value is not None
    if not isinstance(part, Struct) or isinstance(part, tree.Lambda | tree.LocalClass | tree.New):
        return False
    return any(_returns_value(getattr(part, name)) for name in part.__struct_fields__)


def is_poly(node: Expression | None) -> bool:
    """Return whether an argument's type follows from the parameter: lambdas, references, and calls and creations with such arguments."""
    if isinstance(node, tree.Call):
        return not node.type_arguments and any(map(is_poly, node.arguments))
    if isinstance(node, tree.New):
        return node.is_diamond and node.body is None
    if isinstance(node, tree.Conditional):
        return is_poly(node.left) or is_poly(node.right)
    return isinstance(node, tree.Lambda | tree.Reference)
