"""Builds of the kernel: its C++ tests, clang's analysis, and generated programs under sanitizers."""

import re
import subprocess
from pathlib import Path

import pytest
import run_clang_tidy
from build_cache import ROOT
from build_native import RESOLVER, build_program

from tests.sanitizer_builds import require_clean

PARTS = Path(__file__).parent / "parts"
NAMES = [name for path in sorted(PARTS.glob("*.cpp")) for name in re.findall(r"^TEST\((\w+)\)", path.read_text(), re.M)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the kernel and the tests into one program."""
    return build_program(RESOLVER, PARTS, tmp_path_factory.mktemp("parts") / "parts")


@pytest.mark.slow
def test_the_program_has_all_tests_of_the_sources(program: Path) -> None:
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert sorted(listed) == sorted(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_part(program: Path, name: str) -> None:
    ran = subprocess.run([program, name], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout


_NULL = """
#include <initializer_list>
#include <string.h>

size_t total(const char *text, bool known) {
  if (!known) text = nullptr;
  size_t sum = 0;
  for (size_t more : {strlen("two"), strlen("three")}) sum += more;
  return sum + static_cast<size_t>(*text);
}
"""


@pytest.mark.long
def test_the_analyzer_finds_nothing() -> None:
    assert run_clang_tidy.findings("clang-analyzer-*") == ""


def test_the_analyzer_finds_a_null_pointer(tmp_path: Path) -> None:
    (tmp_path / "total.cpp").write_text(_NULL)
    assert "Dereference of null pointer" in run_clang_tidy.findings("clang-analyzer-*", folders=[tmp_path])


def test_the_configured_checks_find_a_number_in_place_of_a_pointer(tmp_path: Path) -> None:
    settings = ROOT.joinpath(".clang-tidy").read_text()
    (tmp_path / ".clang-tidy").write_text(settings)
    (tmp_path / "shared.cpp").write_text(
        "int *shared(const int &given) {\n  int *at = 0;\n  return given > 0 ? at : 0;\n}\n"
    )
    assert "modernize-use-nullptr" in run_clang_tidy.findings(folders=[tmp_path])


MUTATIONS = 3000


@pytest.mark.long
def test_the_kernel_touches_only_its_own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_clean(RESOLVER, "tests.oracle.fuzz", MUTATIONS, tmp_path, monkeypatch)
