"""Variant `none`: limits only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from repoquarry.execution.isolation.confinement import (
    Confinement,
    Isolation,
    LaunchSpec,
    base_interpreter,
    launcher,
    process_limits,
)


class Unconfined:
    """Runs the command as the service's user, with its files and its network."""

    name = "none"
    holds = False
    grants_network = False
    interpreter = base_interpreter()

    def unavailable(self) -> str:
        return ""

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        orders = {"limits": process_limits(confinement.limits, processes=0)}
        return LaunchSpec(launcher(confinement, orders, command), environment)


def create(_: str) -> Isolation:
    return Unconfined()
