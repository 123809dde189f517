"""Invariants of solved programs, and what the kernel does with damaged facts and small limits."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.ingest.resolution import KernelError, Resolution, SolverBudget, resolve
from repoquarry.languages import registry
from repoquarry.languages.python import extract
from tests.kernel_state import State, kernel_state
from tests.oracle.damage import damaged
from tests.oracle.program_generator import program

HERE = Path(__file__).parents[1]
#: the kind of an object that a class outside the program makes (`ObjectKind` in the kernel)
EXTERNAL_INSTANCE = 6
SOURCES = [extract(f"package/{path.name}", path.read_bytes()) for path in sorted((HERE / "sources").glob("*.py"))]


def _require_invariants(state: State, resolution: Resolution) -> None:
    """Sets hold known objects once each, edges join known symbols, and a stop for lack of steps is reported."""
    objects = range(len(state.objects))
    for held in state.held:
        assert len(set(held)) == len(held)
        assert all(each in objects for each in held)
    symbols = range(-len(resolution.externals), len(resolution.symbols))
    assert all(edge.caller in symbols and edge.callee in symbols for edge in resolution.calls)
    assert resolution.budget_hit == (state.steps_left < 0)


@given(st.integers(0, 1 << 40), st.sampled_from((20, 40, 120)))
@settings(max_examples=60, deadline=None)
def test_solved_programs_keep_the_invariants(seed: int, size: int) -> None:
    _require_invariants(*kernel_state(program(seed, size)))


@given(st.integers(0, 1 << 40), st.integers(1, 4000), st.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_programs_keep_the_invariants_where_a_budget_is_spent(seed: int, steps: int, objects: int) -> None:
    _require_invariants(*kernel_state(program(seed, 80), SolverBudget(steps=steps, objects_per_variable=objects)))


@given(st.integers(0, 1 << 40))
@settings(max_examples=20, deadline=None)
def test_the_order_of_the_files_changes_nothing(seed: int) -> None:
    files = program(seed, 80)
    assert kernel_state(files) == kernel_state(list(reversed(files)))


def test_generated_programs_reach_something() -> None:
    """Programs that nothing flows through would agree as well."""
    states = [kernel_state(program(seed, 120))[0] for seed in range(40)]
    assert sum(len(state.reached) + len(state.outside) for state in states) > 1000
    assert {kind for state in states for kind, *_ in state.objects} >= set(range(21)) - {16}


def test_letters_outside_ascii_have_case() -> None:
    source = "import lib\n\nlib.Ärger()\nlib.ÄRGER()\nlib.ärger()\nlib.Ǆungla()\nlib.ſ()\nlib.Ñandú.x()\n".encode()
    state, _ = kernel_state([extract("main.py", source)])
    instances = [name for kind, *_, name in state.objects if kind == EXTERNAL_INSTANCE]
    assert sorted(instances) == ["lib.Ärger", "lib.Ǆungla"]


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


def test_names_that_conditions_and_loops_copy_in_a_circle_are_followed_once() -> None:
    """A parser that PEG.js generates ended the resolver by endless recursion."""
    tests = "if (text.read(at) === key) {\nif (start === FAILED) {\n" * 3
    loop = "start = at;\nwhile (last !== FAILED) {\nif (start === FAILED) {\nif (text.read(at) === key) {\n"
    code = f"{tests}{loop}}} else {{\nat = start;\nat = start;\nif (text.read(at) === key) {{\n{'}' * 10}"
    facts = registry.language_for("parse.js").extract("parse.js", code.encode())
    found = resolve([facts])
    assert {one.name for one in found.unresolved} == {"read"}
