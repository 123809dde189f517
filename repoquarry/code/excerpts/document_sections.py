"""Sections and blocks of documentation in Markdown and reStructuredText, and the section that shares most with a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from repoquarry.code.excerpts.question_places import find_documents
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.errors import NotFoundError, TextsElsewhereError
from repoquarry.graphstore.search.requests import SearchMode
from repoquarry.graphstore.search.text_analysis import terms

_HEADING = re.compile(
    r"^#{1,6} +(?P<marked>\S.*?) *#*$|^(?P<ruled>\S.*)\n(?P<rule>[=\-~^\"'*+.:#_`])(?P=rule){2,} *$", re.MULTILINE
)
_FENCE = re.compile(r"^(?P<fence>```|~~~)[^\n]*\n(?P<code>.*?)^(?P=fence) *$", re.MULTILINE | re.DOTALL)
_DIRECTIVE = re.compile(
    r"^(?:\.\. (?:code|code-block|sourcecode|parsed-literal)::[^\n]*|(?!\.\. )[^\n]*::) *\n(?:[ \t]+:[^\n]*\n)*\s*\n"
    r"(?P<code>(?:[ \t]+\S[^\n]*\n?|[ \t]*\n)+)",
    re.MULTILINE,
)
_DOCTEST = re.compile(r"^(?P<code>>>> [^\n]*\n(?:(?:[^\n]*\S[^\n]*)\n?)*)", re.MULTILINE)
_MARKUP = re.compile(r"^(?:\.\. (?!note|hint|tip|warning)|[|<!]|\+-|:\w+:|> \[!|\[!)")
_ADMONITION = re.compile(r"^\.\. \w+::\s*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ITEM = re.compile(r"\n(?=[-*+] )")
_ASKING = frozenset(
    terms(
        "how do does can should i we you one use using make write create add get set configure way show me tell what which where when why"
        " happens happen there default many much long big project"
    )
)
_WANTS_DEFAULT = re.compile(r"\bdefaults?\b|^how (?:many|much|long|big|large)\b", re.IGNORECASE)
STATES_DEFAULT = re.compile(r"\bdefaults?\b\W{0,4}\S|\bby default\b", re.IGNORECASE)
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "fixtures", "testdata", "spec", "specs"))
_MIN_COVERED = 0.5
"""Share of the question's weighted terms that a section must contain; with less the question is answered by code."""
_MIN_TERMS = 2
"""Terms of the question that a section without one in its title must contain."""
_TITLE_WEIGHT, _BLOCK_WEIGHT, _CODE_WEIGHT, _DEFAULT_WEIGHT, _VERB_WEIGHT = 1.0, 1.0, 0.2, 0.5, 0.2
_MAX_PROSE = 400


@dataclass(frozen=True)
class DocumentBlock:
    """Paragraph, list or code of a section."""

    text: str
    is_code: bool
    share: float = 0.0
    """Share of the question's weighted terms in it."""


@dataclass(frozen=True)
class DocumentSection:
    repository: str
    path: str
    line: int
    title: str
    text: str


