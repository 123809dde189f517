"""Detection of exponential and high polynomial backtracking in Java's regular expressions.

Characters are bits of a mask: one for each of ASCII and one for all others together. Anything that the estimate need not know exactly,
such as a Unicode category, counts as any character; an assertion counts as nothing.

A pattern becomes an automaton whose states are the positions of its characters (Glushkov's construction). Time is exponential only if one
text leads along two different paths from a state back to itself: `(a+)+`, `(a|a)*`, `(.*,)*`. It cannot where each character leads from a
position of a repetition to one position at most, as in `(\\w+\\.)*\\w+`; all other repetitions are refused. The number of consecutive
repetitions that read the same character is the degree of a polynomial, which is limited as well. Counted repetitions are treated as
unbounded ones, and unknown constructs as anything, so that doubt leads to a refusal.

Source: Weideman, van der Merwe, Berglund, Watson, "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers by Using
Ambiguity of NFA", CIAA 2016.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

_OTHERS = 1 << 128
ANY = (1 << 129) - 1
_MAX_DEPTH = 60


def _mask(characters: str) -> int:
    mask = 0
    for char in characters:
        mask |= 1 << ord(char) if ord(char) < 128 else _OTHERS
    return mask


_UPPER = _mask("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = _mask("abcdefghijklmnopqrstuvwxyz")
_DIGITS = _mask("0123456789")
_WORD = _DIGITS | _UPPER | _LOWER | _mask("_")
_SPACE = _mask(" \t\n\x0b\f\r")
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _SPACE}
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\x07", "e": "\x1b"}
_NOTHING = frozenset("bBAGzZ")
"""Escapes that match no character: boundaries and ends."""


class RegexSyntaxError(ValueError):
    """Malformed pattern; the message has the reason."""


MAX_PATTERN_CHARACTERS = 1_000
MAX_STEPS = 100_000
"""Maximum steps of the analysis of all regular expressions of one query: a tenth of a second."""

_MAX_REPETITIONS = 4
"""Maximum consecutive repetitions of the same character: time grows with the length of the text to this power."""


class RegexCostError(RegexSyntaxError):
    """Pattern that takes more analysis steps than the budget of a query."""


class StepBudget:
    """Remaining analysis steps of the regular expressions of one query, which limit its time."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps

    def spend(self, count: int) -> None:
        """Spend steps before they are executed. Raises: RegexCostError."""
        self._left -= count
        if self._left < 0:
            raise RegexCostError("more alternatives and optional parts than can be checked")


@dataclass(frozen=True)
class _Part:
    """Part of a pattern: the positions that it can begin and end with, each with the number of ways."""

    is_nullable: bool = True
    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)


