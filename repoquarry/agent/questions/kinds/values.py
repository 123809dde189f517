"""Answers "what is X set to, and by which setting": constants and defaults with their values, and what the documents say."""

from __future__ import annotations

import re

from repoquarry.agent.questions.documents import Passage, Passages, add_document, passages, quoted
from repoquarry.agent.questions.forms import X, any_of
from repoquarry.agent.questions.inquiry import Inquiry, Steps
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.task import Place
from repoquarry.graphstore.reading.constants import Constant
from repoquarry.graphstore.search.text_analysis import terms

_SHOWN = 5
_LEAST = 0.5
_WEIGHT = 10.0
_DOCUMENTED = 6.0
_NAMES_LOOKED_UP = 2
_DOCUMENTS = 20
_DEFAULT = frozenset(terms("default"))


def answer(inquiry: Inquiry) -> Steps:
    """Find constants whose names speak of it and documents that tell defaults."""
    subject = inquiry.question.subject
    number = _NUMBER.search(inquiry.task) is not None
    result = yield from inquiry.call("constants", "what it is set to", text=subject, numeric=number, limit=40)
    found = [item for item in result.records if isinstance(item, Constant)] if result else []
    shown = _best(found, subject)
    for rank, item in enumerate(shown):
        _add(inquiry, item, _WEIGHT - rank)
    documented = yield from _documented(inquiry, subject, shown)
    for passage in documented:
        add_document(inquiry, passage.section, _DOCUMENTED * passage.section_fits)
    _explain(inquiry, shown, documented)


def _best(found: list[Constant], subject: str) -> list[Constant]:
    """The constants that fit best, each name once; those first that say what others do not."""
    by_name: dict[str, Constant] = {}
    for item in found:
        by_name.setdefault(item.name, item)
    left, wanted = list(by_name.values()), set(terms(subject))
    chosen: list[Constant] = []
    said: set[str] = set()
    while left and len(chosen) < _SHOWN:
        best = max(left, key=lambda item: item.score * (1 + bool(set(terms(item.name)) & wanted - said)))
        if best.score < _LEAST * found[0].score:
            break
        left.remove(best)
        chosen.append(best)
        said |= set(terms(best.name))
    return chosen


def _documented(inquiry: Inquiry, subject: str, shown: list[Constant]) -> Passages:
    """Passages that tell a default: below a heading that names one of the constants, else such that say most of what is asked."""
    names = [item.name for item in shown]
    for name in names[:_NAMES_LOOKED_UP]:
        found = yield from passages(inquiry, name, _DOCUMENTS, "exact")
        headed = [item for item in found if item.section.heading.strip("`* ") == name]
        if headed:
            return headed[:1]
    found = yield from passages(inquiry, f"{subject} default")
    wanted = set(terms(subject))
    best = sorted(found, key=lambda item: -(item.section_fits + 0.3 * item.document_fits))
    texts = [(item, item.section.text) for item in best]
    if names:
        return [item for item, text in texts if any(name in text for name in names)][:1]
    said = [(item, set(terms(text))) for item, text in texts]
    return [item for item, words in said if len(wanted & words) * 2 >= len(wanted) and words >= _DEFAULT][:2]


def _add(inquiry: Inquiry, item: Constant, score: float) -> None:
    said = f" {item.comment.rstrip('.')}." if item.comment else ""
    why = f"`{item.name} = {item.value}`.{said}"
    inquiry.draft.constants.append(
        Place(item.repository, item.path, item.name, item.line, item.line, round(score, 4), why, (why,))
    )


def _explain(inquiry: Inquiry, shown: list[Constant], documented: list[Passage]) -> None:
    if shown:
        lines = [f"- `{item.name} = {item.value}` (`{item.path}:{item.line}`)" for item in shown]
        inquiry.draft.lead = "The code sets:\n\n" + "\n".join(lines)
    elif not documented:
        inquiry.draft.lead = f"Nothing that is set to a value speaks of {inquiry.question.subject!r}."
    for item in documented[:1]:
        part = item.section
        said = f"`{part.path}` says from line {part.start}:\n\n{quoted(part)}"
        if inquiry.draft.lead:
            inquiry.draft.paragraphs.append(said)
        else:
            inquiry.draft.lead = said


_SETTINGS = any_of(r"""
    settings? | options? | constants? | parameters? | config\w*(?: values?| options?| keys?)? | environment variables?
    flags? | defaults? | limits? | thresholds? | timeouts?
""")
_GOVERNS = any_of(r"""
    control\w* | govern\w* | affect\w* | determin\w* | define\w* | limit\w* | configur\w* | influenc\w* | decid\w* | tun\w+
    chang\w* | set\w* | are there for | exist for | for | to | of | about | regard\w*
""")
_BEHIND = (
    r"(?:,? (?:with|and) (?:what|their|its|the)?\s*(?:defaults?|values?|default values?)(?: values?)?(?: are.*)?)?"
)
_NUMBER = re.compile(r"\bhow (?:long|many|much|big|large|small|often|fast|deep|old|far|high|low)\b", re.IGNORECASE)
_AMOUNT = any_of("long | many | much | big | large | small | often | fast | deep | old | far | high | low")
_WHAT = r"\b(?:what|which)(?:'s| is| are| was)?"
QUESTION = QuestionKind(
    plan="find constants and settings by what their names and comments say, with their values, and what the documents say of them",
    forms=(
        rf"{_WHAT} (?:the )?(?:\w+ )?{_SETTINGS} (?:that |which |can |do i use )?{_GOVERNS} {X}{_BEHIND}",
        rf"{_WHAT} (?:the |its |their )?defaults? (?:values? |settings? )?(?:of |for )?{X}",
        rf"{_WHAT} (?:the )?(?P<x>(?:values?|maximum|minimum|max|min|limits?|size|length|number) (?:of |for |on )?.+?)",
        r"\bwhat (?P<x>limits .+?)",
        rf"\bdefaults? (?:values? )?(?:of|for) {X}",
        rf"\bhow {_AMOUNT} {X} (?:by default|out of the box)\b.*",
        rf"{X} (?:by default|out of the box)",
        rf"\bhow {_AMOUNT} {X}",
    ),
    answer=answer,
)
