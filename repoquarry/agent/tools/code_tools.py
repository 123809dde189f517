"""Table of the reading tools that MCP, ToolService and the agent offer: eight standing ones and four rare ones.

One argument name means one thing in every tool: `target` is a name, path, `path:line` or id; `text` are words. A target that fits several
things is answered with the candidates.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from repoquarry.agent.decisions import ToolResult
from repoquarry.agent.errors import ToolArgumentsError
from repoquarry.agent.task import Place
from repoquarry.agent.tools import finding, overview, relations, source
from repoquarry.agent.tools.base import Arguments, Tool, ToolContext
from repoquarry.agent.views.view import ToolView, ViewKind
from repoquarry.graphstore.model.values import Node, get_str
from repoquarry.graphstore.reading.evidence_pack import DEFAULT_CHARS, MIN_CHARS, PROVENANCE_CHARS, EvidenceRequest
from repoquarry.graphstore.reading.name_resolution import NameMatch, require_subject, resolve_name

_MAX_ENUM_CHARS = 150
"""Maximum number of characters of the repository ids that a schema lists; with more, the argument is free text."""
_TREE_DEPTH: Final = 2
_Target = Annotated[str, Meta(description="name, path, path:line or id, e.g. `Session.get`")]
_Repository = Annotated[str, Meta(description="only in this one")]
_Words = Annotated[str, Meta(description="words, e.g. `retry timeout`")]


class ExploreArguments(Arguments, frozen=True):
    target: Annotated[str, Meta(description="name, path, path:line or id, e.g. `Session.get`; or a question")]
    repository: _Repository = ""
    max_chars: Annotated[int, Meta(description="limit of the answer", ge=MIN_CHARS, le=24_000)] = DEFAULT_CHARS
    session: Annotated[str, Meta(description="id of your choice; nothing is shown twice in a session")] = ""


def run_explore(context: ToolContext, arguments: ExploreArguments) -> ToolResult:
    limit = arguments.max_chars - PROVENANCE_CHARS
    request = EvidenceRequest(arguments.target, context.chosen(arguments.repository), limit)
    pack = context.sessions.build_pack(context.reader, request, context.client, arguments.session)
    found = pack.subject[0].title if pack.subject else f"{len(pack.candidates) or len(pack.places)} places"
    places = tuple(Place.of(item) for item in pack.places)
    return ToolResult(ToolView(ViewKind.DOCUMENT, pack.text), found, places, pack.places)


class SearchArguments(Arguments, frozen=True):
    text: Annotated[str, Meta(description="words, exact text, regular expression or task, by `mode`")]
    mode: Annotated[Literal["hybrid", "exact", "regex", "task"], Meta(description="how to compare")] = "hybrid"
    repository: _Repository = ""
    path: Annotated[str, Meta(description="glob, e.g. `src/**/*.py`")] = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=50)] = 15


def run_search(context: ToolContext, arguments: SearchArguments) -> ToolResult:
    if arguments.mode == "task":
        return finding.locate_places(context, arguments.text, arguments.repository)
    return finding.search_places(
        context, arguments.text, arguments.mode, arguments.repository, arguments.path, arguments.limit
    )


class RelationsArguments(Arguments, frozen=True):
    target: _Target
    kind: Annotated[
        Literal["callers", "callees", "subclasses", "imports", "importers", "references"],
        Meta(description="what to list"),
    ]
    repository: _Repository = ""
    hops: Annotated[int, Meta(description="for callers and subclasses", ge=1, le=5)] = 1


def run_relations(context: ToolContext, arguments: RelationsArguments) -> ToolResult:
    if arguments.kind == "references":
        subject = require_subject(context.reader, arguments.target, context.chosen(arguments.repository))
        return relations.list_references(context, arguments.target, subject)
    name, repository = _exact(context, arguments.target, arguments.repository)
    match arguments.kind:
        case "callers":
            return relations.list_callers(context, name, repository, arguments.hops)
        case "callees":
            return relations.list_callees(context, name, repository)
        case "subclasses":
            return relations.list_subclasses(context, name, repository, arguments.hops)
        case "imports":
            return relations.list_imports(context, name, repository)
    return relations.list_importers(context, name, repository)


class ViewArguments(Arguments, frozen=True):
    target: _Target
    repository: _Repository = ""
    start_line: Annotated[int, Meta(description="of the file; 0 shows all of the target", ge=0)] = 0
    end_line: Annotated[int, Meta(description="inclusive; 0 for the end", ge=0)] = 0
    about: Annotated[str, Meta(description="subject; decides what stays of a long view")] = ""


def run_view(context: ToolContext, arguments: ViewArguments) -> ToolResult:
    subject = require_subject(context.reader, arguments.target, context.chosen(arguments.repository))
    node = subject[0]
    path, repository = _text(node, "path"), _text(node, "repository")
    if "Directory" in node.labels:
        return overview.list_tree(context, path, repository, _TREE_DEPTH)
    definitions = context.reader.definitions(item.id for item in subject)
    if arguments.start_line or arguments.end_line or not definitions or not definitions[0].qualname:
        return source.show_file(context, path, repository, arguments.start_line, arguments.end_line)
    return source.show_definitions(context, arguments.target, definitions)


class PathsArguments(Arguments, frozen=True):
    start: _Target
    end: Annotated[str, Meta(description="where the path leads, in the same forms")]
    kind: Annotated[
        Literal["calls", "imports"], Meta(description="calls between definitions, or imports between their files")
    ] = "calls"
    repository: _Repository = ""
    hops: Annotated[int, Meta(description="longest path", ge=1, le=10)] = 8


def run_paths(context: ToolContext, arguments: PathsArguments) -> ToolResult:
    start, end = (_exact(context, name, arguments.repository)[0] for name in (arguments.start, arguments.end))
    find = relations.list_import_paths if arguments.kind == "imports" else relations.list_call_paths
    return find(context, start, end, arguments.repository, arguments.hops)


class ImpactArguments(Arguments, frozen=True):
    target: Annotated[str, Meta(description="what is changed, as in `view`; empty with `patch`")] = ""
    patch: Annotated[str, Meta(description="unified diff of the indexed revision, instead")] = ""
    repository: _Repository = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 30


def run_impact(context: ToolContext, arguments: ImpactArguments) -> ToolResult:
    name, repository = (
        _exact(context, arguments.target, arguments.repository) if arguments.target else ("", arguments.repository)
    )
    return relations.list_impact(context, name, arguments.patch, repository, arguments.limit)


class ConstantsArguments(Arguments, frozen=True):
    text: _Words
    repository: _Repository = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=100)] = 15


def run_constants(context: ToolContext, arguments: ConstantsArguments) -> ToolResult:
    return finding.list_constants(context, arguments.text, arguments.repository, arguments.limit)


class TreeArguments(Arguments, frozen=True):
    path: Annotated[str, Meta(description="folder or file, e.g. `src`")] = ""
    repository: _Repository = ""
    depth: Annotated[int, Meta(description="levels below", ge=1, le=10)] = _TREE_DEPTH


def run_tree(context: ToolContext, arguments: TreeArguments) -> ToolResult:
    return overview.list_tree(context, arguments.path, arguments.repository, arguments.depth)


class CypherArguments(Arguments, frozen=True):
    query: Annotated[
        str, Meta(description="one reading statement, e.g. `MATCH (f:Function) RETURN f.name LIMIT 5`")
    ] = ""
    named: Annotated[str, Meta(description="named query instead, from repoquarry://queries")] = ""
    parameters: Annotated[dict[str, Any], Meta(description="values of its `$` parameters")] = field(
        default_factory=dict
    )


def run_cypher(context: ToolContext, arguments: CypherArguments) -> ToolResult:
    if bool(arguments.query) == bool(arguments.named):
        raise ToolArgumentsError("cypher needs either `query` or `named`")
    if not arguments.named:
        return finding.query_graph(context, arguments.query, arguments.parameters)
    query = context.reader.store.query_library().require(arguments.named)
    return finding.query_graph(context, query.text, query.bind(arguments.parameters))


class RepositoriesArguments(Arguments, frozen=True):
    text: Annotated[str, Meta(description="task to rank them for; empty lists all")] = ""


def run_repositories(context: ToolContext, arguments: RepositoriesArguments) -> ToolResult:
    if not arguments.text:
        return overview.list_repositories(context)
    return overview.choose_repository(context, arguments.text)


class ContextArguments(Arguments, frozen=True):
    repository: Annotated[str, Meta(description="needed where there are several")] = ""
    text: Annotated[str, Meta(description="task to choose the parts for; empty for all of it")] = ""


def run_context(context: ToolContext, arguments: ContextArguments) -> ToolResult:
    return overview.build_overview(context, context.one(arguments.repository), arguments.text)


class DuplicatesArguments(Arguments, frozen=True):
    target: Annotated[str, Meta(description="function, as in `view`; empty for the longest shared code")] = ""
    repository: _Repository = ""
    limit: Annotated[int, Meta(description="number of results", ge=1, le=200)] = 20


def run_duplicates(context: ToolContext, arguments: DuplicatesArguments) -> ToolResult:
    name, repository = (
        _exact(context, arguments.target, arguments.repository) if arguments.target else ("", arguments.repository)
    )
    return finding.list_duplicates(context, name, repository, arguments.limit)


def _exact(context: ToolContext, target: str, repository: str) -> tuple[str, str]:
    """Return the exact name and the repository of the one thing that a target refers to; external code keeps its name.

    Raises: NotFoundError, AmbiguousNameError.
    """
    found = resolve_name(context.reader, target, context.chosen(repository))
    if found.match is NameMatch.EXTERNAL:
        return target, repository
    node = found.require_one()[0]
    path, qualname = _text(node, "path"), _text(node, "qualname")
    return f"{path}::{qualname}" if qualname else path, _text(node, "repository")


def _text(node: Node, name: str) -> str:
    return get_str(node.properties.get(name))


TOOLS: Final = (
    Tool(
        "explore",
        "Start here: source, callers, callees, tests and docs of a name, or places for a question.",
        ExploreArguments,
        run_explore,
    ),
    Tool(
        "search",
        "Find code and prose by words, exact text or regex; `task` ranks places for an issue.",
        SearchArguments,
        run_search,
    ),
    Tool("view", "Show the source of a definition or file, or list a folder.", ViewArguments, run_view),
    Tool(
        "relations",
        "List callers, callees, subclasses, imports, importers, or all references (constants and fields too), with lines.",
        RelationsArguments,
        run_relations,
    ),
    Tool("impact", "List what a change affects and the tests to run.", ImpactArguments, run_impact),
    Tool("constants", "Find constants, settings and defaults with their values.", ConstantsArguments, run_constants),
    Tool("tree", "List folders and files, or the outline of a file.", TreeArguments, run_tree),
    Tool(
        "cypher",
        "Query the graph; repoquarry://schema lists labels and properties.",
        CypherArguments,
        run_cypher,
    ),
    Tool(
        "paths",
        "Find call paths from one function to another, or import paths from one file to another.",
        PathsArguments,
        run_paths,
        rare=True,
    ),
    Tool(
        "repositories",
        "List the repositories, or rank them for a task.",
        RepositoriesArguments,
        run_repositories,
        rare=True,
    ),
    Tool(
        "context",
        "Overview of a repository: README, main modules and classes.",
        ContextArguments,
        run_context,
        rare=True,
    ),
    Tool(
        "duplicates",
        "Find copies of a function, or code that repositories share.",
        DuplicatesArguments,
        run_duplicates,
        rare=True,
    ),
)


def offered_schema(tool: Tool, repositories: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a tool's arguments; `repository` lists the repositories, and is absent where there is one."""
    schema: dict[str, Any] = json.loads(json.dumps(tool.schema()))
    properties: dict[str, Any] = schema.get("properties", {})
    if "repository" in properties:
        if len(repositories) == 1:
            del properties["repository"]
        elif sum(map(len, repositories)) <= _MAX_ENUM_CHARS:
            properties["repository"] = {**properties["repository"], "enum": sorted(repositories)}
            properties["repository"].pop("default", None)
    return schema
