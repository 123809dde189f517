"""The repairs in the order in which they are asked: adding one is a file in this folder and a line here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.python.repairs import (
    accelerators,
    builds,
    dates,
    interpreters,
    known_breaks,
    libraries,
    metadata,
    modules,
    package_names,
    pins,
    plugins,
    project,
    syntax,
)
from repoquarry.agent.provision.python.repairs.values import Failure, Proposal, Proposer, Situation

REPAIRS: Final[Sequence[Proposer]] = (
    metadata.propose,
    accelerators.propose,
    dates.propose,
    package_names.propose,
    interpreters.propose,
    pins.propose,
    builds.propose,
    libraries.propose,
    accelerators.propose_older,
    plugins.propose,
    syntax.propose,
    known_breaks.propose,
    modules.propose,
    project.propose,
)


def proposals(failure: Failure, plan: Plan, situation: Situation) -> Iterator[Proposal]:
    """What may mend a failure, the likeliest first."""
    for propose in REPAIRS:
        yield from propose(failure, plan, situation)
