"""Tools that run commands in the workspace of a task, and the view of a command's outcome."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from msgspec import Meta

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import Arguments, Effect, Tool, ToolContext
from repoquarry.agent.views.truncation import TROUBLE
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import EnvironmentUnavailableError, ToolError
from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.report import ProvisioningResult
from repoquarry.execution.workspaces.environments import provision_workspace
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.search.mentions import parse_stack_frames
from repoquarry.processes.regex_search import RegexSearchError, find_matches

_FRAMES = 8
_TAIL_CHARACTERS = 20_000


def frames_in(context: ToolContext, output: str) -> tuple[tuple[Place, ...], str]:
    """Find the definitions of a traceback's frames, nearest to the failure first: their places, and lines that list them."""
    found: dict[str, tuple[DefinitionRecord, int]] = {}
    for frame in parse_stack_frames(output[-_TAIL_CHARACTERS:]):
        definition = _find_innermost(context, frame.path, frame.line)
        if definition is not None:
            found.setdefault(definition.id, (definition, frame.line))
        if len(found) == _FRAMES:
            break
    if not found:
        return (), ""
    lines = [
        f"- line {line}: {item.path}:{item.start_line}-{item.end_line} {item.qualname or '(module level)'} in {item.repository}"
        for item, line in found.values()
    ]
    places = tuple(Place.of(item, f"The traceback passes line {line}.") for item, line in found.values())
    return places, "\n".join(["Frames in the graph, nearest to the failure first (view shows one):", *lines])


def _find_innermost(context: ToolContext, path: str, line: int) -> DefinitionRecord | None:
    """Find the innermost definition at a line of the indexed file whose path is a suffix of `path`, in a checkout or an installed package."""
    workspace = str(context.workspace.root) if context.workspace is not None else ""
    if path.startswith("/") and "/site-packages/" not in path and not (workspace and path.startswith(f"{workspace}/")):
        return None  # A file of the interpreter.
    parts = path.removeprefix(workspace).strip("/").split("/")
    for start in range(len(parts)):
        files = context.reader.files_ending("/".join(parts[start:]), context.repositories)
        if len(files) > 1:
            return None
        if files:
            repository, name = files[0]
            inside = [
                item for item in context.reader.inside(repository, name) if item.start_line <= line <= item.end_line
            ]
            return max(inside, key=lambda item: item.start_line, default=context.reader.module(repository, name))
    return None


@dataclass(frozen=True)
class CommandRecord:
    """A finished command."""

    command: str
    outcome: CommandOutcome
    log: str
    """Workspace file with its output; empty if there was no output or no space."""


def show_outcome(context: ToolContext, command: str, outcome: CommandOutcome) -> ToolResult:
    """Show the output of a command under a line with its exit."""
    ending = f"stopped: {outcome.stopped}" if outcome.stopped else f"exit code {outcome.exit_code}"
    notes = [f"{command}: {ending} after {outcome.seconds:.1f} s"]
    if outcome.dropped_bytes:
        notes.append(f"{outcome.dropped_bytes} bytes of output were not kept")
    if outcome.left_running:
        notes.append(f"{outcome.left_running} processes that it left running were killed")
    log = context.folder().keep_log(outcome.output) if outcome.output else ""
    summary = "; ".join(notes)
    heading = f"{summary}; output in {log}" if log else summary
    places, frames = frames_in(context, outcome.output) if outcome.exit_code else ((), "")
    view = ToolView(ViewKind.LOG, outcome.output, "\n".join(filter(None, (heading, frames))))
    return ToolResult(view, summary, places, (CommandRecord(command, outcome, log),))


class RunCommandArguments(Arguments, frozen=True):
    command: Annotated[str, Meta(description="shell command; the workspace's virtual environment is first on its path")]
    folder: Annotated[str, Meta(description="folder of the workspace to run it in")] = "."
    seconds: Annotated[float, Meta(description="time limit; 0 for the service's own, which it cannot exceed", ge=0)] = (
        0.0
    )


def run_command(context: ToolContext, arguments: RunCommandArguments) -> ToolResult:
    outcome = context.folder().run(arguments.command, arguments.folder, arguments.seconds)
    return show_outcome(context, f"$ {arguments.command}", outcome)


_MAX_LISTED = 20


class ProvisionArguments(Arguments, frozen=True):
    repository: Annotated[str, Meta(description="repository id; it is checked out when its folder is not there yet")]
    folder: Annotated[str, Meta(description="folder of the workspace with its files; empty for one named like it")] = ""
    date: Annotated[str, Meta(description="take versions of this day, YYYY-MM-DD; empty for the newest")] = ""
    language: Annotated[str, Meta(description="`python` or `javascript`; empty lets its manifests decide")] = ""
    tests: Annotated[bool, Meta(description="install what its own tests need too")] = False


def run_provision(context: ToolContext, arguments: ProvisionArguments) -> ToolResult:
    (repository,) = context.chosen(arguments.repository)
    workspace = context.folder()
    folder = arguments.folder or repository
    if not workspace.locate(folder).is_dir():
        if context.trees is None:
            raise ToolError("there are no trees of repositories here; give a folder of the workspace")
        with context.trees.open(repository, context.cancelled) as tree:
            workspace.put_tree(tree, folder)
    try:
        found = provision_workspace(
            workspace,
            workspace.locate(folder),
            context.settings,
            date=_day(arguments.date),
            tests=arguments.tests,
            language=arguments.language,
            cancelled=context.cancelled,
        )
    except EnvironmentUnavailableError as error:  # another repository may need what is here
        raise ToolError(f"no environment can be made for {repository}: {error}") from error
    summary = f"{found.state}: {found.runtime}, {len(found.lock)} packages, {len(found.repairs)} repairs"
    if found.environment is None:
        raise ToolError(f"no environment could be made for {repository}: {'; '.join(found.missing)}")
    if found.missing:
        summary += f"; missing: {'; '.join(found.missing)[:500]}"
    return ToolResult(
        ToolView(ViewKind.ROWS, "\n".join(_provisioning_lines(found)), summary), summary, records=(found,)
    )


