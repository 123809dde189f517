"""The list of all repositories, and what is made anew when it or the catalogue cannot be read."""

from __future__ import annotations

import logging
from typing import Any, Final

import kglite

from repoquarry.graphstore.engines.kglite import catalogue as catalogues
from repoquarry.graphstore.engines.kglite.catalogue import Catalogue
from repoquarry.graphstore.engines.kglite.files import SUFFIX, GraphFiles, entry_of
from repoquarry.graphstore.engines.kglite.joined import JOINED
from repoquarry.graphstore.engines.kglite.loading import drop_unused_packages, load
from repoquarry.graphstore.engines.kglite.parts import LISTED
from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.records import RepositoryGraph

DIRECTORY: Final = "directory-"
"""Beginning of the names of the files with the list of repositories."""

_log = logging.getLogger(__name__)


class Directory:
    """A graph of the repositories and packages alone, one file of the folder."""

    def __init__(self, files: GraphFiles) -> None:
        self._files = files

    def listing(self, before: Catalogue, repository: str, listed: RepositoryGraph | None) -> str:
        """Name of a new file with the repositories and packages, in which `listed` stands for the repository."""
        graph = self.without(before, repository)
        for _ in load(graph, listed) if listed is not None else ():
            pass
        drop_unused_packages(graph)
        return self.put(before, graph)

    def without(self, before: Catalogue, repository: str) -> Any:
        """A graph of its own of the repositories and packages, in which the repository is not."""
        graph = self._files.load(before.directory) if before.directory else kglite.KnowledgeGraph()
        if repository in before.entries:
            graph.cypher("MATCH (r:Repository {id: $id}) DETACH DELETE r", params={"id": repository})
        return graph

    def put(self, before: Catalogue, graph: Any) -> str:
        """Save it under a new name, which is returned. Raises: as `GraphFiles.save`."""
        file = f"{DIRECTORY}{before.sequence + 1}{SUFFIX}"
        self._files.save(graph, file)
        return file

    def rebuilt(self) -> Catalogue:
        """A catalogue of the graphs that are there, the newest of each repository, written down."""
        found = Catalogue()
        graphs = [path for path in self._files.path.glob(f"*{SUFFIX}") if not path.name.startswith((JOINED, DIRECTORY))]
        for path in sorted(graphs, key=lambda path: path.stat().st_mtime_ns):
            graph = self._files.load(path.name)
            links = self._files.links(path.name)
            repository = graph.cypher("MATCH (r:Repository) RETURN r.id AS id").to_list()[0]["id"]
            found = found.with_entry(repository, entry_of(repository, path.name, graph, links), "")
        return self._made_anew(found)

    def mended(self, known: Catalogue) -> Catalogue:
        """The same where the list of all repositories can be read, else with one that is made anew."""
        try:
            if known.directory:
                self._files.load(known.directory)
        except (FileNotFoundError, StoreCorruptError) as exc:
            _log.warning("graph_directory_made_anew problem=%s", exc)
            return self._made_anew(known)
        return known

    def _made_anew(self, known: Catalogue) -> Catalogue:
        """The catalogue with a list of what its graphs say of themselves, written down; those that cannot be read are not in it."""
        listing = kglite.KnowledgeGraph()
        for entry in known.entries.values():
            try:
                part = self._files.load(entry.file)
            except (FileNotFoundError, StoreCorruptError):
                continue  # marked by now: the next run over the repository writes it anew
            for label in part.node_types:
                if label not in LISTED:
                    part.cypher(f"MATCH (n:{label}) DETACH DELETE n")
            listing.extend(part)
        file = self.put(known, listing)
        whole = Catalogue(sequence=known.sequence + 1, directory=file, entries=known.entries)
        catalogues.write(self._files.path, whole)
        return whole
