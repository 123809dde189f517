"""Places among the definitions of one file, taken before what the definition holds is read."""

from __future__ import annotations

from repoquarry.languages.constraints import GraphBuilder
from repoquarry.languages.facts import Definition


class Reservations:
    """Gives definitions their index, key and qualified name, in the order of the source."""

    def __init__(self, definitions: list[Definition], graph: GraphBuilder) -> None:
        self._definitions = definitions
        self._graph = graph
        self._seen: dict[str, int] = {}

    def reserve(self, name: str, owner: int) -> tuple[int, str, str, str]:
        """A place inside `owner` (-1: the file): index, key, qualified name, key of the definition around."""
        index, parent, qualname = len(self._definitions), "", name
        if owner >= 0:
            around = self._definitions[owner]
            parent, qualname = around.key, f"{around.qualname}.{name}"
        seen = self._seen[qualname] = self._seen.get(qualname, 0) + 1
        key = qualname if seen == 1 else f"{qualname}#{seen}"
        self._definitions.append(
            Definition(key, "", name, qualname, parent, 0, 0, 0, "", "", (), (), 0, 0, 0, False, False)
        )
        self._graph.functions.append([])
        return index, key, qualname, parent
