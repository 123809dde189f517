"""Headers of named queries, binding of their parameters, and queries of one's own."""

from dataclasses import asdict
from pathlib import Path

import pytest

from repoquarry.graphstore.errors import NotFoundError, QueryRefusedError
from repoquarry.graphstore.model.schema import RELATIONSHIP_TYPES
from repoquarry.graphstore.model.values import Value
from repoquarry.graphstore.query.cypher.scope_analysis import analyze_text_scope
from repoquarry.graphstore.query.query_library import (
    INTERNAL_QUERIES,
    LibraryQuery,
    QueryLibrary,
    load_internal_query,
    read_query_file,
    read_query_folder,
    relation_query,
)
from repoquarry.graphstore.query.shipped_scopes import find_shipped_scope

_OWN = """// Functions of a folder.
// rule
// $folder: string; prefix of the path
// $lines: integer = 3; fewest lines
// $share: float = 0.5; a share
MATCH (f:Function) WHERE f.path STARTS WITH $folder AND f.end_line > $lines AND $share > 0
RETURN f.id
"""


def _read(folder: Path, text: str) -> LibraryQuery:
    path = folder / "mine.cypher"
    path.write_text(text, encoding="utf-8")
    return read_query_file(path)


def test_header_gives_purpose_parameters_and_rule(tmp_path: Path) -> None:
    query = _read(tmp_path, _OWN)
    assert (query.name, query.purpose, query.is_rule) == ("mine", "Functions of a folder.", True)
    assert [(one.name, one.kind, one.default) for one in query.parameters] == [
        ("folder", "string", None), ("lines", "integer", "3"), ("share", "float", "0.5"),
    ]  # fmt: skip
    assert query.text.startswith("MATCH")
    assert query.text.endswith("f.id")


def test_defaults_complete_the_given_values(tmp_path: Path) -> None:
    query = _read(tmp_path, _OWN)
    assert query.bind({"folder": "a/", "share": 1}) == {"folder": "a/", "lines": 3, "share": 1}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "mine needs $folder, prefix of the path"),
        ({"folder": 1}, r"invalid value 1 of \$folder; expected a string"),
        ({"folder": "a", "lines": True}, r"invalid value True of \$lines; expected a integer"),
        ({"folder": "a", "path": "b"}, r"no parameter \$path; it has \$folder, \$lines, \$share"),
    ],
)
def test_wrong_values_are_refused(tmp_path: Path, values: dict[str, Value], message: str) -> None:
    with pytest.raises(QueryRefusedError, match=message.replace("needs $", r"needs \$")) as caught:
        _read(tmp_path, _OWN).bind(values)
    assert caught.value.reason == "bad_parameter"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCH (n) RETURN n", "needs a header"),
        ("// Only a header.\n", "needs a header"),
        ("// All.\n// rules\nRETURN 1", "2: invalid header line 'rules'"),
        ("// All.\n// $n: text = 1; size\nRETURN $n", "2: invalid parameter"),
        ("// All.\n// $n: integer = one; size\nRETURN $n", "2: invalid default one"),
        ('// All.\n// $n: integer = "1"; size\nRETURN $n', "2: invalid default"),
        ("// All.\n// $n: integer = 1; size\nRETURN 1", "declared and used parameters differ: n"),
        ("// All.\nRETURN $m", "declared and used parameters differ: m"),
    ],
)
def test_invalid_files_are_refused_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(QueryRefusedError, match=message) as caught:
        _read(tmp_path, text)
    assert caught.value.reason == "query_file_invalid"


def test_own_query_replaces_the_shipped_one(tmp_path: Path) -> None:
    own = tmp_path / "team" / "dead-code.cypher"
    own.parent.mkdir()
    own.write_text("// Ours.\nRETURN 1 AS one\n", encoding="utf-8")
    library = QueryLibrary(tmp_path)
    assert library.require("dead-code").purpose == "Ours."
    assert library.require("dead-code").topic == "team"
    assert QueryLibrary().require("dead-code").is_rule


def test_unknown_name_is_answered_with_similar_ones() -> None:
    with pytest.raises(NotFoundError, match="nearest: import-cycles") as caught:
        QueryLibrary().require("import-cycle")
    assert "import-cycles" in caught.value.nearest


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no folder of named queries"):
        QueryLibrary(tmp_path / "nowhere")


def test_scope_of_each_shipped_query_is_stored() -> None:
    """Otherwise each command would compile it; `make generate` renews the table."""
    internal = [query.text for query in read_query_folder(INTERNAL_QUERIES)]
    relations = [
        load_internal_query(relation_query(kind, outgoing=outgoing)).text
        for kind in RELATIONSHIP_TYPES
        for outgoing in (True, False)
    ]
    for text in (*internal, *relations, *(query.text for query in QueryLibrary().queries.values())):
        stored = find_shipped_scope(text)
        assert stored is not None
        assert asdict(stored) == asdict(analyze_text_scope(text))
    assert find_shipped_scope("MATCH (n) RETURN n") is None
