"""Whether a variant works on this machine: found by running a command in it, because kernels and policies differ."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from repoquarry.agent.isolation.confinement import Confinement, Isolation
from repoquarry.processes.program import run_program

_SECONDS = 60


def try_variant(variant: Isolation) -> str:
    """Why a command that ends with success does not do so in this variant; empty when it does."""
    with tempfile.TemporaryDirectory(prefix="repoquarry-") as folder:
        workspace = Path(folder).resolve()
        launch = variant.launch(Confinement(workspace), ["/bin/sh", "-c", "exit 0"], workspace, {"PATH": os.defpath})
        try:
            ended = run_program(launch.command, environment=launch.environment, cwd=workspace, seconds=_SECONDS)
        except OSError as error:
            return f"a trial command failed: {error}"
        finally:
            launch.clean_up()
    said = (ended.errors.strip() or ended.output.strip()).decode("utf-8", "replace").splitlines()
    return "" if ended.code == 0 else f"a trial command failed: {said[-1] if said else ended.code}"
