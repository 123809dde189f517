"""The classes of a program: what stands above them, and their members, looked up as the language does."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java import tree
from repoquarry.languages.java.attribution.declaring import Declarations
from repoquarry.languages.java.attribution.elements import (
    ArrayType,
    ClassInfo,
    ClassType,
    Field,
    Method,
    OutsideType,
    Primitive,
    Type,
    TypeVariable,
    VariableType,
    Wildcard,
)
from repoquarry.languages.java.attribution.naming import Naming
from repoquarry.languages.java.attribution.types import BOXES, substitute


class Program:
    """The declarations of a program, what names mean in it, and what classes inherit."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.declared = Declarations(files)
        self.naming = Naming(self.declared)
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
        """Names of classes above it of which nothing else is known."""
        return [
            above.name
            for one, _ in self.line(cls)
            for above in self.naming.supertypes(one)
            if isinstance(above, OutsideType)
        ]

    def as_super(self, found: ClassType, target: ClassInfo) -> ClassType | None:
        """The type as that of a class above it; None where it is no such."""
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
        """The erased types of a method's parameters."""
        return tuple(self.erasure(substitute(one, mapping)) for one in self.naming.header(method).parameters)

    def erasure(self, found: Type) -> object:
        """What a type is without its parameters."""
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
        """A field that a class has, inherited ones included."""
        for one, mapping in self.line(cls):
            if name in one.fields:
                return one.fields[name], mapping
        return None

    def function(self, cls: ClassInfo) -> Method | None:
        """The one abstract method of a functional interface; None where it is none."""
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
        """The class that a primitive type is boxed into."""
        if isinstance(found, Primitive) and found.name in BOXES:
            return self.naming.class_type(f"java.lang.{BOXES[found.name]}")
        return found

    def unboxed(self, found: Type) -> Type:
        """The primitive type that a box holds."""
        if isinstance(found, ClassType) and found.cls.full.startswith("java.lang."):
            return next((Primitive(name) for name, box in BOXES.items() if box == found.cls.name), found)
        return found
