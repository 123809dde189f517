"""The kernel's answers to generated programs and to all sources of a language at once, by digest."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from repoquarry.ingest.resolution import Resolution, SolverBudget
from repoquarry.languages.family import LanguageFamily, PointsToConfig
from repoquarry.languages.javascript.family import FAMILY as JAVASCRIPT
from repoquarry.languages.python.family import FAMILY as PYTHON
from tests.golden import GoldenFiles, digest
from tests.kernel_state import State, kernel_state
from tests.oracle.program_generator import program
from tests.resolution_export import GOLDEN, read_program

SOURCES = Path(__file__).parents[1] / "sources"
SIZES = (20, 40, 120, 400)


def _javascript_rules() -> LanguageFamily:
    """Return JavaScript's rules, with imports that lead to generated files and the operators that these contain."""
    assert isinstance(JAVASCRIPT.method, PointsToConfig)
    assert isinstance(PYTHON.method, PointsToConfig)
    operators = {name: PYTHON.method.protocols[name] for name in ("in_place_prefix", "reflected_prefix")}
    method = replace(JAVASCRIPT.method, protocols={**JAVASCRIPT.method.protocols, **operators})
    return replace(JAVASCRIPT, modules=PYTHON.modules, method=method)


def _answers() -> Iterator[tuple[str, tuple[State, Resolution]]]:
    """Yield a label and the answer of every program."""
    python = [facts for path in sorted(SOURCES.glob("*.py")) for facts in read_program(path)[0]]
    yield "python sources", kernel_state(python)
    yield "javascript sources", kernel_state(read_program(SOURCES / "javascript")[0], family=JAVASCRIPT)
    yield "typescript sources", kernel_state(read_program(SOURCES / "typescript")[0], family=JAVASCRIPT)
    for seed in range(300):
        size = SIZES[seed % len(SIZES)]
        yield f"python seed {seed} size {size}", kernel_state(program(seed, size))
    for seed in range(1000, 1100):
        budget = SolverBudget(steps=seed * 37 % 4000 + 1, objects_per_variable=seed % 20 + 1)
        label = f"python seed {seed} size 80 steps {budget.steps} objects {budget.objects_per_variable}"
        yield label, kernel_state(program(seed, 80), budget)
    mixed = _javascript_rules()
    for seed in range(2000, 2200):
        size = SIZES[seed % len(SIZES)]
        yield f"javascript seed {seed} size {size}", kernel_state(program(seed, size), family=mixed)


@pytest.mark.slow
def test_answers_of_the_kernel_equal_the_golden_file(golden_files: GoldenFiles) -> None:
    lines = [
        f"{label}: bytes {digest(msgspec.structs.astuple(resolution))}, calls {len(resolution.calls)}, {state.summary()}"
        for label, (state, resolution) in _answers()
    ]
    golden_files.check(GOLDEN / "programs.txt", "\n".join(lines) + "\n")
