"""Cache of build results: an object is compiled again when something that it depends on has changed."""

from pathlib import Path

import build_native
import pytest
import run_clang_tidy
from build_cache import BuildCache, cache_folder

_HEADER = "inline int twice(int given) { return given * 2; }\n"
_SOURCE = '#include "twice.h"\n\nint main() { return twice(21); }\n'


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("QUARRY_BUILD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _compile(folder: Path, place: Path) -> Path:
    command = [build_native.compiler() or pytest.skip("needs a C++ compiler")]
    place.mkdir()
    (made,) = build_native._compile((folder,), command, (f"-I{folder}",), place)
    return made


def test_object_is_compiled_again_after_a_change_of_source_or_header(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "twice.h").write_text(_HEADER)
    (folder / "twice.cpp").write_text(_SOURCE)
    first = _compile(folder, tmp_path / "first").read_bytes()
    assert _compile(folder, tmp_path / "second").read_bytes() == first
    assert len(list((cache / "objects").iterdir())) == 1
    (folder / "twice.h").write_text(_HEADER.replace("2", "3"))
    assert _compile(folder, tmp_path / "third").read_bytes() != first
    (folder / "twice.cpp").write_text(_SOURCE.replace("21", "22"))
    _compile(folder, tmp_path / "fourth")
    assert len(list((cache / "objects").iterdir())) == 3


def test_findings_are_reported_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    folder.mkdir()
    source = folder / "null.cpp"
    source.write_text("int get(const int *given) {\n  given = nullptr;\n  return *given;\n}\n")
    for _ in range(2):
        assert "null pointer" in run_clang_tidy.findings("clang-analyzer-*", folders=[folder])
    source.write_text("int get(const int *given) { return *given; }\n")
    for _ in range(2):
        assert run_clang_tidy.findings("clang-analyzer-*", folders=[folder]) == ""


def test_empty_variable_switches_the_cache_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARRY_BUILD_CACHE", "")
    assert cache_folder() is None
    cache = BuildCache("objects", [b"flags"])
    cache.store([b"source"], Path(__file__))
    assert not cache.restore([b"source"], tmp_path / "restored")
