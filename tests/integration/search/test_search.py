"""Search in every mode over indexed repositories: filters, pages, snippets, and where a score comes from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from repoquarry.graphstore.search.requests import SearchHit, SearchMode, SearchPage, SearchRequest, WithTests
from repoquarry.graphstore.search.retrieval import search
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree
from tests.thread_workers import thread_workers

MAIL: dict[str, str | bytes] = {
    "README.md": "# Post\n\nSends letters and keeps trying when the server does not answer.\n",
    "post/__init__.py": "",
    "post/delivery.py": '"""Getting letters to their addressee."""\n\n\n'
    "class Courier:\n"
    '    """Carries letters."""\n\n'
    "    def deliver(self, letter, attempts=3):\n"
    '        """Hand over a letter, and try again when nobody opens."""\n'
    "        for attempt in range(attempts):\n"
    "            if self.knock(letter):\n"
    "                return attempt\n"
    '        raise TimeoutError("nobody opened the door for %s" % letter)\n\n'
    "    def knock(self, letter):\n"
    "        return bool(letter)\n\n\n"
    "def retry_limit(text):\n"
    '    """Read how many attempts are allowed."""\n'
    "    return int(text)\n",
    "post/stamps.py": "def price_of_stamp(weight):\n    return weight * 2\n\n\ndef parseWeight(text):\n    return float(text)\n",
    "tests/test_delivery.py": "from post.delivery import Courier\n\n\n"
    "def test_deliver_tries_again():\n    assert Courier().deliver('letter') == 0\n",
}
SHOP: dict[str, str | bytes] = {
    "shop/cart.py": "class Cart:\n    def total_price(self, items):\n        return sum(item.price for item in items)\n\n\n"
    "async def retry_payment(card):\n    return card\n",
    "shop/weights.py": "# weight is always in grams\n\n\ndef parse_weight(text):\n    # grams\n    return float(text)\n",
    **{f"shop/parts/part_{n}.py": f"def weigh_part_{n}(scale):\n    return scale.weight\n" for n in range(12)},
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with the repositories `mail` and `shop`, indexed by the real pipeline with the model that is shipped."""
    folder: Path = tmp_path_factory.mktemp("town")
    with Store.open(StoreSettings(folder=folder / "store"), writable=True) as store:
        with thread_workers():
            for name, files in (("mail", MAIL), ("shop", SHOP)):
                index_repository(str(write_tree(folder / name, files)), store, IngestSettings(workers=1))
        yield store


RANKED = (SearchMode.KEYWORD, SearchMode.SEMANTIC, SearchMode.HYBRID)
ALL = (*RANKED, SearchMode.EXACT, SearchMode.REGEX)
QUERIES = {SearchMode.EXACT: "weight", SearchMode.REGEX: r"wei\w+"}


def find(town: Store, text: str, mode: SearchMode, **options: Any) -> SearchPage:
    return search(town, SearchRequest(text, mode, **options))


def names(hits: tuple[SearchHit, ...]) -> list[str]:
    return [hit.qualname or hit.path for hit in hits]


@pytest.mark.parametrize("mode", [SearchMode.KEYWORD, SearchMode.HYBRID])
def test_a_question_in_words_leads_to_the_function(town: Store, mode: SearchMode) -> None:
    hits = find(town, "try again to hand over a letter when nobody opens", mode).hits
    assert hits[0].repository == "mail"
    assert "Courier.deliver" in names(hits[:2])


def test_meaning_finds_what_shares_no_word(town: Store) -> None:
    hits = find(town, "number of retries", SearchMode.SEMANTIC, repositories=("mail",), labels=("Function",)).hits
    assert hits[0].qualname in ("retry_limit", "Courier.deliver")


def test_exact_text_is_found_as_written(town: Store) -> None:
    (hit,) = find(town, "nobody opened the door for %s", SearchMode.EXACT).hits
    assert (hit.qualname, hit.snippet is not None) == ("Courier.deliver", True)
    assert find(town, "Nobody Opened The Door", SearchMode.EXACT).hits == ()


