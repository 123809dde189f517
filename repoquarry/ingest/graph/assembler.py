"""Assembler of the repository graph: builds node and relationship tables from facts, resolution and scores, and their revision digest.

Assembly is the last stage before writing. It makes no decisions about code: resolution decides about calls, scores about
importance. It is pure: the same input gives the same tables, byte for byte. Relationships that follow from resolution alone,
most of the graph, are built on demand (`code_graph.build_edge_tables`, `graph_writer`). The revision is the digest of all
other tables, of the resolution, and of the code that builds its relationships.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version

from repoquarry.graphstore.model.graph_tables import Cell, RepositoryGraph
from repoquarry.ingest.files.documents import find_readme, first_sentence
from repoquarry.ingest.files.hashing import indexer_version
from repoquarry.ingest.graph import code_graph
from repoquarry.ingest.graph.code_graph import GraphInputs, build_edge_tables
from repoquarry.ingest.graph.outline import ResolutionIndex, map_rows_to_symbols
from repoquarry.ingest.graph.table_builder import (
    Columns,
    NodeRef,
    NodeTableBuilder,
    RelationshipTableBuilder,
    code_id,
    combine_digests,
    drop_empty,
    folder_id,
    pack_columns,
    package_id,
)

_MAX_LEFT_OUT = 1_000


@dataclass(frozen=True)
class AssembledGraph:
    """Repository graph with its revision filled in."""

    frame: RepositoryGraph
    """The graph without the relationships that follow from resolution."""
    resolved: ResolutionIndex
    """Index of the resolution, which yields those relationships."""
    revision: str
    columns: Columns
    """Columns of the frame except those of the Repository."""

    def counts(self) -> dict[str, int]:
        """Return the number of nodes by label and of relationships by type."""
        return {**self.frame.counts(), **self.resolved.counts()}

    @property
    def rows(self) -> int:
        """Return the number of nodes and relationships."""
        return sum(self.counts().values())

    def whole(self) -> RepositoryGraph:
        return replace(self.frame, relationships=[*self.frame.relationships, *build_edge_tables(self.resolved)])


def assemble_graph(parts: GraphInputs) -> AssembledGraph:
    repository = parts.repository
    symbols = map_rows_to_symbols(parts.resolution, parts.outline)
    resolved = ResolutionIndex.of(repository, parts.resolution, symbols)
    nodes, relationships = NodeTableBuilder(repository), RelationshipTableBuilder()
    code_graph.add_definitions(parts, symbols, nodes, relationships)
    nodes.add_all("Document", parts.outline.documents.columns)
    _add_folders(parts, nodes, relationships)
    _add_outside(resolved, nodes)
    _add_dependencies(parts, relationships)
    _add_packages(parts, nodes, relationships)
    properties = _repository_properties(parts)
    own = NodeTableBuilder(repository)
    own.add("Repository", repository, repository, **properties)
    frame = RepositoryGraph(repository, nodes.tables(), relationships.tables())
    columns = pack_columns(frame, parts.outline_columns, parts.stored_columns)
    owned = pack_columns(RepositoryGraph(repository, own.tables(), []), {}, {})
    revision = combine_digests({**owned, **columns}, indexer_version().encode() + parts.resolution_content)
    nodes.add("Repository", repository, repository, **properties, revision=revision, indexed_at=parts.indexed_at)
    return AssembledGraph(replace(frame, nodes=nodes.tables()), resolved, revision, columns)


def indexer_name() -> str:
    try:
        return f"repoquarry {version('repoquarry')}"
    except PackageNotFoundError:
        return "repoquarry"


def _repository_properties(parts: GraphInputs) -> dict[str, Cell]:
    languages = Counter(facts.language for facts in parts.files)
    shown = parts.left_out.told()[:_MAX_LEFT_OUT]
    readme = find_readme(document.path for document in parts.documents)
    head = next((document for document in parts.documents if document.path == readme), None)
    summary = (first_sentence(head.summary or "") or head.heading) if head else None
    optional = drop_empty(
        {
            "commit": parts.checkout.commit,
            "commit_date": parts.commit_date,
            "branch": parts.checkout.branch,
            "ref": parts.checkout.ref,
            "left_out_paths": [entry.path for entry in shown],
            "left_out_reasons": [entry.reason for entry in shown],
            "parse_error_paths": [facts.path for facts in parts.files if facts.parse_errors],
            "readme": readme,
            "scip_tools": sorted({report.tool for report in parts.scip}),
            "summary": parts.packages.description or summary,
        }
    )
    return {
        **optional,
        "source": parts.checkout.source,
        "source_kind": parts.checkout.kind,
        "dirty": parts.hashed.dirty,
        "languages": [name for name, _ in sorted(languages.items(), key=lambda item: (-item[1], item[0]))],
        "files": len(parts.files),
        "lines": sum(facts.loc for facts in parts.files),
        "left_out": parts.left_out.count,
        "unresolved_calls": sum(call.count for call in parts.resolution.unresolved),
        "score_profile": parts.scores.profile,
        "indexer": indexer_name(),
    }


def _add_folders(parts: GraphInputs, nodes: NodeTableBuilder, relationships: RelationshipTableBuilder) -> None:
    repository = parts.repository
    lines = {facts.path: ("Module", facts.loc) for facts in parts.files}
    lines.update({document.path: ("Document", document.lines) for document in parts.documents})
    totals: dict[str, list[int]] = {".": [0, 0]}
    for path, (_, count) in lines.items():
        for folder in _folders_above(path):
            total = totals.setdefault(folder, [0, 0])
            total[0] += 1
            total[1] += count
    for folder, (files, count) in totals.items():
        name = repository if folder == "." else folder.rsplit("/", 1)[-1]
        place = nodes.add("Directory", folder_id(repository, folder), name, path=folder, files=files, lines=count)
        above = NodeRef("Repository", repository)
        if folder != ".":
            above = NodeRef("Directory", folder_id(repository, _folders_above(folder)[0]))
        relationships.add("CONTAINS", above, place)
    for path, (label, _) in lines.items():
        above = NodeRef("Directory", folder_id(repository, _folders_above(path)[0]))
        relationships.add("CONTAINS", above, NodeRef(label, code_id(repository, path)))


def _folders_above(path: str) -> list[str]:
    """Return the folders that contain `path`, nearest first, the root (`.`) last."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)] + ["."]


