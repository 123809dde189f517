"""Everything that is known of a repository -> its `RepositoryGraph`.

The last stage before writing, and the only one that knows both the facts' records and the graph's schema. It decides nothing
about code: what calls what was decided by resolution, what matters by scores. It is pure; the same input gives the same tables,
byte for byte, and their digest is the repository's revision.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from repoquarry.graphstore.model.records import Cell, RepositoryGraph
from repoquarry.ingest.files.documents import find_readme, first_sentences
from repoquarry.ingest.graph import code_edges, code_nodes
from repoquarry.ingest.graph.columns import Digests, digests_of, joined
from repoquarry.ingest.graph.ids import code_id, folder_id, package_id
from repoquarry.ingest.graph.parts import Parts
from repoquarry.ingest.graph.tables import Nodes, Place, Relationships, known

_MAX_LEFT_OUT = 1_000


@dataclass(frozen=True)
class Assembled:
    """The graph of one repository, with its revision filled in."""

    graph: RepositoryGraph
    revision: str
    digests: Digests
    """Of its columns but for those of the Repository."""


def assemble(parts: Parts) -> Assembled:
    """The graph of one repository."""
    nodes, relationships = Nodes(parts.origin.repository), Relationships()
    places = code_nodes.add_code(parts, nodes, relationships)
    _add_documents(parts, nodes)
    _add_folders(parts, nodes, relationships)
    code_edges.add_edges(parts, places, nodes, relationships)
    _add_packages(parts, nodes, relationships)
    properties = _repository_properties(parts)
    repository = Nodes(parts.origin.repository)
    repository.add("Repository", parts.origin.repository, parts.origin.repository, **properties)
    digests = digests_of(RepositoryGraph(parts.origin.repository, nodes.tables(), relationships.tables()))
    own = digests_of(RepositoryGraph(parts.origin.repository, repository.tables(), []))
    revision = joined({**own, **digests})
    nodes.add("Repository", parts.origin.repository, parts.origin.repository, **properties, revision=revision)
    graph = RepositoryGraph(parts.origin.repository, nodes.tables(), relationships.tables())
    return Assembled(graph, revision, digests)


def indexer() -> str:
    """Name and version of this indexer."""
    try:
        return f"repoquarry {version('repoquarry')}"
    except PackageNotFoundError:
        return "repoquarry"


def _repository_properties(parts: Parts) -> dict[str, Cell]:
    languages = Counter(facts.language for facts in parts.files)
    shown = parts.left_out[:_MAX_LEFT_OUT]
    readme = find_readme(document.path for document in parts.documents)
    head = next((document for document in parts.documents if document.path == readme), None)
    summary = (head.summary or head.heading) if head else None
    optional = known(
        {
            "commit": parts.origin.commit,
            "branch": parts.origin.branch,
            "ref": parts.origin.ref,
            "left_out_paths": [entry.path for entry in shown],
            "left_out_reasons": [entry.reason for entry in shown],
            "parse_error_paths": [facts.path for facts in parts.files if facts.parse_errors],
            "readme": readme,
            "summary": parts.packages.description or summary,
        }
    )
    return {
        **optional,
        "source": parts.origin.source,
        "source_kind": parts.origin.source_kind,
        "dirty": parts.origin.dirty,
        "languages": [name for name, _ in sorted(languages.items(), key=lambda item: (-item[1], item[0]))],
        "files": len(parts.files),
        "lines": sum(facts.loc for facts in parts.files),
        "left_out": parts.left_out_count,
        "unresolved_calls": sum(call.count for call in parts.resolution.unresolved),
        "score_profile": parts.scores.profile,
        "indexer": indexer(),
    }


def _add_documents(parts: Parts, nodes: Nodes) -> None:
    for document in parts.documents:
        nodes.add(
            "Document",
            code_id(parts.origin.repository, document.path),
            document.path.rsplit("/", 1)[-1],
            path=document.path,
            start_line=1,
            end_line=max(1, document.lines),
            format=document.format,
            heading=first_sentences(document.heading, 200) if document.heading else None,
            lines=document.lines,
            hash=parts.hashes[document.path],
        )


def _add_folders(parts: Parts, nodes: Nodes, relationships: Relationships) -> None:
    repository = parts.origin.repository
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
        above = Place("Repository", repository)
        if folder != ".":
            above = Place("Directory", folder_id(repository, _folders_above(folder)[0]))
        relationships.add("CONTAINS", above, place)
    for path, (label, _) in lines.items():
        above = Place("Directory", folder_id(repository, _folders_above(path)[0]))
        relationships.add("CONTAINS", above, Place(label, code_id(repository, path)))


def _folders_above(path: str) -> list[str]:
    """The folders that hold `path`, nearest first, the root (`.`) last."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)] + ["."]


def _add_packages(parts: Parts, nodes: Nodes, relationships: Relationships) -> None:
    repository = Place("Repository", parts.origin.repository)
    for (ecosystem, name), requirement in parts.packages.requires.items():
        package = nodes.add("Package", package_id(ecosystem, name), name, ecosystem=ecosystem)
        locked = parts.packages.locked.get((ecosystem, name))
        said = known({"requirement": requirement or None, "locked": locked})
        relationships.add("DEPENDS_ON", repository, package, weight=1.0, **said)
    for ecosystem, name in parts.packages.provides:
        package = nodes.add("Package", package_id(ecosystem, name), name, ecosystem=ecosystem)
        relationships.add("PROVIDES", repository, package)
