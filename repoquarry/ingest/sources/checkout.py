"""Checkout of a local folder, or of a git address: cloned with bounded depth, time and space.

`git status` would run filters and monitors that the repository's own configuration names. Changed files are found here instead: the
hash that git gives a file is computed from the bytes that are read for indexing anyway.

The address on the command line of git never contains credentials: the environment passes them as a rewrite rule for that
one address, so they appear neither in the list of processes nor in the clone's configuration nor in a log.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.git import GitFailedError, run_git
from repoquarry.ingest.sources.network_policy import NetworkPolicy
from repoquarry.ingest.sources.source import (
    COMMIT,
    Cancelled,
    Checkout,
    GitAddress,
    RepositorySource,
    parse_address,
)
from repoquarry.languages.registry import is_source
from repoquarry.processes.scratch import ScratchFolder

_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class GitTree:
    """Regular files of one commit below the root."""

    blobs: Mapping[str, str]
    """Blob hash by path, of files that the working tree should have."""
    absent: tuple[tuple[str, str], ...] = ()
    """(path, reason) of files that the working tree omits on purpose; a folder ends in a slash."""

    @classmethod
    def of(cls, root: Path, *, has_history: bool) -> GitTree | None:
        """Read the tree of the checked-out commit; None outside git."""
        if not has_history:
            return None
        try:
            listed = run_git(["ls-tree", "-r", "-z", "HEAD"], cwd=root)
        except GitFailedError:
            return None
        blobs: dict[str, str] = {}
        absent: list[tuple[str, str]] = []
        for record in listed.decode("utf-8", "surrogateescape").split("\0"):
            head, tab, path = record.partition("\t")
            mode, expected = head.split(" ", 1)[0], head.rsplit(" ", 1)[-1]
            if tab and mode == _SUBMODULE:
                own = cls._of_submodule(root / path, expected)
                blobs |= {f"{path}/{name}": blob for name, blob in (own.blobs if own else {}).items()}
                absent += [(f"{path}/{name}", reason) for name, reason in (own.absent if own else ())]
                if not (root / path / ".git").exists():
                    absent.append((f"{path}/", "a submodule that is not checked out"))
            elif tab and mode != _LINK:
                blobs[path] = expected
        for path in _list_outside_sparse_checkout(root):
            blobs.pop(path, None)
            absent.append((path, "outside the sparse checkout"))
        return cls(blobs, tuple(absent))

    @classmethod
    def _of_submodule(cls, root: Path, commit: str) -> GitTree | None:
        """Read the tree of a submodule; None if another commit than the expected one is checked out, or none."""
        if not (root / ".git").exists():
            return None
        try:
            head = run_git(["rev-parse", "HEAD"], cwd=root).decode().strip()
        except GitFailedError:
            return None
        return cls.of(root, has_history=True) if head == commit else None

    def holds(self, path: str, content: bytes) -> bool:
        """Return whether the commit has this content at this path, apart from line breaks."""
        expected = self.blobs.get(path)
        if expected is None:
            return False
        return expected in (_blob_hash(content, expected), _blob_hash(content.replace(b"\r\n", b"\n"), expected))

    def lacks(self, present: Collection[str], left_out: Collection[str]) -> bool:
        """Return whether a source file of the commit was deleted from the working tree."""
        folders = tuple(path for path in left_out if path.endswith("/"))
        gone = (path for path in self.blobs if is_source(path) and path not in present and path not in left_out)
        return any(not path.startswith(folders) for path in gone)


def _list_outside_sparse_checkout(root: Path) -> list[str]:
    """List the files that the index marks as not in the working tree."""
    try:
        listed = run_git(["ls-files", "-t", "-z"], cwd=root)
    except GitFailedError:
        return []
    return [record[2:].decode("utf-8", "surrogateescape") for record in listed.split(b"\0") if record[:2] == b"S "]


def _blob_hash(content: bytes, like: str) -> str:
    algorithm = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class Head:
    """Checked-out commit of a working tree."""

    commit: str
    branch: str | None


@dataclass(frozen=True)
class UnreadableGit:
    """Working tree whose `.git` exists, but cannot be read by git."""

    reason: str
    """Reason of git and the remedy, in one line."""


def read_head(root: Path) -> Head | UnreadableGit | None:
    """Read the checked-out commit of the working tree of `root`; None if there is none, or it does not track `root`.

    A folder below a working tree that ignores it is not part of that repository.
    """
    git = _find_git(root)
    if git is None:
        return None
    if odd := _find_odd_git_file(git):
        return UnreadableGit(odd)
    try:
        commit = run_git(["rev-parse", "--verify", "HEAD^{commit}"], cwd=root).decode().strip()
        tracked = run_git(["ls-tree", "-z", "--name-only", "HEAD"], cwd=root)
    except (GitFailedError, SourceRejectedError) as exc:
        return None if _is_unborn(root) else UnreadableGit(_explain(str(exc), git))
    if not tracked:
        return None
    try:
        branch = run_git(["symbolic-ref", "--short", "-q", "HEAD"], cwd=root)
    except GitFailedError:
        return Head(commit, None)
    return Head(commit, branch.decode("utf-8", "replace").strip())


def _find_git(root: Path) -> Path | None:
    """Return the nearest `.git` at or above a folder, also a link that points nowhere; None without any."""
    paths = (above / ".git" for above in (root, *root.parents))
    return next((path for path in paths if path.is_symlink() or path.exists()), None)


_GIT_FILES = (
    "HEAD",
    "config",
    "index",
    "packed-refs",
    "shallow",
    "commondir",
    "info/grafts",
    "objects/info/alternates",
)
"""Files below `.git` that git opens for every command."""
_MAX_GIT_FILE = 1 << 30
"""Bytes of one of these files; the index of a million files has 100 MB."""


def _find_odd_git_file(git: Path) -> str:
    """Describe a file of the git folder that is a pipe, a socket, a device or huge; return an empty string if there is none."""
    for path in (git / name for name in _GIT_FILES):
        if path.exists() and not (path.is_file() or path.is_dir()):
            return f"{path} is not a regular file, and git would wait for it; remove it"
        if path.is_file() and path.stat().st_size > _MAX_GIT_FILE:
            return f"{path} is larger than {_MAX_GIT_FILE >> 20} MiB, and git would read all of it; repair it"
    return ""


def _is_unborn(root: Path) -> bool:
    """Return whether the working tree is on a branch without commits."""
    try:
        branch = run_git(["symbolic-ref", "-q", "HEAD"], cwd=root).decode("utf-8", "replace").strip()
        return not run_git(["for-each-ref", "--count=1", branch], cwd=root)
    except GitFailedError:
        return False


_REMEDIES: Sequence[tuple[str, str]] = (
    ("dubious ownership", "run `git config --global --add safe.directory {root}` as the user that indexes"),
    ("not installed", ""),
    ("not a git repository", "repair {git}, or remove it to index the folder without history"),
    ("Needed a single revision", "objects of the commit are missing: run `git fsck` in {root}, or clone it again"),
    ("Not a valid object name", "objects of the commit are missing: run `git fsck` in {root}, or clone it again"),
    ("took more than", "remove what is not a regular file below {git}"),
    ("", "run `git status` in {root}"),
)
"""Part of a message of git, and what to do about it."""


def _explain(said: str, git: Path) -> str:
    """Return git's reason in one line, with the remedy."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    remedy = next(remedy for part, remedy in _REMEDIES if part in said).format(root=git.parent, git=git)
    return "; ".join(filter(None, (f"git cannot read {git.parent}: {lines[0] if lines else said}", remedy)))


