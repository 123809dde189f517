"""Files of a folder in which anything may have been put: listed and opened without a way out; uploads are what was announced."""

import hashlib
import os
import socket
import stat
import time
from pathlib import Path

import pytest

from repoquarry.execution.errors import (
    ExecutionError,
    FileLimitError,
    OutsideWorkspaceError,
    ToolError,
    UploadNotFoundError,
    UploadRejectedError,
)
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.files import (
    Upload,
    UploadStore,
    clear_privileged_bits,
    describe_file,
    list_files,
    open_regular,
    remove_tree,
)

HELLO = hashlib.sha256(b"hello").hexdigest()


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A workspace whose code has tried to lead its reader elsewhere."""
    root = tmp_path / "task-1"
    (root / "outputs" / "deep").mkdir(parents=True)
    (root / "outputs" / "a.txt").write_text("hello")
    (root / "outputs" / "deep" / "b.bin").write_bytes(b"\0\1")
    (root / ".home").mkdir()
    (root / ".home" / "private").write_text("x")
    (root / "outputs" / "passwd").symlink_to("/etc/passwd")
    (root / "outputs" / "etc").symlink_to("/etc")
    (root / "etc").symlink_to("/etc")
    os.mkfifo(root / "outputs" / "pipe")
    (tmp_path / "outside.txt").write_text("secret")
    return root


def test_other_entries_are_named_and_never_opened(hostile: Path) -> None:
    outputs = hostile / "outputs"
    (outputs / "two\nlines").write_text("x")
    (outputs / "bell\a").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(outputs / "socket"))
    started = time.monotonic()
    found = list_files(hostile, "outputs", most=100)
    assert {(item.path, item.reason) for item in found.skipped} == {
        ("outputs/two\\nlines", "control characters in the name"),
        ("outputs/bell\\x07", "control characters in the name"),
        ("outputs/socket", "special file"),
        ("outputs/pipe", "special file"),
        ("outputs/passwd", "link"),
        ("outputs/etc", "link"),
    }
    assert [item.path for item in found.files] == ["outputs/a.txt", "outputs/deep/b.bin"]
    assert time.monotonic() - started < 5.0


def test_a_hundred_thousand_outputs_are_listed_up_to_the_limit(tmp_path: Path) -> None:
    for number in range(100_000):
        os.close(os.open(f"{tmp_path}/{number:06}", os.O_CREAT | os.O_WRONLY))
    started = time.monotonic()
    found = list_files(tmp_path, most=1_000)
    assert (len(found.files), found.truncated) == (1_000, True)
    assert time.monotonic() - started < 20.0


def test_privileged_bits_are_cleared_and_links_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "task-1"
    (root / "deep").mkdir(parents=True)
    outside = tmp_path / "outside"
    for path in (root / "a", root / "deep" / "b", outside):
        path.write_text("x")
        path.chmod(0o6755)
    (root / "link").symlink_to(outside)
    clear_privileged_bits(root)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (root / "a", root / "deep" / "b", outside)]
    assert modes == [0o755, 0o755, 0o6755]


def test_only_regular_files_inside_are_listed(hostile: Path) -> None:
    found = list_files(hostile, most=100)
    assert [(item.path, item.size, item.sha256) for item in found.files] == [
        ("outputs/a.txt", 5, HELLO),
        ("outputs/deep/b.bin", 2, hashlib.sha256(b"\0\1").hexdigest()),
    ]
    assert not found.truncated
    assert list_files(hostile, "outputs/deep", most=100).files == found.files[1:]
    assert list_files(hostile, "etc", most=100).files == ()
    assert list_files(hostile, "outputs/etc", most=100).files == ()
    assert list_files(hostile, "absent", most=100).files == ()
    cut = list_files(hostile, most=1, checksums=False)
    assert ([item.path for item in cut.files], cut.truncated, cut.files[0].sha256) == (["outputs/a.txt"], True, "")


@pytest.mark.parametrize(
    "path", ["../outside.txt", "/etc/passwd", "outputs/../../outside.txt", "a\0b", "..", "outputs\\..\\..\\outside.txt"]
)
def test_a_path_that_leaves_is_refused(hostile: Path, path: str) -> None:
    with pytest.raises(OutsideWorkspaceError):
        describe_file(hostile, path)
    with pytest.raises(OutsideWorkspaceError):
        list_files(hostile, path, most=10)


@pytest.mark.parametrize(
    "path", ["outputs/passwd", "outputs/etc/passwd", "etc/passwd", "outputs/pipe", "outputs", "absent", ""]
)
def test_what_is_no_regular_file_is_not_opened(hostile: Path, path: str) -> None:
    with pytest.raises(ToolError), open_regular(hostile, path):
        pass


def test_folders_nested_deeper_than_any_path_are_listed_and_removed(tmp_path: Path) -> None:
    root = tmp_path / "task-1"
    root.mkdir()
    current = os.open(root, os.O_RDONLY)
    for _ in range(2_100):  # twice as many bytes, and a path has 4,096
        os.mkdir("d", dir_fd=current)
        below = os.open("d", os.O_RDONLY, dir_fd=current)
        os.close(current)
        current = below
    os.close(current)
    (root / "a").write_text("hello")
    (root / "closed").mkdir()
    (root / "closed" / "b").write_text("hello")
    (root / "closed").chmod(0o500)
    (root / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    assert [item.path for item in list_files(root, most=10).files] == ["a", "closed/b"]
    remove_tree(root)
    assert os.listdir(tmp_path) == ["kept"]


def send(uploads: UploadStore, data: bytes, owner: str = "", size: int | None = None, sha256: str = "") -> Upload:
    incoming = uploads.begin("in.txt", owner=owner, size=size, sha256=sha256)
    try:
        for start in range(0, len(data), 2):
            incoming.take(data[start : start + 2])
        return incoming.finish()
    finally:
        incoming.abandon()


def test_an_upload_is_kept_for_its_owner(tmp_path: Path) -> None:
    uploads = UploadStore(tmp_path, WorkspaceSettings())
    upload = send(uploads, b"hello", "me", 5, HELLO)
    assert (upload.name, upload.size, upload.sha256) == ("in.txt", 5, HELLO)
    again = UploadStore(tmp_path, WorkspaceSettings())  # as after a restart
    assert again.get(upload.id, "me") == upload
    assert again.path(upload).read_bytes() == b"hello"
    for id_, owner in ((upload.id, "you"), (upload.id, ""), ("0" * 32, "me"), ("../" + upload.id, "me"), ("", "me")):
        with pytest.raises(UploadNotFoundError):
            again.get(id_, owner)


@pytest.mark.parametrize(
    ("size", "sha256", "settings", "error"),
    [
        (4, "", WorkspaceSettings(), UploadRejectedError),
        (6, "", WorkspaceSettings(), UploadRejectedError),
        (5, "0" * 64, WorkspaceSettings(), UploadRejectedError),
        (5, "no checksum", WorkspaceSettings(), UploadRejectedError),
        (None, "", WorkspaceSettings(input_bytes=4), FileLimitError),
        (5, "", WorkspaceSettings(uploads_bytes=4), FileLimitError),
    ],
)
def test_what_is_not_as_announced_or_too_large_leaves_nothing(
    tmp_path: Path, size: int | None, sha256: str, settings: WorkspaceSettings, error: type[ExecutionError]
) -> None:
    with pytest.raises(error):
        send(UploadStore(tmp_path, settings), b"hello", size=size, sha256=sha256)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "a\0", "\x1b[31m", "x" * 256])
def test_a_file_name_is_one_part(tmp_path: Path, name: str) -> None:
    with pytest.raises(UploadRejectedError):
        UploadStore(tmp_path, WorkspaceSettings()).begin(name, owner="", size=None, sha256="")


def test_waiting_uploads_are_bounded_together_and_old_ones_go(tmp_path: Path) -> None:
    uploads = UploadStore(tmp_path, WorkspaceSettings(uploads_bytes=8, upload_hours=1.0))
    kept, needed = send(uploads, b"hello"), send(uploads, b"abc")
    with pytest.raises(FileLimitError, match="uploads_bytes"):
        send(uploads, b"x")
    uploads.delete_expired(set())
    assert uploads.get(kept.id, "") == kept
    for upload in (kept, needed):
        os.utime(uploads.path(upload).parent, (time.time() - 3_700, time.time() - 3_700))
    uploads.delete_expired({needed.id})
    assert uploads.get(needed.id, "") == needed
    with pytest.raises(UploadNotFoundError):
        uploads.get(kept.id, "")
    send(uploads, b"hello")
