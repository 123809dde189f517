"""`explore`: one pack of evidence within a hard limit, over the command line and the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.v1.code_service_pb2 import ExploreRequest, ExploreResponse
from tests.e2e.service import Service, end, launch, run_here, write_tree

_CODE = '''"""Mail."""


class Sender:
    """Send letters."""

    def send(self, text):
        """Send one letter and report its length."""
        if not text:
            raise ValueError("empty")
        return len(text)


class FastSender(Sender):
    def send(self, text):
        return 0


def deliver(texts):
    sender = Sender()
    return [sender.send(text) for text in texts]
'''
_TEST = """from mail import Sender


def test_send():
    assert Sender().send("a") == 1
"""
_FILES = {
    "mail.py": _CODE + "".join(f"\n\ndef user{n}():\n    return deliver(['{n}'])\n" for n in range(40)),
    "tests/test_mail.py": _TEST,
    "docs/guide.md": "# Guide\n\nCall `deliver` with a list of texts.\n",
}


@pytest.fixture(scope="module")
def mail_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explore")
    write_tree(folder / "mail", _FILES)
    write_tree(folder / "other", {"post.py": "def deliver(letters):\n    return letters\n"})
    for name in ("mail", "other"):
        assert run_here(folder / "store", "index", str(folder / name)).returncode == 0
    return folder / "store"


@pytest.fixture(scope="module")
def service(mail_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = launch(mail_store, tmp_path_factory.mktemp("service") / "serve.log")
    yield running
    end(running)


def _explore(service: Service, target: str, **fields: object) -> ExploreResponse:
    return service.client().code.explore(ExploreRequest(target=target, **fields))  # type: ignore[arg-type]


def test_a_pack_has_source_callers_overrides_tests_and_documentation(mail_store: Path) -> None:
    sender = run_here(mail_store, "explore", "Sender.send").stdout
    assert 'raise ValueError("empty")' in sender
    assert "mail.py:21 deliver: return [sender.send(text) for text in texts]" in sender
    assert "- run: python -m pytest tests/test_mail.py" in sender
    assert "- FastSender.send  mail.py:15" in sender
    deliver = run_here(mail_store, "explore", "mail.py::deliver", "-r", "mail").stdout
    assert "docs/guide.md:3 Call `deliver` with a list of texts." in deliver
    assert "other" not in deliver


@pytest.mark.parametrize("max_chars", [500, 700, 1_000, 2_000, 6_000])
@pytest.mark.parametrize(
    "target", ["mail:mail.py::deliver", "Sender", "mail.py", "who sends letters?", "sendr", "deliver"]
)
def test_the_limit_is_hard_and_every_cut_is_stated(service: Service, target: str, max_chars: int) -> None:
    answer = _explore(service, target, max_chars=max_chars)
    assert len(answer.text) <= max_chars
    whole = _explore(service, target, max_chars=100_000).text
    body = answer.text.rpartition("\n\n")[0]
    assert body == whole.rpartition("\n\n")[0] or " shown)" in body or "Left out for length" in body


def test_callers_are_cut_with_their_number(service: Service) -> None:
    assert "of 40 shown)" in _explore(service, "mail:mail.py::deliver", max_chars=1_500).text


def test_several_definitions_are_candidates(mail_store: Path, service: Service) -> None:
    answer = _explore(service, "deliver")
    assert list(answer.candidates) == ["mail:mail.py::deliver", "other:post.py::deliver"]
    assert not answer.subject
    done = run_here(mail_store, "explore", "deliver", "--json")
    assert (done.returncode, len(json.loads(done.stdout)["candidates"])) == (10, 2)
    assert "2. other:post.py::deliver" in run_here(mail_store, "explore", "deliver").stdout


def test_a_typing_error_is_stated_with_the_nearest_name(service: Service) -> None:
    answer = _explore(service, "delivr")
    assert list(answer.nearest) == ["deliver"]
    assert answer.text.startswith("Nothing is called 'delivr'. Nearest names: deliver.")
    assert not answer.subject


def test_a_session_repeats_nothing(service: Service) -> None:
    first = _explore(service, "Sender.send", session="a")
    second = _explore(service, "Sender.send", session="a")
    assert "raise ValueError" in first.text
    assert "raise ValueError" not in second.text
    assert "Not repeated:" in second.text
    assert _explore(service, "Sender.send", session="b").text == first.text


def test_a_session_needs_a_server(mail_store: Path) -> None:
    done = run_here(mail_store, "explore", "Sender", "--session", "a")
    assert (done.returncode, "give --server" in done.stderr) == (2, True)
