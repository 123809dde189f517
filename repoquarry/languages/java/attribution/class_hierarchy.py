"""Class hierarchy of a Java program: inherited members, subtype tests, boxing, and inference of type parameters."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java import reduced_tree as tree
from repoquarry.languages.java.attribution.elements import (
    BOXES,
    NULL,
    OPAQUE,
    ArrayType,
    ClassInfo,
    ClassType,
    Field,
    Intersection,
    Method,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    Wildcard,
    bounds_of,
    either_bound,
    is_open,
    promoted,
    substitute,
    widens,
)
from repoquarry.languages.java.attribution.name_resolution import ClassTable, JavaNameResolver

NO, MAYBE, YES = 0, 1, 2
_MAX_DEPTH = 12


class JavaProgram:
    """The declarations of a program, what names mean in it, what classes inherit, and subtyping."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.declared = ClassTable(files)
        self.naming = JavaNameResolver(self.declared)
        self._members: dict[tuple[ClassInfo, str], list[tuple[Method, dict[TypeVariable, Type]]]] = {}
        self._lines: dict[ClassInfo, list[tuple[ClassInfo, dict[TypeVariable, Type]]]] = {}
        self._functions: dict[ClassInfo, Method | None] = {}
        self.object = self.declared.object
        self.string = self.naming.class_type("java.lang.String")

    # ---- classes above

    def line(self, cls: ClassInfo) -> list[tuple[ClassInfo, dict[TypeVariable, Type]]]:
        """A class and all above it, superclasses before interfaces, each with its type parameters as the class sees them."""
        known = self._lines.get(cls)
        if known is not None:
            return known
        out: list[tuple[ClassInfo, dict[TypeVariable, Type]]] = [(cls, {})]
        self._lines[cls] = out
        seen = {cls}
        self._climb(cls, {}, out, seen)
        return out

    def _climb(
        self,
        cls: ClassInfo,
        mapping: dict[TypeVariable, Type],
        out: list[tuple[ClassInfo, dict[TypeVariable, Type]]],
        seen: set[ClassInfo],
    ) -> None:
        for above in self.naming.supertypes(cls):
            if not isinstance(above, ClassType) or above.cls in seen:
                continue
            seen.add(above.cls)
            own: dict[TypeVariable, Type] = {}
            if len(above.arguments) == len(above.cls.variables):
                given = [substitute(one, mapping) for one in above.arguments]
                own = dict(zip(above.cls.variables, given, strict=True))
            out.append((above.cls, own))
            self._climb(above.cls, own, out, seen)

    def outside_bases(self, cls: ClassInfo) -> list[str]:
        """Return the names of classes above it of which nothing else is known."""
        return [
            above.name
            for one, _ in self.line(cls)
            for above in self.naming.supertypes(one)
            if isinstance(above, OutsideType)
        ]

    def claimable_bases(self, cls: ClassInfo) -> list[str]:
        """Return the unknown classes above it that may have its members: those that classes of the program extend. What a class of the
        stubs extends adds nothing that code calls."""
        return [
            above.name
            for one, _ in self.line(cls)
            if not self.declared.is_stub(one)
            for above in self.naming.supertypes(one)
            if isinstance(above, OutsideType)
        ]

    def as_super(self, found: ClassType, target: ClassInfo) -> ClassType | None:
        """Return the type as that of a class above it; None where it is no such."""
        if found.cls is target:
            return found
        for cls, mapping in self.line(found.cls):
            if cls is target:
                own = self.mapping(found)
                return ClassType(
                    cls, tuple(substitute(mapping.get(one), own) for one in cls.variables) if mapping else ()
                )
        return None

    def mapping(self, found: ClassType) -> dict[TypeVariable, Type]:
        """A type's parameters and what stands for them; those of a raw type are erased (JLS 4.8)."""
        if len(found.arguments) == len(found.cls.variables):
            return dict(zip(found.cls.variables, found.arguments, strict=True))
        return {
            one: one.bounds[0] if one.bounds else ClassType(self.object) if self.object else None
            for one in found.cls.variables
        }

    # ---- members

    def members(self, cls: ClassInfo, name: str) -> list[tuple[Method, dict[TypeVariable, Type]]]:
        """Methods of a name that a class has, inherited ones included unless they are overridden, nearest first."""
        key = cls, name
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = []
            seen: set[tuple[object, ...]] = set()
            for one, mapping in self.line(cls):
                for method in one.methods.get(name, ()):
                    if name == "<init>" and one is not cls:
                        continue
                    if one.is_interface and one is not cls and method.has(tree.STATIC):
                        continue
                    signature = self.signature(method, mapping)
                    if signature not in seen:
                        seen.add(signature)
                        found.append((method, mapping))
            if cls.is_interface and name != "<init>" and self.object is not None:
                found += [(one, {}) for one in self.object.methods.get(name, ()) if self.signature(one, {}) not in seen]
        return found

    def signature(self, method: Method, mapping: dict[TypeVariable, Type]) -> tuple[object, ...]:
        """Return the erased types of a method's parameters."""
        return tuple(self.erasure(substitute(one, mapping)) for one in self.naming.header(method).parameters)

    def erasure(self, found: Type) -> object:
        """A type without its parameters."""
        if isinstance(found, ClassType):
            return found.cls
        if isinstance(found, VariableType):
            return self.erasure(found.variable.bounds[0]) if found.variable.bounds else self.object
        if isinstance(found, ArrayType):
            return "[]", self.erasure(found.element)
        if isinstance(found, Wildcard):
            return self.erasure(found.bound)
        return found

    def field(self, cls: ClassInfo, name: str) -> tuple[Field, dict[TypeVariable, Type]] | None:
        """Return a field that a class has, inherited ones included."""
        for one, mapping in self.line(cls):
            if name in one.fields:
                return one.fields[name], mapping
        return None

    def function(self, cls: ClassInfo) -> Method | None:
        """Return the one abstract method of a functional interface; None where it is none."""
        if cls not in self._functions:
            self._functions[cls] = self._find_function(cls)
        return self._functions[cls]

    def _find_function(self, cls: ClassInfo) -> Method | None:
        if not cls.is_interface:
            return None
        found: list[Method] = []
        for name in dict.fromkeys(name for one, _ in self.line(cls) for name in one.methods):
            if self.object is not None and name in self.object.methods and name in ("equals", "hashCode", "toString"):
                continue
            found += [method for method, _ in self.members(cls, name) if method.has(tree.ABSTRACT)]
        return found[0] if len(found) == 1 else None

    def boxed(self, found: Type) -> Type:
        """Return the class that a primitive type is boxed into."""
        if isinstance(found, Primitive) and found.name in BOXES:
            return self.naming.class_type(f"java.lang.{BOXES[found.name]}")
        return found

    def unboxed(self, found: Type) -> Type:
        """Return the primitive type that a box holds."""
        if isinstance(found, ClassType) and found.cls.full.startswith("java.lang."):
            return next((Primitive(name) for name, box in BOXES.items() if box == found.cls.name), found)
        return found

    # ---- subtyping: answers are NO, MAYBE (something about a type is not known) or YES

    def fits(self, given: Type, asked: Type, *, boxing: bool) -> int:
        """Return whether an argument of one type is taken for a parameter of another."""
        if given is None or asked is None or given == OPAQUE:
            return MAYBE
        if isinstance(given, Primitive) != isinstance(asked, Primitive):
            if given == NULL:
                return YES
            if not boxing:
                return NO
            if isinstance(given, Primitive):
                return self.subtype(self.boxed(given), asked)
            unboxed = self.unboxed(given)
            if isinstance(unboxed, Primitive) and isinstance(asked, Primitive):
                return YES if widens(unboxed.name, asked.name) else NO
            return MAYBE if isinstance(given, OutsideType | VariableType) else NO
        if isinstance(given, Primitive) and isinstance(asked, Primitive):
            return YES if widens(given.name, asked.name) else NO
        return self.subtype(given, asked)

    def common(self, types: Sequence[Type], expected: Type) -> Type:
        """Return the type of an expression that gives one of several values."""
        known = [one for one in types if one is not None and one != NULL]
        if not known:
            return expected
        found: Type = known[0]
        for one in known[1:]:
            if isinstance(one, Primitive) and isinstance(found, Primitive):
                found = one if one == found else promoted(one, found)
            elif self.subtype(self.boxed(found), self.boxed(one)) == YES:
                found = one
            elif self.subtype(self.boxed(one), self.boxed(found)) != YES:
                found = expected if expected is not None else self.shared(found, one)
        return found

    def subtype(self, given: Type, asked: Type, depth: int = 0) -> int:
        """Return whether one reference type is a subtype of another, type arguments left aside."""
        if given is None or asked is None or OPAQUE in (given, asked) or depth > _MAX_DEPTH:
            return MAYBE
        if given in (asked, NULL):
            return YES
        if isinstance(asked, VariableType):
            return min((self.subtype(given, one, depth + 1) for one in asked.variable.bounds), default=YES)
        if isinstance(asked, ClassType) and asked.cls is self.object:
            return YES
        if isinstance(asked, Wildcard):
            return self.subtype(given, asked.bound, depth + 1)
        if isinstance(asked, Intersection):
            return min((self.subtype(given, one, depth + 1) for one in asked.types), default=YES)
        if isinstance(given, Wildcard | VariableType | Intersection):
            return max((self.subtype(one, asked, depth + 1) for one in bounds_of(given)), default=NO)
        if isinstance(given, ArrayType):
            return self._array(given, asked, depth)
        if isinstance(given, OutsideType):
            return YES if given == asked else MAYBE if isinstance(asked, OutsideType | ClassType) else NO
        if isinstance(given, ClassType) and isinstance(asked, ClassType):
            if any(cls is asked.cls for cls, _ in self.line(given.cls)):
                return YES
            return MAYBE if self.outside_bases(given.cls) and not self._is_stub(asked) else NO
        if isinstance(given, ClassType) and isinstance(asked, OutsideType):
            bases = self.outside_bases(given.cls)
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
        """Values of the parameters among `found` that make `actual` acceptable for `formal`; those that are not known yet are None."""
        if formal is None or actual is None or actual == OPAQUE or depth > _MAX_DEPTH:
            return
        if isinstance(formal, VariableType):
            if formal.variable in found and actual != NULL:
                self._widen(formal.variable, self.boxed(either_bound(actual)), found)
        elif isinstance(formal, Wildcard):
            self.infer(formal.bound, either_bound(actual), found, depth + 1)
        elif isinstance(formal, ArrayType):
            if isinstance(actual, ArrayType) and not isinstance(actual.element, Primitive):
                self.infer(formal.element, actual.element, found, depth + 1)
        elif isinstance(formal, ClassType) and formal.arguments:
            if isinstance(actual, Wildcard | VariableType | Intersection):
                for one in bounds_of(actual):
                    self.infer(formal, one, found, depth + 1)
            elif isinstance(actual, ClassType):
                above = self.as_super(actual, formal.cls)
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
        """Return the nearest class above both that is not `Object`."""
        if not isinstance(left, ClassType) or not isinstance(right, ClassType):
            return None
        theirs = {cls for cls, _ in self.line(right.cls)}
        for cls, _ in self.line(left.cls):
            if cls in theirs and cls is not self.object:
                return self.as_super(left, cls)
        return None
