"""Native libraries under AddressSanitizer and UndefinedBehaviorSanitizer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from build_cache import ROOT
from build_native import NativeLibrary, build

_FLAGS = (
    "-g",
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-DREPOQUARRY_SEPARATE_BLOCKS",
)


def require_clean(library: NativeLibrary, fuzz: str, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Build a library with sanitizers and give it to the module `fuzz`, which prints each seed on stderr and `clean` in the end."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++ with its sanitizers")
    monkeypatch.setenv("CXX", compiler)
    built = build(library, folder, flags=_FLAGS)
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
        [sys.executable, "-m", fuzz, str(built), "0", str(count)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=800,
    )
    # the last number on stderr is the seed of the failing input
    assert ran.stdout.strip() == "clean", ran.stderr[-3000:]
