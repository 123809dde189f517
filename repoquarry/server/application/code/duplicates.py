"""FindDuplicates: the same code elsewhere, between repositories or of one function."""

from __future__ import annotations

from collections.abc import Mapping

from repoquarry.graphstore.code.duplicates import (
    MEANINGS,
    Duplicate,
    Page,
    bodies,
    duplicates_of,
    longest_duplicates,
)
from repoquarry.graphstore.model.values import Node
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.entities import entity
from repoquarry.server.contract.names import repository_of
from repoquarry.server.errors import invalid
from repoquarry.v1 import code_service_pb2 as pb

_LINES = 10


class Duplicates:
    """FindDuplicates over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def find_duplicates(self, request: pb.FindDuplicatesRequest) -> pb.FindDuplicatesResponse:
        size, first = paging.page_size(request, 50, 200), paging.offset(request)
        least = paging.bounded("min_lines", request.min_lines, _LINES, 1_000_000)
        repository = repository_of(request.repository, "repository") if request.repository else ""
        if repository:
            self._host.store.repository(repository)
        page, everything, notes = Page(first, size + 1), self._host.store.repositories(), list[str]()
        if request.symbol:
            found, notes = self._of(request.symbol, [repository] if repository else everything, everything, page)
        else:
            found = longest_duplicates(self._host.store, everything, repository, least, page)
        shown = found[:size]
        touched = {item.repository for duplicate in shown for item in duplicate.definitions}
        nodes = {
            node.id: node
            for node in self._naming.nodes(item.id for duplicate in shown for item in duplicate.definitions)
        }
        return pb.FindDuplicatesResponse(
            duplicates=[_duplicate(nodes, item) for item in shown],
            next_page_token=paging.token(request, first + size) if len(found) > size else "",
            basis=self._bases.of(touched | ({repository} - {""}), (), notes),
        )

    def _of(
        self, symbol: str, inside: list[str], everything: list[str], page: Page
    ) -> tuple[list[Duplicate], list[str]]:
        """Copies of what a name means, and a note where some of that is too short. Raises: RequestError when it is no function."""
        functions = [node.id for node in self._naming.meanings(symbol, inside) if "Function" in node.labels]
        if not functions:
            raise invalid("symbol", f"{symbol!r} names no function")
        looked = functions[:MEANINGS]
        hashes = bodies(self._host.store, looked)
        notes = []
        if len(hashes) < len(looked):
            notes.append(
                f"{len(looked) - len(hashes)} of {len(looked)} functions of that name are too short to compare"
            )
        if len(functions) > MEANINGS:
            notes.append(f"only the first {MEANINGS} of {len(functions)} functions of that name were looked for")
        return duplicates_of(self._host.store, list(hashes.values()), everything, page), notes


def _duplicate(nodes: Mapping[str, Node], duplicate: Duplicate) -> pb.Duplicate:
    return pb.Duplicate(
        lines=duplicate.lines,
        copies=duplicate.copies,
        repository_ids=duplicate.repositories,
        definitions=[entity(nodes[item.id]) for item in duplicate.definitions],
    )
