"""System prompt of the agent's chat model, and schemas of its tools: default tools, `finish`, `plan`, and `more_tools` for the rest."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from repoquarry.agent.decisions import ToolCall, ToolResult
from repoquarry.agent.model.context_window import is_small
from repoquarry.agent.model.replies import FINISH
from repoquarry.agent.task import Budget, TaskRequest
from repoquarry.agent.tools.base import Tool, ToolContext, available_tools
from repoquarry.code.excerpts.context import ContextRequest, build_context
from repoquarry.code.excerpts.text_view import TextView, ViewKind
from repoquarry.code.repository_ranking import rank_repositories
from repoquarry.execution.errors import ToolArgumentsError
from repoquarry.graphstore.model.values import count_noun
from repoquarry.operations.base import Operation
from repoquarry.operations.render import Table

_READING: Final = ("explore", "search", "view", "relations", "impact", "constants", "tree", "cypher")
_WORKSPACE: Final = (
    *("search", "view", "relations", "cypher", "checkout", "read_file", "write_file", "edit_file"),
    "run_command",
)
_SMALL: Final = frozenset(
    {"search", "view", "relations", "checkout", "read_file", "write_file", "run_command", "finish"}
    | {"repositories", "index_repository"}
)
_FINDING: Final = ("repositories", "index_repository")
"""Tools that are offered first while a task has no repository."""
_NAMED_REPOSITORIES: Final = 10
_NAMING: Final = frozenset({"search", "tree"})
"""Tools whose schemas name the repositories."""
_OMITTED: Final = frozenset({"default", "title", "additionalProperties", "minimum", "maximum", "minLength", "minItems"})


class NamedPlace(msgspec.Struct, frozen=True):
    """Place as a model names it."""

    path: Annotated[str, Meta(description="path relative to the repository's root")]
    qualname: Annotated[str, Meta(description="dotted name in the file")] = ""
    start_line: Annotated[int, Meta(ge=0)] = 0
    end_line: Annotated[int, Meta(ge=0)] = 0
    why: Annotated[str, Meta(description="one sentence")] = ""
    repository: str = ""


class FinishCall(Tool, frozen=True):
    name = FINISH
    summary = "Give the answer and end the task; alone in its message."

    text: Annotated[str, Meta(description="answer in Markdown; cite code as path:line")]
    places: Annotated[list[NamedPlace], Meta(description="places that answer the task, best first")] = []  # noqa: RUF012  copied by msgspec


class PlanCall(Tool, frozen=True):
    name = "plan"
    summary = "Note or revise your plan; it stays when older steps are folded."

    steps: Annotated[list[str], Meta(description="what is left to do")]
    facts: Annotated[list[str], Meta(description="decided and found, with path:line")] = []  # noqa: RUF012  copied by msgspec
    questions: Annotated[list[str], Meta(description="open questions")] = []  # noqa: RUF012  copied by msgspec

    def run(self, context: ToolContext) -> ToolResult:
        return ToolResult(TextView(ViewKind.ROWS, "noted"), f"{count_noun(len(self.steps), 'step')} left")


class MoreToolsCall(Tool, frozen=True):
    name = "more_tools"
    summary = "List further tools (imports, duplicates, …), or call one."

    tool: Annotated[str, Meta(description="tool to call; empty lists tools and their arguments")] = ""
    arguments: Annotated[dict[str, Any], Meta(description="its arguments")] = {}  # noqa: RUF012  copied by msgspec

    def run(self, context: ToolContext) -> ToolResult:
        workspace = context.workspace is not None
        standing = _WORKSPACE if workspace else _READING
        exploration, indexing = context.settings.exploration, context.index is not None
        tools = available_tools(workspace=workspace, exploration=exploration, indexing=indexing)
        rows = [
            (f"{tool.name}({_format_arguments(tool)}): {tool.summary}",) for tool in tools if tool.name not in standing
        ]
        table = Table((), rows, 'call one with more_tools(tool="name", arguments={…})')
        return ToolResult.of_tables((table,), count_noun(len(rows), "more tool"))


def format_plan(arguments: Mapping[str, object]) -> str:
    """Format the arguments of `plan` as notes."""
    named = (("Steps", "steps"), ("Facts", "facts"), ("Open questions", "questions"))
    parts = [(title, arguments.get(key)) for title, key in named]
    return "\n".join(
        f"{title}: {'; '.join(map(str, items))}" for title, items in parts if isinstance(items, list) and items
    )


def _format_arguments(tool: type[Operation]) -> str:
    fields = msgspec.structs.fields(tool)
    return ", ".join(field.name if field.required else f"{field.name}?" for field in fields)


OWN_TOOLS: Final[Sequence[type[Operation]]] = (PlanCall, MoreToolsCall)


def offer_schemas(
    tools: Mapping[str, type[Operation]], repositories: Sequence[str], limit: int
) -> list[dict[str, Any]]:
    """Schemas of the standing tools as chat models take them; a small context gets few tools."""
    names = _WORKSPACE if "run_command" in tools else _READING
    if not repositories:
        names = (*_FINDING, *names)
    offered = [tools[name] for name in names if name in tools]
    offered += [*OWN_TOOLS, FinishCall]
    if is_small(limit):
        offered = [tool for tool in offered if tool.name in _SMALL]
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.summary, "parameters": _compact(tool, repositories)},
        }
        for tool in offered
    ]


def _compact(tool: type[Operation], repositories: Sequence[str]) -> dict[str, Any]:
    """Schema without what a model does not need: defaults, empty texts, the only repository."""
    schema = tool.schema()
    required = schema.get("required", [])
    properties = {name: _without_default(value) for name, value in schema["properties"].items()}
    if "repository" in properties and tool.name != FINISH:
        properties["repository"] = {"type": "string"}
        if tool.name in _NAMING and 1 < len(repositories) <= _NAMED_REPOSITORIES:
            properties["repository"]["enum"] = [*repositories] if "repository" in required else ["", *repositories]
    if len(repositories) == 1 and "repository" not in required:
        properties.pop("repository", None)
    return {"type": "object", "properties": properties, "required": required}


def _without_default(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_default(item) for key, item in value.items() if key not in _OMITTED}
    return value


def read_finish(call: ToolCall) -> FinishCall:
    """Read the answer; places given as strings are `path`, `path:line` or `path:first-last`. Raises: ToolArgumentsError."""
    if call.problem:
        raise ToolArgumentsError(call.problem)
    arguments = dict(call.arguments)
    places = arguments.get("places")
    if isinstance(places, list):
        arguments["places"] = [{"path": place} if isinstance(place, str) else place for place in places]
    elif places is not None:
        arguments["places"] = []
    return FinishCall.parse(arguments)


_ROLE: Final = "You answer questions about indexed source code repositories by calling tools."
_EXPLORATION_RULES: Final = """
Procedure: 1. find candidates ({finding}); 2. read them (view); 3. follow calls (relations) where the task asks for
them; 4. call finish, alone in its message, with the answer and its places, best first."""
_FINISH_RULE: Final = """
Call finish, alone in its message, with the answer and its places, best first."""
_RULES: Final = """\
- State only what a tool showed you. Cite code as `path:line`, for example `shop/cart.py:42`.
- A name may mean several things: say which ones you mean.
- Calls that could not be resolved are listed as possible; say so where they matter.
- Long results are cut to the argument `about`, or to the subject of your last message. Do not repeat a call.
- If the repositories hold no answer, call finish with text that begins with NO ANSWER and say what you searched."""

_WORKSPACE_RULES: Final = """\
- You have a workspace: a folder in which you may write files and run commands. `checkout` puts the tree of a repository there.
  Inputs are in inputs/; deliver results in outputs/. The output of every command is stored in logs/.
