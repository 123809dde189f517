"""Tests that are selected for a change: by shared words, of which rare ones count, and by names of files that are alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.code.impact import CodeChange, analyze_impact
from repoquarry.code.patches import diff_texts, extract_words, parse_patch
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import AffectedDefinition
from repoquarry.code.regression_tests import (
    RankedFile,
    name_similarity,
    name_words,
    select_tests,
    word_overlap_scores,
)
from repoquarry.graphstore.store import Store
from tests.indexed_trees import indexed_trees

pytestmark = pytest.mark.usefixtures("thread_workers")


@pytest.fixture
def reader(impact_store: Store) -> CodeReader:
    return CodeReader(impact_store)


def test_words_are_names_of_three_characters_or_more() -> None:
    assert extract_words(["x = total_of(näher, 12, a1b)", "if total_of"]) == {"total_of", "näher", "a1b"}


def test_both_sides_of_a_change_have_words() -> None:
    patch = "--- a/till.py\n+++ b/till.py\n@@ -1,2 +1,2 @@\n def kept():\n-    before = 1\n+    after = 1\n"
    [change] = parse_patch(patch)
    assert change.words == {"before", "after"}
    same = diff_texts("till.py", "def kept():\n    before = 1\n", "def kept():\n    after = 1\n")
    assert same == change
    assert same is not None
    assert same.words == change.words


def test_rare_words_count_for_more(reader: CodeReader) -> None:
    modules = [item for item in reader.modules(["shop"]) if item.is_test]
    shared = word_overlap_scores(reader, modules, frozenset({"surcharge", "prices", "nowhere"}))
    one, two = shared["shop:tests/test_one.py"], shared["shop:tests/test_two.py"]
    assert one == pytest.approx(1.0)
    assert 0 < two < 0.5
    assert "shop:tests/test_three.py" not in shared


def test_a_file_that_only_shares_words_is_called_for(reader: CodeReader) -> None:
    modules = reader.modules(["shop"])
    touched = [item for item in modules if item.path == "shop/till.py"]
    files = select_tests(reader, {}, touched, modules, ["surcharge"])
    assert [(file.entity.path, file.how, file.tests) for file in files] == [
        ("tests/test_one.py", "has words of the change", ())
    ]
    assert files[0].confidence == files[0].shared_words / 2 == 0.5


@pytest.mark.parametrize(("confidence", "selected"), [(0.4, ["one"]), (0.5, ["one", "three"])])
def test_far_less_relevant_file_is_selected_by_a_confident_dependency_only(
    reader: CodeReader, confidence: float, selected: list[str]
) -> None:
    """The first file has all words and relevance 2, the second only a common word."""
    modules = reader.modules(["shop"])
    touched = [item for item in modules if item.path == "shop/till.py"]
    (test,) = [item for item in reader.inside("shop", "tests/test_three.py") if item.name == "test_three"]
    affected = {test.id: AffectedDefinition(test, confidence, 1, "calls", touched[0].id)}
    files = select_tests(reader, affected, touched, modules, ["surcharge", "prices", "test_one"])
    assert [file.entity.path for file in files] == [f"tests/test_{name}.py" for name in selected]


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
def clients(tmp_path: Path) -> Iterator[CodeReader]:
    """A reader of files whose names are alike."""
    with indexed_trees(tmp_path, {"shop": _FILES}) as store:
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


def test_rare_words_weigh_more_and_whole_names_most(clients: CodeReader) -> None:
    modules = [item for item in clients.modules(["shop"]) if item.is_test]
    found = name_similarity(["shop/client.py"], modules)
    assert found["shop:tests/test_client.py"] == pytest.approx(1.0)
    assert 0 < found["shop:tests/test_async_client.py"] < 1
    assert found.keys() == {"shop:tests/test_client.py", "shop:tests/test_async_client.py"}
    assert name_similarity([], modules) == {}


def test_file_with_similar_name_ranks_first_among_files_that_share_words(clients: CodeReader) -> None:
    touched = [item for item in clients.modules(["shop"]) if item.path == "shop/client.py"]
    found = select_tests(clients, {}, touched, clients.modules(["shop"]), {"surcharge", "test_it"})
    assert [file.entity.path for file in found][:2] == ["tests/test_words.py", "tests/test_client.py"]


_INHERITED: dict[str, str | bytes] = {
    "quarry/signer.py": "class Signer:\n    def sign(self):\n        return 1\n",
    "tests/test_signer.py": (
        "from quarry.signer import Signer\n\n\nclass TestSigner:\n    def test_sign(self):\n"
        "        assert Signer().sign()\n\n    def helper(self):\n        return 1\n"
    ),
    "tests/test_timed.py": (
        "from test_signer import TestSigner\n\n\nclass TestTimed(TestSigner):\n    def test_age(self):\n        assert 1\n"
    ),
    "tests/test_url.py": "from test_timed import TestTimed\n\n\nclass TestUrl(TestTimed):\n    pass\n",
    "tests/test_other.py": "class TestOther:\n    def test_it(self):\n        assert 1\n",
}


def _reach(reader: CodeReader, path: str, name: str, test_path: str, test_name: str) -> dict[str, RankedFile]:
    """Return the files that are selected for a function that one test reaches, by path."""
    (subject,) = [item for item in reader.inside("quarry", path) if item.name == name]
    (test,) = [item for item in reader.inside("quarry", test_path) if item.name == test_name]
    affected = {test.id: AffectedDefinition(test, 0.9, 1, "calls", subject.id)}
    files = select_tests(reader, affected, [subject], reader.modules(["quarry"]), [])
    return {file.entity.path: file for file in files}


def test_inherited_tests_are_named_by_the_classes_that_inherit_them(tmp_path: Path) -> None:
    with indexed_trees(tmp_path, {"quarry": _INHERITED}) as store:
        files = _reach(CodeReader(store), "quarry/signer.py", "sign", "tests/test_signer.py", "test_sign")
    assert {path: [(test.entity.qualname, test.how) for test in file.tests] for path, file in files.items()} == {
        "tests/test_signer.py": [("TestSigner.test_sign", "calls")],
        "tests/test_timed.py": [("TestTimed.test_sign", "inherits tests")],
        "tests/test_url.py": [("TestUrl.test_sign", "inherits tests")],
    }
    (inherited,) = files["tests/test_url.py"].tests
    assert (inherited.entity.path, inherited.entity.start_line) == ("tests/test_url.py", 4)


_MIXED_IN: dict[str, str | bytes] = {
    "quarry/cache.py": "class Cache:\n    def get(self):\n        return 1\n",
    "tests/__init__.py": "class CacheMixin:\n    def test_get(self):\n        self.cache().get()\n",
    "tests/test_small.py": (
        "import unittest\nfrom quarry.cache import Cache\nfrom tests import CacheMixin\n\n\n"
        "class SmallTest(unittest.TestCase, CacheMixin):\n    cache = Cache\n\n\n"
        "class OwnTest(unittest.TestCase, CacheMixin):\n    def test_get(self):\n        pass\n"
    ),
}


def test_test_of_a_mixin_belongs_to_the_classes_that_do_not_override_it(tmp_path: Path) -> None:
    with indexed_trees(tmp_path, {"quarry": _MIXED_IN}) as store:
        files = _reach(CodeReader(store), "quarry/cache.py", "get", "tests/__init__.py", "test_get")
    assert {path: [test.entity.qualname for test in file.tests] for path, file in files.items()} == {
        "tests/test_small.py": ["SmallTest.test_get"]
    }


_MANY: dict[str, str | bytes] = {
    "quarry/text.py": "def style(text):\n    return text\n\n\ndef info(text):\n    return style(text)\n",
    "tests/test_text.py": "from quarry.text import style\n\n\ndef test_style():\n    style('style')\n\n\ndef test_other():\n    pass\n",
    "tests/test_words.py": "def test_words():\n    style = 'style'\n    assert style\n",
    "tests/test_imports.py": "from quarry import text\n\n\ndef test_imports():\n    pass\n",
}


def test_files_that_only_have_the_name_or_an_import_are_left_out_where_tests_reach_it(tmp_path: Path) -> None:
    with indexed_trees(tmp_path, {"quarry": _MANY}) as store:
        reader = CodeReader(store)
        files = _reach(reader, "quarry/text.py", "style", "tests/test_text.py", "test_style")
        (style,) = [item for item in reader.inside("quarry", "quarry/text.py") if item.name == "style"]
        unreached = select_tests(reader, {}, [style], reader.modules(["quarry"]), [])
    assert {path: [test.entity.name for test in file.tests] for path, file in files.items()} == {
        "tests/test_text.py": ["test_style"]
    }
    assert {file.entity.path for file in unreached} == {"tests/test_text.py", "tests/test_words.py"}


def test_test_beside_a_reached_one_in_its_class_is_not_counted(tmp_path: Path) -> None:
    tests = (
        "from quarry.text import style\n\n\nclass TestText:\n    def test_style(self):\n        style('x')\n\n"
        "    def test_other(self):\n        pass\n"
    )
    with indexed_trees(tmp_path, {"quarry": {**_MANY, "tests/test_text.py": tests}}) as store:
        reader = CodeReader(store)
        (style,) = [item for item in reader.inside("quarry", "quarry/text.py") if item.name == "style"]
        report = analyze_impact(reader, CodeChange(("quarry",), (style,)), ["quarry"])
    assert [[test.entity.name for test in file.tests] for file in report.test_files] == [["test_style"]]
