"""Answers to "how do I": the section of the documentation that shares the most words with the question, with its code block, then code."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from repoquarry.agent.questions.evidence import find_evidence
from repoquarry.agent.questions.reply import QuestionScope, Reply, Subject
from repoquarry.code.excerpts.question_places import find_documents
from repoquarry.graphstore.errors import NotFoundError, TextsElsewhereError
from repoquarry.graphstore.search.requests import SearchMode
from repoquarry.graphstore.search.text_analysis import terms

_HEADING = re.compile(
    r"^#{1,6} +(?P<marked>\S.*?) *#*$|^(?P<ruled>\S.*)\n(?P<rule>[=\-~^\"'*+])(?P=rule){2,} *$", re.MULTILINE
)
_FENCE = re.compile(r"^(?P<fence>```|~~~)[^\n]*\n(?P<code>.*?)^(?P=fence) *$", re.MULTILINE | re.DOTALL)
_DIRECTIVE = re.compile(
    r"^(?:\.\. (?:code|code-block|sourcecode|parsed-literal)::[^\n]*|(?!\.\. )[^\n]*::) *\n(?:[ \t]+:[^\n]*\n)*\s*\n"
    r"(?P<code>(?:[ \t]+\S[^\n]*\n?|[ \t]*\n)+)",
    re.MULTILINE,
)
_ASKING = frozenset(
    terms("how do does can should i we you one use using make write create add get set configure way show me tell")
)
_MIN_COVERED = 0.5
"""Share of the question's weighted terms that a section must contain; with less the question is answered by code."""
_MIN_TERMS = 2
"""Terms of the question that a section without one in its title must contain."""
_TITLE_WEIGHT = 2.0
_MAX_CODE_LINES = 16
_MAX_PROSE = 300


@dataclass(frozen=True)
class _Section:
    repository: str
    path: str
    line: int
    title: str
    text: str


def answer_how_to(scope: QuestionScope, subject: Subject) -> Reply:
    """Quote the best section of the documentation; the evidence in code follows."""
    evidence = find_evidence(scope, subject.phrase)
    section = _find_section(scope, subject.phrase)
    if section is None:
        return evidence
    where = f"`{section.path}:{section.line}`" + (f" in {section.repository}" if len(scope.repositories) > 1 else "")
    parts = [f"The documentation has a section “{section.title}” ({where}).", *_quote(section.text)]
    return Reply("\n\n".join(parts), evidence.findings, evidence.notes, body=evidence.body)


def _find_section(scope: QuestionScope, question: str) -> _Section | None:
    wanted = set(terms(question)) - _ASKING
    here = [id_ for id_ in scope.repositories if id_ in scope.reader.store.text_repositories()]
    if not wanted or not here:
        return None
    documents = find_documents(scope.reader, " ".join(sorted(wanted)), here, SearchMode.HYBRID)
    sections = []
    for item in documents:
        try:
            text = scope.reader.text(item.repository, item.path)
        except (NotFoundError, TextsElsewhereError):
            continue
        sections += list(_split_sections(item.repository, item.path, text))
    own = [(section, set(terms(section.title)), set(terms(section.text))) for section in sections]
    spread = Counter(term for _, title, text in own for term in (title | text) & wanted)
    weights = {term: math.log(1 + len(own) / (1 + spread[term])) for term in wanted}
    best, best_score = None, _MIN_COVERED
    for section, title, body in own:
        found = sum(weight for term, weight in weights.items() if term in title | body) / (sum(weights.values()) or 1)
        named = sum(weight for term, weight in weights.items() if term in title) / (sum(weights.values()) or 1)
        has_code = bool(_FENCE.search(section.text) or _DIRECTIVE.search(section.text))
        score = found + _TITLE_WEIGHT * named + 0.2 * has_code
        is_about = named > 0 or len(wanted & body) >= _MIN_TERMS
        if is_about and found >= _MIN_COVERED and score > best_score:
            best, best_score = section, score
    return best


def _split_sections(repository: str, path: str, text: str) -> Iterator[_Section]:
    """Yield the sections of a document in Markdown or reStructuredText; comments in code blocks are no headings."""
    code = [match.span() for match in _FENCE.finditer(text)]
    headings = [
        match for match in _HEADING.finditer(text) if not any(start <= match.start() < end for start, end in code)
    ]
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        title = (heading["marked"] or heading["ruled"]).strip("` ")
        body = text[heading.end() : following.start() if following else len(text)]
        if body.strip():
            yield _Section(repository, path, text.count("\n", 0, heading.start()) + 1, title, body)


def _quote(text: str) -> Iterator[str]:
    """Yield the first paragraph of prose and the first code block of a section."""
    block = _FENCE.search(text) or _DIRECTIVE.search(text)
    prose = text[: block.start()] if block else text
    paragraphs = (" ".join(part.split()) for part in prose.split("\n\n"))
    if first := next((part for part in paragraphs if part and part[0] not in "|<:!.[*-=~^"), ""):
        yield first if len(first) <= _MAX_PROSE else f"{first[:_MAX_PROSE].rpartition(' ')[0]}…"
    if block:
        lines = block["code"].strip("\n").split("\n")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        shown = [line[indent:] for line in lines[:_MAX_CODE_LINES]] + ["…"] * (len(lines) > _MAX_CODE_LINES)
        yield "```\n" + "\n".join(shown) + "\n```"
