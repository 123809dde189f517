"""Words that the sentence forms of questions are made of.

Each kind of question holds its own forms; what two of them share stands here. A form is matched without regard to case and up
to the end of the text, behind which only punctuation may stand.
"""

from __future__ import annotations

import re
from typing import Final

X: Final = r"(?P<x>.+?)"
Y: Final = r"(?P<y>.+?)"
WHO: Final = r"(?:i|we|you|one|someone|somebody)"
_END: Final = r"\s*[?.!]*\s*$"


def any_of(words: str) -> str:
    """One of the words, which are separated by `|` or line breaks; a blank stands for any space."""
    parts = [" ".join(part.split()) for line in words.strip().splitlines() for part in line.split("|")]
    return "(?:" + "|".join(part for part in parts if part) + ")"


def compiled(form: str) -> re.Pattern[str]:
    """A form as it is matched."""
    return re.compile(form + _END, re.IGNORECASE | re.DOTALL)
