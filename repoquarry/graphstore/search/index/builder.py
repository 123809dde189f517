"""`IndexBuilder`: builds an index, reusing files of the previous one.

Its checksums are compared first: damage in it must not come into the next one, under checksums of its own.

What is said of texts (words, vectors) is made file by file (`file_texts`), by whoever has the file at hand; what is said of places
(scores, edges) needs the finished graph. A `Draft` takes the one before the other, so that ingestion can put texts together while it
is still being found out what calls what. The finished folder appears by one rename, so that a killed build never leaves something
that looks whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from repoquarry.graphstore.errors import NotFoundError, StoreCorruptError
from repoquarry.graphstore.model.graph_tables import NodeTable, RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.commit_index import read_past
from repoquarry.graphstore.search.index.place_extraction import Arranged, NumberedEdges, read_places
from repoquarry.graphstore.search.index.place_vectors import EmbedTexts, FileVectors, PlaceVectors, ReadText
from repoquarry.graphstore.search.index.places import Moves, Places, Standing
from repoquarry.graphstore.search.index.search_index import FORMAT, IndexHeader, checksums, verify
from repoquarry.graphstore.search.index.term_extraction import FileTexts, read_texts
from repoquarry.graphstore.search.index.term_merger import save_texts, splice_texts
from repoquarry.graphstore.storage.git_history import History
from repoquarry.graphstore.storage.sqlite_database import writing


@dataclass(frozen=True)
class EarlierIndex:
    """An index as it lies on disk, with what its texts were."""

    folder: Path
    places: Places
    texts: Mapping[str, bytes]
    """By path the key of what the index holds of a file's text."""
    vectors: FileVectors | None
    """Of all places; None without an embedder."""

    @classmethod
    def open(cls, folder: Path, texts: Mapping[str, bytes], model: str | None) -> EarlierIndex:
        """`model` is the revision of the embedder, None without one.

        Raises: NotFoundError when its vectors are missing or of another model; as `SearchIndex.load`.
        """
        verify(folder, IndexHeader.load(folder).checksums)
        places = Places.load(folder)
        return cls(folder, places, texts, _vectors(folder, model, len(places)) if model is not None else None)

    def holds(self, path: str, key: bytes) -> bool:
        """Whether it was made from this state of a file."""
        return self.texts.get(path) == key and path in self.places.by_path

    def sizes(self) -> dict[str, int]:
        """Places of each file, in path order."""
        definitions = self.places.definitions
        return {path: 1 + len(definitions.get(file, ())) for file, path in enumerate(self.places.columns.paths)}


@dataclass(frozen=True)
class KeptFiles:
    """Files that the next index takes from the earlier one."""

    earlier: EarlierIndex
    paths: frozenset[str]

    def moves(self, anew: Mapping[str, int]) -> Moves:
        """What becomes of the numbers, with further files and their places in path order."""
        return Moves.of(self.earlier.sizes(), self.paths, anew)

    def standings(self) -> dict[str, int]:
        """`Standing.digest` of each file."""
        digests = zip(self.earlier.places.columns.paths, self.earlier.places.standings(), strict=True)
        return {path: digest for path, digest in digests if path in self.paths}


def _vectors(folder: Path, model: str, count: int) -> FileVectors:
    from repoquarry.graphstore.search.embeddings.vectors import VectorIndex

    index = VectorIndex.load(folder, revision=model)
    if len(index) != count:
        raise NotFoundError(f"{folder} has {len(index)} vectors for {count} places", kind="index", value=str(folder))
    return index.all_halves()


BuildProgress = Callable[[int, int], None]
"""Called with (files done, files in all); may raise to cancel, and then nothing was written."""


