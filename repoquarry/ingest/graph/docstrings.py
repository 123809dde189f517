"""What of a docstring the graph holds: its first paragraph, and its first sentence as a summary."""

from __future__ import annotations

from repoquarry.ingest.files.documents import first_sentences

_MAX_DOCSTRING = 1_000
MAX_SUMMARY = 200


def first_sentence(docstring: str) -> str | None:
    """The first sentence of a docstring, on one line; None when it is empty."""
    if not docstring:
        return None
    paragraph = " ".join(_paragraph(docstring).split())
    end = paragraph.find(". ")
    return first_sentences(paragraph[: end + 1] if end > 0 else paragraph, MAX_SUMMARY) or None


def first_paragraph(docstring: str) -> str | None:
    """The first paragraph of a docstring, cut where it is very long; None when it is empty."""
    return _paragraph(docstring)[:_MAX_DOCSTRING] or None if docstring else None


def _paragraph(docstring: str) -> str:
    return docstring.strip().split("\n\n", 1)[0].strip()
