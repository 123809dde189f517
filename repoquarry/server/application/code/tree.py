"""GetTree: folders, files and definitions below a path, walked level by level."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.graphstore.code.relations import hops_at
from repoquarry.graphstore.model.properties import text, whole
from repoquarry.graphstore.model.values import Node
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.entities import entity
from repoquarry.server.contract.names import repository_of
from repoquarry.server.errors import refuse
from repoquarry.v1 import code_service_pb2 as pb


class Tree:
    """GetTree over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def get_tree(self, request: pb.GetTreeRequest) -> pb.GetTreeResponse:
        repository = repository_of(request.repository, "repository")
        self._host.store.repository(repository)
        path = request.path.replace("\\", "/").strip("/").removeprefix("./") or "."
        roots = self._naming.nodes([f"{repository}:{path}"])
        if not roots:
            raise refuse("PATH_NOT_FOUND", f"{repository} has no indexed file or folder {path!r}", path=path)
        depth = paging.bounded("depth", request.depth, 2, 20)
        room = paging.bounded("max_nodes", request.max_nodes, 2_000, 20_000)
        root = _tree_node(roots[0])
        truncated = self._grow(root, depth, room, definitions=request.definitions)
        return pb.GetTreeResponse(root=root, truncated=truncated, basis=self._bases.of([repository], ()))

    def _grow(self, root: pb.TreeNode, depth: int, room: int, *, definitions: bool) -> bool:
        """Add what is below `root`, a level at a time, so that a cut leaves the upper levels whole."""
        level, used = [root], 1
        for _ in range(depth):
            below = self._below(level, definitions=definitions)
            level_next: list[pb.TreeNode] = []
            for parent in level:
                children = below.get(parent.entity.id, [])
                for node in children[: room - used]:
                    level_next.append(parent.children.add())
                    level_next[-1].CopyFrom(_tree_node(node))
                fitting = len(children[: room - used])
                used += fitting
                parent.hidden = len(children) - fitting
            if used >= room:
                return True
            level = level_next
        for parent in level:
            parent.hidden = len(self._below([parent], definitions=definitions).get(parent.entity.id, []))
        return False

    def _below(self, parents: Sequence[pb.TreeNode], *, definitions: bool) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        ids = [parent.entity.id for parent in parents]
        for kind in ("CONTAINS", "DEFINES") if definitions else ("CONTAINS",):
            for hop in hops_at(self._host.store, ids, kind, outgoing=True):
                found.setdefault(hop.known, []).append(hop.other)
        return {id_: sorted(nodes, key=_order) for id_, nodes in found.items()}


def _tree_node(node: Node) -> pb.TreeNode:
    lines = node.properties.get("lines")
    if not isinstance(lines, int):
        start, end = node.properties.get("start_line"), node.properties.get("end_line")
        lines = end - start + 1 if isinstance(start, int) and isinstance(end, int) else 0
    return pb.TreeNode(entity=entity(node), lines=lines)


def _order(node: Node) -> tuple[bool, str, int, str]:
    """Folders before files, by path; definitions by line."""
    read = node.properties.get
    return "Directory" not in node.labels, text(read("path")), whole(read("start_line")), node.id
