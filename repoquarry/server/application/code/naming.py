"""Everything that a name means: ids, short and dotted names, paths, `path:line`, and things outside the repositories."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.model.values import Node
from repoquarry.server.application.host import Host
from repoquarry.server.errors import invalid, refuse

_MAX_SYMBOL = 2_000
_ID_BATCH = 500


class Naming:
    """Looks names up in one store."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def repositories(self, wanted: Sequence[str]) -> list[str]:
        """The named repositories, all when none is named. Raises: NotFoundError for one that is not stored."""
        for id_ in wanted:
            self._host.store.repository(id_)
        return list(wanted) or self._host.store.repositories()

    def meanings(self, symbol: str, repositories: Sequence[str], field: str = "symbol") -> list[Node]:
        """All that a name means, best first. Raises: RequestError when it means nothing."""
        symbol = symbol.strip()
        if not symbol or len(symbol) > _MAX_SYMBOL:
            raise invalid(field, f"empty or longer than {_MAX_SYMBOL} characters")
        exact = [node for node in self.nodes([symbol]) if _within(node, repositories)]
        if exact:
            return exact
        reader = CodeReader(self._host.store)
        found = self.nodes(item.id for item in reader.resolve(symbol, repositories))
        if not found:
            found = self._outside(symbol, repositories)
        if not found:
            near = self._near(symbol, repositories)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            raise refuse("SYMBOL_NOT_FOUND", f"nothing is called {symbol!r}{hint}", symbol=symbol)
        return found

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """Nodes by id, in the order of the ids; unknown ones are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Node] = {}
        for start in range(0, len(wanted), _ID_BATCH):
            rows = self._host.store.named("nodes_by_id", ids=list(wanted[start : start + _ID_BATCH])).rows
            found.update({row[0].id: row[0] for row in rows if isinstance(row[0], Node)})
        return [found[id_] for id_ in wanted if id_ in found]

    def _outside(self, symbol: str, repositories: Sequence[str]) -> list[Node]:
        rows = self._host.store.named(
            "externals_named", repositories=list(repositories), qualname=symbol, suffix=f".{symbol}"
        ).rows
        return [row[0] for row in rows if isinstance(row[0], Node)]

    def _near(self, symbol: str, repositories: Sequence[str]) -> list[str]:
        rows = self._host.store.named("definition_names", repositories=list(repositories)).rows
        last = symbol.rpartition(".")[2].rpartition("/")[2]
        return difflib.get_close_matches(last, [str(row[0]) for row in rows], 5, cutoff=0.7)


def _within(node: Node, repositories: Sequence[str]) -> bool:
    repository = node.properties.get("repository")
    return not repository or repository in repositories
