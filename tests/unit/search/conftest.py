"""A small library of real texts: graphs made from Python sources with the standard library's parser, kept in memory."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from repoquarry.graphstore.errors import NotFoundError
from repoquarry.graphstore.model.graph_tables import Cell, NodeTable, RelationshipTable, RepositoryGraph
from repoquarry.graphstore.search.embeddings.embedder import Embedder
from repoquarry.graphstore.search.index.index_store import SearchIndexStore
from repoquarry.graphstore.search.text_analysis import terms
from repoquarry.graphstore.storage.git_history import GitHistory


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

    def warn(self, text: str) -> None:
        raise AssertionError(text)

    def source_text(self, repository: str, path: str) -> str:
        try:
            return self.texts[repository][path]
        except KeyError as problem:
            raise NotFoundError(f"no file {path}", kind="file", value=path) from problem


def graph_of(repository: str, texts: Mapping[str, str]) -> RepositoryGraph:
    """Modules, documents, classes, functions and the code tree of Python sources."""
    rows: dict[str, list[dict[str, Cell]]] = {"Module": [], "Document": [], "Class": [], "Function": []}
    tree: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for path, text in texts.items():
        row = _row(repository, path, 1, text.count("\n") + 1, f"{repository}:{path}", path.removesuffix(".py"))
        if not path.endswith(".py"):
            rows["Document"].append({**row, "format": "markdown"})
            continue
        rows["Module"].append(
            {**row, "language": "python", "importance": 1.0 / len(path), "is_generated": False, "calls_resolved": True}
        )
        _walk(ast.parse(text), ("Module", f"{repository}:{path}"), "", row, rows, tree)
    nodes = [NodeTable(label, {k: [r[k] for r in found] for k in found[0]}) for label, found in rows.items() if found]
    edges = [
        RelationshipTable("DEFINES", start, end, [a for a, _ in pairs], [b for _, b in pairs], {})
        for (start, end), pairs in tree.items()
    ]
    return RepositoryGraph(repository, nodes, edges)


def _row(repository: str, path: str, start: int, end: int, id: str, name: str) -> dict[str, Cell]:
    is_test = path.startswith("tests/")
    span: dict[str, Cell] = {"path": path, "start_line": start, "end_line": end, "is_test": is_test}
    return {"id": id, "repository": repository, "name": name, **span}


def _walk(
    node: ast.AST,
    parent: tuple[str, str],
    around: str,
    module: dict[str, Cell],
    rows: dict[str, list[dict[str, Cell]]],
    tree: dict[tuple[str, str], list[tuple[str, str]]],
) -> None:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef | ast.FunctionDef):
            continue
        label = "Class" if isinstance(child, ast.ClassDef) else "Function"
        qualname = f"{around}.{child.name}" if around else child.name
        path, repository = str(module["path"]), str(module["repository"])
        id = f"{repository}:{path}::{qualname}"
        kind = "class" if label == "Class" else ("method" if parent[0] == "Class" else "function")
        row = _row(repository, path, child.lineno, child.end_lineno or child.lineno, id, child.name)
        more: dict[str, Cell] = {"qualname": qualname, "kind": kind, "docstring": ast.get_docstring(child)}
        rows[label].append({**row, **more, "language": "python", "is_core": label == "Class", "importance": 1.0})
        tree.setdefault((parent[0], label), []).append((parent[1], id))
        _walk(child, (label, id), qualname, module, rows, tree)


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
