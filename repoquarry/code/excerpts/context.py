"""Launchpad text, an agent's first context on a repository or a task in it: README, modules and source within a token budget.

A block that needs less than its share leaves the rest to the blocks after it; the source block gets the remainder. The complete text is
counted once more, because tokens may merge where blocks meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from repoquarry.code.excerpts.code_blocks import find_header_end
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError, StoreCorruptError
from repoquarry.graphstore.search.index.index_store import SearchBackend
from repoquarry.graphstore.search.index.places import CLASS, DOCUMENT, FUNCTION, MODULE, Places
from repoquarry.graphstore.search.index.search_index import SearchIndex
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest
from repoquarry.graphstore.settings import ContextSettings
from repoquarry.languages.readme_prose import extract_prose, select_sections


@dataclass(frozen=True)
class ContextRequest:
    """A launchpad text for one repository, or for one task in it."""

    repository: str
    budget_tokens: int = 0
    """Maximum number of tokens of the text, counted by `repoquarry.graphstore.token_counting`; 0 means that of the settings."""
    task: str | None = None
    settings: ContextSettings = field(default_factory=ContextSettings)


@dataclass(frozen=True)
class ContextBlock:
    """One of the four blocks: `readme`, `modules`, `code` or `paths`."""

    name: str
    text: str
    tokens: int
    node_ids: tuple[str, ...]
    """Ids of the nodes whose text or summary the block contains, in order."""


@dataclass(frozen=True)
class RepositoryContext:
    text: str
    tokens: int
    blocks: tuple[ContextBlock, ...]


def excerpt(places: Places, place: int, lines: Sequence[str], budget: int) -> str:
    """Return the source of a place, its outline, or the beginning of that, whichever is the first to fit the budget.

    Returns an empty string if not even the first line fits.
    """
    whole = _join(lines, range(int(places.start_line[place]), int(places.end_line[place]) + 1))
    if token_counting.count_tokens(whole) <= budget:
        return whole
    outline = _join(lines, _outline(places, place, lines))
    if places.label[place] == CLASS and token_counting.count_tokens(outline) <= budget:
        return outline
    return _beginning(outline if places.label[place] == CLASS else whole, budget)


def _outline(places: Places, place: int, lines: Sequence[str]) -> Iterator[int]:
    """Yield the line numbers of a class without the bodies of its members; 0 stands for omitted lines."""
    inner = [
        member
        for member in places.definitions.get(int(places.file[place]), ())
        if places.parent[member] == place and places.label[member] == FUNCTION
    ]
    number = int(places.start_line[place])
    for member in inner:
        first, last = int(places.start_line[member]), int(places.end_line[member])
        yield from range(number, first)
        head = find_header_end(lines, first - 1, last - 1) + 1
        yield from range(max(number, first), head + 1)
        if head < last:
            yield 0
        number = max(number, last + 1)
    yield from range(number, int(places.end_line[place]) + 1)


def _join(lines: Sequence[str], numbers: Iterable[int]) -> str:
    return "\n".join(lines[number - 1] if number else f"{' ' * 8}..." for number in numbers if number <= len(lines))


def _beginning(text: str, budget: int) -> str:
    """Return the complete lines from the beginning that fit, followed by `...`."""
    cut = token_counting.truncate_end(text, max(budget - 2, 0))
    whole = cut.rsplit("\n", 1)[0] if "\n" in cut else ""
    return f"{whole}\n..." if whole else ""


_MIN_EXCERPT_TOKENS = 24
"""Minimum size of an excerpt."""


@dataclass
class BlockBuilder:
    name: str
    heading: str
    budget: int
    pieces: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    used: int = 0

    def __post_init__(self) -> None:
        self.used = token_counting.count_tokens(f"{self.heading}\n\n")

    @property
    def left(self) -> int:
        return self.budget - self.used

    def add(self, text: str, *ids: str) -> bool:
        """Append a piece if it fits; return whether it did."""
        cost = token_counting.count_tokens(f"{text}\n")
        if cost > self.left:
            return False
        self.pieces.append(text)
        self.ids += ids
        self.used += cost
        return True

    def finish(self) -> ContextBlock | None:
        if not self.pieces:
            return None
        text = "\n".join((self.heading, "", *self.pieces)) + "\n"
        return ContextBlock(self.name, text, token_counting.count_tokens(text), tuple(self.ids))


@dataclass(frozen=True)
class ContextSource:
    """Search index and texts that the blocks are built from."""

    library: SearchBackend
    index: SearchIndex

    @property
    def places(self) -> Places:
        return self.index.places

    def text(self, place: int) -> str:
        """Return the text of the place's file, empty if it is missing."""
        try:
            return self.library.source_text(self.index.repository, self.places.path(place))
        except NotFoundError:
            return ""
        except StoreCorruptError as exc:
            self.library.warn(str(exc))
            return ""

    def modules(self) -> list[int]:
        """List the modules by importance, without tests and generated files."""
        places = self.places
        found = [
            place
            for place in range(places.file_count)
            if places.label[place] == MODULE and not places.is_test[place] and not places.is_generated[place]
        ]
        return sorted(found, key=lambda place: (-places.importance[place], place))

    def core_classes(self) -> list[int]:
        """List the core classes of the repository, most important first."""
        places = self.places
        found = [place for place in range(places.file_count, len(places)) if places.is_core[place]]
        return sorted(found, key=lambda place: (-places.importance[place], place))

    def definitions(self, modules: Iterable[int]) -> Iterator[int]:
        """Yield the outermost classes and functions of modules, in the order of the modules, classes first."""
        places = self.places
        for module in modules:
            outer = [place for place in places.definitions.get(module, ()) if places.parent[place] == module]
            yield from sorted(outer, key=lambda place: (places.label[place] != CLASS, place))

    def readme(self) -> int | None:
        """Find the README nearest to the root."""
        found = [
            place
            for place in range(self.places.file_count)
            if self.places.label[place] == DOCUMENT
            and self.places.path(place).rsplit("/", 1)[-1].lower().split(".")[0] == "readme"
        ]
        return min(found, key=lambda place: (self.places.path(place).count("/"), self.places.path(place)), default=None)


