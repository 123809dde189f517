"""Terms of words with several parts, pairs of neighboring words in code, and messages in string literals."""

from collections.abc import Callable
from typing import Any

import numpy as np

from repoquarry.graphstore.search.index.places import DefinitionSpans
from repoquarry.graphstore.search.index.postings import digests
from repoquarry.graphstore.search.index.term_extraction import (
    adjacent_pairs,
    count_file_terms,
    expand_query_terms,
    extract_terms,
    index_terms,
    pairs,
)
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest

ESCAPING = '''def render(value):
    """Trailing underscore of a name."""
    return strip_trailing(underscore_of(value))


def other(value):
    return trailing(value)
'''


def test_pairs_pass_over_function_words_and_stop_at_the_end_of_a_line() -> None:
    assert list(adjacent_pairs("Escape of the trailing_underscore\nagain")) == ["escap trail", "trail underscor"]


def held(library: Any, pair: str) -> list[str]:
    index = library.indexes.open("r")
    scores = index.bigrams.score({pair: 1.0, "never written": 1.0})
    return [index.places.qualname(place) for place in np.flatnonzero(scores).tolist()]


def test_a_pair_belongs_to_the_code_around_it(make_library: Callable[..., Any]) -> None:
    library = make_library({"r": {"a.py": ESCAPING}})
    assert held(library, "trail underscor") == ["render"]
    assert held(library, "underscor trail") == [], "order matters"
    assert held(library, "underscor name") == [], "documentation is no code"
    assert held(library, "valu return") == [], "a line ends a row of words"


def test_consecutive_words_find_code_with_the_same_phrase(make_library: Callable[..., Any]) -> None:
    apart = "def apart(x):\n    trailing = x\n    return underscore(trailing)\n"
    filler = "".join(f"def unrelated_{n}():\n    return trailing({n})\n\n\n" for n in range(300))
    library = make_library({"r": {"a.py": apart, "b.py": ESCAPING, "filler.py": filler}})
    answer = locate(library, LocateRequest("A trailing underscore is lost"))
    assert answer.definitions[0].qualname == "render"
    assert "shares a phrase with the task" in answer.definitions[0].reasons


def test_one_name_gives_one_whole_however_it_is_joined() -> None:
    for word in ("--collect-only", "collect_only", "collectOnly", "COLLECT_ONLY"):
        assert "=collectonly" in extract_terms(word)
    assert extract_terms("collect only") == extract_terms("collect") + extract_terms("only")


def test_a_simple_word_has_no_whole() -> None:
    assert index_terms("collect") == ("collect",)
    assert not [term for term in extract_terms("it is the end - of it") if term.startswith("=")]


def test_a_query_finds_a_name_however_it_is_joined() -> None:
    assert "=isnull" in expand_query_terms("the isnull lookup")
    assert "=isnull" in extract_terms("class IsNull")
    assert set(extract_terms("groupby.py")) <= set(expand_query_terms("GroupBy.first")) | set(extract_terms("py"))
    assert "=null" not in expand_query_terms("null")  # too short to be a joined name


RAISING = """class Config:
    def load(self, path):
        if not path:
            raise ValueError(
                "no number is assigned for %s: %s" % (self, path))
        return 'plain'
"""
OTHER = RAISING.replace("no number is assigned for", "assigned, but no number: for").replace("Config", "Setup")


def test_pairs_pass_over_function_words_and_stop_at_the_end_of_a_sentence() -> None:
    assert list(pairs("No number is assigned. For the table\nof contents")) == ["number assign"]
    assert list(pairs("the table of contents")) == ["tabl content"]


def test_literals_of_several_words_are_broken_where_values_are_filled_in() -> None:
    text = "f(\"cannot open file %s for reading\", 'x',\n `got ${value} many times`, 'word')"
    nothing = np.zeros(0, dtype=np.int32)
    found = count_file_terms(DefinitionSpans("a.js", (), (), nothing, nothing, nothing, nothing), text)
    said = [pair for part in ("cannot open file", "for reading", "got", "many times") for pair in pairs(part)]
    assert np.frombuffer(found.phrases, np.uint64).tolist() == digests(said).tolist()
    assert len(said) == 3


def test_a_quoted_message_leads_to_where_it_is_raised(make_library: Callable[..., Any]) -> None:
    filler = "".join(f"def unrelated_{n}():\n    return 'message {n} of something else'\n\n\n" for n in range(300))
    library = make_library({"r": {"a_setup.py": OTHER, "conf.py": RAISING, "filler.py": filler}})
    answer = locate(library, LocateRequest("Upgrade broke my build\n\nIt says: no number is assigned for table: foo"))
    assert (answer.files[0].path, answer.definitions[0].qualname) == ("conf.py", "Config.load")
    assert "contains a message quoted in the task" in answer.definitions[0].reasons


def test_a_message_belongs_to_the_definition_around_it(make_library: Callable[..., Any]) -> None:
    index = make_library({"r": {"conf.py": RAISING, "setup.py": OTHER}}).indexes.open("r")
    scores = index.phrases.score({"number assign": 1.0, "never written": 1.0})
    assert [index.places.qualname(place) for place in np.flatnonzero(scores).tolist()] == ["Config.load"]
