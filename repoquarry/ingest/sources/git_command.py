"""The one place that runs git: nothing that a repository's own configuration names may run, and no credential may show.

A repository is untrusted: its configuration can name programs (hooks, file system monitors, filters, transports, signature
checkers). Every command here switches those off, has a time limit, and is ended together with its children. Commands that
look at file contents through filters (`status`, `diff` with the working tree) are never used at all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.processes.program import Program

_SAFE_CONFIG = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "protocol.ext.allow=never",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
    "i18n.logOutputEncoding=UTF-8",
    "advice.detachedHead=false",
)
_NO_TRANSPORT = "none"
_USERINFO = re.compile(r"(?<=://)[^/@\s]+@")


class GitFailedError(SourceNotFoundError):
    """Git ended with an error: the message holds the end of what it said, without credentials."""

    reason = "GIT_FAILED"


def run_git(
    arguments: Sequence[str],
    *,
    seconds: float,
    cwd: Path | None = None,
    transports: str = _NO_TRANSPORT,
    configuration: Mapping[str, str] | None = None,
    cancelled: Callable[[], bool] | None = None,
    within: Callable[[], None] | None = None,
) -> bytes:
    """What `git ARGUMENTS` writes to its output.

    `transports` lists the protocols that may be spoken, separated by colons; none by default. `configuration` travels in the
    environment, where other users cannot read it. `within` is called twice a second and may raise to end the command.

    Raises: GitFailedError, SourceRejectedError when time runs out, IngestCancelledError.
    """
    safe = [option for pair in _SAFE_CONFIG for option in ("-c", pair)]
    command = ["git", "--no-pager", "--no-optional-locks", *safe, *arguments]
    try:
        program = Program(command, cwd=cwd, environment=_environment(transports, configuration or {}))
    except FileNotFoundError as exc:
        raise GitFailedError("the git command is not installed: install it, or index a folder or an archive") from exc

    def look() -> None:
        if cancelled is not None and cancelled():
            raise IngestCancelledError(f"cancelled during git {arguments[0]}")
        if within is not None:
            within()

    try:
        ended = program.finish(seconds, look)
    except TimeoutError:
        raise SourceRejectedError(
            f"git {arguments[0]} took more than {seconds:g} seconds; raise git_seconds or lower git_depth"
        ) from None
    if ended.code != 0:
        said = strip_userinfo(ended.errors.decode("utf-8", "replace")).strip()[-500:]
        raise GitFailedError(f"git {arguments[0]} failed: {said or f'exit status {ended.code}'}")
    return ended.output


def commit_date(folder: Path, seconds: float = 20.0) -> datetime | None:
    """Date of the commit that is checked out in a folder; None outside git."""
    try:
        text = (
            run_git(["-C", str(folder), "log", "-1", "--format=%ct"], seconds=seconds)
            .decode("ascii", "replace")
            .strip()
        )
    except (SourceNotFoundError, SourceRejectedError):
        return None
    return datetime.fromtimestamp(int(text), UTC) if text.isdigit() else None


def strip_userinfo(text: str) -> str:
    """`text` with the user and password taken out of every address in it."""
    return _USERINFO.sub("", text)


def _environment(transports: str, configuration: Mapping[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith("GIT_SSL")}
    kept.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_ALLOW_PROTOCOL=transports,
        GIT_LFS_SKIP_SMUDGE="1",
        GIT_NO_LAZY_FETCH="1",
        GIT_SSH_COMMAND="ssh -oBatchMode=yes" if transports != _NO_TRANSPORT else "false",
        GIT_ASKPASS="true",
        SSH_ASKPASS="true",
        LC_ALL="C.UTF-8",
        GIT_CONFIG_COUNT=str(len(configuration)),
    )
    for number, (key, value) in enumerate(configuration.items()):
        kept[f"GIT_CONFIG_KEY_{number}"] = key
        kept[f"GIT_CONFIG_VALUE_{number}"] = value
    return kept
