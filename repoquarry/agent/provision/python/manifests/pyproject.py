"""`pyproject.toml`: the standard table, dependency groups, and the tables of poetry, flit and pdm."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from repoquarry.agent.provision.python.manifests.values import (
    CORE,
    TESTS,
    Certainty,
    Manifest,
    PythonStatement,
    Wanted,
    group_of,
    parse,
    parse_all,
)
from repoquarry.agent.provision.python.manifests.versions import caret, classified


def read(path: Path, origin: str) -> Manifest:
    """What the file says. A file that is no TOML says nothing but a note."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8", errors="replace"))
    except tomllib.TOMLDecodeError as error:
        return Manifest(notes=(f"{origin} is no TOML: {error}",))
    project, tool = _table(document, "project"), _table(document, "tool")
    poetry = _table(tool, "poetry")
    flit = _table(_table(tool, "flit"), "metadata")
    wanted = [
        *parse_all(project.get("dependencies"), origin),
        *_groups(project.get("optional-dependencies"), origin),
        *_groups(document.get("dependency-groups"), origin),
        *_groups(_table(tool, "pdm").get("dev-dependencies"), origin),
        *parse_all(flit.get("requires"), origin),
        *_groups(flit.get("requires-extra"), origin),
        *_poetry(poetry, origin),
    ]
    return Manifest(
        tuple(wanted),
        tuple(_python(project, poetry, flit, origin)),
        installable=bool(project or poetry or flit or "build-system" in document),
        name=str(project.get("name") or poetry.get("name") or flit.get("dist-name") or flit.get("module") or ""),
    )


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _groups(groups: object, origin: str) -> Iterator[Wanted]:
    for name, lines in groups.items() if isinstance(groups, dict) else ():
        if group := group_of(str(name)):
            yield from parse_all(lines, origin, group)


def _poetry(poetry: Mapping[str, Any], origin: str) -> Iterator[Wanted]:
    yield from _poetry_table(poetry.get("dependencies"), origin, CORE)
    yield from _poetry_table(poetry.get("dev-dependencies"), origin, TESTS)
    groups = _table(poetry, "group")
    for name in groups:
        if group_of(name):
            yield from _poetry_table(_table(groups, name).get("dependencies"), origin, TESTS)


def _poetry_table(table: object, origin: str, group: str) -> Iterator[Wanted]:
    for name, value in table.items() if isinstance(table, dict) else ():
        if name.lower() == "python":
            continue
        for given in value if isinstance(value, list) else [value]:
            settings = given if isinstance(given, dict) else {"version": str(given)}
            if settings.get("optional") or "path" in settings:
                continue
            extras = ",".join(settings.get("extras", ()))
            version = caret(str(settings.get("version", "*")))
            marker = f"; {settings['markers']}" if "markers" in settings else ""
            python = settings.get("python")
            if python and not marker and (bounds := _python_marker(caret(str(python)))):
                marker = f"; {bounds}"
            text = f"{name}{f'[{extras}]' if extras else ''}{version}{marker}"
            if found := parse(text, origin, group):
                yield found


def _python_marker(specifier: str) -> str:
    parts = re.findall(r"([<>=!~]=?)\s*([\d.]+)(?:\.\*)?", specifier)
    return " and ".join(f"python_version {operator} '{version}'" for operator, version in parts)


def _python(
    project: Mapping[str, Any], poetry: Mapping[str, Any], flit: Mapping[str, Any], origin: str
) -> Iterator[PythonStatement]:
    if required := project.get("requires-python") or flit.get("requires-python"):
        yield PythonStatement(str(required), origin, Certainty.REQUIRED)
    python = _table(poetry, "dependencies").get("python")
    if isinstance(python, str) and (specifier := caret(python)):
        yield PythonStatement(specifier, origin, Certainty.REQUIRED)
    classifiers = project.get("classifiers") or poetry.get("classifiers") or flit.get("classifiers") or ()
    yield from classified("\n".join(map(str, classifiers)), origin)
