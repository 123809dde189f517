"""A process whose user has no home directory, as in containers with arbitrary user ids."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNSHARE = ("unshare", "--user", "--map-user=12345", "--map-group=12345")
SCRIPT = """
from pathlib import Path
import os, sys
from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.execution.provision.provisioning_run import environments_root
from repoquarry.ingest.sources.registries import _find_maven, _find_pypi, _read_npmrc
from repoquarry.server.settings.loading import load_settings
try:
    Path.home()
    sys.exit("there is a home directory")
except RuntimeError:
    pass
settings = load_settings({"REPOQUARRY_STORE": "/tmp/x"})
_find_pypi(""), _find_maven(""), _read_npmrc()
try:
    environments_root(settings.agent)
except EnvironmentUnavailableError as exc:
    assert "agent.environment.root" in str(exc)
else:
    sys.exit("no error")
print("works")
"""


def test_nothing_fails_because_of_a_default_below_the_home_directory() -> None:
    if (
        shutil.which("unshare") is None
        or subprocess.run([*UNSHARE, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("user namespaces are not available")
    root = str(Path(__file__).parents[3])
    command = [*UNSHARE, "env", "-i", f"PYTHONPATH={root}", sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", timeout=60)
    assert done.stdout == "works\n", done.stderr
