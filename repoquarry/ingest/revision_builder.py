"""Builder of one repository revision: runs the stages that extract, resolve, score, assemble and write a changed repository.

The module is separate, because `pipeline` detects an unchanged repository without loading it. Early starts and background work
change time and memory, never results. On Django, after an edit all other stages wait for
the resolver, and memory of a complete run peaks at the end of resolution.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from time import gmtime, strftime
from typing import TYPE_CHECKING

from repoquarry.graphstore.model.graph_tables import RelationshipTable
from repoquarry.graphstore.pending_revision import PendingRevision
from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.term_extraction import FileTerms
from repoquarry.graphstore.storage.git_history import ARTIFACT as HISTORY
from repoquarry.graphstore.storage.git_history import NOT_TRACKED, GitHistory
from repoquarry.graphstore.store import Store
from repoquarry.ingest.file_features import FileFeatures
from repoquarry.ingest.files.documents import find_readme
from repoquarry.ingest.files.extraction import ExtractedFiles, extract_files
from repoquarry.ingest.files.hashing import HashedTree, load_cached_facts
from repoquarry.ingest.files.other_texts import find_names
from repoquarry.ingest.files.worker_main import spans_of_document, spans_of_source
from repoquarry.ingest.graph.assembler import AssembledGraph, assemble_graph
from repoquarry.ingest.graph.code_graph import GraphInputs
from repoquarry.ingest.graph.graph_writer import BaseGraph, carry_over_graph, write_graph
from repoquarry.ingest.graph.module_summaries import ARTIFACT, ModuleDescriber, ModulePurposes
from repoquarry.ingest.graph.outline import DefinitionOutline, build_outline
from repoquarry.ingest.graph.provided_names import ProvidedNames, save_externals
from repoquarry.ingest.graph.repository_links import relink_dependents, write_linked
from repoquarry.ingest.graph.table_builder import Columns
from repoquarry.ingest.importance import score_repository
from repoquarry.ingest.interfaces.providers import Provider
from repoquarry.ingest.interfaces.stored_tables import load_tables
from repoquarry.ingest.memory_tuning import trim_heap
from repoquarry.ingest.previous_state import CachedResolution, IndexInputs, PreviousState, decode_definitions
from repoquarry.ingest.report import IndexReport
from repoquarry.ingest.resolution.line_shift import MAX_FILES
from repoquarry.ingest.resolver_client import PrestartedResolver, resolve_in_subprocess
from repoquarry.ingest.run_monitor import RunMonitor
from repoquarry.ingest.sources.git import commit_date, read_history
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.source_text import word_of

if TYPE_CHECKING:
    from repoquarry.ingest.resolution.model import Resolution
    from repoquarry.ingest.scip.merge import ScipReport

_log = logging.getLogger(__name__)
_MAX_PRESTART_FILES = 500


@dataclass(frozen=True)
class OutlinedFiles:
    """Definitions of all source files, without their calls."""

    files: list[FileFacts]
    """Facts of source files in path order; only the definitions are decoded."""
    outline: DefinitionOutline
    outline_columns: Columns
    features: FileFeatures
    base: BaseGraph | None
    """Stored graph that the new one is diffed against; None if it cannot be read."""


@dataclass(frozen=True)
class BuiltRevision:
    """A graph that is ready to be stored."""

    assembled: AssembledGraph
    base: BaseGraph | None
    """Stored graph that the new one is diffed against; None if it cannot be read."""
    history: GitHistory
    report: IndexReport

    @property
    def revision(self) -> str:
        return self.assembled.revision


class RevisionBuilder:
    """Builder of one repository revision. Each public method is a pipeline stage; `build_and_store` runs them in order."""

    def __init__(
        self,
        inputs: IndexInputs,
        store: Store,
        monitor: RunMonitor,
        previous: PreviousState,
        describer: ModuleDescriber | None = None,
        providers: Sequence[Provider] = (),
    ) -> None:
        """Initialize; `providers` are the repositories whose interfaces are used."""
        self._inputs = inputs
        self._providers = providers
        self._store = store
        self._monitor = monitor
        self._previous = previous
        self._describer = describer
        self._prefetched = ExitStack()

    def build_and_store(self, hashed: HashedTree, digest: str) -> IndexReport:
        """Run all stages. `digest` is the digest of the inputs."""
        repository, settings = self._inputs.repository, self._inputs.settings
        cached = CachedResolution.stored(self._store.sources, repository)
        configuration = {**hashed.configuration, **load_tables(self._store.sources, self._providers)}
        with (
            PrestartedResolver(settings, configuration, cached, hashed.left_out.sources()) as resolver,
            self._monitor.watch_processes(resolver.process_ids),
            self._prefetched,
        ):
            facts = self._prestart(resolver, hashed)
            with PendingRevision.begin(self._store, repository, self._report_indexed) as pending:
                built = self._build(hashed, facts, resolver, pending)
                is_unchanged = self._previous.revision() == built.revision
                if is_unchanged:
                    if not self._previous.has_current_vectors():
                        self.complete_search_index(built, pending)
                    self.publish_unchanged(built, pending, digest)
                else:
                    self.complete_search_index(built, pending)
                    self.write(built, pending, digest)
        _log.info(
            "indexed repository=%s revision=%s files=%d unchanged=%s",
            *(built.report.repository, built.revision, built.report.files, is_unchanged),
        )
        return replace(built.report, unchanged=is_unchanged, costs=tuple(self._monitor.costs))

    def _prestart(self, resolver: PrestartedResolver, hashed: HashedTree) -> dict[str, bytes]:
        """Return the cached facts of unchanged files by path; start the resolver with these facts if it is certain to be needed.

        It is needed if no stored revision has exactly these source files. A first index of many files starts its resolver late: both
        would otherwise reach their peak memory at the same time. Raises: WorkerLostError.
        """
        hash_by_path = {file.path: hashed.hashes[file.path] for file in hashed.files if file.kind == "source"}
        entries = {path: entry for path, entry in self._previous.files().items() if entry.derived is not None}
        stored = {path: entry.hash for path, entry in entries.items()}
        if stored != hash_by_path and (stored or len(hash_by_path) <= _MAX_PRESTART_FILES):
            resolver.prestart()
        facts = load_cached_facts(hash_by_path, self._store.sources)
        changed = [path for path in hash_by_path if stored.get(path) != hash_by_path[path]]
        if stored.keys() == hash_by_path.keys() and 0 < len(changed) <= MAX_FILES:
            keys = {path: entries[path].derived or b"" for path in changed}
            known = self._store.sources.load_derived(list(keys.values()))
            resolver.expect_shift({path: known[key] for path, key in keys.items() if key in known})
        resolver.send_facts(facts)
        return facts

    def _build(
        self, hashed: HashedTree, facts: dict[str, bytes], resolver: PrestartedResolver, pending: PendingRevision
    ) -> BuiltRevision:
        """Run the stages up to the graph. Their intermediate results, half of peak memory, are freed on return."""
        with self._monitor.run_in_background("git-history", self._read_history) as reading:
            extracted = self.extract(hashed, facts, resolver, pending)
            packed = [*extracted.packed]
            with (
                self._monitor.stage("resolve", total=len(packed)),
                # The block uses the other core for the search index.
                self._monitor.run_in_background(
                    "resolver", lambda ended: resolve_in_subprocess(packed, resolver, self._monitor, ended)
                ) as resolving,
            ):
                # Memory is at its peak here: what each step freed returns to the system, 11 % of the peak on Django.
                self.index_texts(extracted, pending)
                trim_heap()
                files = self.index_vectors(extracted, pending)
                trim_heap()
                outlined = self.outline(extracted, files, pending)
                trim_heap()
                resolution, cached = resolving.result()
            cached.save(pending)
            resolution, scip = self._merge_scip(resolution, outlined.files, pending)
            # Start to load the stored graph for the write only now: the resolver process has exited and freed its memory.
            self._prefetched.enter_context(self._store.engine.prefetch(self._inputs.repository))
            with self._monitor.stage("score"):
                history = reading.result()
                scores = score_repository(
                    outlined.files, outlined.features, resolution, history, self._inputs.settings, pending.text
                )
        hashed.save_stamps(self._store.sources, pending.snapshot)
        graph_inputs = GraphInputs(
            checkout=self._inputs.checkout,
            commit_date=self._read_commit_date(),
            indexed_at=strftime("%Y-%m-%dT%H:%M:%SZ", gmtime()),
            hashed=hashed,
            files=outlined.files,
            outline=outlined.outline,
            outline_columns=outlined.outline_columns,
            stored_columns=outlined.base.columns if outlined.base is not None else {},
            documents=extracted.documents,
            hashes=extracted.hashes,
            resolution=resolution,
            resolution_content=cached.content + b"".join(index.digest for index in self._inputs.scip),
            scip=scip,
            scores=scores,
            history=history,
            left_out=extracted.left_out,
            other_words=self._other_words(outlined.files, hashed),
        )
        return self.assemble(graph_inputs, outlined.base, pending, extracted.reused)

    def _merge_scip(
        self, resolution: Resolution, files: list[FileFacts], pending: PendingRevision
    ) -> tuple[Resolution, list[ScipReport]]:
        """Merge the SCIP indexes of the inputs into the resolution. Raises: ScipRejectedError, IngestCancelledError."""
        if not self._inputs.scip:
            return resolution, []
        from repoquarry.ingest.scip.merge import merge_indexes  # Lazy import: few runs have an index.

        with self._monitor.stage("scip", self._inputs.scip[0].shown):
            indexes, root = self._inputs.scip, self._inputs.checkout.root
            return merge_indexes(resolution, files, indexes, root, pending.text, self._monitor.check)

    def extract(
        self, hashed: HashedTree, facts: dict[str, bytes], resolver: PrestartedResolver, pending: PendingRevision
    ) -> ExtractedFiles:
        """Extract facts, terms and vectors of each file; `facts` are the cached facts by path."""
        with self._monitor.stage("extract", total=len(hashed.files)):
            return extract_files(self._inputs, hashed, self._previous, facts, pending, self._monitor, resolver)

    def index_texts(self, extracted: ExtractedFiles, pending: PendingRevision) -> None:
        """Merge the terms of all files into the search index and free them."""
        pending.draft.index_texts(self._pop_terms(extracted), extracted.kept)

    def index_vectors(self, extracted: ExtractedFiles, pending: PendingRevision) -> list[FileFacts]:
        """Embed the places of all files. Return the definitions of source files in path order."""
        files: list[FileFacts] = []
        facts_by_path: dict[str, FileFacts] = {}

        def decode() -> None:
            """Decode all definitions and free the packed facts, on first use: before that the terms take the memory."""
            files.extend(decode_definitions(packed) for packed in extracted.packed)
            extracted.packed.clear()
            facts_by_path.update((facts.path, facts) for facts in files)

        def spans(path: str) -> DefinitionSpans:
            if extracted.packed:
                decode()
            facts = facts_by_path.get(path)
            return spans_of_source(facts) if facts is not None else spans_of_document(path)

        pending.draft.index_vectors(extracted.vectors, spans)
        if extracted.packed:
            decode()
        return files

    def outline(self, extracted: ExtractedFiles, files: list[FileFacts], pending: PendingRevision) -> OutlinedFiles:
        """List the definitions as columns, add them to the search index and load the graph to diff against."""
        readme = find_readme(document.path for document in extracted.documents)
        prose = pending.text(readme) if readme else ""
        outline = build_outline(self._inputs.repository, files, extracted.documents, extracted.hashes, prose)
        self._describe(files, outline, extracted.hashes, pending)
        features = FileFeatures.of(files)
        pending.draft.add_places(self._inputs.repository, outline.nodes())
        base = BaseGraph.read(self._store.sources, self._inputs.repository, self._previous.revision())
        columns = outline.columns(self._inputs.repository, base.columns if base is not None else {})
        return OutlinedFiles(files, outline, columns, features, base)

    def _describe(
        self, files: list[FileFacts], outline: DefinitionOutline, hashes: Mapping[str, str], pending: PendingRevision
    ) -> None:
        """Add the purposes of modules to the outline: the stored ones of unchanged files, and those of the describer."""
        purposes = ModulePurposes.load(self._store.sources, self._inputs.repository)
        purposes.update(files, hashes, self._describer, self._monitor)
        if self._describer is not None or purposes.sentences:
            pending.save_artifact(ARTIFACT, purposes.encode())
        if purposes.sentences:
            outline.modules.extend(purpose=[purposes.sentences.get(hashes[facts.path]) for facts in files])

    def assemble(
        self, graph_inputs: GraphInputs, base: BaseGraph | None, pending: PendingRevision, reused: int
    ) -> BuiltRevision:
        """Assemble the graph, and store the artifacts for the next run."""
        with self._monitor.stage("assemble"):
            assembled = assemble_graph(graph_inputs)
            provided = ProvidedNames.of(graph_inputs)
        provided.save(pending)
        save_externals(pending, assembled.frame)
        pending.save_artifact(HISTORY, graph_inputs.history.encode())
        report = IndexReport.of_graph(graph_inputs, assembled.counts(), assembled.revision, reused)
        return BuiltRevision(assembled, base, graph_inputs.history, report)

    def complete_search_index(self, built: BuiltRevision, pending: PendingRevision) -> None:
        """Add commits and edges to the search index of the new revision."""
        with self._monitor.stage("search-index"):
            edges = built.assembled.resolved.edges()
            pending.complete_index(built.assembled.frame, built.revision, built.history, edges)

    def write(self, built: BuiltRevision, pending: PendingRevision, digest: str) -> None:
        """Write the graph; from then on readers find graph, search index and texts of the new revision."""

        def write(links: list[RelationshipTable]) -> None:
            write_graph(built.assembled, links, built.base, pending, self._monitor.step)

        with self._monitor.stage("write", total=built.assembled.rows), pending.commit(built.revision, digest):
            write_linked(pending, write)

    def publish_unchanged(self, built: BuiltRevision, pending: PendingRevision, digest: str) -> None:
        """Publish the texts of a revision whose graph is already stored."""
        carry_over_graph(self._store.sources, self._inputs.repository, built.revision, pending.snapshot)
        with pending.commit(built.revision, digest):
            relink_dependents(pending)

    def _report_indexed(self, done: int, total: int) -> None:
        self._monitor.step(done, total, "indexing texts")

    def _pop_terms(self, extracted: ExtractedFiles) -> Iterator[tuple[str, FileTerms]]:
        """Yield path and terms of each file, remove them from `extracted`, and report progress."""
        paths = list(extracted.texts)
        for done, path in enumerate(paths):
            self._report_indexed(done, len(paths))
            yield path, FileTerms.decode(extracted.texts.pop(path))
        self._report_indexed(len(paths), len(paths))

    def _read_history(self, is_cancelled: Callable[[], bool]) -> GitHistory:
        checkout, settings = self._inputs.checkout, self._inputs.settings
        if not checkout.history:
            return GitHistory([], [], checkout.git_problem or NOT_TRACKED)
        return read_history(checkout.root, commits=settings.history_commits, cancelled=is_cancelled)

    def _other_words(self, files: Sequence[FileFacts], hashed: HashedTree) -> bytes:
        names = {
            word_of(one.name) for facts in files for one in facts.definitions if one.kind in ("function", "method")
        }
        return find_names(self._inputs.checkout.root, hashed, names)

    def _read_commit_date(self) -> str | None:
        checkout = self._inputs.checkout
        day = commit_date(checkout.root) if checkout.history else None
        return day.date().isoformat() if day else None