@contextmanager
def open_folder(source: RepositorySource) -> Iterator[Checkout]:
    """Open a folder. Raises: SourceNotFoundError, SourceRejectedError."""
    try:
        root = Path(source.location).resolve(strict=True)
        next(root.iterdir(), None)
    except PermissionError as exc:
        raise SourceRejectedError(
            f"the folder {source.shown!r} may not be read: {exc.strerror}", source=source.shown
        ) from exc
    except (OSError, RuntimeError) as exc:
        raise SourceNotFoundError(f"no such folder: {source.shown!r}", source=source.shown) from exc
    yield _read_checkout(root, source, str(root))


def _read_checkout(root: Path, source: RepositorySource, shown: str) -> Checkout:
    head = read_head(root)
    if isinstance(head, UnreadableGit):
        return Checkout(root, shown, source.kind, source.id, None, None, False, ref=source.ref, git_problem=head.reason)
    commit, branch = (head.commit, head.branch) if head else (None, None)
    return Checkout(root, shown, source.kind, source.id, commit, branch, head is not None, ref=source.ref)


@contextmanager
def clone_repository(
    source: RepositorySource, settings: IngestSettings, cancelled: Cancelled, reach: NetworkPolicy
) -> Iterator[Checkout]:
    """Clone an allowed address. Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError."""
    address = parse_address(source.location)[0]
    if address.transport == "file" and not Path(address.path).exists():
        raise SourceNotFoundError(f"no such repository: {address.shown!r}", source=address.shown)
    route = reach.route(address)
    with ScratchFolder("clone", settings.scratch) as scratch:
        root = scratch / "tree"
        _clone(_Fetch(address, source.ref, route, settings, cancelled), root)
        yield _read_checkout(root, source, source.shown)


