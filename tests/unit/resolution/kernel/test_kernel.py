"""The kernel beside the resolver in Python, and what it does with damaged facts and small limits."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.ingest.resolution import KernelError, SolverBudget, resolve
from repoquarry.languages.python import extract
from tests.kernel_state import kernel_state
from tests.oracle.comparison import differences
from tests.oracle.damage import damaged
from tests.oracle.program_generator import program

HERE = Path(__file__).parents[1]
CASES = sorted(path.parent for path in (HERE / "cases").rglob("expected.json"))
SOURCES = [extract(f"package/{path.name}", path.read_bytes()) for path in sorted((HERE / "sources").glob("*.py"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_kernel_agrees_with_the_oracle_on_a_case(case: Path) -> None:
    sources = sorted(path for path in case.rglob("*.py*") if path.suffix in (".py", ".pyi"))
    assert not differences([extract(path.relative_to(case).as_posix(), path.read_bytes()) for path in sources])


def test_the_kernel_agrees_with_the_oracle_on_all_sources() -> None:
    assert not differences(SOURCES)


@given(st.integers(0, 1 << 40), st.sampled_from((20, 40, 120)))
@settings(max_examples=60, deadline=None)
def test_the_kernel_agrees_with_the_oracle_on_generated_programs(seed: int, size: int) -> None:
    assert not differences(program(seed, size))


@given(st.integers(0, 1 << 40), st.integers(1, 4000), st.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_the_kernel_agrees_with_the_oracle_where_a_budget_is_spent(seed: int, steps: int, objects: int) -> None:
    assert not differences(program(seed, 80), SolverBudget(steps=steps, objects_per_variable=objects))


def test_generated_programs_reach_something() -> None:
    """Programs that nothing flows through would agree as well."""
    states = [kernel_state(program(seed, 120))[0] for seed in range(20)]
    assert sum(len(state.reached) + len(state.outside) for state in states) > 1000
    assert {kind for state in states for kind, *_ in state.objects} >= set(range(21)) - {16}


def test_letters_outside_ascii_have_case() -> None:
    source = "import lib\n\nlib.Ärger()\nlib.ÄRGER()\nlib.ärger()\nlib.Ǆungla()\nlib.ſ()\nlib.Ñandú.x()\n".encode()
    assert not differences([extract("main.py", source)])


# ---- damage


@given(st.integers(0, 1 << 40))
@settings(max_examples=200, deadline=None)
def test_damaged_facts_are_refused_or_harmless(seed: int) -> None:
    random = Random(seed)
    files = program(seed, 30)
    at = random.randrange(len(files))
    files[at] = damaged(files[at], random)
    try:
        resolution = resolve(files)
    except KernelError as exc:
        message = str(exc)
    else:
        message = "damaged" if len(resolution.symbols) >= len(files) else ""
    assert "damaged" in message


def test_an_operation_that_ends_behind_the_file_is_refused() -> None:
    facts = extract("main.py", b"def f():\n    return g(1)\n\ndef g(x):\n    return x\n")
    cut = msgspec.structs.replace(facts, graph=msgspec.structs.replace(facts.graph, code=facts.graph.code[:-4]))
    with pytest.raises(KernelError, match="damaged"):
        resolve([cut])


def test_damaged_names_of_a_module_beside_a_script_are_refused() -> None:
    script, module = extract("tool/a.py", b"from b import f\nf()\n"), extract("tool/b.py", b"def f():\n    pass\n")
    scopes = module.graph.scopes[:4] + (99).to_bytes(4, "little") + module.graph.scopes[8:]
    broken = msgspec.structs.replace(module, graph=msgspec.structs.replace(module.graph, scopes=scopes))
    with pytest.raises(KernelError, match="damaged"):
        resolve([extract("tool/__init__.py", b""), script, broken])


# ---- limits


def test_a_resolution_that_needs_more_memory_than_it_may_take_fails() -> None:
    with pytest.raises(KernelError, match="memory"):
        resolve(SOURCES, budget=SolverBudget(memory_bytes=1 << 20))
    assert resolve(SOURCES, budget=SolverBudget(memory_bytes=1 << 30)) == resolve(SOURCES)


def test_a_resolution_that_takes_longer_than_it_may_fails() -> None:
    lines = [f"class C{number}({f'C{number - 1}' if number else ''}):\n    def f(self, x):\n        return x.f(self) + self.f(x)\n"
             for number in range(600)]  # fmt: skip
    files = [
        extract(
            "main.py", "\n".join([*lines, *(f"C{number}().f(C{number - 1}())" for number in range(1, 600))]).encode()
        )
    ]
    with pytest.raises(KernelError, match="longer"):
        resolve(files, budget=SolverBudget(milliseconds=1))
