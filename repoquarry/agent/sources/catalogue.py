"""A catalogue file: repositories that an operator knows of, in TOML or JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from repoquarry.agent.errors import ToolError
from repoquarry.agent.sources.base import Offer
from repoquarry.agent.views.relevance import relevance


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One repository of the file."""

    name: str
    address: str
    description: str = ""


class _Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `[[repository]]` tables, in JSON a list `repository` of objects."""

    repository: tuple[_Entry, ...] = ()


class CatalogueSource:
    """The repositories of one file, read anew for each task."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, task: str) -> list[Offer]:
        """Those whose name or description speaks for the task. Raises: ToolError."""
        entries = self._read().repository
        scores = relevance([f"{one.name} {one.description}" for one in entries], task)
        ranked = sorted(zip(scores, entries, strict=True), key=lambda one: (-one[0], one[1].name))
        return [Offer(entry.name, entry.address, entry.description) for score, entry in ranked if score > 0]

    def _read(self) -> _Catalogue:
        decode = msgspec.json.decode if self._path.suffix == ".json" else msgspec.toml.decode
        try:
            return decode(self._path.read_bytes(), type=_Catalogue)
        except OSError as error:
            raise ToolError(f"the catalogue {self._path} cannot be read: {error.strerror}") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ToolError(f"the catalogue {self._path} cannot be understood: {error}") from error
