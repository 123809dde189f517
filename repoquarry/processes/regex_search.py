"""Search with untrusted regular expressions, in child processes with a memory limit.

A pattern of a few characters can take any time and memory (`a{100000000}`, `(?R)a`); only killing the process stops it.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable, Sequence

from repoquarry.processes.workers import ExitCause, FramedChild, open_worker_pipes, read_frame, write_frame

MAX_PATTERN_CHARACTERS = 1_000
_MEMORY_BYTES = 512 * 1024 * 1024
"""Private memory of a child."""
_START_SECONDS = 60.0
_MAX_IDLE = 2
_READY = b"ready"

Spans = list[tuple[int, int]]
"""Start and end of each match, in characters."""


class RegexSearchError(ValueError):
    """Invalid pattern: too long, malformed, or needs too much memory; the message says which."""


def _never() -> bool:
    return False


def find_matches(
    pattern: str,
    texts: Sequence[str],
    *,
    limit: int = 1,
    seconds: float,
    stopped: Callable[[], bool] = _never,
    with_empty: bool = True,
    by_line: bool = False,
) -> list[Spans]:
    """Return at most `limit` matches in each text; with `by_line`, `^` and `$` match at each line.

    Raises: RegexSearchError; TimeoutError after the seconds; StoppedError when `stopped` holds.
    """
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise RegexSearchError(f"{len(pattern):,} characters; the limit is {MAX_PATTERN_CHARACTERS:,}")
    child, is_new = _take_child()
    try:
        if is_new:
            child.receive(time.monotonic() + _START_SECONDS, stopped)
        deadline = time.monotonic() + seconds
        child.send(pickle.dumps((pattern, list(texts), limit, with_empty, by_line)), deadline, stopped)
        found, problem = pickle.loads(child.receive(deadline, stopped))  # noqa: S301 - written by our own child, below
    except (EOFError, BrokenPipeError):
        exited = child.await_exit()
        if exited.cause is ExitCause.ALLOCATION:
            raise RegexSearchError(f"it needs more than {_MEMORY_BYTES // 2**20} MiB") from None
        raise RegexSearchError(f"the search process {exited.describe()}") from None
    except BaseException:
        child.end()
        raise
    with _guard:
        is_kept = len(_idle) < _MAX_IDLE
        if is_kept:
            _idle.append(child)
    if not is_kept:
        child.end()
    if problem:
        raise RegexSearchError(problem)
    spans: list[Spans] = found
    return spans


_guard = threading.Lock()
_idle: list[FramedChild] = []


def _take_child() -> tuple[FramedChild, bool]:
    """Return a child, and whether it was just started."""
    with _guard:
        while _idle:
            if (child := _idle.pop()).alive():
                return child, False
            child.end()
    return FramedChild(f"{__name__}:main", memory_bytes=_MEMORY_BYTES), True


def main() -> None:
    """Search for one pattern after another until the input ends."""
    import regex  # Not `re`: regex supports more, such as Unicode classes.

    requests, answers = open_worker_pipes()
    write_frame(answers, _READY)
    while (request := read_frame(requests)) is not None:
        pattern, texts, limit, with_empty, by_line = pickle.loads(request)  # noqa: S301 - written by our parent, above
        found: list[Spans] = []
        problem = ""
        try:
            compiled = regex.compile(pattern, (regex.MULTILINE if by_line else 0) | regex.VERSION0)
            for text in texts:
                spans: Spans = []
                for match in compiled.finditer(text):
                    if len(spans) == limit:
                        break
                    if with_empty or match.end() > match.start():
                        spans.append(match.span())
                found.append(spans)
        except regex.error as exc:
            problem = str(exc)
        except RecursionError:
            problem = "it is nested too deeply"
        except MemoryError:
            problem = f"it needs more than {_MEMORY_BYTES // 2**20} MiB"
        write_frame(answers, pickle.dumps(([] if problem else found, problem)))