def find_section(
    reader: CodeReader, question: str, repositories: Sequence[str]
) -> tuple[DocumentSection | None, list[DocumentBlock]]:
    """Find the section that shares the most with a question, and its blocks."""
    asked = set(terms(question))
    wanted, verbs = asked - _ASKING, asked & _ASKING
    here = [id_ for id_ in repositories if id_ in reader.store.text_repositories()]
    if not wanted or not here:
        return None, []
    sections: list[DocumentSection] = []
    for item in find_documents(reader, " ".join(sorted(wanted)), here, SearchMode.HYBRID):
        if _TEST_FOLDERS.intersection(item.path.lower().split("/")[:-1]):
            continue
        try:
            text = reader.text(item.repository, item.path)
        except (NotFoundError, TextsElsewhereError):
            continue
        sections += split_sections(item.repository, item.path, text)
    own = [(section, set(terms(section.title)), set(terms(section.text))) for section in sections]
    spread = Counter(term for _, title, text in own for term in (title | text) & wanted)
    weights = {term: math.log(1 + len(own) / (1 + spread[term])) for term in wanted}
    total, is_value = sum(weights.values()) or 1, bool(_WANTS_DEFAULT.search(question))
    best: tuple[DocumentSection | None, list[DocumentBlock]] = (None, [])
    best_score = _MIN_COVERED
    for section, title, body in own:
        found = sum(weight for term, weight in weights.items() if term in title | body) / total
        named = sum(weight for term, weight in weights.items() if term in title) / total
        if found < _MIN_COVERED or not (named or len(wanted & body) >= _MIN_TERMS):
            continue
        blocks = list(split_blocks(section, title, weights, is_value=is_value))
        stated = max((block.share for block in blocks), default=0)
        score = (
            found
            + _TITLE_WEIGHT * named
            + _BLOCK_WEIGHT * stated
            + _CODE_WEIGHT * any(block.is_code for block in blocks)
        )
        score += _DEFAULT_WEIGHT * (is_value and bool(STATES_DEFAULT.search(section.text)))
        score += _VERB_WEIGHT * len(verbs.intersection(terms(section.title)))
        if score > best_score:
            best, best_score = (section, blocks), score
    return best


def split_sections(repository: str, path: str, text: str) -> Iterator[DocumentSection]:
    """Yield the sections of a document in Markdown or reStructuredText; comments in code blocks are no headings."""
    code = [match.span() for match in _FENCE.finditer(text)]
    headings = [
        match
        for match in _HEADING.finditer(text)
        if not any(start <= match.start() < end for start, end in code) and _is_ruled(match)
    ]
    ends = [following.start() for following in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=False):
        title = _LINK.sub(r"\1", heading["marked"] or heading["ruled"]).strip("` ")
        body = text[heading.end() : end]
        if body.strip():
            yield DocumentSection(repository, path, text.count("\n", 0, heading.start()) + 1, title, body)


def _is_ruled(heading: re.Match[str]) -> bool:
    """Return whether the rule below a title is about as long as the title, as reStructuredText wants it."""
    ruled = heading["ruled"]
    return (
        ruled is None
        or heading["rule"] in "=-"
        or len(heading[0].rpartition("\n")[2].strip()) + 2 >= len(ruled.strip())
    )


def _split_prose(text: str) -> Iterator[str]:
    """Yield paragraphs and lists; the items of a list of sentences count by themselves."""
    for part in text.split("\n\n"):
        paragraph = part.strip("\n")
        if not paragraph.strip() or _MARKUP.match(paragraph.strip()):
            continue
        items = _ITEM.split(paragraph) if paragraph.startswith(("- ", "* ", "+ ")) else [paragraph]
        is_long = len(paragraph) > _MAX_PROSE and len(items) > 1
        yield from items if is_long else [_ADMONITION.sub("", paragraph)]


def split_blocks(
    section: DocumentSection, title: set[str], weights: Mapping[str, float], *, is_value: bool
) -> Iterator[DocumentBlock]:
    """Yield the blocks of a section with their share of the question's terms; terms of the title count for each block by half."""
    total = sum(weights.values()) or 1

    def rate(text: str) -> float:
        own = set(terms(text))
        return sum(weight * (1 if term in own else 0.5 * (term in title)) for term, weight in weights.items()) / total

    position, text = 0, section.text
    spans = sorted(
        {
            match.span(): match["code"] for kind in (_FENCE, _DIRECTIVE, _DOCTEST) for match in kind.finditer(text)
        }.items()
    )
    for (start, end), code in [*spans, ((len(text), len(text)), "")]:
        for part in _split_prose(text[position:start]):
            bonus = _DEFAULT_WEIGHT if is_value and STATES_DEFAULT.search(part) else 0
            yield DocumentBlock(part, is_code=False, share=rate(part) + bonus)
        if code.strip() and start >= position:
            yield DocumentBlock(code.strip("\n"), is_code=True, share=rate(code))
        position = max(position, end)
