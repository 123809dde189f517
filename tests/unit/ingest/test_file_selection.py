"""Selection of files: ignored, generated, vendored, odd ones, and files that no index depends on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from repoquarry.ingest.files.selection import FileSelection, affects_index, exclusion_reason, read_beneath, select_files
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.source import SkippedPath
from repoquarry.languages.registry import LANGUAGES, is_configuration


def write(root: Path, *paths: str, content: bytes = b"x = 1\n") -> None:
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def paths(selection: FileSelection) -> list[str]:
    return [file.path for file in selection.files]


def reasons(selection: FileSelection) -> dict[str, str]:
    return {entry.path: entry.reason for entry in selection.left_out}


def test_source_documents_and_manifests_are_selected_in_path_order(tmp_path: Path) -> None:
    write(tmp_path, "b.py", "a/c.pyi", "README.md", "docs/x.rst", "pyproject.toml", "a.png", "b.PNG", "Makefile")
    found = select_files(tmp_path, IngestSettings())
    assert [(file.path, file.kind) for file in found.files] == [
        ("README.md", "document"),
        ("a/c.pyi", "source"),
        ("b.py", "source"),
        ("docs/x.rst", "document"),
        ("pyproject.toml", "manifest"),
    ]
    assert found.unsupported == {".png": 2, "": 1}


@pytest.mark.parametrize("folder", ["node_modules", "vendor", "third_party", "site-packages", ".venv"])
def test_vendored_folders_are_left_out_as_a_whole(tmp_path: Path, folder: str) -> None:
    write(tmp_path, "a.py", f"lib/{folder}/x.py", f"lib/{folder}/deep/y.py")
    found = select_files(tmp_path, IngestSettings())
    assert paths(found) == ["a.py"]
    assert reasons(found) == {f"lib/{folder}/": "vendored"}
    assert len(paths(select_files(tmp_path, IngestSettings(index_vendored=True)))) == 3


def test_a_virtual_environment_of_any_name_is_vendored(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "myenv/pyvenv.cfg", "myenv/x.py")
    assert reasons(select_files(tmp_path, IngestSettings())) == {"myenv/": "vendored: a virtual environment"}


def test_gitignore_files_apply_from_their_folder_down(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", content=b"*.gen.py\n/build/\n!keep.gen.py\n")
    write(tmp_path, "pkg/.gitignore", content=b"local.py\n!allowed.gen.py\n")
    write(tmp_path, "a.py", "x.gen.py", "keep.gen.py", "build/b.py", "pkg/build/c.py", "local.py")
    write(tmp_path, "pkg/local.py", "pkg/allowed.gen.py", "pkg/deep/local.py", "pkg/deep/y.gen.py")
    found = select_files(tmp_path, IngestSettings())
    assert paths(found) == ["a.py", "keep.gen.py", "local.py", "pkg/allowed.gen.py", "pkg/build/c.py"]
    assert reasons(found)["build/"] == "ignored by .gitignore"
    assert reasons(found)["pkg/deep/y.gen.py"] == "ignored by .gitignore"


@pytest.mark.parametrize("odd", [b"foo\\", b"[a-", b"!", b"\xff\xfe", b"a\x0bb", b"[z-a]", b"\\"])
def test_an_odd_line_of_a_gitignore_file_costs_itself_alone(tmp_path: Path, odd: bytes) -> None:
    write(tmp_path, ".gitignore", content=b"secret.py\n" + odd + b"\n/local/\n")
    write(tmp_path, "a.py", "secret.py", "local/b.py")
    assert paths(select_files(tmp_path, IngestSettings())) == ["a.py"]


@pytest.mark.parametrize("content", [b"secret.py\r\n", b"\xef\xbb\xbfsecret.py\n", b"x\x0csecret.py\nsecret.py"])
def test_gitignore_lines_end_with_line_feeds(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, ".gitignore", content=content)
    write(tmp_path, "a.py", "secret.py")
    assert paths(select_files(tmp_path, IngestSettings())) == ["a.py"]


def test_a_tracked_file_is_indexed_although_it_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", content=b"build/\n")
    write(tmp_path, "build/a.py", "build/b.py")
    assert paths(select_files(tmp_path, IngestSettings(), tracked={"build/a.py"})) == ["build/a.py"]


def test_a_loop_of_links_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "d/b.py")
    (tmp_path / "d" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.py").symlink_to("self.py")
    found = select_files(tmp_path, IngestSettings())
    assert paths(found) == ["a.py", "d/b.py"]
    assert reasons(found) == {"self.py": "link", "d/loop": "link"}


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "outside", "secret.py")
    write(tmp_path / "root", "a.py")
    (tmp_path / "root" / "secret.py").symlink_to(tmp_path / "outside" / "secret.py")
    (tmp_path / "root" / "out").symlink_to(tmp_path / "outside")
    assert paths(select_files(tmp_path / "root", IngestSettings())) == ["a.py"]
    assert isinstance(read_beneath(tmp_path / "root", "out/secret.py", 0), SkippedPath)
    assert isinstance(read_beneath(tmp_path / "root", "secret.py", 0), SkippedPath)


def test_a_file_of_200_mb_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    with (tmp_path / "big.py").open("wb") as sparse:
        sparse.truncate(200 * 1024 * 1024)
    found = select_files(tmp_path, IngestSettings())
    assert paths(found) == ["a.py"]
    assert reasons(found)["big.py"].startswith("too large: 209,715,200 bytes")
    grown = read_beneath(tmp_path, "big.py", 1_000)
    assert isinstance(grown, SkippedPath)


def test_more_files_than_the_limit_are_left_out_and_counted(tmp_path: Path) -> None:
    write(tmp_path, *(f"{number:02}.py" for number in range(12)))
    found = select_files(tmp_path, IngestSettings(max_files=10))
    assert len(found.files) == 10
    assert reasons(found)["."].startswith("too many: 2 files")


def test_a_name_that_is_no_utf8_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "a.py")
    with open(os.fsencode(tmp_path) + b"/caf\xe9.py", "wb") as odd:
        odd.write(b"x = 1\n")
    found = select_files(tmp_path, IngestSettings())
    assert paths(found) == ["a.py"]
    assert list(reasons(found).values()) == ["its name is not UTF-8"]


def test_pipes_are_left_out_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert reasons(select_files(tmp_path, IngestSettings())) == {"pipe.py": "no regular file"}
    assert read_beneath(tmp_path, "pipe.py", 0) == SkippedPath("pipe.py", "no regular file")


LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0a" * 32 + b"\nsize 12345\n"


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("a.py", b"x = 1\n", None),
        ("a.py", b"\x7fELF\0\0\0", "binary"),
        ("a.py", "x = 'ä'\n".encode("utf-16"), None),
        ("a.py", b"# Generated by the protocol buffer compiler.  DO NOT EDIT!\nx = 1\n", "generated"),
        ("a.py", b"#!/usr/bin/env python\n# @generated by build.sh\nx = 1\n", "generated"),
        ("a.py", b"# This file is generated.\n# Do not edit.\nx = 1\n", "generated"),
        ("a.py", b"# Generated by Django 5.2 on 2026-01-01\nx = 1\n", None),
        ("a.py", b"MESSAGE = 'generated code, do not edit'\n", None),
        ("a.py", b"x = [" + b"1, " * 10_000 + b"]\n", "minified"),
        ("a.js", b"f(1);" * 5_000 + b"\n`" + b"text\n" * 500 + b"`", "minified"),
        ("a.js", b"export const font = '" + b"AAAA" * 9_000 + b"';\nexport function f() {}\n", None),
        ("a.js", b"f(1);" * 5_000 + b"\n" + b"f(1);\n" * 1_500, None),
        ("a.py", b"x(1);" * 5_000 + b"\n" + b"x(1)\n" * 500, None),
        ("README.md", b"one long line " * 3_000, None),
        ("a.py", b"x = 1\r" * 10_000, None),
        ("a.py", LFS_POINTER, "git_lfs_pointer"),
        ("docs.md", LFS_POINTER.replace(b"\n", b"\r\n"), "git_lfs_pointer"),
        ("package.json", LFS_POINTER, "git_lfs_pointer"),
        ("a.md", LFS_POINTER + b"and how to read it\n", None),
    ],
)
def test_what_the_bytes_tell(path: str, content: bytes, reason: str | None) -> None:
    assert exclusion_reason(path, content, IngestSettings()) == reason


def test_an_unreadable_folder_is_recorded(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "closed/b.py")
    (tmp_path / "closed").chmod(0)
    try:
        found = select_files(tmp_path, IngestSettings())
    finally:
        (tmp_path / "closed").chmod(0o755)
    assert "a.py" in paths(found)
    if os.geteuid():
        assert reasons(found)["closed"].startswith("unreadable")


def test_every_configuration_file_has_a_suffix_that_is_written_out() -> None:
    """Files are asked for their suffix before the patterns are tried."""
    for entry in LANGUAGES.values():
        for pattern in entry.configuration:
            suffix = pattern.rpartition(".")[2]
            assert suffix.isalnum(), pattern
            assert is_configuration(f"some/folder/{pattern.replace('*', '')}"), pattern
    assert not is_configuration("some/folder/settings.json")


_MAPPINGS_TAKEN = """
import sys
from pathlib import Path
from repoquarry.ingest.files.selection import read_beneath

