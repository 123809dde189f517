"""A git address: cloned with bounded depth, time and disk space into a temporary folder.

The address that git is given on its command line never holds credentials: they travel in the environment, as a rewrite
rule for that one address, and so appear neither in the list of processes nor in the clone's configuration nor in a log.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from repoquarry.ingest.errors import SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.address import Address, parse
from repoquarry.ingest.sources.base import Cancelled, Checkout
from repoquarry.ingest.sources.folder import read_head
from repoquarry.ingest.sources.git_command import GitFailedError, run_git
from repoquarry.ingest.sources.reach import Reach
from repoquarry.ingest.sources.source import GIT, Source

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@contextmanager
def acquire(source: Source, settings: IngestSettings, cancelled: Cancelled, reach: Reach) -> Iterator[Checkout]:
    """Clone what `reach` allows. Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError."""
    address = parse(source.location)[0]
    if address.transport == "file" and not Path(address.path).exists():
        raise SourceNotFoundError(f"no such repository: {address.shown!r}", source=address.shown)
    route = reach.route(address)
    with tempfile.TemporaryDirectory(prefix="repoquarry-clone-", dir=settings.scratch) as scratch:
        root = Path(scratch).resolve() / "tree"
        _clone(_Fetch(address, source.ref, route, settings, cancelled), root)
        head = read_head(root, settings.git_read_seconds)
        yield Checkout(
            root=root,
            source=source.shown,
            kind=GIT,
            name=source.id,
            commit=head.commit if head else None,
            branch=head.branch if head else None,
            history=head is not None,
            ref=source.ref,
        )


def remote_tip(source: Source, settings: IngestSettings, reach: Reach) -> str:
    """The commit that a branch or tag of a git address points to now; an empty ref means the default branch. Fetches nothing.

    Raises: SourceNotFoundError, also when there is no such ref; SourceRejectedError.
    """
    address = parse(source.location)[0]
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
    """The git commands of one clone, with what all of them need."""

    def __init__(
        self, address: Address, ref: str, route: Mapping[str, str], settings: IngestSettings, cancelled: Cancelled
    ) -> None:
        self.address = address
        self.ref = ref
        self.depth = ["--depth", str(settings.git_depth)] if settings.git_depth else []
        self._settings = settings
        self._cancelled = cancelled
        rewrite = {f"url.{address.secret}.insteadOf": address.shown} if address.secret != address.shown else {}
        self._configuration = {**route, **rewrite}

    def run(self, arguments: Sequence[str], root: Path | None = None, cwd: Path | None = None) -> bytes:
        """What git says; `root` is what it writes to. Raises: SourceNotFoundError, SourceRejectedError, IngestCancelledError."""
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
    """`git clone` takes branches and tags only."""
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
                continue  # git renames its temporary files while we look
    return total
