"""Readers of Python manifests (pyproject.toml, setup.cfg, setup.py, requirement files): name, version, requirements, scripts.

`setup.py` is parsed and never run: values that are not constant expressions are skipped. Only manifests in the root count for the
repository.
"""

from __future__ import annotations

import ast
import configparser
import posixpath
import re
from collections.abc import Iterator
from email.parser import HeaderParser
from typing import Any, Final

from repoquarry.languages.manifests.packages import ManifestFormat, Packages, normalise, table
from repoquarry.languages.structured_text import load_toml

_REQUIREMENT: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$")
_PIN: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*===?\s*(\d[\w.!+]*)(?=\s|;|$)")
_VERSION: Final = re.compile(r"^(?:__version__|version)\s*(?::[^=\n]*)?=\s*[\"'](\d[^\"']*)[\"']", re.MULTILINE)
_MAX_LINE: Final = 2_000
"""Characters of a line that are read: behind a pin follow hashes."""
_REQUIREMENT_FILES: Final = r"(?:requirements/)?[\w.-]*requirements[\w.-]*\.txt|requirements/[\w.-]+\.txt"


def _pyproject(path: str, text: str, found: Packages) -> None:
    data = load_toml(text)
    project = table(data.get("project"))
    poetry = table(table(data.get("tool")).get("poetry"))
    for line in _lines(project.get("dependencies")):
        _require_pypi(found, line)
    for group in table(project.get("optional-dependencies")).values():
        for line in _lines(group):
            _require_pypi(found, line)
    for owner in (project, poetry):
        found.provide("pypi", owner.get("name"), owner.get("version"))
        found.describe(owner.get("description"))
        scripts = table(owner.get("scripts")).items()
        found.scripts.update({name: target for name, target in scripts if isinstance(target, str)})
    for name, wanted in table(poetry.get("dependencies")).items():
        if name.lower() != "python":
            version = wanted if isinstance(wanted, str) else table(wanted).get("version", "")
            found.require("pypi", name, str(version))


def _package_info(path: str, text: str, found: Packages) -> None:
    headers = HeaderParser().parsestr(text)
    found.provide("pypi", headers["Name"], headers["Version"])


def _version_module(path: str, text: str, found: Packages) -> None:
    """Read the version that a manifest computes from the package of the same name."""
    key = "pypi", normalise("pypi", path.split("/")[-2])
    if key in found.provides and (version := _VERSION.search(text)) is not None:
        found.provide(*key, version[1])


def _setup_cfg(path: str, text: str, found: Packages) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    version = parser.get("metadata", "version", fallback=None)  # `attr:` and `file:` are not versions
    found.provide("pypi", parser.get("metadata", "name", fallback=None), version)
    found.describe(parser.get("metadata", "description", fallback=None))
    for line in parser.get("options", "install_requires", fallback="").splitlines():
        _require_pypi(found, line)
    for line in parser.get("options.entry_points", "console_scripts", fallback="").splitlines():
        _script(found, line)


def _setup_py(path: str, text: str, found: Packages) -> None:
    script = SetupScript(text)
    given = {name: script.value(value) for name, value in script.arguments().items()}
    found.provide("pypi", given.get("name"), given.get("version"))
    found.describe(given.get("description"))
    for line in _lines(given.get("install_requires")):
        _require_pypi(found, line)
    for line in _lines(table(given.get("entry_points")).get("console_scripts")):
        _script(found, line)


def _requirements_file(path: str, text: str, found: Packages) -> None:
    for whole in text.replace("\\\n", " ").splitlines():
        line = whole[:_MAX_LINE]
        if pin := _PIN.match(line):
            found.lock("pypi", pin.group(1), pin.group(2))
        _require_pypi(found, line)


def _require_pypi(found: Packages, line: str) -> None:
    line = re.split(r"\s#|^#|\s--hash", line)[0].strip()
    match = _REQUIREMENT.match(line)
    if match and not line.startswith("-") and "://" not in line.split("@")[0]:
        found.require("pypi", match.group(1), match.group(2).strip())


def _script(found: Packages, line: str) -> None:
    name, equals, target = line.partition("=")
    if equals and name.strip():
        found.scripts.setdefault(name.strip(), target.strip())


def _lines(value: object) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


class SetupScript:
    """Names and functions of a script, and the values of constant expressions in it."""

    def __init__(self, source: str, folder: str = "") -> None:
        """Raises: SyntaxError, ValueError, RecursionError."""
        try:
            tree = ast.parse(source)
        except MemoryError as exc:  # How the parser reports an expression that is nested too deeply.
            raise SyntaxError("an expression is nested too deeply") from exc
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
        """Value of a constant expression; None otherwise. Parts of a list that are not constant are skipped."""
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


MANIFESTS = (
    ManifestFormat(r"PKG-INFO", _package_info),
    ManifestFormat(r"pyproject\.toml", _pyproject),
    ManifestFormat(r"setup\.cfg", _setup_cfg),
    ManifestFormat(r"setup\.py", _setup_py),
    ManifestFormat(_REQUIREMENT_FILES, _requirements_file),
    ManifestFormat(r"(?:src/)?\w+/(?:__init__|__version__|__about__|_?version)\.py", _version_module),
)
