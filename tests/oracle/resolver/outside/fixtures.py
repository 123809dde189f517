"""pytest fixtures: a parameter of a test that is named like a fixture receives what the fixture gives.

Which fixture a name means follows pytest: the test's class, its file, then the `conftest.py` of its folder and of those around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from repoquarry.ingest.resolution.model import SolverBudget
from repoquarry.languages import constraints as op
from repoquarry.languages.facts import Definition
from tests.oracle.resolver import objects as ob
from tests.oracle.resolver.outside.loading import Loading
from tests.oracle.resolver.program import Program

_NAME = re.compile(r"""\bname\s*=\s*["'](\w+)["']""")


class Fixtures(Loading):
    """Adds the injection of fixtures."""

    def __init__(self, program: Program, budget: SolverBudget) -> None:
        super().__init__(program, budget)
        self.injected: list[tuple[int, int]] = []
        """(test or fixture, fixture that it is given)"""

    def inject_fixtures(self) -> None:
        """Lets what fixtures give flow into the parameters that are named like them."""
        fixtures = self._fixtures()
        if not fixtures:
            return
        for unit in self.program.units:
            places = list(self._places(unit.facts.path))
            for number in range(unit.definitions, unit.definitions + len(unit.facts.definitions)):
                definition = self.program.definitions[number]
                if definition.name.startswith("test") or fixture_name(definition):
                    self._inject(number, definition, places, fixtures)

    def _fixtures(self) -> dict[tuple[str, str, str], int]:
        """(file, class, name) -> fixture; the class is empty for those at module level."""
        return {
            (self.program.units[self.program.unit_of[number]].facts.path, definition.parent, name): number
            for number, definition in enumerate(self.program.definitions)
            if number in self.program.functions and (name := fixture_name(definition))
        }

    @staticmethod
    def _places(path: str) -> Iterator[str]:
        """Files in which a fixture is looked for, nearest first."""
        yield path
        folder = path.rpartition("/")[0]
        while folder:
            yield f"{folder}/conftest.py"
            folder = folder.rpartition("/")[0]
        yield "conftest.py"

    def _inject(
        self, number: int, definition: Definition, places: list[str], fixtures: dict[tuple[str, str, str], int]
    ) -> None:
        function = self.program.functions.get(number)
        if function is None:
            return
        for name, variable, kind in function.parameters:
            keys = [(places[0], definition.parent, name), *((place, "", name) for place in places)]
            found = next((fixtures[key] for key in keys if key in fixtures and fixtures[key] != number), -1)
            if found >= 0 and kind in (op.PLAIN, op.KEYWORD_ONLY):
                self.injected.append((number, found))
                self._give(found, variable)

    def _give(self, fixture: int, variable: int) -> None:
        function = self.program.functions[fixture]
        if function.flags & op.GENERATOR:
            self.flow(function.yielded, variable)
            if function.declared >= 0:
                self.listen(function.declared, self._on_declared_generator, variable)
        else:
            self.flow(function.result, variable)
            if function.declared >= 0:
                self.flow(function.declared, variable)

    def _on_declared_generator(self, held: int, variable: int) -> None:
        if self.objects.kind[held] == ob.CONTAINER:
            self.read_elements(held, variable)


def fixture_name(definition: Definition) -> str:
    """The name under which a function is injected, empty when it is no fixture."""
    for decorator in definition.decorators:
        if decorator.name in ("fixture", "yield_fixture"):
            named = _NAME.search(decorator.arguments or "")
            return named[1] if named else definition.name
    return ""
