"""Lays the kernel beside the resolver in Python: objects, points-to sets in order, what calls reach, and every edge."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.resolution.model import Resolution, SolverBudget
from repoquarry.languages.facts import FileFacts
from tests import oracle
from tests.kernel_state import State, kernel_state
from tests.oracle.resolver.solver import Solver


def oracle_state(files: Sequence[FileFacts], budget: SolverBudget | None = None) -> tuple[State, Resolution]:
    """What the resolver in Python makes of files."""
    solver = oracle.solve(files, budget)
    state = _state(solver)
    return state, oracle.report(solver, budget)


def _state(solver: Solver) -> State:
    objects, reached, outside = solver.objects, solver.reached, solver.reached_outside
    return State(
        list(zip(objects.kind, objects.a, objects.b, objects.name, strict=True)),
        [tuple(held) for held in solver.holds],
        [(place, what, how) for place in reached.places() for what, how in reached.at(place).items()],
        [(place, solver.name_of(what), how) for place in outside.places() for what, how in outside.at(place).items()],
        solver.steps_left,
    )


def differences(files: Sequence[FileFacts], budget: SolverBudget | None = None) -> list[str]:
    """Where the two part, the earliest first; empty where they agree in everything."""
    (left, edges), (right, expected) = kernel_state(files, budget), oracle_state(files, budget)
    found = [f"{name}: {_first(getattr(left, name), getattr(right, name))}" for name in left.__struct_fields__
             if getattr(left, name) != getattr(right, name)]  # fmt: skip
    found += [f"{name}: {_first(getattr(edges, name), getattr(expected, name))}" for name in edges.__struct_fields__
              if getattr(edges, name) != getattr(expected, name)]  # fmt: skip
    return found


def _first(ours: object, theirs: object) -> str:
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return f"kernel {ours!r}, oracle {theirs!r}"
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return f"at {at} kernel {one!r}, oracle {other!r}"
    return f"kernel has {len(ours)}, oracle {len(theirs)}"
