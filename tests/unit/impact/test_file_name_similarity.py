"""Names of test files that are like those of changed files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.regression_tests import name_similarity, name_words, select_tests
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_TEST = "def test_it():\n    assert True\n"
_FILES: dict[str, str | bytes] = {
    "shop/client.py": "def call():\n    return 1\n",
    "tests/test_client.py": _TEST,
    "tests/test_async_client.py": _TEST,
    "tests/test_async_pool.py": _TEST,
    "tests/test_words.py": "def test_it():\n    assert 'surcharge'\n",
    "tests/test_other.py": _TEST,
}


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[CodeReader]:
    write_tree(tmp_path / "tree", dict(_FILES))
    with Store.open(StoreSettings(tmp_path / "store"), writable=True) as store:
        index_repository(str(tmp_path / "tree"), store, IngestSettings(workers=1), name="shop")
        yield CodeReader(store)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("tests/test_async_client.py", {"async", "client"}),
        ("src/HTTPClientTest.java", {"http", "client"}),
        ("src/buildHooks.test-d.ts", {"build", "hooks"}),
        ("pkg/__init__.py", set()),
        ("tests/größe_test.py", {"größe"}),
    ],
)
def test_words_of_a_name(path: str, words: set[str]) -> None:
    assert name_words(path) == words


def test_rare_words_say_more_and_the_whole_name_most(reader: CodeReader) -> None:
    modules = [item for item in reader.modules(["shop"]) if item.is_test]
    found = name_similarity(["shop/client.py"], modules)
    assert found["shop:tests/test_client.py"] == pytest.approx(1.0)
    assert 0 < found["shop:tests/test_async_client.py"] < 1
    assert found.keys() == {"shop:tests/test_client.py", "shop:tests/test_async_client.py"}
    assert name_similarity([], modules) == {}


def test_among_files_that_share_words_the_one_with_a_name_alike_comes_first(reader: CodeReader) -> None:
    touched = [item for item in reader.modules(["shop"]) if item.path == "shop/client.py"]
    found = select_tests(reader, {}, touched, reader.modules(["shop"]), {"surcharge", "test_it"})
    assert [file.module.path for file in found][:2] == ["tests/test_words.py", "tests/test_client.py"]
