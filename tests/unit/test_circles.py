"""Modules import each other in one direction, imports for types alone counted."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import repoquarry.languages

PACKAGE = Path(repoquarry.languages.__file__).parents[1]


def _modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imported(path: Path, modules: dict[str, Path]) -> set[str]:
    """Modules that a file imports from; names that are modules count themselves, not as their package."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & modules.keys() or {node.module}
    return found & modules.keys()


def test_no_circle_of_imports() -> None:
    modules = _modules()
    above = {name: _imported(path, modules) - {name} for name, path in modules.items()}
    assert len(above) > 200
    try:
        TopologicalSorter(above).prepare()
    except CycleError as exc:
        raise AssertionError(f"these import each other: {' -> '.join(exc.args[1])}") from None