def _day(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise ToolError(f"{text!r} is not a day; write YYYY-MM-DD") from error


def _provisioning_lines(found: ProvisioningResult) -> list[str]:
    good = sum(item.works for item in found.tried)
    lines = [f"interpreter: {found.interpreter_reason}", f"imports: {good} of {len(found.tried)} succeed"]
    lines += [f"repaired: {one.change}, because {one.reason}" for one in found.repairs[:_MAX_LISTED]]
    lines += [f"missing: {line}" for line in found.missing[:_MAX_LISTED]]
    return [*lines, f"packages: {', '.join(found.lock)}"]


class InstallArguments(Arguments, frozen=True):
    requirements: Annotated[
        list[str],
        Meta(
            description="packages such as `requests>=2`, `left-pad@1` or `com.google.code.gson:gson:2.11.0`, or folders of the"
            " workspace such as `./repo`, which get what their manifests need",
            min_length=1,
        ),
    ]
    folder: Annotated[str, Meta(description="folder of the workspace whose code needs the packages")] = "."
    language: Annotated[
        str, Meta(description="`python`, `javascript` or `java`; empty lets the folder's manifests decide")
    ] = ""


def run_install(context: ToolContext, arguments: InstallArguments) -> ToolResult:
    outcome = context.folder().install(arguments.requirements, arguments.folder, arguments.language)
    return show_outcome(context, f"install {' '.join(arguments.requirements)}", outcome)


_CONTEXT_LINES = 5
_MAX_LINE_CHARACTERS = 10_000
_MATCH_SECONDS = 5.0


class ReadLogArguments(Arguments, frozen=True):
    path: Annotated[str, Meta(description="file of the workspace, such as logs/0003.log")]
    part: Annotated[
        Literal["head", "tail", "errors", "matching"],
        Meta(description="first lines, last lines, lines around errors, or lines around matches of `pattern`"),
    ] = "errors"
    pattern: Annotated[str, Meta(description="regular expression, for `matching`")] = ""
    lines: Annotated[int, Meta(description="lines at most", ge=1, le=2000)] = 100


def run_read_log(context: ToolContext, arguments: ReadLogArguments) -> ToolResult:
    lines = context.folder().read(arguments.path).splitlines()
    kept = _select_lines(lines, arguments)
    log = ToolView(ViewKind.LOG, "\n".join(lines))
    shown = log.render_lines(kept, lines) if kept else "(nothing)"
    places, frames = frames_in(context, shown)
    summary = f"{arguments.path}: {len(kept)} of {len(lines)} lines ({arguments.part})"
    return ToolResult(ToolView(ViewKind.LOG, "\n".join(filter(None, (shown, frames))), summary), summary, places)


def _select_lines(lines: list[str], arguments: ReadLogArguments) -> list[int]:
    """Select the offsets of the lines to show."""
    most = arguments.lines
    if arguments.part == "head":
        return list(range(len(lines)))[:most]
    if arguments.part == "tail":
        return list(range(len(lines)))[-most:]
    try:
        if arguments.part == "errors":
            hits = [number for number, line in enumerate(lines) if TROUBLE.search(line[:_MAX_LINE_CHARACTERS])]
        else:
            cut = [line[:_MAX_LINE_CHARACTERS] for line in lines]
            found = find_matches(arguments.pattern, cut, seconds=_MATCH_SECONDS)
            hits = [number for number, spans in enumerate(found) if spans]
    except RegexSearchError as error:
        raise ToolError(f"the pattern is refused: {error}") from error
    except TimeoutError as error:
        raise ToolError("the pattern takes too long; write a simpler one") from error
    kept: set[int] = set()
    for hit in reversed(hits):  # Start with the last match, which ended the run.
        near = set(range(max(0, hit - _CONTEXT_LINES), min(len(lines), hit + _CONTEXT_LINES + 1)))
        if kept and len(kept | near) > most:
            break
        kept |= near
    return sorted(kept)[-most:]


TOOLS = (
    Tool(
        "run_command",
        "Run a shell command in the workspace; a person may have to approve it first.",
        RunCommandArguments,
        run_command,
        Effect.EXECUTES,
    ),
    Tool(
        "provision",
        "Install what a repository needs into an environment for it, check it by importing, and run later commands in it.",
        ProvisionArguments,
        run_provision,
        Effect.EXECUTES,
    ),  # Approved like every tool that executes: builds of packages run.
    Tool(
        "install",
        "Install packages into the workspace: Python's with pip, JavaScript's with npm, Java's with Maven or Gradle; a person may have to"
        " approve it first.",
        InstallArguments,
        run_install,
        Effect.EXECUTES,
    ),
    Tool(
        "read_log",
        "Show a part of a command's output: head, tail, lines around errors, or lines around what a pattern matches.",
        ReadLogArguments,
        run_read_log,
        Effect.WRITES,
    ),
)
