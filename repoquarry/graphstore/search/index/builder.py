"""Incremental builder of the search index of a repository revision; data of unchanged files comes from the previous index.

The checksums of the previous index are verified first, so that damage does not enter the next index under new checksums.

Texts (words, vectors) are processed file by file; places (files and definitions with their scores and edges) need the finished graph.
The builder processes texts first, so that ingestion can index texts while calls are still being resolved. The finished folder appears by
one rename, so that a killed build never leaves a folder that looks complete.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.model.graph_tables import NodeTable, RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.commit_index import build_commit_index
from repoquarry.graphstore.search.index.place_extraction import EdgeArrays, OrderedPlaces, extract_places
from repoquarry.graphstore.search.index.place_vectors import EmbedTexts, FileVectors, PlaceVectors, ReadText
from repoquarry.graphstore.search.index.places import DefinitionSpans, Places, Renumbering
from repoquarry.graphstore.search.index.search_index import FORMAT, IndexHeader, checksums, verify
from repoquarry.graphstore.search.index.term_extraction import FileTerms, count_file_terms
from repoquarry.graphstore.search.index.term_merger import splice_terms, write_terms
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.graphstore.storage.sqlite_database import translate_write_errors
from repoquarry.processes.scratch import ScratchFolder


@dataclass(frozen=True)
class PreviousIndex:
    """Stored index, with the keys of its texts."""

    folder: Path
    places: Places
    texts: Mapping[str, bytes]
    """Path -> key of the file's terms in the index."""
    vectors: FileVectors | None
    """Vectors of all places; None without an embedder."""

    @classmethod
    def open(cls, folder: Path, texts: Mapping[str, bytes], model: str | None) -> PreviousIndex:
        """Open an index; `model` is the revision of the embedder, None without one.

        Raises: NotFoundError if its vectors are missing or belong to another model; as `SearchIndex.load`.
        """
        verify(folder, IndexHeader.load(folder).checksums)
        places, vectors = Places.load(folder), None
        if model is not None:
            from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

            vectors = VectorIndex.load(folder, revision=model).all_halves()
            if len(vectors) != len(places):
                message = f"{folder} has {len(vectors)} vectors for {len(places)} places"
                raise NotFoundError(message, kind="index", value=str(folder))
        return cls(folder, places, texts, vectors)

    def holds(self, path: str, key: bytes) -> bool:
        return self.texts.get(path) == key and path in self.places.by_path

    def sizes(self) -> dict[str, int]:
        definitions = self.places.definitions
        return {path: 1 + len(definitions.get(file, ())) for file, path in enumerate(self.places.columns.paths)}


@dataclass(frozen=True)
class ReusedFiles:
    """Files that the next index reuses from the previous one."""

    earlier: PreviousIndex
    paths: frozenset[str]

    def moves(self, anew: Mapping[str, int]) -> Renumbering:
        """Return the renumbering with further files and their number of places in path order."""
        return Renumbering.of(self.earlier.sizes(), self.paths, anew)

    def standings(self) -> dict[str, int]:
        """Map each file to its `DefinitionSpans.digest`."""
        digests = zip(self.earlier.places.columns.paths, self.earlier.places.standings(), strict=True)
        return {path: digest for path, digest in digests if path in self.paths}


BuildProgress = Callable[[int, int], None]
"""Called with (finished files, total files); may raise to cancel, and then nothing was written."""


