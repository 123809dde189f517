"""AnalyzeImpact: from a change to what depends on it, and to the tests that it calls for."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.graphstore.code.reader import CodeReader
from repoquarry.graphstore.code.records import Definition
from repoquarry.graphstore.impact.patches import FileChange, read_patch, words_changed
from repoquarry.graphstore.impact.reach import Affected, affected_by
from repoquarry.graphstore.impact.tests_to_run import RankedFile, RankedTest, tests_to_run
from repoquarry.graphstore.impact.touched import touched_by
from repoquarry.graphstore.model.values import Node
from repoquarry.ingest.following.changes import range_changes, working_tree_changes
from repoquarry.server.application.basis import Bases
from repoquarry.server.application.code.naming import Naming
from repoquarry.server.application.host import Host
from repoquarry.server.contract import paging
from repoquarry.server.contract.entities import entity
from repoquarry.server.contract.names import repository_of
from repoquarry.server.errors import invalid
from repoquarry.v1 import code_service_pb2 as pb

_LEAST = 0.05
_TESTS = 100
_MODULES = 1_000_000


class Impact:
    """AnalyzeImpact over a store in this process."""

    def __init__(self, host: Host, bases: Bases, naming: Naming) -> None:
        self._host = host
        self._bases = bases
        self._naming = naming

    def analyze_impact(self, request: pb.AnalyzeImpactRequest) -> pb.AnalyzeImpactResponse:
        most = paging.bounded("max_affected", request.max_affected, 100, 5_000)
        most_files = paging.bounded("max_test_files", request.max_test_files, 100, 5_000)
        hops = paging.bounded("max_hops", request.max_hops, 6, 15)
        repository = repository_of(request.repository, "repository")
        reader, repositories = CodeReader(self._host.store), self._host.store.repositories()
        touched, words, unknown, notes = self._touched(request, reader, repository)
        affected = affected_by(reader, touched, repositories, hops, request.min_confidence or _LEAST)
        owners = sorted({repository} | {item.definition.repository for item in affected.values()})
        modules = [item for item in reader.modules(owners, limit=_MODULES) if item.is_test]
        files = tests_to_run(reader, affected, touched, modules, words)
        others = [item for item in affected.values() if item.hops and not item.definition.is_test]
        others.sort(key=lambda item: (-item.confidence, item.hops, item.definition.id))
        shown = others[:most]
        nodes = self._nodes(touched, shown, files[:most_files])
        return pb.AnalyzeImpactResponse(
            changed=[entity(nodes[item.id]) for item in touched],
            affected=[_affected(nodes, item) for item in shown],
            affected_total=len(others),
            test_files=[_file(nodes, file) for file in files[:most_files]],
            test_file_total=len(files),
            indexed_test_files=len(modules),
            unknown_paths=unknown,
            basis=self._bases.of(owners, {item.name for item in touched}, notes),
        )

    def _touched(
        self, request: pb.AnalyzeImpactRequest, reader: CodeReader, repository: str
    ) -> tuple[list[Definition], frozenset[str], list[str], Sequence[str]]:
        """What was changed, the words of the changed lines, paths that are not indexed, and notes. Raises: RequestError, IngestError."""
        properties = self._host.store.repository(repository)
        given = [name for name in ("range", "patch", "symbols") if getattr(request, name)]
        if len(given) > 1:
            raise invalid(given[1], f"give a change in one way only, not also as {given[0]}")
        if request.symbols:
            found = [node for name in request.symbols for node in self._naming.meanings(name, [repository], "symbols")]
            return reader.definitions(node.id for node in found), frozenset(), [], ()
        settings, notes = self._host.settings.ingest, tuple[str, ...]()
        try:
            if request.patch:
                files: Sequence[FileChange] = read_patch(request.patch)
            elif request.range:
                changes = range_changes(properties, request.range, settings)
                files, notes = changes.files, changes.notes
            else:
                files = working_tree_changes(properties, self._host.store.sources, settings).files
        except ValueError as exc:
            raise invalid("patch" if request.patch else "range", str(exc)) from exc
        unknown = [change.path for change in files if reader.module(repository, change.path) is None]
        words = words_changed(files)
        return touched_by(reader, repository, files), words, unknown, notes

    def _nodes(
        self, touched: Sequence[Definition], affected: Sequence[Affected], files: Sequence[RankedFile]
    ) -> dict[str, Node]:
        ids = [item.id for item in touched]
        ids += [item.definition.id for item in affected]
        ids += [file.module.id for file in files]
        ids += [test.definition.id for file in files for test in file.tests[:_TESTS]]
        return {node.id: node for node in self._naming.nodes(ids)}


def _affected(nodes: dict[str, Node], item: Affected) -> pb.AffectedDefinition:
    return pb.AffectedDefinition(
        entity=entity(nodes[item.definition.id]),
        confidence=item.confidence,
        hops=item.hops,
        how=item.how,
        via_id=item.via,
    )


def _file(nodes: dict[str, Node], file: RankedFile) -> pb.TestFile:
    return pb.TestFile(
        entity=entity(nodes[file.module.id]),
        confidence=file.confidence,
        how=file.how,
        shared_words=file.shared,
        tests=[_test(nodes, test) for test in file.tests[:_TESTS]],
    )


def _test(nodes: dict[str, Node], test: RankedTest) -> pb.AffectedDefinition:
    return pb.AffectedDefinition(
        entity=entity(nodes[test.definition.id]),
        confidence=test.confidence,
        hops=test.hops,
        how=test.how,
        via_id=test.via,
    )
