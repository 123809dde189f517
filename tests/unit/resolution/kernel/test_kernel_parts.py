"""Parts of the kernel by themselves: a test program in C++ over arena, collections, interner, solver and semantics."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from build_native import RESOLVER, build_program

PARTS = Path(__file__).parent / "parts"
NAMES = [name for path in sorted(PARTS.glob("*.cpp")) for name in re.findall(r"^TEST\((\w+)\)", path.read_text(), re.M)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the kernel and the tests into one program."""
    return build_program(RESOLVER, PARTS, tmp_path_factory.mktemp("parts") / "parts")


def test_the_program_has_all_tests_of_the_sources(program: Path) -> None:
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert sorted(listed) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_part(program: Path, name: str) -> None:
    ran = subprocess.run([program, name], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout
