"""What attribution does with types."""

from __future__ import annotations

from collections.abc import Mapping

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

Substitution = Mapping[TypeVariable, Type]

NULL, VOID, BOOLEAN, INT = Primitive("null"), Primitive("void"), Primitive("boolean"), Primitive("int")
PRIMITIVES = frozenset({"byte", "short", "char", "int", "long", "float", "double", "boolean", "void"})
BOXES = {
    "byte": "Byte", "short": "Short", "char": "Character", "int": "Integer", "long": "Long", "float": "Float", "double": "Double",
    "boolean": "Boolean",
}  # fmt: skip
#: of what code outside gives, of which not even the name of the class is known
OPAQUE = OutsideType("")
_WIDER = ("byte", "short", "int", "long", "float", "double")


def substitute(found: Type, mapping: Substitution) -> Type:
    """A type with its parameters replaced."""
    if not mapping or found is None:
        return found
    if isinstance(found, VariableType):
        return mapping.get(found.variable, found)
    if isinstance(found, ClassType):
        if not found.arguments:
            return found
        return ClassType(found.cls, tuple(substitute(one, mapping) for one in found.arguments))
    if isinstance(found, ArrayType):
        return ArrayType(substitute(found.element, mapping))
    if isinstance(found, Wildcard):
        return Wildcard(found.kind, substitute(found.bound, mapping))
    if isinstance(found, Intersection):
        return Intersection(tuple(substitute(one, mapping) for one in found.types))
    return found


def upper(found: Type) -> Type:
    """What a value of a type argument is at least: the bound of `? extends B`; nothing is known of `?`."""
    if isinstance(found, Wildcard):
        return found.bound if found.kind == 1 else None
    return found


def either_bound(found: Type) -> Type:
    """The bound of a wildcard whatever its direction: the parameters of a function type are taken so."""
    return found.bound if isinstance(found, Wildcard) else found


def widens(narrow: str, wide: str) -> bool:
    """Whether a primitive type is converted to another one without a cast."""
    if narrow == wide:
        return True
    if narrow == "char":
        return wide in _WIDER[2:]
    return narrow in _WIDER and wide in _WIDER and _WIDER.index(narrow) <= _WIDER.index(wide)


def promoted(left: Type, right: Type) -> Type:
    """The type of an arithmetic operation on two unboxed types."""
    names = [one.name for one in (left, right) if isinstance(one, Primitive) and one.name in _WIDER]
    widest = max((_WIDER.index(name) for name in names), default=2)
    return Primitive(_WIDER[max(2, widest)])


def is_open(found: Type) -> bool:
    """Whether a type argument somewhere in a type is not known."""
    if isinstance(found, ClassType):
        return any(one is None or is_open(one) for one in found.arguments)
    return isinstance(found, Wildcard) and found.kind != 0 and (found.bound is None or is_open(found.bound))


def mentions(found: Type, variables: frozenset[TypeVariable] | set[TypeVariable]) -> bool:
    """Whether a type speaks of one of the variables."""
    if isinstance(found, VariableType):
        return found.variable in variables
    if isinstance(found, ClassType):
        return any(mentions(one, variables) for one in found.arguments)
    if isinstance(found, ArrayType):
        return mentions(found.element, variables)
    if isinstance(found, Wildcard):
        return mentions(found.bound, variables)
    return False
