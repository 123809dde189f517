"""The same code elsewhere: as a tool and a method through a real port, and as a command."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.server.errors import RequestError
from repoquarry.v1.code_service_pb2 import FindDuplicatesRequest
from repoquarry.v1.tool_service_pb2 import CallToolRequest, CallToolResponse
from tests.e2e.rpc_calls import failure
from tests.e2e.service import Service, end, launch, run_here, run_json, succeed
from tests.source_trees import write_tree

_STEPS = "".join(f"    {name} = charge({name}, order.lines[{place}])\n" for place, name in enumerate("abcdef"))
_ONE = f"def settle(order, a, b, c, d, e, f):\n{_STEPS}    return a + b\n"
_LONGER = f"\n\ndef refund(order, a, b, c, d, e, f):\n{_STEPS}{_STEPS}    return a\n"
TREES = {
    "one": _ONE + _LONGER,
    "one@2": _ONE,
    "two": '"""Pay."""\n\n\n' + _ONE.replace("settle", "pay").replace("    return", "    # the sum\n\n    return"),
    "three": _ONE.replace("a + b", "a - b") + "\n\ndef small():\n    return 1\n",
    "four": _LONGER.lstrip() + "\n\n" + _ONE.replace("a + b", "a * b"),
}


@pytest.fixture(scope="module")
def store_of_copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same function under another name, with comments and another layout; versions of one repository; one that only looks alike."""
    folder = tmp_path_factory.mktemp("copies")
    for name, text in TREES.items():
        tree = write_tree(folder / "sources" / name, {"settling.py": text})
        succeed(folder / "store", "index", str(tree), "--name", name)
    return folder / "store"


@pytest.fixture(scope="module")
def service(store_of_copies: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = launch(store_of_copies, tmp_path_factory.mktemp("service") / "serve.log")
    yield started
    end(started)


def call(service: Service, *repositories: str, **arguments: object) -> CallToolResponse:
    return service.client().tools.call_tool(
        CallToolRequest(tool="duplicates", arguments=json.dumps(arguments), repositories=repositories)
    )


def test_the_tool_finds_the_longest(service: Service) -> None:
    found = call(service)
    assert found.summary == "2 groups of functions with the same code; functions under 10 lines and tests are left out"
    assert found.text.index("14  2  four  ") < found.text.index("10  3  one  ")
    assert "-  -  two  settling.py:4-13  pay" in found.text
    assert found.basis.repository_count == 4
    assert [place.qualname for place in found.places] == ["refund", "refund", "settle", "settle", "pay"]
    assert [place.qualname for place in call(service, repository="two").places] == ["settle", "settle", "pay"]
    assert not call(service, repository="three").places
    assert not call(service, "one", "one@2", "three").places
    with pytest.raises(RequestError, match="no repository 'absent'"):
        call(service, repository="absent")


def test_the_tool_finds_those_of_a_function(service: Service) -> None:
    found = call(service, target="pay")
    assert [place.repository.rpartition("/")[2] for place in found.places] == ["one", "one@2", "two"]
    assert not call(service, target="settle", repository="three").places
    assert not call(service, "one", "one@2", target="one:settling.py::settle").places
    assert call(service, target="small").summary.endswith("; 1 of 1 functions of that name are too short to compare")
    with pytest.raises(RequestError, match="nothing is called"):
        call(service, target="frobnicate")


def test_the_method_in_pages(service: Service) -> None:
    code = service.client().code
    request = FindDuplicatesRequest(page_size=1)
    first = code.find_duplicates(request)
    request.page_token = first.next_page_token
    second = code.find_duplicates(request)
    assert not second.next_page_token
    (refund,), (settle,) = first.duplicates, second.duplicates
    assert (refund.lines, refund.copies, list(refund.repository_ids)) == (14, 2, ["four", "one"])
    assert (settle.lines, settle.copies, list(settle.repository_ids)) == (10, 3, ["one", "two"])
    assert [item.qualname for item in settle.definitions] == ["settle", "settle", "pay"]
    rests = [entry.repository.rpartition("/")[2] for entry in second.basis.repositories]
    assert rests == ["one", "one@2", "two"]
    assert not code.find_duplicates(FindDuplicatesRequest(min_lines=15)).duplicates
    request.min_lines = 3
    assert failure(code.find_duplicates, request).reason == "PAGE_TOKEN_INVALID"


def test_the_method_of_one_function(service: Service) -> None:
    code = service.client().code
    (found,) = code.find_duplicates(FindDuplicatesRequest(symbol="pay")).duplicates
    assert list(found.repository_ids) == ["one", "two"]
    inside = FindDuplicatesRequest(symbol="settle", repository="repositories/three")
    assert not code.find_duplicates(inside).duplicates
    short = code.find_duplicates(FindDuplicatesRequest(symbol="small"))
    assert "1 of 1 functions of that name are too short to compare" in short.basis.notes
    for wrong, reason in (
        (FindDuplicatesRequest(symbol="settling.py", repository="two"), "SYMBOL_NOT_FOUND"),
        (FindDuplicatesRequest(symbol="refund"), "SYMBOL_AMBIGUOUS"),
        (FindDuplicatesRequest(symbol="frobnicate"), "SYMBOL_NOT_FOUND"),
        (FindDuplicatesRequest(repository="absent"), "REPOSITORY_NOT_FOUND"),
        (FindDuplicatesRequest(min_lines=-1), "REQUEST_INVALID"),
    ):
        assert failure(code.find_duplicates, wrong).reason == reason


def test_the_command(store_of_copies: Path) -> None:
    done = succeed(store_of_copies, "duplicates", "two")
    told = [line.split() for line in done.stdout.splitlines()]
    assert told[1:4] == [
        ["10", "3", "one", "settling.py:1-8", "settle"],
        ["one@2", "settling.py:1-8", "settle"],
        ["two", "settling.py:4-13", "pay"],
    ]
    assert "based on one, one@2, two (all current)" in done.stdout
    found = run_json(store_of_copies, "duplicates", "--of", "one:settling.py::refund")
    assert [item["lines"] for item in found["duplicates"]] == [14]
    assert [entry["repository"] for entry in found["basis"]["repositories"]] == [
        "repositories/four",
        "repositories/one",
    ]
    assert "no duplicates" in run_here(store_of_copies, "duplicates", "--lines", "15").stdout
    assert "more with --limit" in run_here(store_of_copies, "duplicates", "-n", "1").stdout


def test_copies_inside_one_repository_count_and_tests_on_request(tmp_path: Path) -> None:
    """What is left out is said in the answer."""
    tree = write_tree(
        tmp_path / "alone", {"a.py": _ONE, "b.py": _ONE, "tests/test_a.py": _LONGER, "tests/test_b.py": _LONGER}
    )
    succeed(tmp_path / "store", "index", str(tree))
    for options, count, note in (
        (["--lines", "8"], 1, "functions under 8 lines and tests are left out"),
        (["--lines", "8", "--tests"], 2, "functions under 8 lines are left out"),
        (["--tests"], 1, "functions under 10 lines are left out"),
    ):
        answer = run_json(tmp_path / "store", "duplicates", "alone", *options)
        assert len(answer["duplicates"]) == count
        assert answer["basis"]["notes"] == [note]
        assert note in run_here(tmp_path / "store", "duplicates", "alone", *options).stdout
