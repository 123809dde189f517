"""Which types are taken where which are asked for, and what type parameters must be for that."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.java.attribution.classes import Program
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassType,
    Intersection,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    Wildcard,
)
from repoquarry.languages.java.attribution.types import NULL, OPAQUE, either_bound, is_open, promoted, widens

NO, MAYBE, YES = 0, 1, 2
_DEEPEST = 12


class Subtyping:
    """Asks about types of a program. Answers are NO, MAYBE (something about it is not known) or YES."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def fits(self, given: Type, asked: Type, *, boxing: bool) -> int:
        """Whether an argument of one type is taken for a parameter of another."""
        if given is None or asked is None or given == OPAQUE:
            return MAYBE
        if isinstance(given, Primitive) != isinstance(asked, Primitive):
            if given == NULL:
                return YES
            if not boxing:
                return NO
            if isinstance(given, Primitive):
                return self.subtype(self.program.boxed(given), asked)
            unboxed = self.program.unboxed(given)
            if isinstance(unboxed, Primitive) and isinstance(asked, Primitive):
                return YES if widens(unboxed.name, asked.name) else NO
            return MAYBE if isinstance(given, OutsideType | VariableType) else NO
        if isinstance(given, Primitive) and isinstance(asked, Primitive):
            return YES if widens(given.name, asked.name) else NO
        return self.subtype(given, asked)

    def common(self, types: Sequence[Type], expected: Type) -> Type:
        """The type of an expression that gives one of several values."""
        known = [one for one in types if one is not None and one != NULL]
        if not known:
            return expected
        found: Type = known[0]
        for one in known[1:]:
            if isinstance(one, Primitive) and isinstance(found, Primitive):
                found = one if one == found else promoted(one, found)
            elif self.subtype(self.program.boxed(found), self.program.boxed(one)) == YES:
                found = one
            elif self.subtype(self.program.boxed(one), self.program.boxed(found)) != YES:
                found = expected if expected is not None else self.shared(found, one)
        return found

    def subtype(self, given: Type, asked: Type, depth: int = 0) -> int:
        """Whether one reference type is a subtype of another, type arguments left aside."""
        if given is None or asked is None or OPAQUE in (given, asked) or depth > _DEEPEST:
            return MAYBE
        if given in (asked, NULL):
            return YES
        if isinstance(asked, VariableType):
            return min((self.subtype(given, one, depth + 1) for one in asked.variable.bounds), default=YES)
        if isinstance(asked, ClassType) and asked.cls is self.program.object:
            return YES
        if isinstance(asked, Wildcard):
            return self.subtype(given, asked.bound, depth + 1)
        if isinstance(asked, Intersection):
            return min((self.subtype(given, one, depth + 1) for one in asked.types), default=YES)
        if isinstance(given, Wildcard | VariableType | Intersection):
            bounds = (
                (given.bound,) if isinstance(given, Wildcard)
                else given.types if isinstance(given, Intersection)
                else given.variable.bounds
            )  # fmt: skip
            return max((self.subtype(one, asked, depth + 1) for one in bounds), default=NO)
        if isinstance(given, ArrayType):
            return self._array(given, asked, depth)
        if isinstance(given, OutsideType):
            return YES if given == asked else MAYBE if isinstance(asked, OutsideType | ClassType) else NO
        if isinstance(given, ClassType) and isinstance(asked, ClassType):
            if any(cls is asked.cls for cls, _ in self.program.line(given.cls)):
                return YES
            return MAYBE if self.program.outside_bases(given.cls) and not self._is_stub(asked) else NO
        if isinstance(given, ClassType) and isinstance(asked, OutsideType):
            bases = self.program.outside_bases(given.cls)
            return YES if asked.name in bases else MAYBE if bases else NO
        return NO

    def _is_stub(self, asked: ClassType) -> bool:
        """Finished classes of the language itself, from which nothing outside descends."""
        return asked.cls.full in ("java.lang.String", "java.lang.Class") or asked.cls.full.startswith("java.lang.Int")

    def _array(self, given: ArrayType, asked: Type, depth: int) -> int:
        if not isinstance(asked, ArrayType):
            name = asked.cls.full if isinstance(asked, ClassType) else ""
            return YES if name in ("java.lang.Cloneable", "java.io.Serializable") else NO
        if isinstance(given.element, Primitive) or isinstance(asked.element, Primitive):
            return YES if given.element == asked.element else MAYBE if None in (given.element, asked.element) else NO
        return self.subtype(given.element, asked.element, depth + 1)

    def infer(self, formal: Type, actual: Type, found: dict[TypeVariable, Type], depth: int = 0) -> None:
        """What the parameters among `found` must be for `actual` to be taken for `formal`; those that are not known yet are None."""
        if formal is None or actual is None or actual == OPAQUE or depth > _DEEPEST:
            return
        if isinstance(formal, VariableType):
            if formal.variable in found and actual != NULL:
                self._widen(formal.variable, self.program.boxed(either_bound(actual)), found)
        elif isinstance(formal, Wildcard):
            self.infer(formal.bound, either_bound(actual), found, depth + 1)
        elif isinstance(formal, ArrayType):
            if isinstance(actual, ArrayType) and not isinstance(actual.element, Primitive):
                self.infer(formal.element, actual.element, found, depth + 1)
        elif isinstance(formal, ClassType) and formal.arguments:
            if isinstance(actual, Wildcard | VariableType | Intersection):
                bounds = (
                    (actual.bound,) if isinstance(actual, Wildcard)
                    else actual.types if isinstance(actual, Intersection)
                    else actual.variable.bounds
                )  # fmt: skip
                for one in bounds:
                    self.infer(formal, one, found, depth + 1)
            elif isinstance(actual, ClassType):
                above = self.program.as_super(actual, formal.cls)
                if above is not None and len(above.arguments) == len(formal.arguments):
                    for one, other in zip(formal.arguments, above.arguments, strict=True):
                        self.infer(one, other, found, depth + 1)

    def _widen(self, variable: TypeVariable, actual: Type, found: dict[TypeVariable, Type]) -> None:
        known = found[variable]
        if (
            known is None
            or (is_open(known) and not is_open(actual))
            or (actual is not None and known != actual and self._is_above(actual, known))
        ):
            found[variable] = actual
        elif known != actual and not self._is_above(known, actual):
            found[variable] = self.shared(known, actual) or known

    def _is_above(self, upper: Type, lower: Type) -> bool:
        return self.subtype(lower, upper) == YES

    def shared(self, left: Type, right: Type) -> Type:
        """The nearest class above both that is not `Object`."""
        if not isinstance(left, ClassType) or not isinstance(right, ClassType):
            return None
        theirs = {cls for cls, _ in self.program.line(right.cls)}
        for cls, _ in self.program.line(left.cls):
            if cls in theirs and cls is not self.program.object:
                return self.program.as_super(left, cls)
        return None
