"""A small library of real texts in memory, with graphs that have what a search index needs."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.graph_tables import Cell, RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.index_store import SearchIndexStore
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.graphstore.storage.git_history import GitHistory
from repoquarry.ingest.graph.table_builder import NodeTableBuilder, RelationshipTableBuilder, code_id
from repoquarry.languages.registry import is_source, language_for


class HashingEmbedder:
    """Adds up one fixed random direction for each term: near texts share terms, as with a real static model."""

    name = revision = "hashing-64"
    dimension = 64

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embed(texts)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text):
                seed = int.from_bytes(term.encode()[:8].ljust(8, b"\0"), "little") % (1 << 32)
                vectors[row] += np.random.default_rng(seed).standard_normal(64).astype(np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class MemoryLibrary:
    """Repositories whose texts are given as {path: text}."""

    def __init__(self, root: Path, texts: Mapping[str, Mapping[str, str]], embedder: Embedder | None = None):
        self.root, self.texts, self._embedder = root, texts, embedder
        self.stored = "r1"
        self.indexes = SearchIndexStore(root, self)
        self.graphs_read = 0
        self.histories: dict[str, GitHistory] = {}

    @property
    def embedder(self) -> Embedder | None:
        return self._embedder

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert self._embedder is not None
        return self._embedder.embed(texts)

    def text_repositories(self) -> Sequence[str]:
        return sorted(self.texts)

    def text_revisions(self) -> Mapping[str, str]:
        return dict.fromkeys(sorted(self.texts), self.stored)

    def revision(self, repository: str) -> str:
        if repository not in self.texts:
            raise NotFoundError(f"no repository {repository}", kind="repository", value=repository)
        return self.stored

    def graph(self, repository: str) -> RepositoryGraph:
        self.graphs_read += 1
        return graph_of(repository, self.texts[repository])

    def history(self, repository: str) -> GitHistory:
        return self.histories.get(repository, GitHistory([], []))

    def warn(self, text: str, seconds: float = 0.0) -> None:
        raise AssertionError(text)

    def source_text(self, repository: str, path: str) -> str:
        try:
            return self.texts[repository][path]
        except KeyError as problem:
            raise NotFoundError(f"no file {path}", kind="file", value=path) from problem


def graph_of(repository: str, texts: Mapping[str, str]) -> RepositoryGraph:
    """Modules, documents, classes and functions with their lines, and what defines what."""
    nodes, relationships = NodeTableBuilder(repository), RelationshipTableBuilder()
    for path, text in texts.items():
        place: dict[str, Cell] = {"path": path, "is_test": path.startswith("tests/")}
        node_id, name, end = code_id(repository, path), path.removesuffix(".py"), text.count("\n") + 1
        if not is_source(path):
            nodes.add("Document", node_id, name, path=path, start_line=1, end_line=end, format="markdown")
            continue
        facts = language_for(path).extract(path, text.encode())
        scored: dict[str, Cell] = {"importance": 1.0 / len(path), "language": facts.language}
        places = {"": nodes.add("Module", node_id, name, start_line=1, end_line=end, **place, **scored)}
        for one in facts.definitions:
            label = "Class" if one.kind == "class" else "Function"
            places[one.key] = nodes.add(
                label,
                code_id(repository, path, one.key),
                one.name,
                kind=one.kind,
                start_line=one.start_line,
                end_line=one.end_line,
                docstring=one.docstring,
                **place,
                **({"is_core": True, "importance": 1.0} if label == "Class" else {}),
            )
            relationships.add("DEFINES", places[one.parent], places[one.key])
    return RepositoryGraph(repository, nodes.tables(), relationships.tables())


SHOP = {
    "README.md": "# Shop\n\nA small shop that sells widgets.\n",
    "shop/cart.py": '''"""The cart."""


class Cart:
    """What a customer wants to buy."""

    def __init__(self):
        self.items = []

    def addItem(self, item, quantity=1):
        """Put an item into the cart."""
        self.items.append((item, quantity))

    def total_price(self):
        return sum(item.price * quantity for item, quantity in self.items)


def empty_cart():
    return Cart()
''',
    "shop/parsing/http_headers.py": '''def parse_request_headers(lines):
    """Read the headers of a request."""

    def fold(value):
        return " ".join(value.split())

    return {name.lower(): fold(value) for name, value in (line.split(":", 1) for line in lines)}


def retry(call, attempts=3):
    for attempt in range(attempts):
        try:
            return call()
        except OSError as lost:
            print("connection lost, trying again", lost, attempt)
''',
    "tests/test_cart.py": """from shop.cart import Cart


def test_total_price():
    cart = Cart()
    cart.addItem("widget")
    assert cart.total_price() == 1
""",
}
BANK = {
    "bank/account.py": '''class Account:
    """Money of a customer."""

    def withdraw(self, amount):
        self.balance -= amount

    def total_price(self):
        return 0
'''
}


@pytest.fixture
def shop(tmp_path: Path) -> MemoryLibrary:
    return MemoryLibrary(tmp_path, {"shop": SHOP})


@pytest.fixture
def town(tmp_path: Path) -> MemoryLibrary:
    return MemoryLibrary(tmp_path, {"shop": SHOP, "bank": BANK})


@pytest.fixture
def make_library(tmp_path: Path) -> Callable[..., MemoryLibrary]:
    def make(texts: Mapping[str, Mapping[str, str]], embedder: Embedder | None = None) -> MemoryLibrary:
        return MemoryLibrary(tmp_path, texts, embedder)

    return make


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()
