"""Manifests of Python: pyproject.toml, setup.cfg, setup.py, requirement files.

`setup.py` is read as text (its syntax tree, literals only); what it computes is not known here, and then nothing is said. Only manifests in
the root speak for the repository.
"""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from typing import Final

from repoquarry.languages.manifests.packages import ManifestFormat, Packages, table

_REQUIREMENT: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$")
_PIN: Final = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*===?\s*(\d[\w.!+]*)(?=\s|;|$)")
_REQUIREMENT_FILES: Final = r"(?:requirements/)?[\w.-]*requirements[\w.-]*\.txt|requirements/[\w.-]+\.txt"


def _pyproject(path: str, text: str, found: Packages) -> None:
    data = tomllib.loads(text)
    project = table(data.get("project"))
    found.provide("pypi", project.get("name"), project.get("version"))
    for line in _lines(project.get("dependencies")):
        _require_pypi(found, line)
    for group in table(project.get("optional-dependencies")).values():
        for line in _lines(group):
            _require_pypi(found, line)
    found.scripts.update({name: target for name, target in table(project.get("scripts")).items() if _is_text(target)})
    found.describe(project.get("description"))
    poetry = table(table(data.get("tool")).get("poetry"))
    found.provide("pypi", poetry.get("name"), poetry.get("version"))
    found.describe(poetry.get("description"))
    found.scripts.update({name: target for name, target in table(poetry.get("scripts")).items() if _is_text(target)})
    for name, wanted in table(poetry.get("dependencies")).items():
        if name.lower() != "python":
            version = wanted if isinstance(wanted, str) else table(wanted).get("version", "")
            found.require("pypi", name, str(version))


def _setup_cfg(path: str, text: str, found: Packages) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    version = parser.get("metadata", "version", fallback=None)  # `attr:` and `file:` are no version
    found.provide("pypi", parser.get("metadata", "name", fallback=None), version)
    found.describe(parser.get("metadata", "description", fallback=None))
    for line in parser.get("options", "install_requires", fallback="").splitlines():
        _require_pypi(found, line)
    for line in parser.get("options.entry_points", "console_scripts", fallback="").splitlines():
        _script(found, line)


def _setup_py(path: str, text: str, found: Packages) -> None:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or _called(node) != "setup":
            continue
        given = {keyword.arg: _literal(keyword.value) for keyword in node.keywords if keyword.arg}
        found.provide("pypi", given.get("name"), given.get("version"))
        found.describe(given.get("description"))
        for line in _lines(given.get("install_requires")):
            _require_pypi(found, line)
        for line in _lines(table(given.get("entry_points")).get("console_scripts")):
            _script(found, line)


def _requirements_file(path: str, text: str, found: Packages) -> None:
    for line in text.replace("\\\n", " ").splitlines():
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


def _lines(value: object) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str)


MANIFESTS = (
    ManifestFormat(r"pyproject\.toml", _pyproject),
    ManifestFormat(r"setup\.cfg", _setup_cfg),
    ManifestFormat(r"setup\.py", _setup_py),
    ManifestFormat(_REQUIREMENT_FILES, _requirements_file),
)
