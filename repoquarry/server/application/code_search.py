"""Search, Locate, BuildContext and symbol lookup."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence

from repoquarry.graphstore import search as finding
from repoquarry.graphstore.model.values import Node
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.server import resource_names
from repoquarry.server.application.basis import BasisBuilder, select_text_repositories
from repoquarry.server.application.context import ApplicationContext, never
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.resource_names import parse_repository_name, repositories_of, repository_name
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

_MAX_SYMBOL = 2_000
_ID_BATCH = 500


class SymbolLookup:
    """Looks names up in one store."""

    def __init__(self, host: ApplicationContext) -> None:
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
            raise invalid_field(field, f"empty or longer than {_MAX_SYMBOL} characters")
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
            raise request_error("SYMBOL_NOT_FOUND", f"nothing is called {symbol!r}{hint}", symbol=symbol)
        return found

    def nodes(self, ids: Iterable[str]) -> list[Node]:
        """Nodes by id, in the order of the ids; unknown ones are left out."""
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Node] = {}
        for start in range(0, len(wanted), _ID_BATCH):
            rows = self._host.store.execute_named("nodes_by_id", ids=list(wanted[start : start + _ID_BATCH])).rows
            found.update({row[0].id: row[0] for row in rows if isinstance(row[0], Node)})
        return [found[id_] for id_ in wanted if id_ in found]

    def _outside(self, symbol: str, repositories: Sequence[str]) -> list[Node]:
        rows = self._host.store.execute_named(
            "externals_named", repositories=list(repositories), qualname=symbol, suffix=f".{symbol}"
        ).rows
        return [row[0] for row in rows if isinstance(row[0], Node)]

    def _near(self, symbol: str, repositories: Sequence[str]) -> list[str]:
        rows = self._host.store.execute_named("definition_names", repositories=list(repositories)).rows
        last = symbol.rpartition(".")[2].rpartition("/")[2]
        return difflib.get_close_matches(last, [str(row[0]) for row in rows], 5, cutoff=0.7)


def _within(node: Node, repositories: Sequence[str]) -> bool:
    repository = node.properties.get("repository")
    return not repository or repository in repositories


_MODES = {
    pb.SEARCH_MODE_UNSPECIFIED: finding.SearchMode.HYBRID,
    pb.SEARCH_MODE_HYBRID: finding.SearchMode.HYBRID,
    pb.SEARCH_MODE_KEYWORD: finding.SearchMode.KEYWORD,
    pb.SEARCH_MODE_SEMANTIC: finding.SearchMode.SEMANTIC,
    pb.SEARCH_MODE_EXACT: finding.SearchMode.EXACT,
    pb.SEARCH_MODE_REGEX: finding.SearchMode.REGEX,
}
_TESTS = {
    pb.TEST_FILTER_UNSPECIFIED: finding.WithTests.INCLUDE,
    pb.TEST_FILTER_INCLUDE: finding.WithTests.INCLUDE,
    pb.TEST_FILTER_EXCLUDE: finding.WithTests.EXCLUDE,
    pb.TEST_FILTER_ONLY: finding.WithTests.ONLY,
}


class SearchHandler:
    """Search, Locate and BuildContext over a store in this process."""

    def __init__(self, host: ApplicationContext, bases: BasisBuilder, naming: SymbolLookup) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def search(
        self, request: pb.SearchRequest, cancelled: Callable[[], bool] = never, client: str = ""
    ) -> pb.SearchResponse:
        """Search; `cancelled` ends a scan of texts."""
        if not request.query.strip():
            raise invalid_field("query", "empty")
        repositories, notes = select_text_repositories(self._host.store, repositories_of(list(request.repositories)))
        page = finding.search(
            self._host.store,
            finding.SearchRequest(
                text=request.query,
                mode=_MODES[request.mode],
                repositories=tuple(repositories),
                labels=tuple(request.labels),
                kinds=tuple(request.kinds),
                languages=tuple(request.languages),
                path_globs=tuple(request.path_globs),
                tests=_TESTS[request.tests],
                page_size=request.page_size or 10,
                page_token=request.page_token,
            ),
            cancelled,
        )
        return pb.SearchResponse(
            hits=[_hit(hit) for hit in page.hits],
            next_page_token=page.next_page_token,
            basis=self._bases.of(page.repositories, (), notes),
            total=page.total,
        )

    def locate(self, request: pb.LocateRequest) -> pb.LocateResponse:
        if not request.text.strip():
            raise invalid_field("text", "empty")
        repositories, notes = select_text_repositories(self._host.store, repositories_of(list(request.repositories)))
        answer = finding.locate(
            self._host.store,
            finding.LocateRequest(
                text=request.text,
                repositories=tuple(repositories),
                max_files=resource_names.bounded("max_files", request.max_files, 10, 100),
                max_definitions=resource_names.bounded("max_definitions", request.max_definitions, 20, 100),
            ),
        )
        return pb.LocateResponse(
            files=[_place(place) for place in answer.files],
            definitions=[_place(place) for place in answer.definitions],
            basis=self._bases.of(answer.repositories, (), notes),
        )

    def build_context(self, request: pb.BuildContextRequest) -> pb.BuildContextResponse:
        from repoquarry.graphstore.reading.context import DEFAULT_TOKENS, ContextRequest, build_context

        repository = parse_repository_name(request.repository, "repository")
        self._host.store.repository(repository)
        budget = resource_names.bounded("max_tokens", request.max_tokens, DEFAULT_TOKENS, 200_000)
        context = build_context(self._host.store, ContextRequest(repository, budget, request.task or None))
        return pb.BuildContextResponse(
            text=context.text,
            tokens=context.tokens,
            blocks=[
                pb.ContextBlock(name=block.name, text=block.text, tokens=block.tokens, node_ids=block.ids)
                for block in context.blocks
            ],
            basis=self._bases.of([repository], ()),
        )


def _hit(hit: finding.SearchHit) -> pb.SearchHit:
    place = entities_pb2.Entity(
        id=hit.id,
        label=hit.label,
        name=hit.name,
        qualname=hit.qualname,
        repository=repository_name(hit.repository),
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        kind=hit.kind,
        is_test=hit.is_test,
    )
    message = pb.SearchHit(
        entity=place, score=hit.score, parts=[pb.ScorePart(name=name, value=value) for name, value in hit.parts]
    )
    if hit.snippet is not None:
        message.snippet = hit.snippet.text
        message.snippet_line = hit.snippet.line
        message.highlights.extend(pb.Highlight(start=mark.start, end=mark.end) for mark in hit.snippet.highlights)
    return message


def _place(place: finding.LocatedPlace) -> pb.RankedPlace:
    found = entities_pb2.Entity(
        id=place.id,
        label=place.label,
        name=place.qualname.rpartition(".")[2] or place.path.rpartition("/")[2],
        qualname=place.qualname,
        repository=repository_name(place.repository),
        path=place.path,
        start_line=place.start_line,
        end_line=place.end_line,
    )
    return pb.RankedPlace(entity=found, score=place.score, reasons=place.reasons)
