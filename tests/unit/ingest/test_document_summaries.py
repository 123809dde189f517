"""Summaries of prose files: what the subject is, not what decorates the page."""

import pytest

from repoquarry.ingest.files.documents import read_document

WANTED = "Shop sells things over a counter."


@pytest.mark.parametrize(
    "text",
    [
        f"# Shop\n\n{WANTED} More.\n",
        f"# Shop\n\n[![Build](a.svg)](b)\n\nDonate to keep this alive.\n\n{WANTED}\n",
        f"# Shop\n\nEnglish | 中文 | Deutsch\n\n{WANTED}\n",
        f"# Shop\n\n> [!NOTE]\n> We are hiring.\n\n> {WANTED}\n",
        f"# Shop\n\n- [Install](#install)\n- [Use](#use)\n\n```sh\nnpm install shop\n```\n\n{WANTED}\n",
        f"<h1>Shop</h1>\n\n{WANTED}\n\n## Install\n\nRun this.\n",
        f"<h1>Shop</h1>\n\n{WANTED}\n\n```\n$ pip install shop\n```\n",
        f"# Shop\n\nTo install it:\n\n{WANTED}\n",
    ],
    ids=[
        "plain",
        "donation",
        "languages",
        "notice",
        "menu",
        "before the first heading",
        "code",
        "introduction of a list",
    ],
)
def test_summary_says_what_the_subject_is(text: str) -> None:
    summary = read_document("README.md", text.encode()).summary
    assert summary is not None
    assert summary.startswith(WANTED)


def test_summary_is_the_first_paragraph_where_none_is_about_the_subject() -> None:
    assert read_document("README.md", b"# Shop\n\nDonate now.\n\nSee the wiki.\n").summary == "Donate now."
