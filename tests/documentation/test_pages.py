"""README and the pages of docs, executed from top to bottom in a clean copy with an environment of its own."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documentation.pages import list_pages, read_blocks
from tests.documentation.session import SKIPPED, Installation, PageSession, matches

pytestmark = [pytest.mark.docs, pytest.mark.timeout(900)]


def list_executed_pages() -> list[str]:
    return [page for page in list_pages() if any(b.is_executed and b.language != "cypher" for b in read_blocks(page))]


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One installation of a run; the temporary folders of its workers are siblings."""
    own = tmp_path_factory.getbasetemp()
    with Installation.share((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "documentation") as shared:
        yield shared


@pytest.fixture
def session(installation: Installation, tmp_path: Path) -> Iterator[PageSession]:
    opened = PageSession(installation, tmp_path)
    yield opened
    ended_early = opened.close()
    shutil.rmtree(tmp_path)
    assert ended_early == []


def test_a_session_notices_failures_and_keeps_its_state(installation: Installation, tmp_path: Path) -> None:
    session = PageSession(installation, tmp_path)
    assert session.run_shell("false\necho done").returncode == 1
    assert session.run_shell("mkdir inner && cd inner && export KEPT='a b'").returncode == 0
    done = session.run_shell('echo "$KEPT $(basename "$PWD")"')
    assert matches("a b …ner", done.stdout)
    assert not matches("a b", done.stdout)
    assert session.run_shell("repoquarry serve --listen nowhere").returncode == 1
    assert [text for text in session.close() if "SETTINGS_INVALID" in text]


@pytest.mark.parametrize("page", list_executed_pages())
def test_page_does_what_it_shows(page: str, session: PageSession) -> None:
    for block in read_blocks(page):
        if not block.is_executed or block.language == "cypher":
            continue
        before = session.run_shell(block.setup)
        if before.returncode == SKIPPED:
            pytest.skip(f"{block.place}: {before.stdout.strip()}")
        assert before.returncode == 0, f"{block.place}, setup:\n{before.stdout}{before.stderr}"
        done = session.run_block(block)
        assert done.returncode == 0, f"{block.place}:\n{block.text}\n{done.stdout}{done.stderr}"
        shown = block.output
        if block.language == "console":
            shown = "".join(re.findall(r"^(?!\$ ).*\n", block.text, re.MULTILINE))
        if shown is not None:
            assert matches(session.localize(shown), done.stdout), f"{block.place} prints:\n{done.stdout}{done.stderr}"
