"""Where definitions and documents stand and how their documentation begins: a graph without what resolution has yet to find out.

It is what the search index needs in order to cut texts along definitions, and is known as soon as files are parsed. Identifiers and
lines are those of the finished graph (`code_nodes`, `assemble`); should they ever differ, the index is rebuilt from that.
"""

from collections.abc import Iterable

from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.ingest.files.documents import DocumentFacts, first_sentence
from repoquarry.ingest.graph.table_builder import NodeTableBuilder, RelationshipTableBuilder, code_id
from repoquarry.languages.facts import FileFacts


def outline(repository: str, files: Iterable[FileFacts], documents: Iterable[DocumentFacts]) -> RepositoryGraph:
    """Modules, documents, classes and functions with their lines, and what defines what."""
    nodes, relationships = NodeTableBuilder(repository), RelationshipTableBuilder()
    for facts in files:
        node_id, end = code_id(repository, facts.path), max(1, facts.loc)
        places = {"": nodes.add("Module", node_id, facts.path, path=facts.path, start_line=1, end_line=end)}
        for definition in facts.definitions:
            places[definition.key] = place = nodes.add(
                "Class" if definition.kind == "class" else "Function",
                code_id(repository, facts.path, definition.key),
                definition.name,
                path=facts.path,
                start_line=definition.start_line,
                end_line=definition.end_line,
                summary=first_sentence(definition.docstring),
            )
            relationships.add("DEFINES", places[definition.parent], place)
    for document in documents:
        node_id, end = code_id(repository, document.path), max(1, document.lines)
        nodes.add("Document", node_id, document.path, path=document.path, start_line=1, end_line=end)
    return RepositoryGraph(repository, nodes.tables(), relationships.tables())
