"""A resolution that no store holds, as the call graph that `export --format callgraph-json` writes of a stored one."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.resolution import Resolution
from repoquarry.languages.facts import FileFacts
from repoquarry.server.exports.callgraph_json import Node, call_graph


def call_graph_of(resolution: Resolution, files: Sequence[FileFacts], least: float) -> dict[str, list[str]]:
    """The calls of at least this confidence."""
    modules = {module.path: module.name for module in resolution.modules}
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    nodes = []
    for symbol in resolution.symbols:
        found = definitions.get((symbol.path, symbol.key))
        label = "Module" if found is None else "Class" if found.kind == "class" else "Function"
        nodes.append(Node(label, modules[symbol.path], found.qualname if found is not None else ""))

    def node(number: int) -> Node:
        return nodes[number] if number >= 0 else Node("External", "", resolution.externals[~number])

    calls = [(node(edge.caller), node(edge.callee)) for edge in resolution.calls if edge.confidence >= least]
    return call_graph(nodes, calls)
