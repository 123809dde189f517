"""The kernel under AddressSanitizer and UndefinedBehaviorSanitizer, on generated programs and on damaged ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_BUILD = f"""
import sys
sys.path.insert(0, {str(ROOT / "scripts")!r})
import build_kernel
flags = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-DREPOQUARRY_SEPARATE_BLOCKS"]
print(build_kernel.build(build_kernel.Path(sys.argv[1]), flags))
"""
_RUN = """
import ctypes, sys
from random import Random
from repoquarry.ingest.resolution import Budget, KernelError, resolve
from repoquarry.ingest.resolution.native import library
from tests.oracle.damage import damaged
from tests.oracle.generated import program

found = ctypes.CDLL(sys.argv[1])
found.repoquarry_error.restype = ctypes.c_char_p
library.library = lambda: found
for seed in range(150):
    resolve(program(seed, 100))
    resolve(program(seed, 60), budget=Budget(steps=500, objects_per_variable=3))
for seed in range(3000):
    random, files = Random(seed), program(seed, 30)
    at = random.randrange(len(files))
    files[at] = damaged(files[at], random)
    try:
        resolve(files)
    except KernelError:
        pass
print("clean")
"""


@pytest.mark.long
def test_the_kernel_touches_only_its_own_memory(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++ with its sanitizers")
    environment = {**os.environ, "CXX": compiler, "PYTHONPATH": str(ROOT)}
    built = subprocess.run(
        [sys.executable, "-c", _BUILD, str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    environment |= {"LD_PRELOAD": ":".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0"}
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, built.stdout.strip()], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert ran.stdout.strip() == "clean", ran.stderr[-3000:]
