"""Tool `read_log`: the output of a command, by its head, its tail, its errors or what it says about something."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.tools.commands.frames import frames_in
from repoquarry.agent.views.truncation import TROUBLE
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.processes.regex_search import RegexSearchError, find_matches

_AROUND = 5
_WIDEST = 10_000
_MATCH_SECONDS = 5.0


class ReadLogArguments(Arguments, frozen=True):
    """Which log, and which part of it."""

    path: Annotated[str, Meta(description="file of the workspace, such as logs/0003.log")]
    part: Annotated[
        Literal["head", "tail", "errors", "matching"],
        Meta(description="first lines, last lines, lines around errors, or lines around matches of `pattern`"),
    ] = "errors"
    pattern: Annotated[str, Meta(description="regular expression, for `matching`")] = ""
    lines: Annotated[int, Meta(description="lines at most", ge=1, le=2000)] = 100


def run(context: ToolContext, arguments: ReadLogArguments) -> ToolResult:
    lines = context.folder().read(arguments.path).splitlines()
    kept = _kept(lines, arguments)
    log = ToolView(ViewKind.LOG, "\n".join(lines))
    shown = log.render_lines(kept, lines) if kept else "(nothing)"
    places, frames = frames_in(context, shown)
    summary = f"{arguments.path}: {len(kept)} of {len(lines)} lines ({arguments.part})"
    return ToolResult(ToolView(ViewKind.LOG, "\n".join(filter(None, (shown, frames))), summary), summary, places)


def _kept(lines: list[str], arguments: ReadLogArguments) -> list[int]:
    """Offsets of the lines to show."""
    most = arguments.lines
    if arguments.part == "head":
        return list(range(len(lines)))[:most]
    if arguments.part == "tail":
        return list(range(len(lines)))[-most:]
    try:
        if arguments.part == "errors":
            hits = [number for number, line in enumerate(lines) if TROUBLE.search(line[:_WIDEST])]
        else:
            cut = [line[:_WIDEST] for line in lines]
            found = find_matches(arguments.pattern, cut, seconds=_MATCH_SECONDS)
            hits = [number for number, spans in enumerate(found) if spans]
    except RegexSearchError as error:
        raise ToolError(f"the pattern is refused: {error}") from error
    except TimeoutError as error:
        raise ToolError("the pattern takes too long; write a simpler one") from error
    kept: set[int] = set()
    for hit in reversed(hits):  # the last one first: it ended the run
        near = set(range(max(0, hit - _AROUND), min(len(lines), hit + _AROUND + 1)))
        if kept and len(kept | near) > most:
            break
        kept |= near
    return sorted(kept)[-most:]


TOOL = Tool(
    "read_log",
    "Show a part of a command's output: head, tail, lines around errors, or lines around what a pattern matches.",
    ReadLogArguments,
    run,
    Effect.WRITES,
)
