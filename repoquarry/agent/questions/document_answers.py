"""Documentation that answers a question: the section that shares the most words with it, with its code block or list; code follows."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from repoquarry.agent.questions.evidence import find_evidence
from repoquarry.agent.questions.reply import QuestionScope, Reply, Subject
from repoquarry.code.excerpts.question_places import find_documents
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
_DEFAULT = re.compile(r"\bdefaults?\b\W{0,4}\S|\bby default\b", re.IGNORECASE)
_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "fixtures", "testdata", "spec", "specs"))
_MIN_COVERED = 0.5
"""Share of the question's weighted terms that a section must contain; with less the question is answered by code."""
_MIN_STATED = 0.7
"""Share that one paragraph or block must contain to open the answer to a question that does not ask how."""
_MIN_TERMS = 2
"""Terms of the question that a section without one in its title must contain."""
_TITLE_WEIGHT, _BLOCK_WEIGHT, _CODE_WEIGHT, _DEFAULT_WEIGHT = 1.0, 1.0, 0.2, 0.5
_MAX_LINES = 16
_MAX_PROSE = 400


@dataclass(frozen=True)
class _Block:
    """Paragraph, list or code of a section."""

    text: str
    is_code: bool
    share: float = 0.0
    """Share of the question's weighted terms in it."""


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
    return _open_with(scope, subject.phrase, evidence, 0.0)


def answer_with_evidence(scope: QuestionScope, text: str) -> Reply:
    """Return the evidence in code, behind the documentation where one paragraph or block of it is about the question."""
    return _open_with(scope, text, find_evidence(scope, text), _MIN_STATED)


def quote_default(scope: QuestionScope, phrase: str) -> str:
    """Quote the section of the documentation with this title if it states a default; empty for none."""
    section, blocks = _find_section(scope, f"default {phrase}")
    is_about = section is not None and set(terms(section.title)) == set(terms(phrase))
    stated = [block for block in blocks if _DEFAULT.search(block.text) and not block.is_code]
    return (
        f"The documentation says (`{section.path}:{section.line}`): {_shorten(stated[0].text)}"
        if section and is_about and stated
        else ""
    )


def _open_with(scope: QuestionScope, question: str, evidence: Reply, min_share: float) -> Reply:
    section, blocks = _find_section(scope, question)
    best = max(range(len(blocks)), key=lambda place: (blocks[place].share, -place), default=-1)
    if section is None or best < 0 or blocks[best].share < min_share:
        return evidence
    codes = [place for place, block in enumerate(blocks) if block.is_code]
    if not min_share and codes and not blocks[best].is_code and not blocks[min(best + 1, len(blocks) - 1)].is_code:
        # Who asks how wants code: the block that is, or whose introduction is, most about the question.
        best = max(codes, key=lambda place: (max(blocks[place].share, blocks[max(place - 1, 0)].share), -place))
    shown = [*blocks[max(best - 1, 0) : best], blocks[best]] if blocks[best].is_code else blocks[best : best + 2]
    shown = [
        block for block in shown if block is blocks[best] or block.is_code != blocks[best].is_code or _is_list(block)
    ]
    where = f"`{section.path}:{section.line}`" + (f" in {section.repository}" if len(scope.repositories) > 1 else "")
    parts = [f"The documentation has a section “{section.title}” ({where}).", *map(_format_block, shown)]
    return Reply("\n\n".join(parts), evidence.findings, evidence.notes, body=evidence.body)


def _find_section(scope: QuestionScope, question: str) -> tuple[_Section | None, list[_Block]]:
    """Find the section that shares the most with a question, and its blocks."""
    wanted = set(terms(question)) - _ASKING
    here = [id_ for id_ in scope.repositories if id_ in scope.reader.store.text_repositories()]
    if not wanted or not here:
        return None, []
    sections: list[_Section] = []
    for item in find_documents(scope.reader, " ".join(sorted(wanted)), here, SearchMode.HYBRID):
        if _TEST_FOLDERS.intersection(item.path.lower().split("/")[:-1]):
            continue
        try:
            text = scope.reader.text(item.repository, item.path)
        except (NotFoundError, TextsElsewhereError):
            continue
        sections += _split_sections(item.repository, item.path, text)
    own = [(section, set(terms(section.title)), set(terms(section.text))) for section in sections]
    spread = Counter(term for _, title, text in own for term in (title | text) & wanted)
    weights = {term: math.log(1 + len(own) / (1 + spread[term])) for term in wanted}
    total, is_value = sum(weights.values()) or 1, bool(_WANTS_DEFAULT.search(question))
    best: tuple[_Section | None, list[_Block]] = (None, [])
    best_score = _MIN_COVERED
    for section, title, body in own:
        found = sum(weight for term, weight in weights.items() if term in title | body) / total
        named = sum(weight for term, weight in weights.items() if term in title) / total
        if found < _MIN_COVERED or not (named or len(wanted & body) >= _MIN_TERMS):
            continue
        blocks = list(_split_blocks(section, title, weights, is_value=is_value))
        stated = max((block.share for block in blocks), default=0)
        score = (
            found
            + _TITLE_WEIGHT * named
            + _BLOCK_WEIGHT * stated
            + _CODE_WEIGHT * any(block.is_code for block in blocks)
        )
        score += _DEFAULT_WEIGHT * (is_value and bool(_DEFAULT.search(section.text)))
        if score > best_score:
            best, best_score = (section, blocks), score
    return best


def _split_sections(repository: str, path: str, text: str) -> Iterator[_Section]:
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
            yield _Section(repository, path, text.count("\n", 0, heading.start()) + 1, title, body)


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


def _split_blocks(
    section: _Section, title: set[str], weights: Mapping[str, float], *, is_value: bool
) -> Iterator[_Block]:
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
            bonus = _DEFAULT_WEIGHT if is_value and _DEFAULT.search(part) else 0
            yield _Block(part, is_code=False, share=rate(part) + bonus)
        if code.strip() and start >= position:
            yield _Block(code.strip("\n"), is_code=True, share=rate(code))
        position = max(position, end)


def _is_list(block: _Block) -> bool:
    return not block.is_code and block.text.lstrip().startswith(("- ", "* ", "+ ", "1. "))


def _format_block(block: _Block) -> str:
    lines = block.text.split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = [line[indent:] for line in lines[:_MAX_LINES]] + ["…"] * (len(lines) > _MAX_LINES)
    if block.is_code:
        return "```\n" + "\n".join(shown) + "\n```"
    return "\n".join(shown) if "\n- " in block.text or _is_list(block) else _shorten(block.text)


def _shorten(text: str) -> str:
    prose = " ".join(text.split())
    return prose if len(prose) <= _MAX_PROSE else f"{prose[:_MAX_PROSE].rpartition(' ')[0]}…"
