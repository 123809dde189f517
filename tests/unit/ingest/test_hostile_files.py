"""Readers of a repository's own files, each with more than twenty hostile texts, in a process with limits of memory and time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from repoquarry.ingest.files.manifest_reader import read_bounded_packages
from repoquarry.ingest.settings import IngestSettings

_PROGRAM = Path(__file__).with_name("hostile_readers.py")
_ROOT = _PROGRAM.parents[3]


def run_readers(*names: str) -> dict[str, dict[str, str]]:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    command = [sys.executable, str(_PROGRAM), *names]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["reader"]: row["wrong"] for row in rows}


@pytest.mark.long
def test_no_reader_is_overrun_by_a_hostile_text() -> None:
    found = run_readers()
    assert len(found) > 50
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_readers_of_every_format_refuse_hostile_texts() -> None:
    """TOML, XML, JSON and patterns; `make test-long` reads the others."""
    names = [rf"manifest {name}" for name in (r"pyproject\.toml", r"pom\.xml", r"package\.json")]
    names += [".gitignore", "notebook", "document a.md", "mask yaml"]
    assert run_readers(*names) == {name: {} for name in names}


def test_manifest_that_exceeds_the_memory_of_its_worker_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of numbers takes many times its text: no rule about its form refuses it, but the limit does."""
    large = b'{"dependencies": {' + b",".join(b'"p%d": "1"' % number for number in range(300_000)) + b"}}"
    manifests = {
        "package.json": large,
        "go.mod": b"module example.org/shop\n",
        "Cargo.toml": b'[package]\nname = "till"\n',
    }
    packages = read_bounded_packages(manifests, IngestSettings(worker_memory_bytes=60 << 20))
    assert packages.unreadable == ["package.json"]
    assert {name for _, name in packages.provides} == {"example.org/shop", "till"}
