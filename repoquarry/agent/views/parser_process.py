"""Parsing of a workspace file in a child process: its content is untrusted, and a crash or an endless loop costs one view."""

from __future__ import annotations

import logging
import time
from typing import Final

import msgspec

from repoquarry.agent.views.view import DefinitionSpan
from repoquarry.languages.registry import language_for
from repoquarry.processes.workers import FramedChild, open_worker_pipes, read_frame, write_frame

_log = logging.getLogger(__name__)
_MEMORY_BYTES: Final = 1 << 30
_SECONDS: Final = 20.0


def parse_definitions(path: str, text: str) -> tuple[DefinitionSpan, ...]:
    """Parse the definitions of a file; none for a file that cannot be parsed in time."""
    child = FramedChild(f"{__name__}:main", memory_bytes=_MEMORY_BYTES)
    deadline = time.monotonic() + _SECONDS
    try:
        child.send(msgspec.msgpack.encode((path, text.encode("utf-8", "replace"))), deadline)
        found = msgspec.msgpack.decode(child.receive(deadline), type=list[tuple[str, int, int]])
    except (EOFError, BrokenPipeError, TimeoutError) as error:
        _log.info("file_unparsed kind=%s", type(error).__name__)
        return ()
    finally:
        child.end()
    return tuple(DefinitionSpan(*item) for item in found)


def main() -> None:
    """Parse the file that the parent sends."""
    requests, answers = open_worker_pipes()
    path, content = msgspec.msgpack.decode(read_frame(requests) or b"", type=tuple[str, bytes])
    facts = language_for(path).extract(path, content)
    found = [(item.qualname, item.start_line, item.end_line) for item in facts.definitions if item.kind != "lambda"]
    write_frame(answers, msgspec.msgpack.encode(found))
