"""`explore`: one pack of evidence within a hard limit, over the command line and the names_service."""

import json
from pathlib import Path

import pytest

from repoquarry.server.text_format import fit_basis, format_basis
from repoquarry.v1.code_service_pb2 import ExploreRequest, ExploreResponse
from tests.e2e.service import Service, run_here


def _explore(names_service: Service, target: str, **fields: object) -> ExploreResponse:
    return names_service.client().code.explore(ExploreRequest(target=target, **fields))  # type: ignore[arg-type]


def test_a_pack_has_source_callers_overrides_tests_and_documentation(names_store: Path) -> None:
    sender = run_here(names_store, "explore", "Sender.send").stdout
    assert 'raise ValueError("empty")' in sender
    assert "mail.py:21 deliver: return [sender.send(text) for text in texts]" in sender
    assert "- run: python -m pytest tests/test_mail.py" in sender
    assert "- FastSender.send  mail.py:15" in sender
    deliver = run_here(names_store, "explore", "mail.py::deliver", "-r", "mail").stdout
    assert "docs/guide.md:3 Call `deliver` with a list of texts." in deliver
    assert not any(text in deliver for text in ("other", "CHANGELOG", "ISSUE_TEMPLATE"))


@pytest.mark.parametrize("max_chars", [500, 700, 1_000, 2_000, 6_000])
@pytest.mark.parametrize(
    "target", ["mail:mail.py::deliver", "Sender", "mail.py", "who sends letters?", "sendr", "deliver"]
)
def test_the_limit_is_hard_and_every_cut_is_stated(names_service: Service, target: str, max_chars: int) -> None:
    answer = _explore(names_service, target, max_chars=max_chars)
    assert len(answer.text) <= max_chars
    whole = _explore(names_service, target, max_chars=100_000).text
    body = answer.text.rpartition("\n\n")[0]
    assert body == whole.rpartition("\n\n")[0] or " shown)" in body or "Omitted for length" in body


@pytest.mark.parametrize("limit", range(0, 260, 13))
def test_the_basis_is_cut_between_its_clauses(names_service: Service, limit: int) -> None:
    basis = _explore(names_service, "Sender").basis
    shown = fit_basis(basis, limit)
    assert len(shown) <= limit
    assert shown == basis.summary or not shown or basis.summary.startswith(f"{shown};")


@pytest.mark.parametrize("left_out", [1, 10, 20])
def test_notes_of_a_basis_outlast_the_clauses_before_them(names_service: Service, left_out: int) -> None:
    basis = _explore(names_service, "Sender").basis
    basis.summary = "based on mail@1 (clean, current); 3 unresolved calls may add callers"
    basis.notes.append("texts of other data folders are skipped")
    limit = len(" ".join(format_basis(basis))) - left_out
    shown = fit_basis(basis, limit)
    assert len(shown) <= limit
    assert shown.startswith("based on ")
    assert shown.endswith("note: texts of other data folders are skipped")


def test_words_of_a_task_need_no_quotes(names_store: Path) -> None:
    joined, quoted = (
        run_here(names_store, "locate", *words).stdout for words in (["sends", "letters"], ["sends letters"])
    )
    assert joined == quoted
    assert "mail.py" in joined


def test_callers_are_cut_with_their_number(names_service: Service) -> None:
    assert "of 40 shown)" in _explore(names_service, "mail:mail.py::deliver", max_chars=1_500).text


def test_several_definitions_are_candidates(names_store: Path, names_service: Service) -> None:
    answer = _explore(names_service, "deliver")
    assert list(answer.candidates) == ["mail:mail.py::deliver", "other:post.py::deliver"]
    assert not answer.subject
    done = run_here(names_store, "explore", "deliver", "--json")
    assert (done.returncode, len(json.loads(done.stdout)["candidates"])) == (10, 2)
    assert "2. other:post.py::deliver" in run_here(names_store, "explore", "deliver").stdout


def test_a_typing_error_is_stated_with_the_nearest_name(names_store: Path, names_service: Service) -> None:
    answer = _explore(names_service, "delivr")
    assert list(answer.nearest) == ["deliver"]
    assert answer.text == "Not in the index: nothing is called `delivr`. Nearest names: `deliver`."
    assert not answer.subject
    assert not answer.places
    done = run_here(names_store, "explore", "delivr", "--json")
    assert (done.returncode, json.loads(done.stdout)["unknown"]) == (3, True)


def test_a_word_that_names_nothing_gives_places_only_where_code_contains_the_word(names_service: Service) -> None:
    known, unknown = _explore(names_service, "texts"), _explore(names_service, "NoSuchThing")
    assert ("Places that contain the word:" in known.text, bool(known.places)) == (True, True)
    assert (unknown.text.partition("\n\n")[0], list(unknown.places)) == (
        "Not in the index: nothing is called `NoSuchThing`.", []
    )  # fmt: skip
    assert (known.unknown, unknown.unknown) == (False, True)


def test_a_session_repeats_nothing(names_service: Service) -> None:
    first = _explore(names_service, "Sender.send", session="a")
    second = _explore(names_service, "Sender.send", session="a")
    assert "raise ValueError" in first.text
    assert "raise ValueError" not in second.text
    assert "Not repeated:" in second.text
    assert _explore(names_service, "Sender.send", session="b").text == first.text


def test_a_session_needs_a_server(names_store: Path) -> None:
    done = run_here(names_store, "explore", "Sender", "--session", "a")
    assert (done.returncode, "give --server" in done.stderr) == (2, True)
