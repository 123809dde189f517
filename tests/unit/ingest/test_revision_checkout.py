"""The whole tree of an indexed revision, from every kind of source: all files, modes and inner links, and no other revision."""

import io
import os
import shutil
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.ingest.sources.revision_trees import TreeCache
from tests.source_trees import commit_tree, git

pytestmark = pytest.mark.usefixtures("thread_workers")

SETTINGS = IngestSettings(workers=1)
DATA = bytes(range(256)) * 40


def never() -> bool:
    return False


def repository(folder: Path) -> Path:
    """Code, data, a script, links inside and outside, and what git ignores."""
    (folder / "pkg" / "data").mkdir(parents=True)
    (folder / "pkg" / "__init__.py").write_text("def f():\n    return 1\n")
    (folder / "pkg" / "data" / "table.bin").write_bytes(DATA)
    (folder / "requirements.txt").write_text("numpy<2\n")
    (folder / "run.sh").write_text("#!/bin/sh\necho hi\n")
    (folder / "run.sh").chmod(0o4755)
    (folder / "latest").symlink_to("pkg/data")
    (folder / "secrets").symlink_to("/etc/passwd")
    (folder / "up").symlink_to("../..")
    (folder / "chain").symlink_to("up/etc")
    (folder / ".gitignore").write_text("build/\n*.tmp\n")
    (folder / "build").mkdir()
    (folder / "build" / "made.py").write_text("x = 1\n")
    (folder / "note.tmp").write_text("x")
    return folder


def committed(folder: Path) -> Path:
    repository(folder)
    commit_tree(folder, "first")
    return folder


def cache(tmp_path: Path, store: Store, most_bytes: int = 0) -> TreeCache:
    return TreeCache(tmp_path / "trees", store, SETTINGS, EVERYWHERE, most_bytes)


def paths(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_symlink() or path.is_file()}


WHOLE = {".gitignore", "latest", "pkg/__init__.py", "pkg/data/table.bin", "requirements.txt", "run.sh"}


@pytest.mark.parametrize("kind", ["git folder", "plain folder", "changed folder", "git address", "tar", "zip"])
def test_every_file_of_the_revision_is_there(tmp_path: Path, store: Store, kind: str) -> None:
    folder = tmp_path / "demo"
    if kind == "plain folder":
        location = str(repository(folder))
    elif kind in ("tar", "zip"):
        location = str(archived(repository(folder), kind))
    else:
        committed(folder)
        location = f"file://{folder}" if kind == "git address" else str(folder)
    if kind == "changed folder":
        (folder / "pkg" / "__init__.py").write_text("def g():\n    return 2\n")
    report = index_repository(location, store, SETTINGS)
    with cache(tmp_path, store).open(report.repository, never) as tree:
        assert paths(tree.root) == WHOLE | ({"build/made.py", "note.tmp"} if kind in ("tar", "zip") else set())
        assert (tree.root / "pkg/data/table.bin").read_bytes() == DATA
        assert os.readlink(tree.root / "latest") == "pkg/data"
        assert (tree.root / "run.sh").stat().st_mode & 0o7777 == 0o755  # executable still, and no longer set-uid
        assert (tree.root / "requirements.txt").stat().st_mode & 0o111 == 0
        assert not any(
            (path / ".git").exists() for path in (tree.root, *tree.root.parents) if path.is_relative_to(tree.root)
        )
        left = {item.path for item in tree.left_out if "leaves" in item.reason}
        assert left == {"secrets", "up", "chain"} if kind != "tar" else left == set()
        assert tree.files == len(paths(tree.root)) - 1  # the link does not count as a file


def archived(folder: Path, kind: str) -> Path:
    """An archive with one folder around everything. A tar with hostile links cannot be indexed, so it has none of them."""
    path = folder.with_name(f"demo.{'tar.gz' if kind == 'tar' else 'zip'}")
    if kind == "tar":
        with tarfile.open(path, "w:gz") as archive:
            archive.add(
                folder, "demo-1", filter=lambda item: None if item.issym() and "latest" not in item.name else item
            )
        return path
    with zipfile.ZipFile(path, "w") as made:
        for item in sorted(folder.rglob("*")):
            info = zipfile.ZipInfo(f"demo-1/{item.relative_to(folder).as_posix()}")
            info.external_attr = item.lstat().st_mode << 16
            if item.is_symlink():
                made.writestr(info, os.readlink(item))
            elif item.is_file():
                made.writestr(info, item.read_bytes())
    return path


