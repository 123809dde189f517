"""Native tokenizer: a library that is missing or of another version, and a build with sanitizers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from build_native import WORDS

from repoquarry.graphstore.search import text_analysis
from repoquarry.graphstore.search.text_analysis import TokenizerError
from repoquarry.ingest.files.worker_pool import WorkerPool
from repoquarry.ingest.settings import IngestSettings
from repoquarry.native import tokenizer_abi
from tests.sanitizer_builds import require_clean


@pytest.fixture(autouse=True)
def _loaded_anew() -> Iterator[None]:
    text_analysis.load_tokenizer.cache_clear()
    yield
    text_analysis.load_tokenizer.cache_clear()


def test_missing_library_error_tells_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_analysis, "__file__", str(tmp_path / "library.py"))
    with pytest.raises(TokenizerError, match=r"cannot be loaded .* build it with scripts/build_native\.py"):
        text_analysis.load_tokenizer()


def test_no_worker_is_started_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_analysis, "__file__", str(tmp_path / "library.py"))
    pool = WorkerPool(IngestSettings(workers=1), None)
    with pytest.raises(TokenizerError), pool:
        pool.expect(1)
    assert not pool.process_ids()


def test_a_library_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_abi, "VERSION", tokenizer_abi.VERSION + 1)
    with pytest.raises(
        TokenizerError, match=f"is of version {tokenizer_abi.VERSION - 1}, not {tokenizer_abi.VERSION}; rebuild it"
    ):
        text_analysis.load_tokenizer()


def test_what_is_given_by_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from repoquarry.graphstore.search.embeddings.static import TokenVocabulary

    vocabulary = TokenVocabulary(["abc"])
    monkeypatch.setattr(tokenizer_abi, "VERSION", tokenizer_abi.VERSION + 1)
    with pytest.raises(TokenizerError, match="another version"):
        vocabulary.bags(["abc"], 1)


TEXTS = 20_000


@pytest.mark.long
def test_the_library_touches_only_its_own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_clean(WORDS, "tests.oracle.tokenizer.fuzz", TEXTS, tmp_path, monkeypatch)
