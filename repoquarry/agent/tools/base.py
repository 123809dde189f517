"""Tools: name, arguments, effect and result.

Tools are the same for every policy. A policy without a model reads `ToolResult.records`, a chat model reads the view; both come from the
same call.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from repoquarry.agent.decisions import Folded, ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.execution.errors import ToolError
from repoquarry.execution.workspaces.workspace import TreeProvider, Workspace
from repoquarry.graphstore.errors import (
    AmbiguousNameError,
    NotFoundError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    TooManyQueriesError,
)
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.evidence_pack import EvidenceSessions
from repoquarry.graphstore.reading.name_resolution import resolve_name
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.repository_names import find_repository

_REQUEST_ERRORS = (
    NotFoundError, QueryRefusedError, QueryFailedError, QueryLimitError, QueryCancelledError, TooManyQueriesError
)  # fmt: skip


_MAX_CANDIDATES = 20


class Effect(enum.Enum):
    """Effect of a tool; a person approves tools that execute code."""

    READS = "reads the stored graph"
    WRITES = "writes files in the workspace"
    EXECUTES = "runs code in the workspace"


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every tool's arguments; unknown names are rejected."""


@dataclass(frozen=True)
class ToolContext:
    """Store, settings and workspace that a tool may use."""

    reader: CodeReader
    repositories: tuple[str, ...]
    task: str
    settings: AgentSettings
    cancelled: Callable[[], bool]
    workspace: Workspace | None = None
    trees: TreeProvider | None = None
    """Provider of complete trees of repositories; None if there is none."""

    client: str = ""
    """Client whose turn the queries take."""

    sessions: EvidenceSessions = field(default_factory=EvidenceSessions)
    """Memory of the entries that `explore` has shown."""

    about: str = ""
    """Subject of the call; empty for that of the task."""

    folded: list[Folded] = field(default_factory=list)
    """Calls that the policy has folded out of its conversation, oldest first."""

    def chosen(self, repository: str) -> tuple[str, ...]:
        """Return the repositories of a call. Raises: ToolError for one that the task may not use."""
        if not repository:
            return self.repositories
        repository = find_repository(self.reader.store, repository)
        if repository not in self.repositories:
            raise ToolError(f"no repository {repository!r} in this task; there are: {', '.join(self.repositories)}")
        return (repository,)

    def one(self, repository: str) -> str:
        """Return the one repository of a call. Raises: ToolError when the task has several and none is named."""
        chosen = self.chosen(repository)
        if len(chosen) != 1:
            raise ToolError(f"name one repository; there are: {', '.join(chosen) or 'none'}")
        return chosen[0]

    def resolve(self, target: str, repository: str = "", labels: Sequence[str] = ()) -> list[DefinitionRecord]:
        """Return all definitions that `target` can refer to, best first. Raises: NotFoundError, ToolError."""
        resolution = resolve_name(self.reader, target, self.chosen(repository))
        found = self.reader.definitions(node.id for node in resolution.nodes)
        matching = [definition for definition in found if not labels or definition.label in labels]
        if not matching:
            kinds = ", ".join(sorted({node.labels[0].lower() for node in resolution.nodes}))
            raise NotFoundError(
                f"{target!r} is a {kinds}, not a {' or '.join(labels).lower()}", kind="name", value=target
            )
        return matching

    def folder(self) -> Workspace:
        """Return the task's workspace. Raises: ToolError when it has none."""
        if self.workspace is None:
            raise ToolError("this task has no workspace; it has to be asked for when the task is created")
        return self.workspace


@dataclass(frozen=True)
class Tool:
    """A tool. `run` gets arguments that were checked against `arguments`; `call` is for callers."""

    name: str
    summary: str
    arguments: type[Arguments]
    run: Callable[[ToolContext, Any], ToolResult]
    effect: Effect = Effect.READS
    of_task: bool = False
    """True if the tool is available only inside a task."""
    rare: bool = False
    """True for a tool that is listed only where all tools are wanted."""

    def call(self, context: ToolContext, arguments: Mapping[str, object]) -> ToolResult:
        """Run the tool. Raises: ToolArgumentsError; ToolError, also where the store refuses the request; GraphStoreError."""
        checked = self.parse(arguments)
        try:
            return self.run(context, checked)
        except AmbiguousNameError as error:
            raise ToolError(f"{error}: {', '.join(error.candidates[:_MAX_CANDIDATES])}") from error
        except _REQUEST_ERRORS as error:
            raise ToolError(str(error)) from error

    @property
    def needs_workspace(self) -> bool:
        return self.effect is not Effect.READS

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of the arguments, as chat models take it."""
        document = msgspec.json.schema(self.arguments)
        definitions = document.get("$defs", {})
        schema: dict[str, object] = _inline(definitions[self.arguments.__name__], definitions)
        schema.pop("title", None)
        schema.pop("description", None)
        return schema

    def parse(self, arguments: Mapping[str, object]) -> Arguments:
        """Check arguments; numbers may be strings. Raises: ToolArgumentsError."""
        try:
            return msgspec.convert(arguments, self.arguments, strict=False)
        except msgspec.ValidationError as error:
            known = ", ".join(self.arguments.__struct_fields__)
            raise ToolArgumentsError(f"{self.name}: {error}; its arguments are: {known}") from error


def _inline(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Inline references, because servers of chat models refuse references."""
    if isinstance(schema, list):
        return [_inline(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**{key: value for key, value in named.items() if key not in ("title", "description")}, **schema}
        del schema["$ref"]
    return {key: _inline(value, definitions) for key, value in schema.items()}


def rows(heading: str, lines: Sequence[str]) -> ToolView:
    """Build a view of one finding per line, best first."""
    return ToolView(ViewKind.ROWS, "\n".join(lines) or "(nothing)", heading)


def several(target: str, found: Sequence[DefinitionRecord]) -> str:
    """Format the definitions that an ambiguous name can refer to; empty for one definition."""
    if len(found) < 2:
        return ""
    named = "; ".join(f"{item.title} ({item.where()})" for item in found[:5])
    return f"{target!r} means {len(found)} things here: {named}{' …' if len(found) > 5 else ''}"


def heading(title: str, target: str, found: Sequence[DefinitionRecord], *notes: str) -> str:
    """Join a title, the ambiguity of a name, and notes; empty notes are skipped."""
    return "\n".join(filter(None, (title, several(target, found), *notes)))
