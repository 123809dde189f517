"""Base class of the agent's own tools, their context, and the lazy registry of all tools: operations on code, and tools of a task."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from repoquarry.agent.decisions import Folded, ToolResult
from repoquarry.agent.settings import AgentSettings
from repoquarry.code.excerpts.evidence_pack import EvidenceSessions
from repoquarry.code.reader import CodeReader
from repoquarry.execution.errors import TaskCancelledError, ToolError, UnknownNameError
from repoquarry.execution.workspaces.files import OUTPUTS, FileRecord, list_files
from repoquarry.execution.workspaces.workspace import SharedTree, TreeProvider, Workspace
from repoquarry.operations.base import Effect, Operation, OperationScope, RepositoryOffer, RepositorySearch
from repoquarry.operations.table import OPERATIONS, load_operation

_MAX_OUTPUTS = 1_000
Indexer = Callable[[str, Callable[[], bool]], str]
"""Indexes the repository at a git address, unless it is cancelled, and returns its id. Raises: ToolError."""


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

    index: Indexer | None = None
    """Indexer of repositories; None if this task cannot add any."""

    search: RepositorySearch | None = None
    """Search of catalogs; None if there is none."""

    offered: set[str] = field(default_factory=set)
    """Addresses that the search has returned in this process."""

    client: str = ""
    """Client whose turn the queries take."""

    sessions: EvidenceSessions = field(default_factory=EvidenceSessions)
    """Memory of the entries that `explore` has shown."""

    folded: list[Folded] = field(default_factory=list)
    """Calls that the policy has folded out of its conversation, oldest first."""

    def check_cancelled(self) -> None:
        """Raise TaskCancelledError once the task is cancelled."""
        if self.cancelled():
            raise TaskCancelledError("the task was cancelled")

    @property
    def scope(self) -> OperationScope:
        """Part of the context that operations on code need."""
        return OperationScope(
            *(self.reader, self.repositories, self.cancelled, self.settings.query_rows, self.settings.query_seconds),
            search=self._search if self.search is not None else None,
            client=self.client,
            sessions=self.sessions,
            can_index=self.index is not None,
        )

    def _search(self, text: str) -> Sequence[RepositoryOffer]:
        offers = self.search(text) if self.search is not None else ()
        self.offered.update(offer.address for offer in offers)
        return offers

    def folder(self) -> Workspace:
        """Return the task's workspace. Raises: ToolError when it has none."""
        if self.workspace is None:
            raise ToolError("this task has no workspace; it has to be asked for when the task is created")
        return self.workspace

    def list_outputs(self) -> tuple[FileRecord, ...]:
        """List the files of the folder `outputs` of the workspace."""
        if self.workspace is None:
            return ()
        return list_files(self.workspace.root, OUTPUTS, most=_MAX_OUTPUTS).files

    def open_tree(self, repository: str) -> AbstractContextManager[SharedTree]:
        """Open the complete tree of a repository. Raises: ToolError, also where no trees are available."""
        if self.trees is None:
            raise ToolError("this process cannot reach the sources of repositories")
        return self.trees.open(repository, self.cancelled)


class Tool(Operation, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of tools that need the context of a task."""


def call_tool(tool: type[Operation], context: ToolContext, arguments: Mapping[str, object]) -> ToolResult:
    """Call a tool or an operation. Raises: as `Operation.call`."""
    result = tool.call(context if issubclass(tool, Tool) else context.scope, arguments)
    if isinstance(result, ToolResult):
        return result
    return ToolResult(result.view, result.summary, result.places, result.possible)


_WORKING: Final = (
    *("checkout", "read_file", "write_file", "edit_file"),
    *("run_command", "provision", "install", "read_log"),
)
TOOLS: Final = (*OPERATIONS, *_WORKING, "index_repository", "recall")
"""Names of all tools: a new one is a class in a module of this package and a name here."""


@cache
def _load_tools() -> Mapping[str, type[Operation]]:
    """Load the modules of all tools, which take long to import."""
    names = ("task_tools", "workspace_tools")
    modules = (importlib.import_module(f"{__package__}.{name}") for name in names)
    own = {tool.name: tool for module in modules for tool in module.TOOLS}
    return {name: load_operation(name) for name in OPERATIONS} | own


def load_tool(name: str) -> type[Operation]:
    """Return the tool of that name. Raises: UnknownNameError, which lists the known ones."""
    if name not in TOOLS:
        raise UnknownNameError("tool", name, TOOLS)
    return _load_tools()[name]


def available_tools(
    *, workspace: bool, task: bool = True, exploration: bool = True, indexing: bool = False
) -> list[type[Operation]]:
    """List the tools that a task may call, with or without a workspace; without a task those that make sense outside one.

    Without `exploration` the reading tools are omitted, without `indexing` the tool that adds repositories.
    """
    tools = [load_tool(name) for name in TOOLS if exploration or name not in OPERATIONS]
    tools = [tool for tool in tools if indexing or tool.effect is not Effect.INDEXES]
    return [tool for tool in tools if (workspace or not tool.effect.needs_workspace) and (task or not tool.of_task)]
