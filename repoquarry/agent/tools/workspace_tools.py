"""Agent tools that act in a task's workspace: check out trees, read and write files, run commands, install environments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from msgspec import Meta

from repoquarry.agent.decisions import CommandRecord, ToolResult
from repoquarry.agent.tools.base import Tool, ToolContext
from repoquarry.code.excerpts.question_places import find_traced
from repoquarry.code.excerpts.text_truncation import TROUBLE
from repoquarry.code.excerpts.text_view import TextView, ViewKind, build_file_view
from repoquarry.code.records import DefinitionRecord
from repoquarry.execution.errors import EnvironmentUnavailableError, ToolError
from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.provisioning_run import provision_workspace
from repoquarry.execution.provision.report import ProvisioningResult
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.base import Effect
from repoquarry.operations.result import Place
from repoquarry.processes.regex_search import RegexSearchError, find_matches

_MAX_OMITTED: Final = 10
_MAX_LISTED: Final = 20
_MAX_FRAMES: Final = 8
_TAIL_CHARACTERS: Final = 20_000
_CONTEXT_LINES: Final = 5
_MAX_LINE_CHARACTERS: Final = 10_000
_MATCH_SECONDS: Final = 5.0


class CheckoutCall(Tool, frozen=True):
    name = "checkout"
    summary = "Write the complete tree of a repository into the workspace, with files that are not indexed."
    effect = Effect.WRITES

    repository: Annotated[str, Meta(description="repository id")]
    folder: Annotated[str, Meta(description="new folder of the workspace; defaults to the name of the repository")] = ""

    def run(self, context: ToolContext) -> ToolResult:
        (repository,) = context.scope.chosen(self.repository)
        folder = self.folder or repository
        with context.open_tree(repository) as tree:
            context.folder().put_tree(tree, folder)
            commit = f" at commit {tree.commit}" if tree.commit else ""
            summary = f"{count_noun(tree.files, 'file')} of {repository}{commit} in {folder}/"
            omitted = [f"omitted: {item.path} ({item.reason})" for item in tree.left_out]
        if not omitted:
            return ToolResult.from_text(summary)
        summary += f"; {len(omitted)} omitted"
        more = [f"… and {len(omitted) - _MAX_OMITTED} more"] if len(omitted) > _MAX_OMITTED else []
        text = "\n".join([f"{summary}:", *omitted[:_MAX_OMITTED], *more])
        return ToolResult(TextView(ViewKind.ROWS, text), summary)


class ReadFileCall(Tool, frozen=True):
    name = "read_file"
    summary = "Show a file of the workspace."
    effect = Effect.WRITES

    path: Annotated[str, Meta(description="path in the workspace")]
    about: Annotated[str, Meta(description="subject; decides what stays of a long file")] = ""

    def run(self, context: ToolContext) -> ToolResult:
        text = context.folder().read(self.path)
        view = build_file_view(self.path, text, f"workspace {self.path}")
        return ToolResult(view, f"{self.path}, {count_noun(text.count(chr(10)) + 1, 'line')}")


class WriteFileCall(Tool, frozen=True):
    name = "write_file"
    summary = "Write a complete file of the workspace."
    effect = Effect.WRITES

    path: Annotated[str, Meta(description="path in the workspace; missing folders are created")]
    text: Annotated[str, Meta(description="complete content")]

    def run(self, context: ToolContext) -> ToolResult:
        return ToolResult.from_text(f"wrote {context.folder().write(self.path, self.text)} bytes to {self.path}")


class EditFileCall(Tool, frozen=True):
    name = "edit_file"
    summary = "Replace one piece of text in a file of the workspace."
    effect = Effect.WRITES

    path: Annotated[str, Meta(description="path in the workspace")]
    old: Annotated[str, Meta(description="text to replace; occurs exactly once, line breaks and spaces included")]
    new: Annotated[str, Meta(description="replacement")]

    def run(self, context: ToolContext) -> ToolResult:
        line = context.folder().edit(self.path, self.old, self.new)
        return ToolResult.from_text(f"replaced the text at line {line} of {self.path}")


class RunCommandCall(Tool, frozen=True):
    name = "run_command"
    summary = "Run a shell command in the workspace; a person may have to approve it first."
    effect = Effect.EXECUTES

    command: Annotated[str, Meta(description="shell command; the workspace's virtual environment is first on its path")]
    folder: Annotated[str, Meta(description="folder of the workspace to run it in")] = "."
    seconds: Annotated[float, Meta(description="time limit; 0 for the service's own, which it cannot exceed", ge=0)] = (
        0.0
    )

    def run(self, context: ToolContext) -> ToolResult:
        outcome = context.folder().run(self.command, self.folder, self.seconds)
        return _show_outcome(context, f"$ {self.command}", outcome)


def _show_outcome(context: ToolContext, command: str, outcome: CommandOutcome) -> ToolResult:
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
    places, frames = _find_frames(context, outcome.output) if outcome.exit_code else ((), "")
    view = TextView(ViewKind.LOG, outcome.output, "\n".join(filter(None, (heading, frames))))
    return ToolResult(view, summary, places, command=CommandRecord(command, outcome, log))


def _find_frames(context: ToolContext, output: str) -> tuple[tuple[Place, ...], str]:
    """Find the definitions of a traceback's frames, nearest to the failure first: their places, and lines that list them."""
    workspace = f"{context.folder().root}/"

    def is_own(path: str) -> bool:  # Otherwise a file of the interpreter.
        return not path.startswith("/") or "/site-packages/" in path or path.startswith(workspace)

    traced: dict[str, tuple[DefinitionRecord, int]] = {}
    for item, line in find_traced(context.reader, output[-_TAIL_CHARACTERS:], context.repositories, is_own):
        traced.setdefault(item.id, (item, line))
    found = list(traced.values())[:_MAX_FRAMES]
    if not found:
        return (), ""
    lines = [
        f"- line {line}: {item.path}:{item.start_line}-{item.end_line} {item.qualname or '(module level)'} in {item.repository}"
        for item, line in found
    ]
    places = tuple(Place.of(item, f"The traceback passes line {line}.") for item, line in found)
    return places, "\n".join(["Frames in the graph, nearest to the failure first (view shows one):", *lines])


