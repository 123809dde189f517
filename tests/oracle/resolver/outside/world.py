"""Questions about the world outside the repository, asked of the tables that the kernel is given as well."""

from __future__ import annotations

from repoquarry.languages.python import library_models as known
from repoquarry.languages.python.library_models import attributes_of, is_builtin, is_type

_CUTTING = frozenset({"builtins.str.split", "builtins.str.rsplit", "builtins.str.partition", "builtins.str.rpartition"})


def takes_apart(method: str) -> bool:
    """Whether a method takes the text apart that it is called on."""
    return method in _CUTTING


def may_have(name: str, attribute: str) -> bool:
    """Whether instances of an outside type may have an attribute: known of the built-in types, assumed of others."""
    if not name.startswith("builtins."):
        return name not in known.NAMESPACES
    return attribute in attributes_of(name.rpartition(".")[2])


def canonical_type(name: str) -> str | None:
    """The outside class that a type expression names; None where it says nothing (`Any`)."""
    last = name.rpartition(".")[2]
    if last in (
        "Any",
        "object",
        "TypeVar",
        "ParamSpec",
        "Callable",
        "Literal",
        "NoReturn",
        "Never",
        "Hashable",
        "Protocol",
        "Generic",
    ):
        return None
    if last == "Self":
        return "typing.Self"
    if name.startswith(("typing.", "typing_extensions.")):
        lower = {"Text": "str", "AnyStr": "str"}.get(last, last.lower())
        return f"builtins.{lower}" if is_builtin(lower) else name
    return name


def generic_role(name: str) -> str:
    """What the brackets mean after a generic type: `either`, `first`, `class`, `awaitable`, a container kind, or nothing."""
    last = name.rpartition(".")[2]
    for names, role in ((known.EITHER, "either"), (known.FIRST, "first"), (known.CLASS, "class")):
        if last in names:
            return role
    return known.CONTAINERS.get(name) or known.CONTAINERS.get(last, "")


def element_of(name: str) -> str | None:
    """The type of the elements of an outside type."""
    return known.ELEMENTS.get(name)


def awaited(name: str) -> str | None:
    """What awaiting an instance of an outside type gives."""
    return None


def is_property(name: str) -> bool:
    """Whether the outside decorator makes a property."""
    return name in known.PROPERTIES or name.endswith(("cached_property", "classproperty"))


def is_enumeration(name: str) -> bool:
    """Whether the outside class makes enumerations of the classes below it."""
    return name.rpartition(".")[2] in known.ENUMERATIONS


def is_transparent(name: str) -> bool:
    """Whether a call of the outside function gives back what it is given."""
    return name in known.TRANSPARENT


def result_type(name: str) -> str | None:
    """The outside type whose instance a call of an outside callable gives, None when it is not known."""
    if name in known.RESULTS:
        return known.RESULTS[name]
    owner, _, last = name.rpartition(".")
    if owner in ("builtins.str", "builtins.bytes") and last in known.STR_METHODS_STR:
        return "builtins.str" if owner == "builtins.str" else owner
    if owner == "builtins":
        return name if is_type(last) else None
    if last[:1].isupper() and not last.isupper():
        return name
    return None
