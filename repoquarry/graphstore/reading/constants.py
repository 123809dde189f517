"""Constants, settings and defaults with their values.

They are not in the graph: reading the texts of all files of a large repository takes some tenths of a second, and what a line
sets is the same in most languages: a name, perhaps a type, and a literal behind `=`, `:=` or, in quotes, a colon.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repoquarry.graphstore.search.text_analysis import terms

_ASSIGNED = re.compile(
    r"""^(?P<indent>[ \t]*)(?:(?:export|public|private|protected|static|final|const|let|var|readonly|pub)[ \t]+)*
    (?:self\.|this\.)?(?P<quote>["']?)(?P<name>[A-Za-z_][\w.-]*)(?P=quote)
    (?:(?:[ \t]*:[ \t]*[^=\n:()]{1,80}?)?[ \t]*:?=(?![=~>])|(?<=["'])[ \t]*:)[ \t]*(?P<value>\S[^\n]{0,400})$""",
    re.VERBOSE | re.MULTILINE,
)
_LITERAL = re.compile(
    r"""[-+]?\.?\d|["'\[{(]|[bfruBFRU]["']|(?:[Tt]rue|[Ff]alse|None|null|nil)\b|[A-Z][A-Z\d_]{2,}\b
    |[\w.]+\((?:\w+\s*=\s*)?(?:[-+]?\d|["'\[{]|[A-Z_]{3,}|True|False|None)""",
    re.VERBOSE,
)
_NUMERIC = re.compile(r"^[\w.]*\(?(?:[a-z_]+\s*=\s*)?[-+]?\d[\d_.xXa-fA-F]*[\s\d_.*/+<eE()-]*(?:$|[,)])")
_COMMENT = re.compile(r"^\s*(?:#|//|\*|--|;)+[!:]?\s?(?P<text>.*)$")
_BEHIND = re.compile(r"\s+(?:#|//)\s*(?P<text>.*)$")
_EMPTY: Final = frozenset({"none", "null", "nil", "undefined", '""', "''", "{}", "[]", "()"})
_MAX_VALUE_CHARACTERS: Final = 120
_COMMENT_LINES: Final = 4
_IN_COMMENT: Final = 0.4
_IN_PATH: Final = 0.15
_SMALL: Final = 0.65
"""What a term in a comment or a path counts beside one in the name, and a name in small letters beside one in capitals."""
_MIN_COVERED_SHARE: Final = 0.3
"""Share of the wanted terms that the name of a constant and its comment have to say."""
_UNSET: Final = 0.6
"""What a value that says nothing counts, such as None."""


@dataclass(frozen=True)
class Constant:
    """A name that is set to a literal."""

    repository: str
    path: str
    line: int
    """1-based."""

    name: str
    value: str
    """As written, cut to one line; without a comment behind it."""

    comment: str = ""
    """What comments above and behind it say."""

    score: float = 0.0

    @property
    def is_numeric(self) -> bool:
        """Whether its value is a number, arithmetic of numbers, or made of one, as `timedelta(days=31)`."""
        return _NUMERIC.match(self.value) is not None


def constants_in(repository: str, path: str, text: str, wanted: set[str]) -> Iterator[Constant]:
    """Names of one file that are set to literals and that share a term with `wanted`, themselves or by their comments."""
    lines = text.split("\n")
    at, line = 0, 1
    for match in _ASSIGNED.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        value = match["value"].strip()
        if not _LITERAL.match(value):
            continue
        behind = _BEHIND.search(value)
        bare = (value[: behind.start()] if behind else value).rstrip().rstrip(";")
        bare = _first(bare) if match["indent"] else bare
        said = " ".join([*_above(lines, line - 1), behind["text"] if behind else ""]).strip()
        if wanted.intersection(terms(f"{match['name']} {said}")):
            yield Constant(repository, path, line, match["name"], bare[:_MAX_VALUE_CHARACTERS], said)


def _above(lines: Sequence[str], number: int) -> list[str]:
    """Text of the comment lines that stand directly above a line."""
    found: list[str] = []
    while number > 0 and len(found) < _COMMENT_LINES and (match := _COMMENT.match(lines[number - 1])):
        found.insert(0, match["text"])
        number -= 1
    return found


def ranked(found: Iterable[Constant], wanted: Sequence[str]) -> list[Constant]:
    """Constants by how much of the wanted terms their names say, then their comments and paths; rare terms count more."""
    known = [(item, set(terms(item.name)), set(terms(item.comment)), set(terms(item.path))) for item in found]
    spread = Counter(term for _, name, comment, _ in known for term in name | comment)
    weights = {term: math.log(1 + len(known) / (1 + spread[term])) for term in set(wanted) if spread[term]}
    scored = []
    for item, name, comment, path in known:
        said = {
            term: 1.0 if term in name else _IN_COMMENT if term in comment else _IN_PATH * (term in path)
            for term in weights
        }
        covered = sum(weights[term] * share for term, share in said.items()) / (sum(weights.values()) or 1.0)
        short = 1 / (1 + 0.1 * len(name - set(wanted)))  # a name that says little else is meant rather
        if len((name | comment) & set(wanted)) >= _MIN_COVERED_SHARE * len(set(wanted)):
            scored.append((covered * short * _standing(item), item))
    scored.sort(key=lambda pair: (-pair[0], pair[1].path, pair[1].line))
    return [
        Constant(one.repository, one.path, one.line, one.name, one.value, one.comment, round(score, 4))
        for score, one in scored
    ]


def _standing(item: Constant) -> float:
    """Names in capitals are meant as constants by convention, others may be variables; and None tells little."""
    said = _UNSET if item.value.lower() in _EMPTY else 1.0
    return said * (1.0 if item.name.isupper() else _SMALL)


def _first(value: str) -> str:
    """The first of the values on a line: what stands before a comma outside brackets and quotes."""
    depth, quote = 0, ""
    for at, sign in enumerate(value):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return value[:at]
        elif sign == "," and depth == 0:
            return value[:at]
    return value