def fill_readme(block: BlockBuilder, repository: ContextSource) -> None:
    """Add the prose of the README, complete or its most useful sections; a long first line is cut at a word."""
    place = repository.readme()
    if place is None:
        return
    text = extract_prose(repository.text(place))
    if block.add(text, repository.places.id(place)):
        return
    budget = block.left - 4
    selected = select_sections(text, lambda part: token_counting.count_tokens(part) <= budget)
    if not selected.replace("...", "").strip():
        selected = f"{token_counting.truncate_end(text, max(budget, 0)).rsplit(' ', 1)[0].rstrip()}\n..."
    block.add(selected, repository.places.id(place))


def fill_modules(block: BlockBuilder, repository: ContextSource, modules: Iterable[int]) -> None:
    """Add one line for each module."""
    places = repository.places
    for place in modules:
        summary = places.columns.summaries[place]
        line = f"- {places.path(place)}: {summary}" if summary else f"- {places.path(place)}"
        if not block.add(line, places.id(place)) and not block.add(f"- {places.path(place)}", places.id(place)):
            return


def fill_code(block: BlockBuilder, repository: ContextSource, chosen: Iterable[int], share: float) -> None:
    """Add the source of some definitions, each in at most `share` of the block; definitions inside a shown one are not repeated."""
    places = repository.places
    shown: list[int] = []
    known: set[int] = set()
    for place in chosen:
        if place in known or any(_inside(places, place, other) for other in shown):
            continue
        known.add(place)
        span = f"{places.start_line[place]}-{places.end_line[place]}"
        head = f"## {places.path(place)}:{span} {places.qualname(place)}".rstrip()
        room = min(int(block.budget * share), block.left - token_counting.count_tokens(f"{head}\n\n")) - 2
        if room < _MIN_EXCERPT_TOKENS:
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


