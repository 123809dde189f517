"""The kernel under AddressSanitizer and UndefinedBehaviorSanitizer: case files, generated programs and mutations of both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_kernel import build

ROOT = Path(__file__).parents[4]
FLAGS = (
    "-g",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-DREPOQUARRY_SEPARATE_BLOCKS",
)
MUTATIONS = 3000


@pytest.mark.long
def test_the_kernel_touches_only_its_own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++ with its sanitizers")
    monkeypatch.setenv("CXX", compiler)
    library = build(tmp_path, flags=FLAGS)
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "LD_PRELOAD": ":".join(runtimes),
        "ASAN_OPTIONS": "detect_leaks=0",
    }
    ran = subprocess.run(
        [sys.executable, "-m", "tests.oracle.fuzz", str(library), "0", str(MUTATIONS)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    # the last number on stderr is the seed of the program at fault
    assert ran.stdout.strip() == "clean", ran.stderr[-3000:]