class _Parser:
    """Parser of a pattern into an automaton.

    `masks` are the characters of each position; `follow` counts how often a position can follow another directly; `loops` are the
    outermost repetitions, as ranges of positions.
    """

    def __init__(self, pattern: str, budget: StepBudget) -> None:
        self.pattern = pattern
        self.budget = budget
        self.masks: list[int] = []
        self.follow: list[Counter[int]] = []
        self.loops: list[tuple[int, int]] = []
        self.at = 0
        self.depth = 0
        self.fold = False
        self.every = False

    def parse(self) -> None:
        """Build the automaton. Raises: RegexSyntaxError."""
        self._alternatives()
        if self.at < len(self.pattern):
            raise RegexSyntaxError("a parenthesis that closes nothing")

    def _next(self, count: int = 1) -> str:
        return self.pattern[self.at : self.at + count]

    def _position(self, mask: int) -> _Part:
        self.masks.append(mask)
        self.follow.append(Counter())
        here = Counter({len(self.masks) - 1: 1})
        return _Part(False, here, here)

    def _join(self, left: _Part, right: _Part) -> None:
        self.budget.spend(len(left.last) * len(right.first))
        for start, ways in left.last.items():
            for end, others in right.first.items():
                self.follow[start][end] = min(2, self.follow[start][end] + ways * others)

    def _sum(self, counters: Iterable[Counter[int]]) -> Counter[int]:
        total: Counter[int] = Counter()
        for counter in counters:
            self.budget.spend(len(counter))
            total.update(counter)
        return total

    def _alternatives(self) -> _Part:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise RegexSyntaxError(f"more than {_MAX_DEPTH} nested groups")
        options = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            options.append(self._sequence())
        self.depth -= 1
        if len(options) == 1:
            return options[0]
        first, last = self._sum(part.first for part in options), self._sum(part.last for part in options)
        return _Part(any(part.is_nullable for part in options), first, last)

    def _sequence(self) -> _Part:
        whole = _Part()
        while self.at < len(self.pattern) and self._next() not in "|)":
            whole = self._concatenate(whole, self._repeated())
        return whole

    def _concatenate(self, left: _Part, right: _Part) -> _Part:
        self._join(left, right)
        first = self._sum((left.first, right.first)) if left.is_nullable else left.first
        last = self._sum((left.last, right.last)) if right.is_nullable else right.last
        return _Part(left.is_nullable and right.is_nullable, first, last)

    def _repeated(self) -> _Part:
        start = len(self.masks)
        part = self._atom()
        while (bounds := self._quantifier()) is not None:
            low, high = bounds
            if self._next() in ("?", "+"):  # Reluctant and possessive quantifiers: no better bound is known.
                self.at += 1
            if high == 0:
                part = _Part()
            elif high != 1:
                part = self._loop(part, start, may_be_empty=low == 0)
            elif low == 0:
                part = _Part(True, part.first, part.last)
        return part

    def _loop(self, part: _Part, start: int, *, may_be_empty: bool) -> _Part:
        self._join(part, part)
        while self.loops and self.loops[-1][0] >= start:
            self.loops.pop()
        self.loops.append((start, len(self.masks)))
        return _Part(part.is_nullable or may_be_empty, part.first, part.last)

    def _quantifier(self) -> tuple[int, int | None] | None:
        char = self._next()
        if char and char in "*+?":
            self.at += 1
            return (0 if char in "*?" else 1, 1 if char == "?" else None)
        if char != "{":
            return None
        end = self.pattern.find("}", self.at)
        low, comma, high = self.pattern[self.at + 1 : end].partition(",")
        if (
            end < 0
            or not (low + high).isascii()
            or not low.isdecimal()
            or (high and not high.isdecimal())
            or len(low + high) > 18
        ):
            raise RegexSyntaxError("a counted repetition that cannot be read")
        self.at = end + 1
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> _Part:
        char = self._next()
        self.at += 1
        if char == "(":
            return self._group()
        if char == "[":
            return self._position(self._class())
        if char == "\\":
            return self._escape()
        if char in "^$":
            return _Part()
        if char in "*+?":
            raise RegexSyntaxError(f"the quantifier {char} behind nothing")
        if char == ".":
            return self._position(ANY if self.every else ANY & ~_mask("\n\r"))
        return self._position(self._folded(_mask(char)))

    def _group(self) -> _Part:
        if self._next() == "?":
            self.at += 1
            if self._next(2) in ("<=", "<!"):
                self.at += 2
            elif self._next() in ("=", "!", ">", ":"):
                self.at += 1
            elif self._next() == "<":
                self.at = self._behind(">")
            elif self._flags():
                return _Part()
        part = self._alternatives()
        if self._next() != ")":
            raise RegexSyntaxError("a parenthesis that is never closed")
        self.at += 1
        return part

    def _flags(self) -> bool:
        """Read `i)` of `(?i)` or `i:` of `(?i:`; return whether the group ends with it."""
        start = self.at
        while self._next() and self._next() in "idmsuxU-":
            self.at += 1
        flags, end = self.pattern[start : self.at], self._next()
        if end not in (":", ")") or not flags or "x" in flags:
            raise RegexSyntaxError("a group that is not known")
        self.fold, self.every = self.fold or "i" in flags, self.every or "s" in flags
        self.at += 1
        return end == ")"

    def _behind(self, char: str) -> int:
        end = self.pattern.find(char, self.at)
        if end < 0:
            raise RegexSyntaxError(f"a missing {char}")
        return end + 1

    def _folded(self, mask: int) -> int:
        if not self.fold:
            return mask
        return mask | (mask & _UPPER) << 32 | (mask & _LOWER) >> 32 | _OTHERS * bool(mask & _OTHERS)

    def _escape(self) -> _Part:
        code = self._next()
        self.at += 1
        if not code:
            raise RegexSyntaxError("a backslash at the end")
        if code in _NOTHING:
            return _Part()
        if code == "Q":
            end = self.pattern.find("\\E", self.at)
            text = self.pattern[self.at : end if end >= 0 else len(self.pattern)]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            part = _Part()
            for char in text:
                part = self._concatenate(part, self._position(self._folded(_mask(char))))
            return part
        if code.isascii() and code.isdecimal() and code != "0":  # The match of a group, of any length.
            return self._loop(self._position(ANY), len(self.masks) - 1, may_be_empty=True)
        return self._position(self._escaped(code))

    def _escaped(self, code: str) -> int:
        """Return the characters of an escape whose letter has been read."""
        if code.lower() in _CLASSES:
            found = _CLASSES[code.lower()]
            return ANY & ~found if code.isupper() else found
        if code in "pPN" or code in "xu0c":
            self._skip_operand(code)
            return ANY
        if code in _ESCAPES:
            return _mask(_ESCAPES[code])
        return ANY if code.isalnum() else _mask(code)

    def _skip_operand(self, code: str) -> None:
        if self._next() == "{":
            self.at = self._behind("}")
        else:
            self.at += {"x": 2, "u": 4}.get(code, 1)

    def _class(self) -> int:
        """Return the characters of `[...]` after the bracket; unions, intersections and ranges are overestimated."""
        negated = self._next() == "^"
        self.at += negated
        mask, first, exact = 0, True, True
        while self._next() != "]" or first:
            char = self._next()
            first = False
            if not char:
                raise RegexSyntaxError("a bracket that is never closed")
            self.at += 1
            if char == "[":
                mask |= self._class()
            elif char == "\\":
                code = self._next()
                self.at += 1
                mask |= self._escaped(code) if code else ANY
            elif char == "&" and self._next() == "&":
                exact = False
            elif self._next() == "-" and self._next(2)[1:] not in ("", "]", "[", "\\"):
                high = self._next(2)[1]
                self.at += 2
                mask |= _range(char, high)
            else:
                mask |= _mask(char)
        self.at += 1
        mask = self._folded(mask)
        if not exact:
            return ANY
        return (ANY & ~mask) | _OTHERS if negated else mask