def fill_paths(block: BlockBuilder, repository: ContextSource, modules: Iterable[int]) -> None:
    """Add the other modules, a line for each folder, most important folder first."""
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
    """Yield the line of a folder with all its files, then with fewer and fewer of them."""
    count = len(members)
    while count:
        names = ", ".join(places.path(place).rsplit("/", 1)[-1] for place in members[:count])
        more = f", {len(members) - count} more" if count < len(members) else ""
        yield f"- {folder or '.'}/: {names}{more}", [places.id(place) for place in members[:count]]
        count //= 2


_SHARES: Final = 0.15, 0.15, 0.25
"""Shares of the budget for modules and paths, and maximum share of the source block for one definition."""
_TASK_SHARES: Final = 0.12, 0.05, 0.3


def build_context(library: SearchBackend, request: ContextRequest) -> RepositoryContext:
    """Build the launchpad text within its budget; the least important content is omitted first.

    Raises: QueryRefusedError for a negative budget; NotFoundError for an unknown repository.
    """
    if request.budget_tokens < 0:
        raise QueryRefusedError(
            f"invalid budget of {request.budget_tokens} tokens; it must be positive", reason="budget_tokens"
        )
    request = replace(request, budget_tokens=request.budget_tokens or request.settings.tokens)
    repository = ContextSource(library, library.indexes.open(request.repository))
    blocks = _fill(repository, *_choose(library, repository, request), request)
    text = "\n".join(block.text for block in blocks)
    while blocks and token_counting.count_tokens(text) > request.budget_tokens:
        blocks = blocks[:-1]
        text = "\n".join(block.text for block in blocks)
    return RepositoryContext(text, token_counting.count_tokens(text), tuple(blocks))


def _choose(
    library: SearchBackend, repository: ContextSource, request: ContextRequest
) -> tuple[Sequence[int], Iterable[int]]:
    """Choose modules and definitions, most important first: what localization finds for the task, core classes, all other code."""
    modules = repository.modules()
    if not request.task:
        return modules, chain(repository.core_classes(), repository.definitions(modules))
    answer = locate(
        library,
        LocateRequest(
            request.task, (request.repository,), max_files=max(1, request.settings.modules), max_definitions=60
        ),
    )
    places = repository.places
    located = [places.by_id[file.id] for file in answer.files]
    known = set(located)
    definitions = [places.by_id[definition.id] for definition in answer.definitions]
    ordered = [*located, *(place for place in modules if place not in known)]
    return ordered, chain(definitions, repository.core_classes(), repository.definitions(ordered))


def _fill(
    repository: ContextSource, places: Sequence[int], chosen: Iterable[int], request: ContextRequest
) -> list[ContextBlock]:
    modules_share, paths_share, piece_share = _TASK_SHARES if request.task else _SHARES
    budget = request.budget_tokens - 4  # Blank lines between the blocks.
    left = budget
    settings = request.settings
    readme_share = settings.task_readme_share if request.task else settings.readme_share
    topic = "for the task" if request.task else "most important first"

    def begin(name: str, heading: str, share: float) -> BlockBuilder:
        return BlockBuilder(name, heading, min(left, int(budget * share)))

    readme = begin("readme", f"# {repository.index.repository}: README", readme_share)
    fill_readme(readme, repository)
    left -= readme.used if readme.pieces else 0
    modules = begin("modules", f"# Modules, {topic}", modules_share)
    fill_modules(modules, repository, places[: settings.modules])
    left -= modules.used if modules.pieces else 0
    paths = begin("paths", "# Other modules by folder", paths_share)
    fill_paths(paths, repository, places[len(modules.ids) :])
    left -= paths.used if paths.pieces else 0
    code = begin("code", f"# Source, {topic}", 1.0)
    fill_code(code, repository, chosen, piece_share)
    return [block for block in (part.finish() for part in (readme, modules, code, paths)) if block]
