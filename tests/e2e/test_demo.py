"""The demo, as `make demo` runs it."""

import subprocess
import sys

import pytest

from tests.e2e.service import ROOT


@pytest.mark.docs
def test_demo_answers_within_40_lines_of_80_columns() -> None:
    command = [sys.executable, str(ROOT / "scripts/demo.py")]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80
    for answer in ("index_repository", "AFFECTED", "python", "`parse_source` has"):
        assert any(answer in line for line in lines), answer
