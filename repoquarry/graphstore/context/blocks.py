"""The four blocks of a context, each filled from the most important piece on until its share of the budget is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from repoquarry.graphstore import tokens
from repoquarry.graphstore.context.requests import ContextBlock
from repoquarry.graphstore.context.sources import excerpt, title
from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.search.index.opened import SearchIndex
from repoquarry.graphstore.search.index.places import DOCUMENT, MODULE, Places
from repoquarry.graphstore.search.library import Library

_SMALLEST_EXCERPT = 24
"""Tokens below which a piece of source says nothing."""


@dataclass
class Filling:
    """A block that is being filled; tokens are those of the block alone."""

    name: str
    heading: str
    budget: int
    pieces: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    used: int = 0

    def __post_init__(self) -> None:
        self.used = tokens.count(f"{self.heading}\n\n")

    @property
    def left(self) -> int:
        return self.budget - self.used

    def add(self, text: str, *ids: str) -> bool:
        """Append a piece when it fits; says whether it did."""
        cost = tokens.count(f"{text}\n")
        if cost > self.left:
            return False
        self.pieces.append(text)
        self.ids += ids
        self.used += cost
        return True

    def close(self) -> ContextBlock | None:
        """The finished block, None when nothing fitted."""
        if not self.pieces:
            return None
        text = "\n".join((self.heading, "", *self.pieces)) + "\n"
        return ContextBlock(self.name, text, tokens.count(text), tuple(self.ids))


@dataclass(frozen=True)
class Repository:
    """What the blocks are made from."""

    library: Library
    index: SearchIndex

    @property
    def places(self) -> Places:
        return self.index.places

    def text(self, place: int) -> str:
        """Text of the place's file, empty when it is gone."""
        try:
            return self.library.source_text(self.index.repository, self.places.path(place))
        except NotFoundError:
            return ""
        except StoreCorruptError as exc:
            self.library.notice(str(exc))
            return ""

    def modules(self) -> list[int]:
        """Modules by importance, those of tests and generated ones left out."""
        places = self.places
        found = [
            place
            for place in range(places.file_count)
            if places.label[place] == MODULE and not places.is_test[place] and not places.is_generated[place]
        ]
        return sorted(found, key=lambda place: (-places.importance[place], place))

    def core_classes(self) -> list[int]:
        """The repository's core classes, most important first."""
        places = self.places
        found = [place for place in range(places.file_count, len(places)) if places.is_core[place]]
        return sorted(found, key=lambda place: (-places.importance[place], place))

    def readme(self) -> int | None:
        """The README nearest to the root."""
        found = [
            place
            for place in range(self.places.file_count)
            if self.places.label[place] == DOCUMENT
            and self.places.path(place).rsplit("/", 1)[-1].lower().split(".")[0] == "readme"
        ]
        return min(found, key=lambda place: (self.places.path(place).count("/"), self.places.path(place)), default=None)


def fill_readme(block: Filling, repository: Repository) -> None:
    """The README from its beginning, as far as the share goes."""
    place = repository.readme()
    if place is None:
        return
    text = repository.text(place).strip()
    if not block.add(text, repository.places.id(place)):
        cut = tokens.head(text, max(block.left - 4, 0))
        whole_lines = cut.rsplit("\n", 1)[0].rstrip()
        cut = whole_lines if 2 * len(whole_lines) > len(cut) else cut.rsplit(" ", 1)[0].rstrip()
        if cut:
            block.add(f"{cut}\n...", repository.places.id(place))


def fill_modules(block: Filling, repository: Repository, modules: Iterable[int]) -> None:
    """One line for each module."""
    places = repository.places
    for place in modules:
        summary = places.columns.summaries[place]
        line = f"- {places.path(place)}: {summary}" if summary else f"- {places.path(place)}"
        if not block.add(line, places.id(place)) and not block.add(f"- {places.path(place)}", places.id(place)):
            return


def fill_code(block: Filling, repository: Repository, chosen: Sequence[int], share: float) -> None:
    """Source of the chosen definitions; one takes at most `share` of the block, and what is inside another is not repeated."""
    places = repository.places
    shown: list[int] = []
    for place in chosen:
        if any(_inside(places, place, other) for other in shown):
            continue
        head = title(places, place)
        room = min(int(block.budget * share), block.left - tokens.count(f"{head}\n\n")) - 2
        if room < _SMALLEST_EXCERPT:
            return
        lines = repository.text(place).split("\n")
        text = excerpt(places, place, lines, room)
        if text and block.add(f"{head}\n{text}\n", places.id(place)) and "..." not in text:
            shown.append(place)


def _inside(places: Places, place: int, other: int) -> bool:
    return bool(
        places.file[place] == places.file[other]
        and places.start_line[other] <= places.start_line[place]
        and places.end_line[place] <= places.end_line[other]
    )


def fill_paths(block: Filling, repository: Repository, modules: Iterable[int]) -> None:
    """The other modules by folder: a line for each folder, most important folder first."""
    folders: dict[str, list[int]] = {}
    for place in modules:
        folders.setdefault(repository.places.path(place).rpartition("/")[0], []).append(place)
    for folder, members in folders.items():
        for line, ids in _folder_lines(repository.places, folder, members):
            if block.add(line, *ids):
                break
        else:
            return


def _folder_lines(places: Places, folder: str, members: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    """The folder with all its files, then with ever fewer of them."""
    count = len(members)
    while count:
        names = ", ".join(places.path(place).rsplit("/", 1)[-1] for place in members[:count])
        more = f", {len(members) - count} more" if count < len(members) else ""
        yield f"- {folder or '.'}/: {names}{more}", [places.id(place) for place in members[:count]]
        count //= 2
