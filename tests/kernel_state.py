"""Solved state of the kernel: its objects, its points-to sets in order, and the targets of every call."""

from collections.abc import Sequence

import msgspec

from repoquarry.ingest.resolution.families import stubs_of
from repoquarry.ingest.resolution.kernel_input import ProgramInput, resolved
from repoquarry.ingest.resolution.kernel_output import KernelResultReader
from repoquarry.ingest.resolution.model import Resolution, SolverBudget
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import Configuration, LanguageFamily, PointsToConfig
from repoquarry.languages.python.family import FAMILY as PYTHON
from repoquarry.native import resolution_abi
from tests.golden import digest


class State(msgspec.Struct):
    """A solved program."""

    objects: list[tuple[int, int, int, str]]
    held: list[tuple[int, ...]]
    """Variable -> objects in the order in which it came to hold them."""
    reached: list[tuple[int, int, str]]
    outside: list[tuple[int, str, str]]
    steps_left: int

    def summary(self) -> str:
        """Return the size and the digest of each part, in one line."""
        parts: tuple[Sequence[object], ...] = (self.objects, self.held, self.reached, self.outside)
        labels = ("objects", "sets", "targets", "external")
        sizes = (f"{label} {len(part)} {digest(part)}" for label, part in zip(labels, parts, strict=True))
        return f"{', '.join(sizes)}, steps left {self.steps_left}"


def kernel_state(
    files: Sequence[FileFacts],
    budget: SolverBudget | None = None,
    family: LanguageFamily = PYTHON,
    configuration: Configuration | None = None,
) -> tuple[State, Resolution]:
    """Solve the files of one family; the resolution still has the symbols of the family's stubs."""
    assert isinstance(family.method, PointsToConfig)
    ordered = [*sorted(files, key=lambda facts: facts.path), *(stubs_of(family.stubs) if family.stubs else ())]
    modules = family.modules(ordered, configuration or {}, None)
    program = ProgramInput(ordered, family, family.method, modules, budget or SolverBudget(), own=len(files))
    program.input.trace = 1
    answer = resolved(program.input)
    output = answer.output
    names = resolution_abi.LazyTexts(output.names)
    objects = [(kind, a, b, names[name]) for kind, a, b, name in resolution_abi.read_rows(output.trace_objects, 4)]
    held = list(resolution_abi.read_parts(output.trace_held, output.trace_held_from))
    reached = [(place, what, names[how]) for place, what, how in resolution_abi.read_rows(output.trace_reached, 3)]
    outside = [
        (place, names[what], names[how]) for place, what, how in resolution_abi.read_rows(output.trace_outside, 3)
    ]
    resolution = KernelResultReader(program, answer).resolution()
    return State(objects, held, reached, outside, output.steps_left), resolution
