"""`setup.py`, parsed and never run: the arguments of its call of `setup`, as far as they are constants or read requirement files."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from repoquarry.agent.provision.python.manifests.values import (
    TESTS,
    Certainty,
    Manifest,
    PythonStatement,
    Wanted,
    group_of,
    parse_all,
)
from repoquarry.agent.provision.python.manifests.versions import classified


def read(path: Path, origin: str) -> Manifest:
    """What the call says. A file that no Python 3 can parse says nothing but that, in a note."""
    source = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        return Manifest(installable=True, notes=(f"{origin} cannot be parsed as Python 3: {error}",))
    script = _Script(tree, posixpath.dirname(origin))
    arguments = script.arguments()
    wanted = [
        *parse_all(script.value(arguments.get("install_requires")), origin),
        *parse_all(script.value(arguments.get("tests_require")), origin, TESTS),
        *_extras(script.value(arguments.get("extras_require")), origin),
    ]
    return Manifest(
        tuple(wanted),
        tuple(_python(script, arguments, origin)),
        includes=tuple(dict.fromkeys(script.files(arguments.get("install_requires")))),
        installable=bool(arguments) or "setup(" in source,
        name=_text(script.value(arguments.get("name"))),
    )


def _extras(extras: object, origin: str) -> Iterator[Wanted]:
    for name, lines in extras.items() if isinstance(extras, dict) else ():
        if group := group_of(str(name)):
            yield from parse_all(lines, origin, group)


def _python(script: _Script, arguments: Mapping[str, ast.expr], origin: str) -> Iterator[PythonStatement]:
    if required := _text(script.value(arguments.get("python_requires"))):
        yield PythonStatement(required, origin, Certainty.REQUIRED)
    classifiers = script.value(arguments.get("classifiers"))
    if isinstance(classifiers, list | tuple):
        classifiers = "\n".join(map(str, classifiers))
    yield from classified(_text(classifiers), origin)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


class _Script:
    """Names and functions of a script, and the values of constant expressions in it."""

    def __init__(self, tree: ast.Module, folder: str) -> None:
        self._folder = folder
        self._calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        self._functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        self._names: dict[str, ast.expr] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._names.setdefault(node.targets[0].id, node.value)

    def arguments(self) -> dict[str, ast.expr]:
        """Keyword arguments of the call of `setup`; those given as `**name` included."""
        for call in self._calls:
            called = call.func
            name = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            if name == "setup":
                return self._keywords(call)
        return {}

    def _keywords(self, call: ast.Call) -> dict[str, ast.expr]:
        found: dict[str, ast.expr] = {}
        for keyword in call.keywords:
            if keyword.arg:
                found[keyword.arg] = keyword.value
            elif isinstance(keyword.value, ast.Name):
                found |= _entries(self._names.get(keyword.value.id))
        return found

    def value(self, node: ast.expr | None, depth: int = 0) -> Any:
        """Value of a constant expression; None when it is none. Parts of a list that are not constant are left out."""
        if node is None or depth > 8:
            return None
        match node:
            case ast.Constant():
                return node.value
            case ast.List() | ast.Tuple():
                return [value for item in node.elts if (value := self.value(item, depth + 1)) is not None]
            case ast.Dict():
                return {
                    self.value(key, depth + 1): self.value(value, depth + 1)
                    for key, value in zip(node.keys, node.values, strict=True)
                    if key is not None
                }
            case ast.Name():
                return self.value(self._names.get(node.id), depth + 1)
            case ast.BinOp(op=ast.Add()):
                return self._sum(self.value(node.left, depth + 1), self.value(node.right, depth + 1))
            case ast.Subscript():
                owner, key = self.value(node.value, depth + 1), self.value(node.slice, depth + 1)
                return owner.get(key) if isinstance(owner, dict) and isinstance(key, str) else None
            case ast.JoinedStr():
                return None
        return None

    @staticmethod
    def _sum(left: Any, right: Any) -> Any:
        if isinstance(left, list) or isinstance(right, list):
            return [*(left if isinstance(left, list) else ()), *(right if isinstance(right, list) else ())]
        return left + right if isinstance(left, str) and isinstance(right, str) else None

    def files(self, node: ast.expr | None, depth: int = 0) -> Iterator[str]:
        """Requirement files that an expression reads: constants that end in `.txt` or `.in`, in what it names and calls too."""
        for part in ast.walk(node) if node is not None and depth < 5 else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.endswith((".txt", ".in")):
                yield posixpath.normpath(posixpath.join(self._folder, part.value.lstrip("/")))
            elif isinstance(part, ast.Name):
                yield from self.files(self._names.get(part.id), depth + 1)
                if part.id in self._functions:
                    for inner in self._functions[part.id].body:
                        for expression in ast.walk(inner):
                            if isinstance(expression, ast.expr):
                                yield from self.files(expression, 5 if depth > 3 else depth + 1)


def _entries(node: ast.expr | None) -> dict[str, ast.expr]:
    if isinstance(node, ast.Dict):
        return {
            key.value: value
            for key, value in zip(node.keys, node.values, strict=True)
            if isinstance(key, ast.Constant) and isinstance(key.value, str)
        }
    if isinstance(node, ast.Call):
        return {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    return {}
