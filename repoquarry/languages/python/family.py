"""Call resolution settings of Python: points-to configuration, tables of built-ins, confidence of edges, fixtures, entry points.

`confidence` of an edge is that of its rule and of the number of targets that its call site may have; for one that dispatch adds also
that of the places that make instances. The figures are measured (`tests/benchmarks/callgraph/reliability.py`,
`tests/benchmarks/callgraph/fit_confidence.py`, docs/explanation/benchmarks.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.family import (
    ExternalOrigin,
    ExtraFlows,
    LanguageFamily,
    LanguageFeature,
    PointsToConfig,
    load_rules,
)
from repoquarry.languages.model_files import compile_tables, load_models
from repoquarry.languages.python.module_resolution import STANDARD_MODULES, find_modules, is_standard
from repoquarry.languages.python.pytest_values import PytestCalls

#: kinds of rows, the first of `ExtraFlowRows::Row` in `kernel/semantics/external/extra_flows.h`
FLOW, ELEMENTS = range(2)

_NAME = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")


class FunctionVariables:
    """Parameters and results of a function with variables of the program."""

    def __init__(self, symbols: Sequence[str], base: int, numbers: Sequence[int]) -> None:
        self.is_class = bool(numbers) and numbers[0] == op.CLASS
        self.flags = 0
        self.result = self.yielded = base
        self.declared = -1
        self.parameters: list[tuple[str, int, int]] = []
        if numbers and not self.is_class:
            self.flags = numbers[1]
            self.result, self.yielded = base + numbers[2], base + numbers[3]
            self.declared = base + numbers[4] if numbers[4] >= 0 else -1
            places = range(6, 6 + 3 * numbers[5], 3)
            self.parameters = [
                (symbols[numbers[place]], base + numbers[place + 1], numbers[place + 2]) for place in places
            ]


def find_extra_flows(files: Sequence[FileFacts], variables: Sequence[int], definitions: Sequence[int]) -> ExtraFlows:
    """As `repoquarry.languages.family.FindExtraFlows`."""
    found = _Search(files, variables, definitions)
    return ExtraFlows(found.rows, found.injected)


@dataclass(eq=False, repr=False)
class _Search:
    """Finder of the extra flows of a program; `variables` and `definitions` are where the numbers of each file begin.

    Raises: IndexError, TypeError, ValueError where a file's records are damaged.
    """

    files: Sequence[FileFacts]
    variables: Sequence[int]
    definitions: Sequence[int]

    def __post_init__(self) -> None:
        self.rows: list[int] = []
        self.injected: list[int] = []
        """(test or fixture, fixture that it is given), alternating."""
        self._records: dict[int, list[FunctionVariables]] = {}
        self._inject_fixtures()
        self._give_parametrized()

    def _of_file(self, unit: int) -> list[FunctionVariables]:
        found = self._records.get(unit)
        if found is None:
            found = self._records[unit] = []
            graph = self.files[unit].graph
            numbers = memoryview(graph.functions).cast("i") if graph.functions else ()
            at, symbols = 0, graph.symbols.texts()
            while at < len(numbers):
                if numbers[at] < 1:
                    raise ValueError(f"{self.files[unit].path}: a definition's record of length {numbers[at]}")
                record = numbers[at + 1 : at + numbers[at]]
                found.append(FunctionVariables(symbols, self.variables[unit], record))
                at += numbers[at]
        return found

    def _inject_fixtures(self) -> None:
        fixtures = self._fixtures()
        if not fixtures:
            return
        for unit, facts in enumerate(self.files):
            places = list(_places(facts.path))
            for at, definition in enumerate(facts.definitions):
                if definition.name.startswith("test") or fixture_name(definition):
                    self._inject(unit, at, places, fixtures)
            if "getfixturevalue" in facts.graph.symbols.texts():
                self._answer_requests(unit, places, fixtures)

    def _answer_requests(
        self, unit: int, places: list[str], fixtures: dict[tuple[str, str, str], tuple[int, int]]
    ) -> None:
        """Let `request.getfixturevalue("name")` give what the fixture gives."""
        definitions = self.files[unit].definitions
        for owner, name, variable in PytestCalls(self.files[unit]).requested():
            parent = definitions[owner].parent if owner >= 0 else ""
            keys = [(places[0], parent, name), *((place, "", name) for place in places)]
            found = next((fixtures[key] for key in keys if key in fixtures), None)
            if found is not None:
                self._give(self._of_file(found[0])[found[1]], self.variables[unit] + variable)

    def _give_parametrized(self) -> None:
        """Let the values of `parametrize` reach the parameters of tests."""
        for unit, facts in enumerate(self.files):
            if not any(one.name == "parametrize" for each in facts.definitions for one in each.decorators):
                continue
            base, functions = self.variables[unit], self._of_file(unit)
            for definition, name, variable, holds_all in PytestCalls(facts).parametrized():
                for parameter, target, _ in functions[definition].parameters:
                    if parameter == name:
                        self.rows += (ELEMENTS if holds_all else FLOW, base + variable, target)

    def _fixtures(self) -> dict[tuple[str, str, str], tuple[int, int]]:
        """(file, class, name) -> file and number of the fixture in it; the class is empty for those at module level."""
        return {
            (facts.path, definition.parent, name): (unit, at)
            for unit, facts in enumerate(self.files)
            for at, definition in enumerate(facts.definitions)
            if definition.decorators and (name := fixture_name(definition)) and not self._of_file(unit)[at].is_class
        }

    def _inject(
        self, unit: int, at: int, places: list[str], fixtures: dict[tuple[str, str, str], tuple[int, int]]
    ) -> None:
        parent = self.files[unit].definitions[at].parent
        for name, variable, kind in self._of_file(unit)[at].parameters:
            keys = [(places[0], parent, name), *((place, "", name) for place in places)]
            found = next((fixtures[key] for key in keys if key in fixtures and fixtures[key] != (unit, at)), None)
            if found is not None and kind in (op.PLAIN, op.KEYWORD_ONLY):
                self.injected += (self.definitions[unit] + at, self.definitions[found[0]] + found[1])
                self._give(self._of_file(found[0])[found[1]], variable)

    def _give(self, fixture: FunctionVariables, variable: int) -> None:
        is_generator = fixture.flags & op.GENERATOR
        self.rows += (FLOW, fixture.yielded if is_generator else fixture.result, variable)
        if fixture.declared >= 0:
            self.rows += (ELEMENTS if is_generator else FLOW, fixture.declared, variable)


def _places(path: str) -> Iterator[str]:
    """Files in which a fixture is looked for, nearest first."""
    yield path
    folder = path.rpartition("/")[0]
    while folder:
        yield f"{folder}/conftest.py"
        folder = folder.rpartition("/")[0]
    yield "conftest.py"


def fixture_name(definition: Definition) -> str:
    """Return the name under which a function is injected, empty for other functions than fixtures."""
    for decorator in definition.decorators:
        if decorator.name in ("fixture", "yield_fixture"):
            named = _NAME.search(decorator.arguments or "")
            return named[1] if named else definition.name
    return ""


_FOLDER = Path(__file__).parent


class _Type(msgspec.Struct, frozen=True):
    bases: list[str]
    attributes: dict[str, str]
    """Own attribute -> first version that has it."""


class _Builtins(msgspec.Struct, frozen=True):
    names: dict[str, str]
    """Name -> first version that has it."""
    types: dict[str, _Type]
    """Built-in types, and `generator` and `coroutine`."""


@cache
def _builtins() -> _Builtins:
    return msgspec.json.decode((_FOLDER / "builtins.json").read_bytes(), type=_Builtins)


def is_builtin(name: str) -> bool:
    """Return whether Python itself defines the name."""
    return name in _builtins().names


def is_type(name: str) -> bool:
    """Return whether the built-in of this name is a class."""
    return name in _builtins().types and is_builtin(name)


@cache
def attributes_of(name: str) -> frozenset[str]:
    """Return all attributes of a built-in type's instances, inherited ones included; empty for other names."""
    found = _builtins().types.get(name)
    return frozenset(found.attributes).union(*map(attributes_of, found.bases)) if found else frozenset()