def remote_tip(source: RepositorySource, settings: IngestSettings, reach: NetworkPolicy) -> str:
    """Return the current commit of a branch or tag, by default of the default branch, without fetching.

    Raises: SourceNotFoundError, also for a missing ref; SourceRejectedError.
    """
    address = parse_address(source.location)[0]
    fetch = _Fetch(address, source.ref, reach.route(address), settings, lambda: False)
    names = [f"refs/heads/{source.ref}", f"refs/tags/{source.ref}^{{}}", f"refs/tags/{source.ref}"]
    wanted = names if source.ref else ["HEAD"]
    said = fetch.run(["ls-remote", "--", address.shown, *wanted]).decode("utf-8", "replace")
    found = {name: commit for commit, _, name in (line.partition("\t") for line in said.splitlines())}
    commit = next((found[name] for name in wanted if name in found), "")
    if not commit:
        raise SourceNotFoundError(f"{address.shown} has no {source.ref or 'commit'!r}", source=address.shown)
    return commit


class _Fetch:
    """Git commands of one clone, with their common arguments."""

    def __init__(
        self, address: GitAddress, ref: str, route: Mapping[str, str], settings: IngestSettings, cancelled: Cancelled
    ) -> None:
        self.address = address
        self.ref = ref
        self.depth = ["--depth", str(settings.git_depth)] if settings.git_depth else []
        self._settings = settings
        self._cancelled = cancelled
        rewrite = {f"url.{address.secret}.insteadOf": address.shown} if address.secret != address.shown else {}
        self._configuration = {**route, **rewrite}

    def run(self, arguments: Sequence[str], root: Path | None = None, cwd: Path | None = None) -> bytes:
        """Run git in `root` and return its output. Raises: SourceNotFoundError, SourceRejectedError,
        IngestCancelledError."""
        try:
            return run_git(
                arguments,
                cwd=cwd,
                seconds=self._settings.git_seconds,
                transports=self.address.transport,
                configuration=self._configuration,
                cancelled=self._cancelled,
                within=_disk_limit(root, self._settings.git_bytes) if root is not None else None,
            )
        except GitFailedError as exc:
            said = str(exc).replace(self.address.secret, self.address.shown)
            shown = self.address.shown
            raise SourceNotFoundError(f"{shown} cannot be cloned: {said}{self._hint(said)}", source=shown) from None

    def _hint(self, said: str) -> str:
        if re.search(r"returned error: 30\d", said):
            return "; give the address that it redirects to"
        if self.ref and f"Remote branch {self.ref} not found" in said:
            return "; a ref is a branch, a tag or a full commit hash"
        if "possible repository corruption" in said:
            return "; objects are missing there, as in a partial clone: fetch them (git fetch --refetch), or name the whole one"
        return ""


def _clone(fetch: _Fetch, root: Path) -> None:
    local = ["--no-local"] if fetch.address.transport == "file" else []
    if COMMIT.fullmatch(fetch.ref):
        _fetch_commit(fetch, root)
        return
    branch = ["--branch", fetch.ref] if fetch.ref else []
    options = ["--quiet", "--single-branch", "--no-tags", "--template=", "--no-recurse-submodules"]
    fetch.run(["clone", *options, *fetch.depth, *local, *branch, "--", fetch.address.shown, str(root)], root)


def _fetch_commit(fetch: _Fetch, root: Path) -> None:
    """Fetch a commit by hash: `git clone` accepts branches and tags only."""
    algorithm = "sha256" if len(fetch.ref) == 64 else "sha1"
    fetch.run(["init", "--quiet", "--template=", f"--object-format={algorithm}", str(root)], root)
    options = ["--quiet", "--no-tags", "--no-recurse-submodules", *fetch.depth]
    fetch.run(["fetch", *options, "--", fetch.address.shown, fetch.ref], root, cwd=root)
    fetch.run(["checkout", "--quiet", "--detach", "FETCH_HEAD"], root, cwd=root)


def _disk_limit(root: Path, limit: int) -> Callable[[], None]:
    def check() -> None:
        if limit and size_on_disk(root) > limit:
            raise SourceRejectedError(f"the clone takes more than {limit:,} bytes (git_bytes)", limit="git_bytes")

    return check


def size_on_disk(root: Path) -> int:
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except OSError:
                # Git renames its temporary files meanwhile.
                continue
    return total
