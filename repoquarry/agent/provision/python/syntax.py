"""The imports of one Python file, read from its syntax."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_GUARDS: Final = frozenset(
    ("ImportError", "ModuleNotFoundError", "Exception", "BaseException", "OSError", "AttributeError")
)


@dataclass(frozen=True)
class Statement:
    """One import."""

    module: str
    """Dotted name; empty for `from . import x`."""
    names: tuple[str, ...]
    level: int
    """Dots before the name; 0 for an absolute import."""
    needed: bool
    """Whether the file fails without it."""


def read_statements(path: Path) -> tuple[Statement, ...] | None:
    """The imports of a file; None for one that no Python 3 can parse."""
    tree = _parse(path)
    return None if tree is None else tuple(_statements(tree))


def _parse(path: Path) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return None


def _statements(tree: ast.Module) -> Iterator[Statement]:
    """All imports, those in functions and under conditions included."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, needed = waiting.pop()
        match node:
            case ast.Import():
                for alias in node.names:
                    yield Statement(alias.name, (), 0, needed)
                continue
            case ast.ImportFrom():
                if node.module != "__future__":
                    names = tuple(alias.name for alias in node.names if alias.name != "*")
                    yield Statement(node.module or "", names, node.level, needed)
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                needed = False
            case ast.Try():
                guarded = any(_guards(handler) for handler in node.handlers)
                waiting += [(child, needed and not guarded) for child in node.body]
                # what stands in for a failed import is no more needed than the import itself
                waiting += [(child, False) for handler in node.handlers for child in handler.body]
                waiting += [(child, needed) for child in (*node.orelse, *node.finalbody)]
                continue
            case ast.If() if not _is_main_guard(node.test):
                waiting += [(child, False) for child in (*node.body, *node.orelse)]
                continue
            case ast.expr():
                continue
        waiting += [(child, needed) for child in ast.iter_child_nodes(node)]


def _guards(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or ast.unparse(kind).rpartition(".")[2] in _GUARDS for kind in kinds)


def _is_main_guard(test: ast.expr) -> bool:
    return "__name__" in ast.unparse(test)
