"""Base class of operations: a subclass is one question about code with a JSON schema, an instance is one call with checked arguments."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Protocol, Self

import msgspec
from msgspec import Meta

from repoquarry.code.excerpts.evidence_pack import EvidenceSessions
from repoquarry.code.name_resolution import NameMatch, resolve_name, subject_key
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.execution.errors import ToolArgumentsError, ToolError
from repoquarry.graphstore.errors import (
    AmbiguousNameError,
    NotFoundError,
    QueryCancelledError,
    QueryFailedError,
    QueryLimitError,
    QueryRefusedError,
    TooManyQueriesError,
)
from repoquarry.graphstore.model.values import Node, get_str
from repoquarry.graphstore.repository_names import find_repository
from repoquarry.operations.result import OperationResult

_REQUEST_ERRORS = (
    NotFoundError, QueryRefusedError, QueryFailedError, QueryLimitError, QueryCancelledError, TooManyQueriesError
)  # fmt: skip
_MAX_CANDIDATES = 20
_MAX_ENUM_CHARACTERS = 150
"""Maximum number of characters of the repository ids that a schema lists; with more, the argument is free text."""
Target = Annotated[str, Meta(description="name, path, path:line or id, e.g. `Session.get`")]
RepositoryId = Annotated[str, Meta(description="only in this one")]


class RepositoryOffer(Protocol):
    """Repository that is not indexed and may fit a task. `command` indexes it."""

    @property
    def name(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def command(self) -> str: ...


RepositorySearch = Callable[[str], Sequence[RepositoryOffer]]
"""Finds repositories for a task that are not indexed, best first. Raises: ToolError."""


class Effect(enum.Enum):
    """Effect of a tool; a person approves tools that execute code or index a repository."""

    READS = "reads the stored graph"
    WRITES = "writes files in the workspace"
    EXECUTES = "runs code in the workspace"
    INDEXES = "clones a repository and adds it to the index"

    @property
    def needs_workspace(self) -> bool:
        return self in (Effect.WRITES, Effect.EXECUTES)

    @property
    def needs_approval(self) -> bool:
        return self in (Effect.EXECUTES, Effect.INDEXES)


@dataclass(frozen=True)
class OperationScope:
    """Store, repositories and limits of a call."""

    reader: CodeReader
    repositories: tuple[str, ...]
    cancelled: Callable[[], bool]
    query_rows: int
    query_seconds: float
    search: RepositorySearch | None = None
    """Search of catalogs; None if there is none."""

    client: str = ""
    """Client whose turn the queries take."""

    sessions: EvidenceSessions = field(default_factory=EvidenceSessions)
    """Memory of the entries that `explore` has shown."""

    can_index: bool = False
    """True if the caller can index repositories."""

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

    def resolve(self, target: str, repository: str = "") -> ResolvedTarget:
        """Find the one thing that a target refers to. Raises: NotFoundError, AmbiguousNameError, ToolError."""
        found = resolve_name(self.reader, target, self.chosen(repository))
        if found.match is NameMatch.EXTERNAL:
            return ResolvedTarget(target, self.chosen(repository), found.nodes, ())
        nodes = found.require_one()
        owner, path, qualname = (get_str(nodes[0].properties.get(key)) for key in ("repository", "path", "qualname"))
        same = tuple(node for node in nodes if subject_key(node) == subject_key(nodes[0]))
        definitions = tuple(self.reader.definitions(node.id for node in same))
        return ResolvedTarget(f"{path}::{qualname}" if qualname else path, self.chosen(owner), same, definitions)


@dataclass(frozen=True)
class ResolvedTarget:
    """The one thing that a target refers to: a definition with its overloads, a file, or external code."""

    name: str
    """Path and qualified name; the target itself for external code."""
    repositories: tuple[str, ...]
    """Repository of the thing; for external code those of the call."""
    nodes: tuple[Node, ...]
    definitions: tuple[DefinitionRecord, ...]

    def require(self, *labels: str) -> list[DefinitionRecord]:
        """Return the definitions with one of the labels, or all. Raises: NotFoundError."""
        found = [item for item in self.definitions if not labels or item.label in labels]
        if not found:
            kind, wanted = self.nodes[0].labels[0].lower(), " or ".join(labels or ("definition",)).lower()
            raise NotFoundError(f"{self.name!r} is a {kind}, not a {wanted}", kind="name", value=self.name)
        return found


class Operation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all operations. Fields of a subclass are its arguments; unknown arguments are rejected."""

    name: ClassVar[str]
    summary: ClassVar[str]
    effect: ClassVar[Effect] = Effect.READS
    of_task: ClassVar[bool] = False
    """True if the operation is available only inside a task."""
    rare: ClassVar[bool] = False
    """True for an operation that is listed only where all are wanted."""
    own_limit: ClassVar[str] = ""
    """Argument that limits the characters of the answer; empty for an answer that is cut to a number of tokens."""

    def run(self, scope: Any) -> OperationResult:
        """Make the call; `scope` is an `OperationScope`, or what a tool of the agent needs."""
        raise NotImplementedError

    def relevant_names(self, result: OperationResult) -> set[str] | None:
        """Return the names whose unresolved calls may affect the answer; None if any may."""
        return set()

    @classmethod
    def call(cls, scope: Any, arguments: Mapping[str, object]) -> OperationResult:
        """Run the operation. Raises: ToolArgumentsError; ToolError, also where the store refuses the request; GraphStoreError."""
        checked = cls.parse(arguments)
        return checked.answer(scope)

    def answer(self, scope: Any) -> OperationResult:
        """Run the operation. Raises: ToolError, also where the store refuses the request; GraphStoreError."""
        try:
            return self.run(scope)
        except AmbiguousNameError as error:
            raise ToolError(f"{error}: {', '.join(error.candidates[:_MAX_CANDIDATES])}") from error
        except _REQUEST_ERRORS as error:
            raise ToolError(str(error)) from error

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON schema of the arguments, as chat models take it."""
        definitions = msgspec.json.schema(cls)["$defs"]
        schema: dict[str, Any] = _inline(definitions[cls.__name__], definitions)
        return {key: value for key, value in schema.items() if key not in ("title", "description")}

    @classmethod
    def parse(cls, arguments: Mapping[str, object]) -> Self:
        """Check arguments; numbers may be strings. Raises: ToolArgumentsError."""
        try:
            return msgspec.convert(arguments, cls, strict=False)
        except msgspec.ValidationError as error:
            known = ", ".join(cls.__struct_fields__)
            permitted = _format_permitted(str(error), cls.schema())
            raise ToolArgumentsError(f"{cls.name}: {error}{permitted}; its arguments are: {known}") from error


def _format_permitted(message: str, schema: Mapping[str, Any]) -> str:
    """Format the permitted values of the argument at the end of a validation error; empty for one without a list of values."""
    argument = message.rpartition("`$.")[2].rstrip("`")
    values = schema.get("properties", {}).get(argument, {}).get("enum", ())
    return f" (permitted: {', '.join(map(str, values))})" if values else ""


def offered_schema(operation: type[Operation], repositories: Sequence[str]) -> dict[str, Any]:
    """Return the schema of an operation's arguments; `repository` lists the repositories, and is absent where there is one."""
    schema = operation.schema()
    properties: dict[str, Any] = schema.get("properties", {})
    if "repository" in properties:
        if len(repositories) == 1:
            del properties["repository"]
        elif sum(map(len, repositories)) <= _MAX_ENUM_CHARACTERS:
            properties["repository"] = {**properties["repository"], "enum": sorted(repositories)}
            properties["repository"].pop("default", None)
    return schema


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
    if "enum" in schema and "type" not in schema:  # Some hosts skip tools with a parameter without a type.
        names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
        kinds = list(dict.fromkeys(names[type(value)] for value in schema["enum"]))
        schema = {"type": kinds[0] if len(kinds) == 1 else kinds, **schema}
    return {key: _inline(value, definitions) for key, value in schema.items()}


def several(target: str, found: Sequence[DefinitionRecord]) -> str:
    """Format the definitions that an ambiguous name can refer to; empty for one definition."""
    if len(found) < 2:
        return ""
    named = "; ".join(f"{item.title} ({item.where()})" for item in found[:5])
    return f"{target!r} is ambiguous: {len(found)} definitions: {named}{' …' if len(found) > 5 else ''}"


def short_names(*names: str) -> set[str]:
    """Return the last parts of some names or paths."""
    return {name.rpartition("::")[2].rpartition(".")[2] for name in names}