def test_a_regular_expression_is_found_in_both_repositories(town: Store) -> None:
    hits = find(town, r"^(async )?def (retry|parse_?)\w*\(", SearchMode.REGEX).hits
    assert sorted(names(hits)) == ["parseWeight", "parse_weight", "retry_limit", "retry_payment"]


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ({"repositories": ("shop",)}, lambda hit: hit.repository == "shop"),
        ({"labels": ("Function",)}, lambda hit: hit.label == "Function"),
        ({"kinds": ("function",)}, lambda hit: hit.kind == "function"),
        ({"languages": ("python",)}, lambda hit: hit.language == "python"),
        ({"path_globs": ("shop/*.py",)}, lambda hit: hit.path in ("shop/cart.py", "shop/weights.py")),
        ({"path_globs": ("shop/**",)}, lambda hit: hit.path.startswith("shop/")),
    ],
)
def test_filters_hold_in_every_mode(town: Store, mode: SearchMode, options: dict[str, Any], holds: Any) -> None:
    text = QUERIES.get(mode, "parse the weight of a letter")
    page = find(town, text, mode, page_size=100, **options)
    assert page.hits
    assert all(holds(hit) for hit in page.hits)
    everything = find(town, text, mode, page_size=100).hits
    if options != {"languages": ("python",)} or any(not holds(hit) for hit in everything):
        assert len(page.hits) < len(everything)


@pytest.mark.parametrize("mode", ALL)
def test_tests_are_searched_left_out_or_alone(town: Store, mode: SearchMode) -> None:
    text = {SearchMode.EXACT: "Courier", SearchMode.REGEX: r"Cour\w+"}.get(mode, "deliver a letter")
    found = {tests: find(town, text, mode, tests=tests, page_size=100).hits for tests in WithTests}
    assert {hit.is_test for hit in found[WithTests.INCLUDE]} == {True, False}
    assert {hit.is_test for hit in found[WithTests.ONLY]} == {True}
    assert {hit.is_test for hit in found[WithTests.EXCLUDE]} == {False}


@pytest.mark.parametrize("mode", ALL)
@pytest.mark.parametrize("size", [1, 3])
def test_pages_join_to_the_whole_answer(town: Store, mode: SearchMode, size: int) -> None:
    text = QUERIES.get(mode, "weigh a part")
    whole = find(town, text, mode, page_size=200).hits
    joined: list[SearchHit] = []
    token = ""
    for _ in range(len(whole) + 1):
        page = find(town, text, mode, page_size=size, page_token=token)
        assert page.total == len(whole) or mode not in RANKED  # exact modes stop behind the page
        joined += page.hits
        token = page.next_page_token
        if not token:
            break
    assert len(whole) > 3
    assert [(hit.id, hit.snippet) for hit in joined] == [(hit.id, hit.snippet) for hit in whole]


@pytest.mark.parametrize("mode", ALL)
def test_snippets_hold_what_they_mark(town: Store, mode: SearchMode) -> None:
    text = QUERIES.get(mode, "weight")
    hit = next(
        hit
        for hit in find(town, text, mode, labels=("Function",), page_size=100).hits
        if "weight" in hit.qualname.lower()
    )
    assert hit.snippet is not None
    marked = [hit.snippet.text[mark.start : mark.end] for mark in hit.snippet.highlights]
    assert marked
    assert all("weight" in part.lower() for part in marked)
    lines = town.source_text(hit.repository, hit.path).split("\n")
    assert hit.snippet.text.split("\n")[0] == lines[hit.snippet.line - 1]


@pytest.mark.parametrize("mode", RANKED)
def test_the_parts_of_a_score_add_up(town: Store, mode: SearchMode) -> None:
    hits = find(town, "deliver a letter", mode).hits
    for hit in hits:
        assert sum(value for _, value in hit.parts) == pytest.approx(hit.score, abs=1e-4)
    expected = {
        SearchMode.KEYWORD: {"names", "text", "test"},
        SearchMode.SEMANTIC: {"meaning", "test"},
        SearchMode.HYBRID: {"names", "text", "meaning", "test"},
    }
    assert {name for hit in hits for name, _ in hit.parts} <= expected[mode]
    assert list(hits) == sorted(hits, key=lambda hit: -hit.score)