def test_the_indexed_commit_is_given_when_the_folder_has_moved_on(tmp_path: Path, store: Store) -> None:
    folder = committed(tmp_path / "demo")
    index_repository(str(folder), store, SETTINGS)
    (folder / "pkg" / "__init__.py").write_text("def later():\n    return 3\n")
    (folder / "new.py").write_text("x = 1\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "second")
    with cache(tmp_path, store).open("demo", never) as tree:
        assert "def f()" in (tree.root / "pkg/__init__.py").read_text()
        assert not (tree.root / "new.py").exists()


def test_another_state_than_the_indexed_one_is_refused(tmp_path: Path, store: Store) -> None:
    folder = repository(tmp_path / "demo")
    index_repository(str(folder), store, SETTINGS)
    (folder / "pkg" / "__init__.py").write_text("def later():\n    return 3\n")
    trees = cache(tmp_path, store)
    with pytest.raises(SourceRejectedError, match=r"pkg/__init__\.py.*re-index it"), trees.open("demo", never):
        pass
    assert paths(tmp_path / "trees") == set()
    index_repository(str(folder), store, SETTINGS)
    with trees.open("demo", never) as tree:
        assert "def later()" in (tree.root / "pkg/__init__.py").read_text()


def test_a_tar_with_a_chain_of_links_leaves_nothing_outside(tmp_path: Path, store: Store) -> None:
    """Each link stays inside by its own text; one after the other leads out."""
    path = tmp_path / "demo.tar"
    with tarfile.open(path, "w") as archive:
        for name, target in (("a/b/root", "../.."), ("a/b/out", "root/..")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
        for name in ("a/m.py", "n.py"):
            info = tarfile.TarInfo(name)
            info.size = 6
            archive.addfile(info, io.BytesIO(b"x = 1\n"))
    index_repository(str(path), store, SETTINGS)
    with cache(tmp_path, store).open("demo", never) as tree:
        assert [item.path for item in tree.left_out] == ["a/b/out"]
        assert os.path.realpath(tree.root / "a/b/root") == str(tree.root)


@pytest.mark.parametrize("content", [None, b"", b"\x55" * 10_240, b"[]"], ids=["deleted", "empty", "garbage", "other"])
@pytest.mark.parametrize("name", ["notes.json", "tree/pkg/__init__.py", "tree/pkg/data/table.bin"])
def test_a_damaged_tree_is_checked_out_again(tmp_path: Path, store: Store, name: str, content: bytes | None) -> None:
    source = committed(tmp_path / "demo")
    index_repository(str(source), store, SETTINGS)
    trees = cache(tmp_path, store)
    with trees.open("demo", never) as tree:
        first = tree
    (tree.root.parent / name).unlink()
    if content is not None:
        (tree.root.parent / name).write_bytes(content)
    with trees.open("demo", never) as tree:
        assert tree == first
        assert (tree.root / "pkg/data/table.bin").read_bytes() == DATA
        checked_out = (tree.root / "run.sh").stat().st_ino
    with trees.open("demo", never) as tree:
        assert (tree.root / "run.sh").stat().st_ino == checked_out, "an intact tree is kept"
    shutil.rmtree(source)
    (tree.root / "run.sh").unlink()
    with pytest.raises(SourceNotFoundError), trees.open("demo", never):
        pass


def test_cancelling_leaves_nothing_that_looks_whole(tmp_path: Path, store: Store) -> None:
    index_repository(str(repository(tmp_path / "demo")), store, SETTINGS)
    trees = cache(tmp_path, store)
    with pytest.raises(IngestCancelledError), trees.open("demo", lambda: True):
        pass
    assert paths(tmp_path / "trees") == set()


def test_many_readers_share_one_tree_and_old_ones_give_way(tmp_path: Path, store: Store) -> None:
    folder = repository(tmp_path / "demo")
    index_repository(str(folder), store, SETTINGS)
    trees = cache(tmp_path, store, most_bytes=1)
    seen: list[Path] = []

    def read() -> None:
        with trees.open("demo", never) as tree:
            seen.append(tree.root)
            assert (tree.root / "pkg/data/table.bin").read_bytes() == DATA

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    with trees.open("demo", never) as tree:
        for thread in threads:
            thread.join()
        assert tree.root.is_dir()  # over the limit, and still read
        assert set(seen) == {tree.root}
    assert not tree.root.exists()