class Draft:
    """An index under way, in a folder of its own beside the others; use it in a `with` statement.

    `embed` stands before `embedder.embed` where vectors are cached. A file whose text cannot be read any more is indexed by its
    names alone.
    """

    def __init__(
        self,
        beside: Path,
        texts: ReadText,
        embedder: Embedder | None = None,
        embed: EmbedTexts | None = None,
        progress: BuildProgress | None = None,
    ) -> None:
        with writing(beside):
            beside.mkdir(parents=True, exist_ok=True)
            self._folder = Path(tempfile.mkdtemp(prefix="draft.", suffix=".part", dir=beside))
        self._texts = texts
        self._embedder = embedder
        self._embed = embed
        self._progress = progress
        self._whole = False
        """Whether words and vectors are indexed."""
        self._standings: dict[str, int] = {}
        """Of the files whose words are indexed, in path order."""
        self._sizes: Mapping[str, int] = {}
        """Places of each of these."""
        self._kept: tuple[KeptFiles, Moves] | None = None
        self._arranged: Arranged | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove what is not finished."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def index_texts(self, files: Iterable[tuple[str, FileTexts]], kept: KeptFiles | None = None) -> None:
        """Index the words of files, given with their paths in path order; `index_vectors` is next. Raises: OSError, StoreFullError.

        `kept` are further files, which are taken from an earlier index.
        """
        self._whole = False
        with writing(self._folder):
            known, sizes = self._take(files), self._sizes
            self._kept = None
            if kept is None:
                save_texts(known, self._folder)
            else:
                moves = kept.moves(sizes)
                splice_texts(known, kept.earlier.folder, moves, self._folder)
                standings = self._standings | kept.standings()
                self._sizes, self._kept = moves.sizes, (kept, moves)
                self._standings = {path: standings[path] for path in moves.sizes}

    def _take(self, files: Iterable[tuple[str, FileTexts]]) -> list[FileTexts]:
        """What is known of files, for whoever puts it together to give up; here only what stays known of them is noted."""
        taken: list[FileTexts] = []
        sizes: dict[str, int] = {}
        self._standings = {}
        for path, texts in files:
            taken.append(texts)
            sizes[path], self._standings[path] = texts.places, texts.standing
        self._sizes = sizes
        return taken

    def index_vectors(self, vectors: MutableMapping[str, FileVectors], standing: Callable[[str], Standing]) -> None:
        """Index the vectors of the same files. Raises: OSError, StoreFullError.

        `vectors` holds those of files that are embedded already, and loses them; the other files are read, cut along `standing` and embedded.
        """
        self._whole = True
        if self._embedder is None:
            return
        table = PlaceVectors(list(self._sizes.values()), self._embedder, self._embed)
        kept = self._kept
        with writing(self._folder):
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

    def arrange(self, repository: str, nodes: Sequence[NodeTable]) -> None:
        """Put places in order, given all nodes as far as they follow from texts: that need not be done by `finish`."""
        self._arranged = Arranged.of(repository, nodes)

    def finish(
        self,
        graph: RepositoryGraph,
        folder: Path,
        history: History | None = None,
        edges: NumberedEdges | None = None,
    ) -> None:
        """Complete the index and put it in `folder`, which is replaced when it exists; `edges` are those that `graph` lacks.

        Raises: OSError, StoreFullError.
        """
        places = read_places(graph, edges, self._arranged)
        if not self._whole or self._standings != dict(zip(places.columns.paths, places.standings(), strict=True)):
            self.index_texts(self._read(places))
            self.index_vectors({}, lambda path: places.standing(places.by_path[path]))
        with writing(self._folder):
            places.save(self._folder)
            read_past(history or History([], []), places.by_path).save(self._folder)
            made = checksums(self._folder)
            IndexHeader(FORMAT, graph.repository, len(places), places.file_count, made).save(self._folder)
            _replace(self._folder, folder)

    def _read(self, places: Places) -> Iterator[tuple[str, FileTexts]]:
        for file, path in enumerate(places.columns.paths):
            self._report(file, places.file_count)
            yield path, read_texts(places.standing(file), self._text(path))
        self._report(places.file_count, places.file_count)

    def _report(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(done, total)

    def _text(self, path: str) -> str | None:
        try:
            return self._texts(path)
        except (NotFoundError, StoreCorruptError):
            return None


def build(
    graph: RepositoryGraph,
    texts: ReadText,
    folder: Path,
    embedder: Embedder | None = None,
    progress: BuildProgress | None = None,
    embed: EmbedTexts | None = None,
    history: History | None = None,
) -> None:
    """Build the indexes of one repository revision in `folder`, which is replaced when it exists; see `Draft`. Raises: OSError, StoreFullError."""
    with Draft(folder.parent, texts, embedder, embed, progress) as draft:
        draft.finish(graph, folder, history)


def _replace(part: Path, folder: Path) -> None:
    """Rename `part` to `folder`; a folder in the way is moved aside first, as a full one cannot be replaced."""
    old = part.with_suffix(".old")
    if folder.exists():
        os.rename(folder, old)
    os.rename(part, folder)
    shutil.rmtree(old, ignore_errors=True)