def _add_outside(resolved: ResolutionIndex, nodes: NodeTableBuilder) -> None:
    """Add external symbols, and the names of unresolved calls."""
    dotted, names = resolved.externals(), sorted(resolved.names)
    nodes.add_all(
        "External",
        {
            "id": list(map(resolved.external_id, dotted)),
            "name": [one.rsplit(".", 1)[-1] or one for one in dotted],
            "qualname": [*dotted],
            "package": [resolved.origins[one].package for one in dotted],
            "is_standard": [resolved.origins[one].is_standard for one in dotted],
        },
    )
    nodes.add_all("Name", {"id": list(map(resolved.name_id, names)), "name": [*names]})


def _add_dependencies(parts: GraphInputs, relationships: RelationshipTableBuilder) -> None:
    repository, weights = parts.repository, parts.scores.coupling.weights
    starts = [code_id(repository, source) for source, _ in weights]
    ends = [code_id(repository, target) for _, target in weights]
    if weights:
        relationships.add_all("DEPENDS_ON", ("Module", "Module"), starts, ends, weight=[*weights.values()])


def _add_packages(parts: GraphInputs, nodes: NodeTableBuilder, relationships: RelationshipTableBuilder) -> None:
    repository = NodeRef("Repository", parts.repository)
    for (ecosystem, name), requirement in parts.packages.requires.items():
        package = nodes.add("Package", package_id(ecosystem, name), name, ecosystem=ecosystem)
        locked = parts.packages.locked.get((ecosystem, name))
        said = drop_empty({"requirement": requirement or None, "locked": locked})
        relationships.add("DEPENDS_ON", repository, package, weight=1.0, **said)
    for ecosystem, name in parts.packages.provides:
        package = nodes.add("Package", package_id(ecosystem, name), name, ecosystem=ecosystem)
        relationships.add("PROVIDES", repository, package)