class ProvisionCall(Tool, frozen=True):
    name = "provision"
    summary = "Install what a repository needs into an environment for it, check it by importing, and run later commands in it."
    effect = Effect.EXECUTES  # Builds of packages run.

    repository: Annotated[str, Meta(description="repository id; it is checked out when its folder is not there yet")]
    folder: Annotated[str, Meta(description="folder of the workspace with its files; empty for one named like it")] = ""
    date: Annotated[str, Meta(description="take versions of this day, YYYY-MM-DD; empty for the newest")] = ""
    language: Annotated[str, Meta(description="`python` or `javascript`; empty lets its manifests decide")] = ""
    tests: Annotated[bool, Meta(description="install what its own tests need too")] = False

    def run(self, context: ToolContext) -> ToolResult:
        (repository,) = context.scope.chosen(self.repository)
        workspace, folder = context.folder(), self.folder or repository
        if not workspace.locate(folder).is_dir():
            with context.open_tree(repository) as tree:
                workspace.put_tree(tree, folder)
        try:
            found = provision_workspace(
                workspace,
                workspace.locate(folder),
                context.settings,
                date=_day(self.date),
                tests=self.tests,
                language=self.language,
                cancelled=context.cancelled,
            )
        except EnvironmentUnavailableError as error:  # Another repository may need what is here.
            raise ToolError(f"no environment can be made for {repository}: {error}") from error
        if found.environment is None:
            raise ToolError(f"no environment could be made for {repository}: {'; '.join(found.missing)}")
        summary = f"{found.state}: {found.runtime}, {count_noun(len(found.lock), 'package')}, {count_noun(len(found.repairs), 'repair')}"
        if found.missing:
            summary += f"; missing: {'; '.join(found.missing)[:500]}"
        return ToolResult(TextView(ViewKind.ROWS, "\n".join(_provisioning_lines(found)), summary), summary)


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


class InstallCall(Tool, frozen=True):
    name = "install"
    summary = (
        "Install packages into the workspace: Python's with pip, JavaScript's with npm, Java's with Maven or Gradle; a person may have to"
        " approve it first."
    )
    effect = Effect.EXECUTES

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

    def run(self, context: ToolContext) -> ToolResult:
        outcome = context.folder().install(self.requirements, self.folder, self.language)
        return _show_outcome(context, f"install {' '.join(self.requirements)}", outcome)


class ReadLogCall(Tool, frozen=True):
    name = "read_log"
    summary = (
        "Show a part of a command's output: head, tail, lines around errors, or lines around what a pattern matches."
    )
    effect = Effect.WRITES

    path: Annotated[str, Meta(description="file of the workspace, such as logs/0003.log")]
    part: Annotated[
        Literal["head", "tail", "errors", "matching"],
        Meta(description="first lines, last lines, lines around errors, or lines around matches of `pattern`"),
    ] = "errors"
    pattern: Annotated[str, Meta(description="regular expression, for `matching`")] = ""
    lines: Annotated[int, Meta(description="lines at most", ge=1, le=2000)] = 100

    def run(self, context: ToolContext) -> ToolResult:
        lines = context.folder().read(self.path).splitlines()
        kept = _select_lines(lines, self)
        shown = TextView(ViewKind.LOG, "\n".join(lines)).render_lines(kept, lines) if kept else "(nothing)"
        places, frames = _find_frames(context, shown)
        summary = f"{self.path}: {len(kept)} of {len(lines)} lines ({self.part})"
        return ToolResult(TextView(ViewKind.LOG, "\n".join(filter(None, (shown, frames))), summary), summary, places)


def _select_lines(lines: list[str], call: ReadLogCall) -> list[int]:
    """Select the offsets of the lines to show."""
    most = call.lines
    if call.part == "head":
        return list(range(len(lines)))[:most]
    if call.part == "tail":
        return list(range(len(lines)))[-most:]
    try:
        if call.part == "errors":
            hits = [number for number, line in enumerate(lines) if TROUBLE.search(line[:_MAX_LINE_CHARACTERS])]
        else:
            cut = [line[:_MAX_LINE_CHARACTERS] for line in lines]
            found = find_matches(call.pattern, cut, seconds=_MATCH_SECONDS)
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


TOOLS: Final = (
    *(CheckoutCall, ReadFileCall, WriteFileCall, EditFileCall),
    *(RunCommandCall, ProvisionCall, InstallCall, ReadLogCall),
)