- Work in turns: look, write a script, run it, read its output, look up the definitions that a traceback names, repair, run again.
- A person may have to approve commands; do not retry a declined command. When one repository fails, use the next one and say so."""
_NO_REPOSITORY: Final = "none yet: find one with `repositories`, and add it with `index_repository`"
_NAMED: Final = 10
_BLOCKS: Final = 3
_SHARE: Final = 0.12
"""Share of the context for the blocks of repositories."""
_MAX_BLOCK_TOKENS: Final = 6_000
_UNLIMITED_TOKENS: Final = 100_000


def build_instructions(context: ToolContext, request: TaskRequest, budget: Budget, limit: int, *, blocks: bool) -> str:
    """Build the instructions: a prefix that is the same for all tasks with these repositories, then what belongs to the task."""
    chosen = _choose(context)
    explores = context.settings.exploration
    finding = "search" if is_small(limit) else "explore, search, tree"
    procedure = _EXPLORATION_RULES.format(finding=finding) if explores else _FINISH_RULE
    parts = ["\n".join((_ROLE, procedure, _RULES, *([_WORKSPACE_RULES] if request.workspace else [])))]
    if request.workspace:
        network = ", ".join(request.hosts) or "none but for installations"
        parts.append(f"Platform: {platform.system()} {platform.machine()}, Python {platform.python_version()}.")
        parts.append(f"Isolation of commands: {context.settings.workspace.isolation}; network: {network}.")
    parts.append(
        "Repositories:\n" + ("\n".join(_describe(context, chosen, limit)) or (_NO_REPOSITORY if explores else "none"))
    )
    if chosen and blocks and not is_small(limit):
        tokens = min(int((limit or _UNLIMITED_TOKENS) * _SHARE), _MAX_BLOCK_TOKENS) // min(len(chosen), _BLOCKS)
        parts += [_block(context, name, tokens) for name in chosen[:_BLOCKS]]
    limits = ((budget.steps, "tool calls"), (budget.tokens, "tokens"), (int(budget.seconds), "seconds"))
    if named := ", ".join(f"{value} {unit}" for value, unit in limits if value):
        parts.append(f"Budget: {named}.")
    if request.inputs:
        parts.append("Files of this task:\n" + "\n".join(f"- inputs/{path}" for path in request.inputs))
    if request.checks:
        checks = "\n".join(f"- {check}" for check in request.checks)
        parts.append(f"The task is done when all of this holds, and not before:\n{checks}")
    return "\n\n".join(parts)


def _choose(context: ToolContext) -> Sequence[str]:
    """The repositories of the task; of many those that fit the task best."""
    if len(context.repositories) <= _BLOCKS:
        return context.repositories
    ranked = [item.repository for item in rank_repositories(context.reader, context.repositories, context.task)]
    return list(dict.fromkeys([*ranked, *context.repositories]))[:_NAMED]


def _describe(context: ToolContext, chosen: Sequence[str], limit: int) -> list[str]:
    known = {item.id: item for item in context.reader.repositories()}
    lines = [
        f"- {name}: {known[name].summary or 'no description'} ({count_noun(known[name].files, 'file')})"
        for name in chosen
        if name in known
    ]
    if (more := len(context.repositories) - len(chosen)) > 0:
        is_ranked = context.settings.exploration and not is_small(limit)  # A small context has no `more_tools`.
        lines.append(f"- {more} more{'; repositories (see more_tools) ranks all of them for a task' * is_ranked}")
    return lines


def _block(context: ToolContext, repository: str, tokens: int) -> str:
    """README, modules, core classes and tree of a repository."""
    store = context.reader.store
    built = build_context(store, ContextRequest(repository, max(tokens, 200), settings=store.settings.context))
    return f"<repository {repository}>\n{built.text}\n</repository>"
