"""Answers "how do I do Y": what the documents say of it, and the code that it is done with."""

from __future__ import annotations

from repoquarry.agent.questions.documents import add_document, passages, quoted
from repoquarry.agent.questions.forms import WHO, X
from repoquarry.agent.questions.inquiry import Inquiry, Steps
from repoquarry.agent.questions.kind import QuestionKind
from repoquarry.agent.questions.kinds.where import locate
from repoquarry.agent.questions.wording import names_of

_DOCUMENTS = 3
_DOCUMENT_WEIGHT = 10.0
_LEAST_FIT = 0.5
"""Documents that fit less than half as well as the best one are left out."""


def answer(inquiry: Inquiry) -> Steps:
    """Quote the best document, name the next ones, and the code behind them."""
    goal = inquiry.question.subject
    found = yield from passages(inquiry, goal)
    good = [item for item in found if item.document_fits >= _LEAST_FIT][:_DOCUMENTS]
    for rank, item in enumerate(good):
        add_document(inquiry, item.section, _DOCUMENT_WEIGHT - rank)
    yield from locate(inquiry, goal)
    code = [one.definition for one in inquiry.draft.ranked() if one.definition.qualname and not one.definition.is_test][
        :2
    ]
    if not good:
        inquiry.draft.lead = f"No document of the repository speaks of {goal!r}" + (
            f"; the code that comes nearest is {names_of(code, places=True)}." if code else "."
        )
        return
    best = good[0].section
    under = f' under "{best.heading}"' if best.heading else ""
    inquiry.draft.lead = f"`{best.path}` says how, from line {best.start}{under}."
    inquiry.draft.paragraphs.append(quoted(best))
    if len(good) > 1:
        named = " and ".join(f"`{item.section.path}` (line {item.section.start})" for item in good[1:])
        inquiry.draft.paragraphs.append(f"See also {named}.")
    if code:
        inquiry.draft.paragraphs.append(f"The code that it is about is {names_of(code, places=True)}.")


_GUIDE = r"(?:guides?|tutorials?|documentation|docs|examples?|instructions|recipes?)"
QUESTION = QuestionKind(
    plan="find the document that tells how, quote the part that fits, and name the code that it is about",
    forms=(
        rf"\bhow (?:do|can|could|should|would|must|might) {WHO} (?:best |properly |correctly )?{X}",
        rf"^\W*how to {X}",
        rf"\bwhat(?:'s| is) the (?:\w+ )?way (?:to|of) {X}",
        rf"\bwhat (?:do|must|should) {WHO} (?:need to |have to )?do (?:in order )?to {X}",
        rf"\b{_GUIDE} (?:on|for|about|of|to|that \w+) {X}",
        rf"^\W*(?:can|could|may) {WHO} {X}",
    ),
    answer=answer,
)
