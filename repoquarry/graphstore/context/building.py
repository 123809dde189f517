"""Divides the budget among the four blocks and puts them together.

A block that needs less than its share leaves the rest to the blocks after it, and the source, which can use any amount,
gets what is left in the end. The finished text is counted once more as a whole, because tokens may merge where blocks meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore import tokens
from repoquarry.graphstore.context.blocks import Filling, Repository, fill_code, fill_modules, fill_paths, fill_readme
from repoquarry.graphstore.context.requests import ContextBlock, ContextRequest, RepositoryContext
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.library import Library
from repoquarry.graphstore.search.locating.locate import locate
from repoquarry.graphstore.search.requests import LocateRequest

SUMMARISED: Final = 20
"""Modules with a line of their own. Source: RepoMaster, appendix on the repository context."""
_TOKENS_A_DEFINITION: Final = 100
"""So many definitions are located for a task that the budget is filled even when they are small."""


@dataclass(frozen=True)
class _Shares:
    """Parts of the budget."""

    readme: float
    modules: float
    paths: float
    largest_piece: float
    """Part of the code block that one definition may take."""


_GENERAL: Final = _Shares(readme=0.2, modules=0.15, paths=0.15, largest_piece=0.25)
_FOR_A_TASK: Final = _Shares(readme=0.06, modules=0.12, paths=0.05, largest_piece=0.3)


@dataclass(frozen=True)
class _Chosen:
    """What the blocks are about, most important first."""

    modules: Sequence[int]
    code: Sequence[int]


def build_context(library: Library, request: ContextRequest) -> RepositoryContext:
    """Return the launchpad text, never over its budget; what does not fit is left out from the least important on.

    Raises: QueryRefusedError for a budget that is not positive; NotFoundError for an unknown repository.
    """
    if request.budget_tokens <= 0:
        raise QueryRefusedError(f"a budget of {request.budget_tokens} tokens holds nothing", reason="budget_tokens")
    repository = Repository(library, library.indexes.open(request.repository))
    chosen = _choose(library, repository, request)
    shares = _FOR_A_TASK if request.task else _GENERAL
    blocks = _fill(repository, chosen, shares, request)
    text = "\n".join(block.text for block in blocks)
    while blocks and tokens.count(text) > request.budget_tokens:
        blocks = blocks[:-1]
        text = "\n".join(block.text for block in blocks)
    return RepositoryContext(text, tokens.count(text), tuple(blocks))


def _choose(library: Library, repository: Repository, request: ContextRequest) -> _Chosen:
    """The repository's own most important things, or with a task what locating it names, the former behind it."""
    modules = repository.modules()
    if not request.task:
        return _Chosen(modules, repository.core_classes())
    answer = locate(
        library, LocateRequest(request.task, (request.repository,), max_files=SUMMARISED, max_definitions=60)
    )
    places = repository.places
    located = [places.by_id[file.id] for file in answer.files]
    known = set(located)
    definitions = [places.by_id[definition.id] for definition in answer.definitions]
    return _Chosen(
        [*located, *(place for place in modules if place not in known)], [*definitions, *repository.core_classes()]
    )


def _fill(repository: Repository, chosen: _Chosen, shares: _Shares, request: ContextRequest) -> list[ContextBlock]:
    budget = request.budget_tokens - 4  # blank lines between the blocks
    left = budget
    topic = "for the task" if request.task else "most important first"

    def begin(name: str, heading: str, share: float) -> Filling:
        return Filling(name, heading, min(left, int(budget * share)))

    readme = begin("readme", f"# {repository.index.repository}: README", shares.readme)
    fill_readme(readme, repository)
    left -= readme.used if readme.pieces else 0
    modules = begin("modules", f"# Modules, {topic}", shares.modules)
    fill_modules(modules, repository, chosen.modules[:SUMMARISED])
    left -= modules.used if modules.pieces else 0
    paths = begin("paths", "# Other modules by folder", shares.paths)
    fill_paths(paths, repository, chosen.modules[len(modules.ids) :])
    left -= paths.used if paths.pieces else 0
    code = begin("code", f"# Source, {topic}", 1.0)
    fill_code(code, repository, chosen.code, shares.largest_piece)
    return [block for block in (part.close() for part in (readme, modules, code, paths)) if block]
