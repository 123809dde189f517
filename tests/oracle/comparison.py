"""Lays the kernel beside the resolver in Python: objects, points-to sets in order, what calls reach, and every edge."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from repoquarry.ingest.resolution.model import Budget, Resolution
from repoquarry.ingest.resolution.native import Beforehand, Edges, ProgramInput, abi, resolved
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import PointsTo
from repoquarry.languages.python.family import FAMILY
from tests import oracle
from tests.oracle.resolver.solver import Solver


class State(msgspec.Struct):
    """A solved program."""

    objects: list[tuple[int, int, int, str]]
    held: list[tuple[int, ...]]
    """Variable -> objects in the order in which it came to hold them."""
    reached: list[tuple[int, int, str]]
    outside: list[tuple[int, str, str]]
    steps_left: int


def python_program(files: Sequence[FileFacts], budget: Budget) -> ProgramInput:
    """The input for Python files, sorted by path."""
    assert isinstance(FAMILY.method, PointsTo)
    return ProgramInput(files, FAMILY, FAMILY.method, FAMILY.modules(files, {}, None), budget)


def kernel_state(files: Sequence[FileFacts], budget: Budget | None = None) -> tuple[State, Resolution]:
    """What the kernel makes of files."""
    ordered = sorted(files, key=lambda facts: facts.path)
    program = python_program(ordered, budget or Budget())
    program.input.trace = 1
    answer = resolved(program.input)
    output = answer.output
    names = abi.GivenTexts(output.names)
    objects = [(kind, a, b, names[name]) for kind, a, b, name in abi.read_rows(output.trace_objects, 4)]
    held = list(abi.read_parts(output.trace_held, output.trace_held_from))
    reached = [(place, what, names[how]) for place, what, how in abi.read_rows(output.trace_reached, 3)]
    outside = [(place, names[what], names[how]) for place, what, how in abi.read_rows(output.trace_outside, 3)]
    return State(objects, held, reached, outside, output.steps_left), Edges(
        program, Beforehand(ordered), answer
    ).resolution()


def oracle_state(files: Sequence[FileFacts], budget: Budget | None = None) -> tuple[State, Resolution]:
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


def differences(files: Sequence[FileFacts], budget: Budget | None = None) -> list[str]:
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
