"""Whether a variant works on this machine: found by running a command in it, because kernels and policies differ."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from repoquarry.agent.isolation.confinement import Confinement, Isolation

_SECONDS = 60


def try_variant(variant: Isolation) -> str:
    """Why a command that ends with success does not do so in this variant; empty when it does."""
    with tempfile.TemporaryDirectory(prefix="repoquarry-") as folder:
        workspace = Path(folder).resolve()
        launch = variant.launch(Confinement(workspace), ["/bin/sh", "-c", "exit 0"], workspace, {"PATH": os.defpath})
        try:
            ended = subprocess.run(
                launch.command,
                env=dict(launch.environment),
                cwd=workspace,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"a trial command failed: {error}"
    said = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
    return "" if ended.returncode == 0 else f"a trial command failed: {said[-1] if said else ended.returncode}"
