"""Names that a file imports, by what they are called where they come from."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.languages.facts import Import


class ImportedNames:
    """Gives dotted names in a file their full form."""

    def __init__(self) -> None:
        self._known = 0
        self._full: dict[str, str] = {}
        """Name in the file -> dotted name of what is imported under it."""

    def full_name(self, dotted: str, imports: Sequence[Import]) -> str:
        """`dotted` with its first part replaced by what `imports`, those read so far, bind to it.

        Leading dots stand for a relative import. A name that nothing imports stays as it is.
        """
        for entry in imports[self._known :]:
            self._add(entry)
        self._known = len(imports)
        first, dot, rest = dotted.partition(".")
        return self._full.get(first, first) + dot + rest

    def _add(self, entry: Import) -> None:
        module = "." * entry.level + entry.module
        if entry.how == "star" or entry.name == "*":
            return
        if entry.name:
            between = "" if not entry.module else "."
            self._full[entry.alias or entry.name] = module + between + entry.name
        elif entry.alias:
            self._full[entry.alias] = module
