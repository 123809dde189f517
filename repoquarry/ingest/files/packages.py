"""Which packages a repository provides and depends on, as its manifests declare it. Nothing is executed.

`setup.py` is read as text (its syntax tree, literals only); what it computes is not known here, and then nothing is said.
Only manifests in the root, and requirement files beside it, speak for the repository; those of examples and tests do not.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$")
_REQUIREMENT_FILES = re.compile(r"^(?:requirements/)?[\w.-]*requirements[\w.-]*\.txt$|^requirements/[\w.-]+\.txt$")


@dataclass(frozen=True)
class Requirement:
    """One declared dependency."""

    ecosystem: str
    name: str
    """Normalised as the ecosystem does it."""
    requirement: str
    """Version and markers as declared; empty for any version."""


@dataclass
class Packages:
    """All that the manifests of one repository declare."""

    provides: dict[tuple[str, str], None] = field(default_factory=dict)
    """(ecosystem, name), in order of appearance."""
    requires: dict[tuple[str, str], str] = field(default_factory=dict)
    """(ecosystem, name) -> requirement; the first declaration counts."""
    scripts: dict[str, str] = field(default_factory=dict)
    """Console script -> `package.module:function`."""
    description: str | None = None
    unreadable: list[str] = field(default_factory=list)
    """Manifests that could not be understood."""


def is_manifest(path: str) -> bool:
    """Whether a file declares packages for the repository."""
    return path in _READERS or _REQUIREMENT_FILES.match(path) is not None


def read_packages(manifests: Mapping[str, bytes]) -> Packages:
    """What all manifests of a repository declare together."""
    found = Packages()
    for path in sorted(manifests, key=lambda path: (list(_READERS).index(path) if path in _READERS else 99, path)):
        reader = _READERS.get(path, _requirements_file)
        try:
            reader(manifests[path].decode("utf-8-sig"), found)
        except (ValueError, TypeError, SyntaxError, RecursionError, configparser.Error, MemoryError):
            found.unreadable.append(path)
    for own in found.provides:
        found.requires.pop(own, None)
    return found


def normalise(ecosystem: str, name: str) -> str:
    """The name under which an ecosystem knows a package (PEP 503 for PyPI)."""
    return re.sub(r"[-_.]+", "-", name).lower() if ecosystem == "pypi" else name.lower()


def _pyproject(text: str, found: Packages) -> None:
    data = tomllib.loads(text)
    project = _table(data.get("project"))
    _provide(found, "pypi", project.get("name"))
    for line in _lines(project.get("dependencies")):
        _require_pypi(found, line)
    for group in _table(project.get("optional-dependencies")).values():
        for line in _lines(group):
            _require_pypi(found, line)
    found.scripts.update({name: target for name, target in _table(project.get("scripts")).items() if _is_text(target)})
    found.description = found.description or _one_line(project.get("description"))
    poetry = _table(_table(data.get("tool")).get("poetry"))
    _provide(found, "pypi", poetry.get("name"))
    found.description = found.description or _one_line(poetry.get("description"))
    found.scripts.update({name: target for name, target in _table(poetry.get("scripts")).items() if _is_text(target)})
    for name, wanted in _table(poetry.get("dependencies")).items():
        if name.lower() != "python":
            version = wanted if isinstance(wanted, str) else _table(wanted).get("version", "")
            found.requires.setdefault(("pypi", normalise("pypi", name)), str(version))


def _setup_cfg(text: str, found: Packages) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    _provide(found, "pypi", parser.get("metadata", "name", fallback=None))
    found.description = found.description or _one_line(parser.get("metadata", "description", fallback=None))
    for line in parser.get("options", "install_requires", fallback="").splitlines():
        _require_pypi(found, line)
    for line in parser.get("options.entry_points", "console_scripts", fallback="").splitlines():
        _script(found, line)


def _setup_py(text: str, found: Packages) -> None:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or _called(node) != "setup":
            continue
        given = {keyword.arg: _literal(keyword.value) for keyword in node.keywords if keyword.arg}
        _provide(found, "pypi", given.get("name"))
        found.description = found.description or _one_line(given.get("description"))
        for line in _lines(given.get("install_requires")):
            _require_pypi(found, line)
        for line in _lines(_table(given.get("entry_points")).get("console_scripts")):
            _script(found, line)


def _package_json(text: str, found: Packages) -> None:
    data = _table(json.loads(text))
    _provide(found, "npm", data.get("name"))
    found.description = found.description or _one_line(data.get("description"))
    for key in ("dependencies", "peerDependencies", "devDependencies"):
        for name, wanted in _table(data.get(key)).items():
            found.requires.setdefault(("npm", normalise("npm", name)), wanted if isinstance(wanted, str) else "")


def _requirements_file(text: str, found: Packages) -> None:
    for line in text.replace("\\\n", " ").splitlines():
        _require_pypi(found, line)


_READERS: dict[str, Callable[[str, Packages], None]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "package.json": _package_json,
}


def _require_pypi(found: Packages, line: str) -> None:
    line = re.split(r"\s#|^#|\s--hash", line)[0].strip()
    match = _REQUIREMENT.match(line)
    if match and not line.startswith("-") and "://" not in line.split("@")[0]:
        found.requires.setdefault(("pypi", normalise("pypi", match.group(1))), match.group(2).strip())


def _provide(found: Packages, ecosystem: str, name: object) -> None:
    if isinstance(name, str) and re.fullmatch(r"[@\w./-]{1,200}", name):
        found.provides[(ecosystem, normalise(ecosystem, name))] = None


def _script(found: Packages, line: str) -> None:
    name, equals, target = line.partition("=")
    if equals and name.strip():
        found.scripts.setdefault(name.strip(), target.strip())


def _called(node: ast.Call) -> str:
    function = node.func
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _lines(value: object) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _one_line(value: object) -> str | None:
    return " ".join(value.split())[:300] or None if isinstance(value, str) else None
