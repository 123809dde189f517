"""What Python calls a definition beyond class, function and method, by its decorators, bases and name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from repoquarry.languages.facts import Decorator

_CONSTRUCTORS: Final = frozenset({"__init__", "__new__", "__post_init__"})
_MAKE_DATA_CLASSES: Final = frozenset({"dataclass", "define", "frozen", "attrs"})
_BY_BASE: Final = {
    "Enum": "enum", "IntEnum": "enum", "StrEnum": "enum", "Flag": "enum", "IntFlag": "enum",
    "Protocol": "protocol", "NamedTuple": "named tuple", "TypedDict": "typed dictionary",
}  # fmt: skip


def form_of_class(decorators: Sequence[Decorator], bases: Sequence[str]) -> str:
    """`dataclass`, `enum`, `protocol`, …; empty for a plain class."""
    if any(decorator.name in _MAKE_DATA_CLASSES for decorator in decorators):
        return "dataclass"
    return next((form for base in bases if (form := _BY_BASE.get(_last_name(base)))), "")


def form_of_function(kind: str, name: str, decorators: Sequence[Decorator]) -> str:
    """`constructor` or `property`; empty for other functions."""
    if kind != "method":
        return ""
    if name in _CONSTRUCTORS:
        return "constructor"
    for decorator in decorators:
        if decorator.name.endswith("property") or decorator.dotted.endswith((".setter", ".getter", ".deleter")):
            return "property"
    return ""


def is_abstract(path: str, decorators: Sequence[Decorator]) -> bool:
    """Whether a function is declared without a body: in a stub file, or by a decorator."""
    return path.endswith(".pyi") or any("abstract" in decorator.name for decorator in decorators)


def _last_name(expression: str) -> str:
    """`enum` of `models.enum(unique=True)`."""
    return expression.split("(", 1)[0].split("[", 1)[0].rsplit(".", 1)[-1].strip()
