"""The sentence forms of questions about code, as regular expressions made of named word lists.

Order matters: the first form that fits decides, so the narrow ones come first. Group `x` is what a question is about, `y` the
goal of a way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_X = r"(?P<x>.+?)"
_Y = r"(?P<y>.+?)"
_END = r"\s*[?.!]*\s*$"
_WHO = r"(?:i|we|you|one|someone|somebody)"


def _any(words: str) -> str:
    """One of the words, which are separated by `|` or line breaks; a blank stands for any space."""
    parts = [" ".join(part.split()) for line in words.strip().splitlines() for part in line.split("|")]
    return "(?:" + "|".join(part for part in parts if part) + ")"


_INHERIT = _any(r"inherit\w* | deriv\w* | extend\w* | descend\w* | subclass\w* | implement\w*")
_CHANGE = _any(r"""
    chang\w* | modif\w* | remov\w* | delet\w* | renam\w* | edit\w*
    touch\w* | replac\w* | break\w* | refactor\w*
""")
_PART_CHANGED = r"(?: the " + _any(r"signature | name | behaviou?r | return value | arguments? | parameters?") + " of)?"
_MOVED = _any(r"""
    passed | sent | routed | dispatched | delivered | handed | forwarded
    turned | converted | transformed | translated | mapped | parsed | compiled
""")
_GOES = _any(rf"""
    reach(?:es)? | gets? to | gets? into | arrives? at | arrives? in | becomes? | ends? up in | ends? up at | ends? up as
    flows? to | flows? into | (?:get )?{_MOVED}(?: \w+)? to | (?:get )?{_MOVED}(?: \w+)? into | makes? it to | makes? it into
    travels? to | travels? through | turns? into | triggers? | leads? to | calls? | finds? its way to | finds? its way into
""")
_HAPPENS = _any("happens? | breaks? | is affected | be affected | needs? to change | else")
_CALLED = _any("called | invoked | used | instantiated | constructed | created")

_FORMS: Final[Sequence[tuple[str, str]]] = (
    ("subclasses", rf"\b(?:which|what) (?:\w+ )*?{_INHERIT}(?: directly| indirectly)?(?: from| of)? {_X}"),
    ("subclasses", rf"\b(?:sub-?classes|descendants|children|implementations|implementers) of {_X}"),
    ("subclasses", rf"\b(?:who|what) (?:inherits from|extends|subclasses|implements) {_X}"),
    (
        "impact",
        rf"\bwhat (?:would |will |could |might )?{_HAPPENS}\b.*?\b(?:if|when) {_WHO} (?:\w+ )*?{_CHANGE}{_PART_CHANGED} {_X}",
    ),
    ("impact", rf"\b(?:impact|effects?|consequences?|blast radius) of {_CHANGE} {_X}"),
    ("impact", rf"\bwhat (?:depends on|would break without|is affected by) {_X}"),
    ("callers", rf"\b(?:who|what|which \w+) (?:calls?|invokes?|uses?|runs?|triggers?)(?: to)? {_X}"),
    ("callers", rf"\bwhere (?:is|are|does|do) {_X} (?:get )?{_CALLED}(?: from)?"),
    ("callers", rf"\b(?:callers|usages?|uses|call sites) of {_X}"),
    ("callees", rf"\bwhat (?:does|do|functions does|methods does) {_X} (?:call|invoke|use|depend on)"),
    ("callees", rf"\bcallees of {_X}"),
    ("flow", rf"\b(?:how|where) (?:does|do|is|are|can|will|did) {_X} {_GOES} {_Y}"),
    ("flow", rf"\b(?:path|paths|way|route|flow|chain|trace|journey)\b.*?\bfrom {_X} (?:to|into) {_Y}"),
    ("flow", rf"\bwhat happens (?:between|from) {_X} (?:and|to|until) {_Y}"),
    ("flow", rf"\bwhat happens (?:when|after|once) {_X} (?:is|are|gets?) (?P<y>\w.+?)"),
    ("module", rf"\bwhat (?:does|do) {_X} do"),
    ("module", rf"\bwhat (?:is|are) {_X} (?:for|about|responsible for|used for)\b.*"),
    ("module", rf"\bwhat(?:'s| is) the (?:purpose|role|responsibility|job) of {_X}"),
    (
        "module",
        r"^\s*(?:explain|describe|summari[sz]e|document|give (?:me )?an overview of)(?: to me)?(?: what)? "
        rf"{_X}(?: does| do| is| in detail| in short)?",
    ),
    ("module", rf"\bhow (?:does|do) {_X} work"),
    (
        "usage",
        rf"\b(?:use|using|with) (?:this|the) (?:repository|repo|library|package|project|code(?:base)?)\b(?: to)? ?{_X}",
    ),
    (
        "usage",
        rf"\bhow (?:do|can|would|should) {_WHO} (?:use|run|start|install|launch|set up|get started)\b ?(?P<x>.*?)",
    ),
)

FORMS: Final = tuple((kind, re.compile(form + _END, re.IGNORECASE | re.DOTALL)) for kind, form in _FORMS)
"""(kind of question, form), narrow forms first."""
