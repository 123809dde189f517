"""Views of files: the kind of a file, and what stays of a long one."""

import json

import pytest

from repoquarry.code.excerpts import text_view
from repoquarry.code.excerpts.text_truncation import ViewSelection, truncate_view
from repoquarry.code.excerpts.text_view import ViewKind, build_file_view, parse_definitions
from repoquarry.graphstore.settings import SelectionSettings

CSV = "\n".join(["id,city,price", *(f"{n},{'Oslo' if n == 3_777 else 'Rome'},{n * 7}" for n in range(6_000))])
OBJECT = json.dumps({"meta": {"version": 3}, "entries": {f"key{n}": {"value": n} for n in range(5_000)}})
RECORDS = json.dumps([{"id": n, "city": "Oslo" if n == 3_777 else "Rome"} for n in range(5_000)])
LOG = "\n".join(f"2026-01-02 03:04:{n % 60:02} INFO step {n}" for n in range(3_000))
CODE = "class Big:\n" + "\n".join(f"    def step_{n}(self, x):\n" + "        x += 1\n" * 20 for n in range(140))


def truncate(path: str, text: str, subject: str = "", tokens: int = 2_000) -> ViewSelection:
    chosen = truncate_view(build_file_view(path, text, path), subject, SelectionSettings(view_tokens=tokens))
    assert chosen.tokens_after <= tokens < chosen.tokens_before
    return chosen


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("a.csv", CSV, ViewKind.TABLE),
        ("data", CSV.replace(",", "\t"), ViewKind.TABLE),
        ("a.jsonl", '{"a": 1}\n{"a": 2}', ViewKind.TABLE),
        ("a.json", OBJECT, ViewKind.DOCUMENT),
        ("a.json", RECORDS, ViewKind.TABLE),
        ("build.out", "done", ViewKind.LOG),
        ("run.txt", LOG, ViewKind.LOG),
        ("README.md", "# Title\n\nWords, and more words.\n", ViewKind.DOCUMENT),
        ("tool", "#!/usr/bin/env python3\nimport os\n", ViewKind.CODE),
    ],
)
def test_kind_follows_suffix_and_content(path: str, text: str, kind: ViewKind) -> None:
    assert build_file_view(path, text, path).kind is kind


def test_a_table_shows_shape_header_ends_matches_and_sample() -> None:
    chosen = truncate("sales.csv", CSV, "the price in Oslo")
    assert "6000 rows below its first line, 3 columns: id, city, price" in chosen.text
    for row in ("    1 id,city,price", "0,Rome,0", "5999,Rome,41993", " 3779 3777,Oslo,26439"):
        assert row in chosen.text
    shown = [int(line.split()[0]) for line in chosen.text.splitlines() if len(line.split()) == 2]
    assert max(shown) - min(shown) > 4_000
    assert chosen.tokens_after > 1_000


def test_json_on_one_line_is_shown_with_its_shape() -> None:
    named = truncate("data.json", OBJECT, "key4321")
    assert "JSON object with meta, entries" in named.text
    assert '"key4321"' in named.text
    rows = truncate("data.json", RECORDS, "Oslo")
    assert "JSON list of 5000 items with id, city" in rows.text
    assert '{"id": 3777, "city": "Oslo"}' in rows.text


def test_a_line_is_chunked_by_tokens() -> None:
    line = " ".join("needle" if n == 20_000 else f"word{n}" for n in range(30_000))
    chosen = truncate("notes.txt", line, "needle")
    assert "needle" in chosen.text
    assert chosen.tokens_after > 1_000
    minified = "function f(){return " + "+".join(f"a{n}" for n in range(20_000)) + "}"
    assert truncate("site.min.js", minified, "a15000").tokens_after > 1_000


def test_a_class_of_thousands_of_lines_keeps_its_signatures() -> None:
    chosen = truncate("big.py", CODE, "step_77", tokens=8_000)
    signatures = [line for line in chosen.text.splitlines() if "def step_" in line]
    assert len(signatures) == 140
    assert "def step_77(self, x):" in chosen.text


def test_a_workspace_file_is_parsed_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_view, "language_for", None)  # This process cannot parse.
    found = {span.qualname: (span.start_line, span.end_line) for span in parse_definitions("big.py", CODE)}
    assert (len(found), found["Big.step_1"]) == (141, (24, 44))
    assert build_file_view("big.py", CODE, "big.py").spans


def test_a_file_that_breaks_the_parser_is_shown_without_definitions() -> None:
    assert parse_definitions("no.language", CODE) == ()
    assert build_file_view("deep.py", "(" * 200_000, "deep.py").kind is ViewKind.CODE
