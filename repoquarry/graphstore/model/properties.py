"""Properties as the type that the schema gives them: what is not set, or of another type, is empty."""

from __future__ import annotations

from repoquarry.graphstore.model.values import Value


def text(value: Value) -> str:
    """The string, or the empty one."""
    return value if isinstance(value, str) else ""


def whole(value: Value) -> int:
    """The whole number, or 0."""
    return value if isinstance(value, int) else 0


def real(value: Value) -> float:
    """The number, or 0."""
    return float(value) if isinstance(value, int | float) else 0.0


def texts(value: Value) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def wholes(value: Value) -> tuple[int, ...]:
    """The whole numbers of a list."""
    return tuple(item for item in value if isinstance(item, int)) if isinstance(value, list) else ()