FEATURES = (
    LanguageFeature.CALLABLE_INSTANCES | LanguageFeature.STAR_IMPORTS_BIND | LanguageFeature.TYPES_REPLACE_PARAMETERS
)


@lru_cache(1)
def build_kernel_tables() -> dict[str, tuple[str, ...]]:
    """Build all tables, by name."""
    types = _builtins().types
    return compile_tables(load_models("pypi")) | {
        "mappings": ("dict", "defaultdict", "ordered dict", "namespace"),
        "builtins": tuple(_builtins().names),
        "builtin_types": tuple(filter(is_type, types)),
        "builtin_attributes": tuple(
            text for name in types for one in sorted(attributes_of(name)) for text in (name, one)
        ),
        "standard_modules": tuple(STANDARD_MODULES),
    }


TABLES = load_rules(Path(__file__).parent)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.name.startswith("pytest_") and facts.module_name == "conftest" and not definition.parent:
        yield "hook", definition.name
    if definition.name.startswith("test") and definition.kind in ("function", "method"):
        file = facts.path.rpartition("/")[2]
        in_test_file = not definition.parent and (file.startswith("test") or file.endswith("_test.py"))
        if in_test_class if definition.kind == "method" else in_test_file:
            yield "test", definition.name


def offered(facts: FileFacts) -> Sequence[str]:
    """Return the names that a module offers: by `__all__`, or by importing them into a package."""
    if facts.exports is not None:
        return facts.exports
    if not facts.is_package:
        return ()
    return [one.alias or one.name for one in facts.imports if one.how == "from" and one.at_module_level]


def external_origins(_files: Sequence[FileFacts], externals: Sequence[str]) -> list[ExternalOrigin]:
    """As `repoquarry.languages.family.FindOrigins`: the package is the top-level name."""
    tops = [name.split(".", 1)[0] for name in externals]
    return [ExternalOrigin(top, top == "builtins" or is_standard(top)) for top in tops]


FAMILY = LanguageFamily(
    name="python",
    modules=find_modules,
    method=PointsToConfig(
        protocols=TABLES.protocols | op.GENERIC_PROTOCOLS,
        tables=build_kernel_tables,
        features=FEATURES,
        extra_flows=find_extra_flows,
        offered=offered,
        data_classes=frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs", "attributes"}),
        wrappers=frozenset({"wraps"}),
        plain_decorators=frozenset({"staticmethod", "classmethod", "abstractmethod", "overload"}),
        test_class_prefix="Test",
    ),
    rules=TABLES.rules,
    possible=TABLES.possible,
    shown=TABLES.shown,
    origins=external_origins,
)
