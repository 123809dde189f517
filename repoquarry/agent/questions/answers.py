"""Turns what was found into the answer: Markdown for people, ranked places for programs, the same facts in both."""

from __future__ import annotations

from repoquarry.agent.decisions import Answer
from repoquarry.agent.questions.inquiry import Inquiry
from repoquarry.agent.questions.wording import counted
from repoquarry.agent.task import Place

_LISTED = 5


def compose(inquiry: Inquiry, cut_short: str = "") -> Answer:
    """The answer of an inquiry, finished or not; `cut_short` says why it is not."""
    draft = inquiry.draft
    places = draft.places()
    parts = [f"Cut short: {cut_short}. What was found until then:"] if cut_short else []
    parts.append(draft.lead or _fallback(inquiry, places))
    parts += draft.paragraphs
    if places:
        parts.append("Places, best first:\n\n" + "\n".join(_listed(n, p) for n, p in enumerate(places[:_LISTED], 1)))
    if draft.not_found:
        names = ", ".join(f"`{name}`" for name in draft.not_found)
        parts.append(f"Not defined in what is indexed: {names}.")
    if draft.unresolved:
        total = sum(name.sites for name in draft.unresolved.values())
        names = ", ".join(f"`{name.name}` ({name.sites})" for name in draft.unresolved.values())
        parts.append(f"Unresolved calls that may bear on this: {counted(total, 'call site')} of {names}.")
    repositories = tuple(dict.fromkeys(place.repository for place in places)) or inquiry.repositories
    return Answer("\n\n".join(parts), places, tuple(draft.unresolved.values()), repositories)


def _fallback(inquiry: Inquiry, places: tuple[Place, ...]) -> str:
    if not places:
        searched = ", ".join(inquiry.repositories)
        return f"Nothing in {searched} fits this task. Try a name from the code, or other words."
    best = places[0]
    return f"The best match is {mention(best)}."


def mention(place: Place) -> str:
    """A place as a sentence names it."""
    where = f"{place.path}:{place.start_line}-{place.end_line}" if place.start_line else place.path
    return f"`{place.qualname}` (`{where}`)" if place.qualname else f"`{where}`"


def _listed(number: int, place: Place) -> str:
    """One place as an item of the list; the reasons after the first stand below it."""
    text = f"{number}. {mention(place)}: {place.why}"
    return text + "".join(f"\n   - {reason}" for reason in place.reasons[1:5])
