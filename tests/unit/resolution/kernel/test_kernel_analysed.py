"""The native libraries under clang's path-sensitive analysis: null pointers, memory after its release, values that were never set."""

from __future__ import annotations

from pathlib import Path

import build_native
import pytest
import run_clang_tidy

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
    settings = build_native.ROOT.joinpath(".clang-tidy").read_text()
    (tmp_path / ".clang-tidy").write_text(settings)
    (tmp_path / "shared.cpp").write_text(
        "int *shared(const int &given) {\n  int *at = 0;\n  return given > 0 ? at : 0;\n}\n"
    )
    assert "modernize-use-nullptr" in run_clang_tidy.findings(folders=[tmp_path])
