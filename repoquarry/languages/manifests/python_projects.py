"""Readers of the requirements, the supported Python versions and the version of a Python project.

Sources: pyproject.toml, setup.cfg, setup.py, tox.ini, Dockerfiles and CI files; for the version PKG-INFO, code and changelog.
"""

from __future__ import annotations

import ast
import configparser
import itertools
import os
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from packaging.version import InvalidVersion, Version

from repoquarry.languages.manifests.packages import table
from repoquarry.languages.manifests.pypi import SetupScript
from repoquarry.languages.manifests.python_requirements import (
    CORE,
    TESTS,
    Certainty,
    ParsedManifest,
    PythonStatement,
    StatedRequirement,
    classified,
    group_of,
    parse,
    parse_all,
    specifier_of,
)
from repoquarry.languages.structured_text import load_toml


def read_pyproject(origin: str, text: str) -> ParsedManifest:
    """Read pyproject.toml; only a note if the file is not TOML."""
    try:
        document = load_toml(text)
    except tomllib.TOMLDecodeError as error:
        return ParsedManifest(notes=(f"{origin} is not valid TOML: {error}",))
    project, tool = table(document.get("project")), table(document.get("tool"))
    poetry = table(tool.get("poetry"))
    flit = table(table(tool.get("flit")).get("metadata"))
    wanted = [
        *parse_all(project.get("dependencies"), origin),
        *_groups(project.get("optional-dependencies"), origin),
        *_groups(document.get("dependency-groups"), origin),
        *_groups(table(tool.get("pdm")).get("dev-dependencies"), origin),
        *parse_all(flit.get("requires"), origin),
        *_groups(flit.get("requires-extra"), origin),
        *_poetry(poetry, origin),
    ]
    return ParsedManifest(
        tuple(wanted),
        tuple(_python_pyproject(project, poetry, flit, origin)),
        installable=bool(project or poetry or flit or "build-system" in document),
        name=str(project.get("name") or poetry.get("name") or flit.get("dist-name") or flit.get("module") or ""),
    )


def _groups(groups: object, origin: str) -> Iterator[StatedRequirement]:
    for name, lines in groups.items() if isinstance(groups, dict) else ():
        if group := group_of(str(name)):
            yield from parse_all(lines, origin, group)


def _poetry(poetry: Mapping[str, Any], origin: str) -> Iterator[StatedRequirement]:
    yield from _poetry_table(poetry.get("dependencies"), origin, CORE)
    yield from _poetry_table(poetry.get("dev-dependencies"), origin, TESTS)
    groups = table(poetry.get("group"))
    for name in groups:
        if group_of(name):
            yield from _poetry_table(table(groups.get(name)).get("dependencies"), origin, TESTS)


def _poetry_table(table: object, origin: str, group: str) -> Iterator[StatedRequirement]:
    for name, value in table.items() if isinstance(table, dict) else ():
        if name.lower() == "python":
            continue
        for given in value if isinstance(value, list) else [value]:
            settings = given if isinstance(given, dict) else {"version": str(given)}
            if settings.get("optional") or "path" in settings:
                continue
            extras = ",".join(settings.get("extras", ()))
            version = specifier_of(str(settings.get("version", "*")))
            marker = f"; {settings['markers']}" if "markers" in settings else ""
            python = settings.get("python")
            if python and not marker and (bounds := _python_marker(specifier_of(str(python)))):
                marker = f"; {bounds}"
            text = f"{name}{f'[{extras}]' if extras else ''}{version}{marker}"
            if found := parse(text, origin, group):
                yield found


def _python_marker(specifier: str) -> str:
    parts = re.findall(r"([<>=!~]=?)\s*([\d.]+)(?:\.\*)?", specifier)
    return " and ".join(f"python_version {operator} '{version}'" for operator, version in parts)


def _python_pyproject(
    project: Mapping[str, Any], poetry: Mapping[str, Any], flit: Mapping[str, Any], origin: str
) -> Iterator[PythonStatement]:
    if required := project.get("requires-python") or flit.get("requires-python"):
        yield PythonStatement(str(required), origin, Certainty.REQUIRED)
    python = table(poetry.get("dependencies")).get("python")
    if isinstance(python, str) and (specifier := specifier_of(python)):
        yield PythonStatement(specifier, origin, Certainty.REQUIRED)
    classifiers = project.get("classifiers") or poetry.get("classifiers") or flit.get("classifiers") or ()
    yield from classified("\n".join(map(str, classifiers)), origin)