class IndexBuilder:
    """Index under construction, in a separate folder next to the others; use it in a `with` statement.

    `embed` overrides `embedder.embed`, for example by a cache. A file whose text is unreadable is indexed by its names only.
    """

    def __init__(
        self,
        beside: Path,
        texts: ReadText,
        embedder: Embedder | None = None,
        embed: EmbedTexts | None = None,
        progress: BuildProgress | None = None,
    ) -> None:
        with translate_write_errors(beside):
            beside.mkdir(parents=True, exist_ok=True)
            self._scratch = ScratchFolder("draft", beside)
        self._folder = self._scratch.path
        self._texts = texts
        self._embedder = embedder
        self._embed = embed
        self._progress = progress
        self._whole = False
        """True if words and vectors are indexed."""
        self._standings: dict[str, int] = {}
        """Digests of the indexed files, in path order."""
        self._sizes: Mapping[str, int] = {}
        """Number of places of each of these files."""
        self._kept: tuple[ReusedFiles, Renumbering] | None = None
        self._arranged: OrderedPlaces | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._scratch.close()

    def index_texts(self, files: Iterable[tuple[str, FileTerms]], kept: ReusedFiles | None = None) -> None:
        """Index the words of files, given with their paths in path order; `index_vectors` must follow. Raises: OSError, StoreFullError.

        `kept` are further files, which are reused from a previous index.
        """
        self._whole = False
        with translate_write_errors(self._folder):
            known, sizes = self._take(files), self._sizes
            self._kept = None
            if kept is None:
                write_terms(known, self._folder)
            else:
                moves = kept.moves(sizes)
                splice_terms(known, kept.earlier.folder, moves, self._folder)
                standings = self._standings | kept.standings()
                self._sizes, self._kept = moves.sizes, (kept, moves)
                self._standings = {path: standings[path] for path in moves.sizes}

    def _take(self, files: Iterable[tuple[str, FileTerms]]) -> list[FileTerms]:
        """Record the metadata of files and return their terms, which the caller releases while merging."""
        taken: list[FileTerms] = []
        sizes: dict[str, int] = {}
        self._standings = {}
        for path, texts in files:
            taken.append(texts)
            sizes[path], self._standings[path] = texts.places, texts.standing
        self._sizes = sizes
        return taken

    def index_vectors(
        self, vectors: MutableMapping[str, FileVectors], standing: Callable[[str], DefinitionSpans]
    ) -> None:
        """Index the vectors of the same files. Raises: OSError, StoreFullError.

        `vectors` contains those of embedded files, and is emptied; the other files are read, split by `standing` and embedded.
        """
        self._whole = True
        if self._embedder is None:
            return
        table = PlaceVectors(list(self._sizes.values()), self._embedder, self._embed)
        kept = self._kept
        with translate_write_errors(self._folder):
            if kept is not None:
                table.take(kept[0].earlier.vectors, kept[1].earlier)
            for file, path in enumerate(self._sizes):
                known = vectors.pop(path, None)
                if known is not None:
                    table.put(file, known)
                elif kept is None or path not in kept[0].paths:
                    self._report(file, len(self._sizes))
                    table.add(file, standing(path), self._text(path) or "")
            table.save(self._folder)

    def add_places(self, repository: str, nodes: Sequence[NodeTable]) -> None:
        """Sort places in advance, given all node data that depends on texts only; `finish` then need not do it."""
        self._arranged = OrderedPlaces.of(repository, nodes)

    def finish(
        self,
        graph: RepositoryGraph,
        folder: Path,
        history: GitHistory | None = None,
        edges: EdgeArrays | None = None,
    ) -> None:
        """Complete the index and move it to `folder`, which is replaced if it exists; `edges` are those missing from `graph`.

        Raises: OSError, StoreFullError.
        """
        places = extract_places(graph, edges, self._arranged)
        if not self._whole or self._standings != dict(zip(places.columns.paths, places.standings(), strict=True)):
            self.index_texts(self._read(places))
            self.index_vectors({}, lambda path: places.standing(places.by_path[path]))
        with translate_write_errors(self._folder):
            places.save(self._folder)
            build_commit_index(history or GitHistory([], []), places.by_path).save(self._folder)
            made = checksums(self._folder)
            IndexHeader(FORMAT, graph.repository, len(places), places.file_count, made).save(self._folder)
            _replace(self._folder, folder)

    def _read(self, places: Places) -> Iterator[tuple[str, FileTerms]]:
        for file, path in enumerate(places.columns.paths):
            self._report(file, places.file_count)
            yield path, count_file_terms(places.standing(file), self._text(path))
        self._report(places.file_count, places.file_count)

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)

    def _text(self, path: str) -> str | None:
        try:
            return self._texts(path)
        except (NotFoundError, StoreCorruptError):
            return None


def build_index(
    graph: RepositoryGraph,
    texts: ReadText,
    folder: Path,
    embedder: Embedder | None = None,
    progress: BuildProgress | None = None,
    embed: EmbedTexts | None = None,
    history: GitHistory | None = None,
) -> None:
    """Build the index of one repository revision in `folder`, which is replaced if it exists; see `IndexBuilder`.

    Raises: OSError, StoreFullError.
    """
    with IndexBuilder(folder.parent, texts, embedder, embed, progress) as draft:
        draft.finish(graph, folder, history)


def _replace(part: Path, folder: Path) -> None:
    """Rename `part` to `folder`; an existing folder is moved aside first, as a non-empty one cannot be replaced."""
    old = part.with_suffix(".old")
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)
