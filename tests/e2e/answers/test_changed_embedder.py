"""Searches after a change of the embedder: by setting, by the dimension behind one name, and while its server fails."""

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.e2e.service import run_here

SOURCE = '''def charge(customer, amount):
    """Take money from a customer."""
    return customer.pay(amount)


def parse(text):
    """Split a line into words."""
    return text.split()
'''
QUESTION = "withdraw cash"
WORDS_ONLY = "the search used words only"


class EmbeddingServer:
    """Embedding endpoint whose dimension and status can change while it runs."""

    def __init__(self) -> None:
        self.dimension, self.status = 16, 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *arguments: object) -> None:
                pass

            def do_POST(self) -> None:
                texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
                rows = [{"index": at, "embedding": outer.vector(text)} for at, text in enumerate(texts)]
                body = json.dumps({"data": rows}).encode()
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def vector(self, text: str) -> list[float]:
        digest = hashlib.sha256(text.encode()).digest() * (self.dimension // 32 + 1)
        return [byte / 255 + 0.01 for byte in digest[: self.dimension]]

    @property
    def settings(self) -> dict[str, str]:
        return {
            "REPOQUARRY_STORE_EMBEDDING_EMBEDDER": "openai_compatible",
            "REPOQUARRY_STORE_EMBEDDING_MODEL": "m",
            "REPOQUARRY_STORE_EMBEDDING_ATTEMPTS": "1",
            "REPOQUARRY_STORE_EMBEDDING_ENDPOINT": f"http://127.0.0.1:{self.server.server_port}/v1",
        }


@pytest.fixture
def endpoint() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()
    yield server
    server.server.shutdown()
    server.server.server_close()


def search(store: Path, text: str = QUESTION, *options: str, **variables: str) -> tuple[int, str]:
    """Return the number of hits and everything that was printed."""
    done = run_here(store, "search", text, "--json", *options, **variables)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return len(answer.get("hits", [])), json.dumps(answer)


@pytest.fixture
def indexed(tmp_path: Path) -> tuple[Path, Path]:
    tree, store = tmp_path / "shop", tmp_path / "store"
    tree.mkdir()
    (tree / "payment.py").write_text(SOURCE)
    assert run_here(store, "index", str(tree)).returncode == 0
    return tree, store


def test_index_renews_vectors_of_an_unchanged_source(indexed: tuple[Path, Path], endpoint: EmbeddingServer) -> None:
    tree, store = indexed
    before, said = search(store)
    assert before
    assert WORDS_ONLY not in said
    hits, said = search(store, **endpoint.settings)
    assert hits < before
    assert "the vectors of shop are of another embedder; index it again" in said
    run_here(store, "index", str(tree), **endpoint.settings)
    hits, said = search(store, **endpoint.settings)
    assert hits == before
    assert WORDS_ONLY not in said
    unchanged = run_here(store, "index", str(tree), **endpoint.settings)
    assert "embed" not in unchanged.stdout


def test_other_dimension_behind_the_same_model_is_another_embedder(
    indexed: tuple[Path, Path], endpoint: EmbeddingServer
) -> None:
    tree, store = indexed
    run_here(store, "index", str(tree), **endpoint.settings)
    endpoint.dimension = 24
    assert WORDS_ONLY in search(store, **endpoint.settings)[1]
    run_here(store, "index", str(tree), **endpoint.settings)
    hits, said = search(store, **endpoint.settings)
    assert hits
    assert WORDS_ONLY not in said


def test_words_answer_while_the_embedding_server_fails(indexed: tuple[Path, Path], endpoint: EmbeddingServer) -> None:
    tree, store = indexed
    run_here(store, "index", str(tree), **endpoint.settings)
    endpoint.status = 503
    hits, said = search(store, "money customer", **endpoint.settings)
    assert hits
    assert WORDS_ONLY in said
    located = run_here(store, "locate", "money of a customer", **endpoint.settings)
    assert located.returncode == 0
    again = run_here(store, "index", str(tree), **endpoint.settings)
    assert again.returncode == 0, again.stderr


def test_semantic_search_names_the_failing_server(indexed: tuple[Path, Path], endpoint: EmbeddingServer) -> None:
    tree, store = indexed
    run_here(store, "index", str(tree), **endpoint.settings)
    endpoint.status = 503
    done = run_here(store, "search", QUESTION, "--mode", "semantic", **endpoint.settings)
    assert done.returncode
    assert "503" in done.stderr