def mappings(): return len(Path("/proc/self/maps").read_text().splitlines())

before = mappings()
contents = [read_beneath(Path(sys.argv[1]), f"m{number}.py", 2_000_000) for number in range(500)]
assert contents == [b"x = 1\\n"] * 500
print(mappings() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="mappings are listed on Linux only")
def test_the_contents_of_many_small_files_take_no_memory_mapping_each(tmp_path: Path) -> None:
    """A process has 65,530 of them: 100,000 files would end it. In a process whose allocator does not learn from what was freed."""
    write(tmp_path, *(f"m{number}.py" for number in range(500)))
    done = subprocess.run(
        [sys.executable, "-c", _MAPPINGS_TAKEN, str(tmp_path)],
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "131072"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) < 250


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("a/b.py", False, True),
        ("README.md", False, True),
        ("pyproject.toml", False, True),
        ("a/.gitignore", False, True),
        ("a/b.pyc", False, False),
        ("a/__pycache__/b.py", False, False),
        ("node_modules/x/y.py", False, False),
        (".git/index", False, False),
        (".git", True, False),
        ("package", True, True),
        ("package", False, False),
    ],
)
def test_concerns_index(path: str, folder: bool, expected: bool) -> None:
    assert affects_index(path, may_be_folder=folder) is expected