def read_setup_cfg(origin: str, text: str) -> ParsedManifest:
    """Read setup.cfg; only a note if the file cannot be parsed."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return ParsedManifest(notes=(f"{origin} cannot be parsed: {' '.join(str(error).split())}",))

    def get(section: str, option: str) -> str:
        return str(parser.get(section, option, fallback=""))

    lines = get("options", "install_requires")
    file = re.match(r"\s*file:\s*(.+)", lines)
    wanted = [] if file else list(parse_all(_lines(lines), origin))
    wanted += parse_all(_lines(get("options", "tests_require")), origin, TESTS)
    for name in parser.options("options.extras_require") if parser.has_section("options.extras_require") else ():
        if group := group_of(name):
            wanted += parse_all(_lines(get("options.extras_require", name)), origin, group)
    python = list(classified(get("metadata", "classifiers") + get("metadata", "classifier"), origin))
    if required := get("options", "python_requires") or get("metadata", "python-requires"):
        python.append(PythonStatement(required.strip(), origin, Certainty.REQUIRED))
    return ParsedManifest(
        tuple(wanted),
        tuple(python),
        includes=tuple(name.strip() for name in file[1].split(",")) if file else (),
        name=get("metadata", "name").strip(),
    )


def _lines(text: str) -> list[str]:
    return [part for line in text.splitlines() for part in (line.split(";;") if ";;" in line else [line])]


def read_setup_py(origin: str, text: str) -> ParsedManifest:
    """Read the arguments of `setup`; only a note if no Python 3 can parse the file."""
    try:
        script = SetupScript(text, posixpath.dirname(origin))
    except (SyntaxError, ValueError, RecursionError) as error:
        return ParsedManifest(installable=True, notes=(f"{origin} cannot be parsed as Python 3: {error}",))
    arguments = script.arguments()
    wanted = [
        *parse_all(script.value(arguments.get("install_requires")), origin),
        *parse_all(script.value(arguments.get("tests_require")), origin, TESTS),
        *_groups(script.value(arguments.get("extras_require")), origin),
    ]
    return ParsedManifest(
        tuple(wanted),
        tuple(_python(script, arguments, origin)),
        includes=tuple(dict.fromkeys(script.files(arguments.get("install_requires")))),
        installable=bool(arguments) or "setup(" in text,
        name=_text(script.value(arguments.get("name"))),
    )


def _python(script: SetupScript, arguments: Mapping[str, ast.expr], origin: str) -> Iterator[PythonStatement]:
    if required := _text(script.value(arguments.get("python_requires"))):
        yield PythonStatement(required, origin, Certainty.REQUIRED)
    classifiers = script.value(arguments.get("classifiers"))
    if isinstance(classifiers, list | tuple):
        classifiers = "\n".join(map(str, classifiers))
    yield from classified(_text(classifiers), origin)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_IMAGE = re.compile(r"^\s*FROM\s+(?:--\S+\s+)?\S*?python:(\d\.\d+)", re.IGNORECASE | re.MULTILINE)
_MATRIX = re.compile(
    r"python[-_ ]?version[s]?['\"]?\s*[:=]\s*\[?([^\n\]]*(?:\n\s*-?\s*['\"]?\d\.\d+[^\n]*)*)", re.IGNORECASE
)
_TRAVIS = re.compile(r"^python:\s*\n((?:\s*-\s*[^\n]+\n)+)|^python:\s*\[?([^\n\]]+)", re.MULTILINE)
_VERSION = re.compile(r"(?<![\d.])(3\.\d{1,2}|2\.7)(?![\d])")


def read_version_file(origin: str, text: str) -> ParsedManifest:
    """Read the version in `.python-version` or `runtime.txt`."""
    if match := _VERSION.search(text):
        return ParsedManifest(python=(PythonStatement(f"=={match[1]}.*", origin, Certainty.CHOSEN),))
    return ParsedManifest()


def read_dockerfile(origin: str, text: str) -> ParsedManifest:
    """Read the Python versions of the images in a Dockerfile."""
    python = tuple(PythonStatement(f"=={found}.*", origin, Certainty.HINT) for found in _IMAGE.findall(text))
    return ParsedManifest(python=python)


def read_pipeline(origin: str, text: str) -> ParsedManifest:
    """Read the interpreters of a CI file or of `tox.ini`."""
    parts = [*_MATRIX.findall(text), *(part for pair in _TRAVIS.findall(text) for part in pair)]
    found = [version for part in parts for version in _VERSION.findall(part)]
    if origin.endswith("tox.ini"):
        found += [f"{major}.{minor}" for major, minor in re.findall(r"\bpy(3)(\d{1,2})\b", text)]
    return ParsedManifest(
        python=tuple(PythonStatement(f"=={version}.*", origin, Certainty.HINT) for version in dict.fromkeys(found)),
    )


_FACTORS: Final = re.compile(r"(!?[\w{},.!-]+)\s*:\s+(?=\S)")


def read_tox(origin: str, text: str) -> ParsedManifest:
    """Read the interpreters of `tox.ini` as hints, and the requirements of its base environment for tests."""
    found = read_pipeline(origin, text)
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return replace(found, notes=(f"{origin} cannot be parsed: {' '.join(str(error).split())}",))
    lines = str(parser.get("testenv", "deps", fallback=""))
    return replace(found, wanted=tuple(parse_all(list(_unconditional(lines)), origin, TESTS)))


def _unconditional(lines: str) -> Iterator[str]:
    """Yield the requirements of all environments, without those of single environments and substitutions."""
    for line in lines.splitlines():
        match = _FACTORS.match(line.strip())
        if match and not match[1].startswith("!"):
            continue
        text = line.strip()[match.end() :] if match else line.strip()
        if "{" not in text:
            yield text


_BYTES: Final = 256 * 1024


def read_head(path: Path) -> str:
    """Read the beginning of a text file; empty for anything but a regular file."""
    if not path.is_file() or path.is_symlink():
        return ""
    with path.open("rb") as file:
        return file.read(_BYTES).decode("utf-8", errors="replace")


_LOGS: Final = re.compile(
    r"(changes|changelog|history|news|releases?|release[-_ ]?notes|whats[-_ ]?new)(\.(md|rst|txt))?", re.I
)
_STATED: Final = re.compile(r"^Version:[ \t]*(\S+)", re.MULTILINE)
_ARCHIVED: Final = re.compile(r"^(?:describe-name|ref-names):.*?\bv?(\d+(?:\.\d+)+)", re.MULTILINE)
_ASSIGNED: Final = re.compile(
    r"^(?:__version__|version|VERSION)\s*(?::\s*str\s*)?=\s*['\"]v?(\d[\w.]*)['\"]", re.MULTILINE
)
_HEADING: Final = re.compile(
    r"^(?:#+\s*|=+\s*|\.\.\s+_)?(?:[A-Za-z][\w .-]{0,30}?[\s-])?\[?[vV]?(\d+\.\d+(?:\.\d+)*(?:(?:a|b|rc|\.post|\.dev)\d+)?)\]?(?=[\s:(,/)-]|$)(.*)"
)
_DATED: Final = re.compile(
    r"[\s(\[\u2013\u2014:,|@-]*(?:released?[\s:]+(?:on\s+)?)?"
    r"(?:\d{4}[-/.]\d{1,2}|\d{1,2}[-/. ]\w+[-/. ,]+\d{4}|[A-Z][a-z]{2,8}\.? \d|(?:19|20)\d\d\b|unreleased|in development|tbd)",
    re.IGNORECASE,
)
"""Text that follows the version in an unmarked heading."""
_RULE: Final = re.compile(r"^([=\-~^*#])\1{2,}\s*$")


def read_project_version(root: Path) -> str:
    """Read the version in normal form; empty if no file states one.

    The metadata of an archive comes first, then `__version__` in the code, then the topmost heading of the changelog.
    """
    readers: tuple[Callable[[Path], Iterator[str]], ...] = (_metadata, _code, _changes)
    for found in itertools.chain.from_iterable(reader(root) for reader in readers):
        try:
            return str(Version(found))
        except InvalidVersion:
            continue
    return ""


def _metadata(root: Path) -> Iterator[str]:
    for name, pattern in (("PKG-INFO", _STATED), (".git_archival.txt", _ARCHIVED)):
        yield from pattern.findall(read_head(root / name))


def _code(root: Path) -> Iterator[str]:
    """Yield `__version__` of the packages in the root and in `src`."""
    for place in (root / "src", root):
        for folder in sorted(path for path in _listed(place) if (path / "__init__.py").is_file()):
            for name in ("__init__.py", "_version.py", "version.py", "__version__.py", "__about__.py"):
                yield from _ASSIGNED.findall(read_head(folder / name))[:1]


def _changes(root: Path) -> Iterator[str]:
    for place in (root, root / "docs", root / "doc"):
        for path in sorted(path for path in _listed(place) if _LOGS.fullmatch(path.name) and path.is_file()):
            yield from _headings(read_head(path).splitlines())


def _headings(lines: list[str]) -> Iterator[str]:
    """Yield the versions in headings: marked, underlined, or dated lines."""
    for line, below in itertools.pairwise([*lines, ""]):
        match = _HEADING.match(line.strip())
        if match and (line.startswith(("#", "=")) or _RULE.match(below) or _DATED.match(match[2])):
            yield match[1]


def _listed(folder: Path) -> list[Path]:
    return [folder / name for name in os.listdir(folder)] if folder.is_dir() else []