def _range(low: str, high: str) -> int:
    mask = _OTHERS if ord(high) >= 128 else 0
    for code in range(ord(low), min(ord(high), 127) + 1):
        mask |= 1 << code
    return mask


def find_backtracking_risk(pattern: str, budget: StepBudget) -> str:
    """Return the problem of a pattern as a phrase after its name; empty if it may run."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        return f"with more than {MAX_PATTERN_CHARACTERS:,} characters"
    try:
        budget.spend(4 * len(pattern))  # Parsing a character costs as much as four steps.
        parser = _Parser(pattern, budget)
        parser.parse()
        if any(_is_ambiguous(parser, *loop) for loop in parser.loops):
            return "that backtracks exponentially (a repetition inside a repetition, or alternatives inside one that begin alike)"
        if (
            max((_count_repetitions(parser, bit) for bit in _kinds_of_characters(parser.masks, budget)), default=0)
            > _MAX_REPETITIONS
        ):
            return f"with more than {_MAX_REPETITIONS} repetitions in a row that match the same character"
    except RegexSyntaxError as unreadable:
        return f"with {unreadable}"
    return ""


def _is_ambiguous(parser: _Parser, start: int, end: int) -> bool:
    """Return whether one character can lead from a position of a repetition to two of its positions."""
    for place in range(start, end):
        read = 0
        parser.budget.spend(len(parser.follow[place]))
        for other, ways in parser.follow[place].items():
            if start <= other < end:
                if ways > 1 or read & parser.masks[other]:
                    return True
                read |= parser.masks[other]
    return False


def _kinds_of_characters(masks: list[int], budget: StepBudget) -> list[int]:
    """Return one character of each kind that the masks distinguish."""
    distinct = sorted(set(masks))
    budget.spend(129 * len(distinct) // 10)  # Ten of these cost as much as one other step.
    kinds: dict[tuple[int, ...], int] = {}
    for bit in range(129):
        kinds.setdefault(tuple(number for number, mask in enumerate(distinct) if mask >> bit & 1), bit)
    return [bit for members, bit in kinds.items() if members]


def _count_repetitions(parser: _Parser, bit: int) -> int:
    """Return the maximum number of repetitions on one path through positions that read a character.

    Positions are numbered from left to right, and only repetitions lead back. In a repetition that is not ambiguous, a character leads
    through one cycle at most.
    """
    loop_of = {place: loop for loop in parser.loops for place in range(*loop)}
    best: dict[int, int] = {}
    place = len(parser.masks)
    while place:
        start, end = loop_of.get(place - 1, (place - 1, place))
        readers = [one for one in range(start, end) if parser.masks[one] >> bit & 1]
        parser.budget.spend(1 + sum(len(parser.follow[one]) for one in readers))
        behind = max((best.get(other, 0) for one in readers for other in parser.follow[one] if other >= end), default=0)
        best.update(dict.fromkeys(readers, behind + (place - 1 in loop_of)))
        place = start
    return max(best.values(), default=0)
