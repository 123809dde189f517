"""Search, Locate and BuildContext: the stored graph's own finding, in messages of the contract."""

from __future__ import annotations

from repoquarry.graphstore import search as finding
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.names import repositories_of, repository_name, repository_of
from repoquarry.server.errors import invalid
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1 import entities_pb2

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


class Finding:
    """Search, Locate and BuildContext over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def search(self, request: pb.SearchRequest) -> pb.SearchResponse:
        if not request.query.strip():
            raise invalid("query", "empty")
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
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
        )
        return pb.SearchResponse(
            hits=[_hit(hit) for hit in page.hits],
            next_page_token=page.next_page_token,
            basis=self._bases.of(page.repositories, ()),
            total=page.total,
        )

    def locate(self, request: pb.LocateRequest) -> pb.LocateResponse:
        if not request.text.strip():
            raise invalid("text", "empty")
        repositories = self._naming.repositories(repositories_of(list(request.repositories)))
        answer = finding.locate(
            self._host.store,
            finding.LocateRequest(
                text=request.text,
                repositories=tuple(repositories),
                max_files=paging.bounded("max_files", request.max_files, 10, 100),
                max_definitions=paging.bounded("max_definitions", request.max_definitions, 20, 100),
            ),
        )
        return pb.LocateResponse(
            files=[_place(place) for place in answer.files],
            definitions=[_place(place) for place in answer.definitions],
            basis=self._bases.of(answer.repositories, ()),
        )

    def build_context(self, request: pb.BuildContextRequest) -> pb.BuildContextResponse:
        from repoquarry.graphstore.context import DEFAULT_TOKENS, ContextRequest, build_context

        repository = repository_of(request.repository, "repository")
        self._host.store.repository(repository)
        budget = paging.bounded("max_tokens", request.max_tokens, DEFAULT_TOKENS, 200_000)
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
