"""Java regular expressions as trees, and detection of exponential backtracking.

Characters are bits of a mask: one for each of ASCII and one for all others together. Anything that the estimate need not know exactly,
such as a Unicode category, counts as any character; an assertion counts as nothing.

A pattern becomes an automaton whose states are the positions of its characters (Glushkov's construction). Time is exponential if one text
leads along two different paths from a state back to itself: `(a+)+`, `(a|a)*`, `(.*,)*`; not in `(\\w+\\.)*\\w+`. The number of
consecutive repetitions that read the same character is the degree of a polynomial, which is limited as well. Counted repetitions are
treated as unbounded ones, and unknown constructs as anything, so that doubt leads to a refusal.

Source: Weideman, van der Merwe, Berglund, Watson, "Analyzing Matching Time Behavior of Backtracking Regular Expression Matchers by Using
Ambiguity of NFA", CIAA 2016.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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


@dataclass(frozen=True)
class CharClass:
    """Single character of the text that is in the mask."""

    mask: int


@dataclass(frozen=True)
class RegexNode:
    """Node of the tree: `what` is a position, or "sequence", "or", "loop" or "optional"; a loop that may run zero times `may_be_empty`."""

    what: CharClass | str
    children: tuple[RegexNode, ...] = field(default=())
    may_be_empty: bool = False


def parse(pattern: str) -> RegexNode:
    """Parse a pattern. Raises: RegexSyntaxError."""
    return _Parser(pattern).whole()


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.fold = False
        self.every = False

    def whole(self) -> RegexNode:
        tree = self._alternatives()
        if self.at < len(self.pattern):
            raise RegexSyntaxError("a parenthesis that closes nothing")
        return tree

    def _next(self, count: int = 1) -> str:
        return self.pattern[self.at : self.at + count]

    def _alternatives(self) -> RegexNode:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise RegexSyntaxError(f"more than {_MAX_DEPTH} nested groups")
        options = [self._sequence()]
        while self._next() == "|":
            self.at += 1
            options.append(self._sequence())
        self.depth -= 1
        return options[0] if len(options) == 1 else RegexNode("or", tuple(options))

    def _sequence(self) -> RegexNode:
        parts: list[RegexNode] = []
        while self.at < len(self.pattern) and self._next() not in "|)":
            parts.append(self._repeated(self._atom()))
        return RegexNode("sequence", tuple(parts))

    def _repeated(self, tree: RegexNode) -> RegexNode:
        while (bounds := self._quantifier()) is not None:
            low, high = bounds
            if self._next() in ("?", "+"):  # Reluctant and possessive quantifiers: no better bound is known.
                self.at += 1
            if high == 0:
                tree = RegexNode("sequence")
            elif high != 1:
                tree = RegexNode("loop", (tree,), low == 0)
            elif low == 0:
                tree = RegexNode("optional", (tree,), True)
        return tree

    def _quantifier(self) -> tuple[int, int | None] | None:
        char = self._next()
        if char and char in "*+?":
            self.at += 1
            return (0 if char in "*?" else 1, 1 if char == "?" else None)
        if char != "{":
            return None
        end = self.pattern.find("}", self.at)
        low, comma, high = self.pattern[self.at + 1 : end].partition(",")
        if end < 0 or not low.isdigit() or (high and not high.isdigit()) or len(low + high) > 18:
            raise RegexSyntaxError("a counted repetition that cannot be read")
        self.at = end + 1
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> RegexNode:
        char = self._next()
        self.at += 1
        if char == "(":
            return self._group()
        if char == "[":
            return RegexNode(CharClass(self._class()))
        if char == "\\":
            return self._escape()
        if char in "^$":
            return RegexNode("sequence")
        if char in "*+?":
            raise RegexSyntaxError(f"the quantifier {char} behind nothing")
        if char == ".":
            return RegexNode(CharClass(ANY if self.every else ANY & ~_mask("\n\r")))
        return RegexNode(CharClass(self._folded(_mask(char))))

    def _group(self) -> RegexNode:
        if self._next() == "?":
            self.at += 1
            if self._next(2) in ("<=", "<!"):
                self.at += 2
            elif self._next() in ("=", "!", ">", ":"):
                self.at += 1
            elif self._next() == "<":
                self.at = self._behind(">")
            elif self._flags():
                return RegexNode("sequence")
        tree = self._alternatives()
        if self._next() != ")":
            raise RegexSyntaxError("a parenthesis that is never closed")
        self.at += 1
        return tree

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

    def _escape(self) -> RegexNode:
        code = self._next()
        self.at += 1
        if not code:
            raise RegexSyntaxError("a backslash at the end")
        if code in _NOTHING:
            return RegexNode("sequence")
        if code == "Q":
            end = self.pattern.find("\\E", self.at)
            text = self.pattern[self.at : end if end >= 0 else len(self.pattern)]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            return RegexNode("sequence", tuple(RegexNode(CharClass(self._folded(_mask(char)))) for char in text))
        if code.isdigit() and code != "0":  # The match of a group, of any length.
            return RegexNode("loop", (RegexNode(CharClass(ANY)),), True)
        return RegexNode(CharClass(self._escaped(code)))

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


MAX_PATTERN_CHARACTERS = 1_000
MAX_STEPS = 100_000
"""Maximum steps of the analysis of all regular expressions of one query: a tenth of a second."""

_MAX_LOOP_POSITIONS = 60
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


def find_backtracking_risk(pattern: str, budget: StepBudget) -> str:
    """Return the problem of a pattern as a phrase after its name; empty if it may run."""
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        return f"with more than {MAX_PATTERN_CHARACTERS:,} characters"
    try:
        budget.spend(4 * len(pattern))  # Parsing a character costs as much as four steps.
        return _find_risk(_automaton(parse(pattern), budget), budget)
    except RegexSyntaxError as unreadable:
        return f"with {unreadable}"


def _find_risk(automaton: _Automaton, budget: StepBudget) -> str:
    for loop in _loops(automaton.follow, range(len(automaton.masks)), budget):
        if len(loop) > _MAX_LOOP_POSITIONS:
            return f"with more than {_MAX_LOOP_POSITIONS} characters inside a repetition"
        if _is_ambiguous(automaton, loop, budget):
            return "that backtracks exponentially (a repetition inside a repetition, or alternatives inside one that begin alike)"
    if _longest_row(automaton, budget) > _MAX_REPETITIONS:
        return f"with more than {_MAX_REPETITIONS} repetitions in a row that match the same character"
    return ""


@dataclass(frozen=True)
class _Automaton:
    """Automaton: `masks` are the characters of each position; `follow` counts how often a position can follow another directly."""

    masks: tuple[int, ...]
    follow: tuple[Counter[int], ...]


@dataclass(frozen=True)
class _Part:
    nullable: bool
    first: Counter[int]
    last: Counter[int]


def _automaton(tree: RegexNode, budget: StepBudget) -> _Automaton:
    masks: list[int] = []
    follow: list[Counter[int]] = []

    def join(left: Counter[int], right: Counter[int]) -> None:
        budget.spend(len(left) * len(right))
        for start, ways in left.items():
            for end, others in right.items():
                follow[start][end] = min(2, follow[start][end] + ways * others)

    def build(node: RegexNode) -> _Part:
        if isinstance(node.what, CharClass):
            masks.append(node.what.mask)
            follow.append(Counter())
            here = Counter({len(masks) - 1: 1})
            return _Part(False, here, here)
        parts = [build(child) for child in node.children]
        if node.what == "or":
            first = _sum((part.first for part in parts), budget)
            return _Part(any(p.nullable for p in parts), first, _sum((part.last for part in parts), budget))
        if node.what == "loop" or node.what == "optional":
            (part,) = parts
            if node.what == "loop":
                join(part.last, part.first)
            return _Part(part.nullable or node.may_be_empty, part.first, part.last)
        nullable, first, last = True, Counter[int](), Counter[int]()
        for part in parts:
            join(last, part.first)
            first = _sum((first, part.first), budget) if nullable else first
            last = _sum((last, part.last), budget) if part.nullable else part.last
            nullable = nullable and part.nullable
        return _Part(nullable, first, last)

    build(tree)
    return _Automaton(tuple(masks), tuple(follow))


def _sum(counters: Iterable[Counter[int]], budget: StepBudget) -> Counter[int]:
    total: Counter[int] = Counter()
    for counter in counters:
        budget.spend(len(counter))
        total.update(counter)
    return total


def _loops(follow: Sequence[Collection[int]], places: Iterable[int], budget: StepBudget) -> list[list[int]]:
    """Return the strongly connected components with a cycle, in reverse order of reachability."""
    import rustworkx  # Lazy import: most queries have no regular expression.

    graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
    kept = list(places)
    budget.spend(len(kept) + sum(len(follow[place]) for place in kept))
    number = dict(zip(kept, graph.add_nodes_from(kept), strict=True))
    graph.add_edges_from([
        (number[place], number[other], None) for place in kept for other in follow[place] if other in number
    ])  # fmt: skip
    found = rustworkx.strongly_connected_components(graph)
    loops = [[kept[index] for index in component] for component in found]
    return [loop for loop in loops if len(loop) > 1 or loop[0] in follow[loop[0]]]


def _is_ambiguous(automaton: _Automaton, loop: list[int], budget: StepBudget) -> bool:
    """Return whether one text leads from a position of the loop back to it on two paths.

    These paths lead from a pair of equal positions over a pair of different ones and back. All equal pairs reach each other, since the
    loop is one component.
    """
    budget.spend(sum(len(automaton.follow[place]) for place in loop) + len(loop) ** 2)
    number = {place: index for index, place in enumerate(loop)}
    if any(n > 1 for place in loop for other, n in automaton.follow[place].items() if other in number):
        return True
    ahead, behind = [0] * len(loop), [0] * len(loop)
    for place in loop:
        for other in automaton.follow[place]:
            if other in number:
                ahead[number[place]] |= 1 << number[other]
                behind[number[other]] |= 1 << number[place]
    alike = [
        sum(1 << index for index, other in enumerate(loop) if automaton.masks[place] & automaton.masks[other])
        for place in loop
    ]
    left = _reached_pairs(ahead, alike, budget)
    back = _reached_pairs(behind, alike, budget)
    return any(one & other & ~(1 << place) for place, (one, other) in enumerate(zip(left, back, strict=True)))


def _reached_pairs(steps: Sequence[int], alike: Sequence[int], budget: StepBudget) -> list[int]:
    """Return for each position the positions that form a pair with it which some text reaches from a pair of equal positions."""
    reached = [1 << place for place in range(len(steps))]
    waiting = [(place, place) for place in range(len(steps))]
    while waiting:
        left, right = waiting.pop()
        budget.spend(steps[left].bit_count())
        for place in _bits(steps[left]):
            new = steps[right] & alike[place] & ~reached[place]
            reached[place] |= new
            waiting += [(place, other) for other in _bits(new)]
    return reached


def _bits(mask: int) -> Iterable[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _longest_row(automaton: _Automaton, budget: StepBudget) -> int:
    """Return the maximum number of loops on one path through the positions that read the same character."""
    longest = 0
    for bit in _kinds_of_characters(automaton.masks, budget):
        budget.spend(len(automaton.masks) // 10)
        places = [place for place, mask in enumerate(automaton.masks) if mask >> bit & 1]
        longest = max(longest, _row_of_loops(automaton, places, budget))
    return longest


def _kinds_of_characters(masks: Sequence[int], budget: StepBudget) -> list[int]:
    """Return one character of each kind that the masks distinguish."""
    kinds: dict[tuple[int, ...], int] = {}
    distinct = sorted(set(masks))
    budget.spend(129 * len(distinct) // 10)  # Ten of these cost as much as one other step.
    for bit in range(129):
        kinds.setdefault(tuple(number for number, mask in enumerate(distinct) if mask >> bit & 1), bit)
    return [bit for members, bit in kinds.items() if members]


def _row_of_loops(automaton: _Automaton, places: list[int], budget: StepBudget) -> int:
    kept = set(places)
    loop_of: dict[int, int] = {}
    for number, loop in enumerate(_loops(automaton.follow, places, budget)):
        loop_of.update(dict.fromkeys(loop, number))
    if not loop_of:
        return 0
    best: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for place in places:
        members.setdefault(loop_of.get(place, -1 - place), []).append(place)

    for place in reversed(places):  # Positions are numbered from left to right, and only loops lead back.
        group = loop_of.get(place, -1 - place)
        if group in best:
            continue
        behind = {
            loop_of.get(other, -1 - other)
            for member in members[group] for other in automaton.follow[member] if other in kept
        } - {group}  # fmt: skip
        best[group] = (group >= 0) + max((best.get(other, 0) for other in behind), default=0)
    return max(best.values())
