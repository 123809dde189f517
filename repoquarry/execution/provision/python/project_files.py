"""pyproject.toml, setup.cfg, setup.py and the project's version."""

from __future__ import annotations

import ast
import configparser
import itertools
import os
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from packaging.version import InvalidVersion, Version

from repoquarry.execution.provision.python.manifest_types import (
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
    read_head,
    specifier_of,
)


def read_pyproject(path: Path, origin: str) -> ParsedManifest:
    """What the file says. A file that is no TOML says nothing but a note."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8", errors="replace"))
    except tomllib.TOMLDecodeError as error:
        return ParsedManifest(notes=(f"{origin} is no TOML: {error}",))
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
    return ParsedManifest(
        tuple(wanted),
        tuple(_python_pyproject(project, poetry, flit, origin)),
        installable=bool(project or poetry or flit or "build-system" in document),
        name=str(project.get("name") or poetry.get("name") or flit.get("dist-name") or flit.get("module") or ""),
    )


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _groups(groups: object, origin: str) -> Iterator[StatedRequirement]:
    for name, lines in groups.items() if isinstance(groups, dict) else ():
        if group := group_of(str(name)):
            yield from parse_all(lines, origin, group)


def _poetry(poetry: Mapping[str, Any], origin: str) -> Iterator[StatedRequirement]:
    yield from _poetry_table(poetry.get("dependencies"), origin, CORE)
    yield from _poetry_table(poetry.get("dev-dependencies"), origin, TESTS)
    groups = _table(poetry, "group")
    for name in groups:
        if group_of(name):
            yield from _poetry_table(_table(groups, name).get("dependencies"), origin, TESTS)


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
    python = _table(poetry, "dependencies").get("python")
    if isinstance(python, str) and (specifier := specifier_of(python)):
        yield PythonStatement(specifier, origin, Certainty.REQUIRED)
    classifiers = project.get("classifiers") or poetry.get("classifiers") or flit.get("classifiers") or ()
    yield from classified("\n".join(map(str, classifiers)), origin)


def read_setup_cfg(path: Path, origin: str) -> ParsedManifest:
    """What the file says; nothing but a note when it cannot be parsed."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
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


def read_setup_py(path: Path, origin: str) -> ParsedManifest:
    """What the call says. A file that no Python 3 can parse says nothing but that, in a note."""
    source = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        return ParsedManifest(installable=True, notes=(f"{origin} cannot be parsed as Python 3: {error}",))
    script = _Script(tree, posixpath.dirname(origin))
    arguments = script.arguments()
    wanted = [
        *parse_all(script.value(arguments.get("install_requires")), origin),
        *parse_all(script.value(arguments.get("tests_require")), origin, TESTS),
        *_extras(script.value(arguments.get("extras_require")), origin),
    ]
    return ParsedManifest(
        tuple(wanted),
        tuple(_python(script, arguments, origin)),
        includes=tuple(dict.fromkeys(script.files(arguments.get("install_requires")))),
        installable=bool(arguments) or "setup(" in source,
        name=_text(script.value(arguments.get("name"))),
    )


def _extras(extras: object, origin: str) -> Iterator[StatedRequirement]:
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
"""What follows the version in a heading without a mark."""
_RULE: Final = re.compile(r"^([=\-~^*#])\1{2,}\s*$")


def read_project_version(root: Path) -> str:
    """A version in its normal form; empty where no file says one.

    An archive's metadata comes first, then what the code says of itself, then the topmost heading of the list of changes.
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
    """`__version__` of a package of the root or of `src`, in the files where it is written."""
    for place in (root / "src", root):
        for folder in sorted(path for path in _listed(place) if (path / "__init__.py").is_file()):
            for name in ("__init__.py", "_version.py", "version.py", "__version__.py", "__about__.py"):
                yield from _ASSIGNED.findall(read_head(folder / name))[:1]


def _changes(root: Path) -> Iterator[str]:
    for place in (root, root / "docs", root / "doc"):
        for path in sorted(path for path in _listed(place) if _LOGS.fullmatch(path.name) and path.is_file()):
            yield from _headings(read_head(path).splitlines())


def _headings(lines: list[str]) -> Iterator[str]:
    """Versions of the lines that are headings: marked, underlined, or with a date."""
    for line, below in itertools.pairwise([*lines, ""]):
        match = _HEADING.match(line.strip())
        if match and (line.startswith(("#", "=")) or _RULE.match(below) or _DATED.match(match[2])):
            yield match[1]


def _listed(folder: Path) -> list[Path]:
    return [folder / name for name in os.listdir(folder)] if folder.is_dir() else []
