"""How a backtracking matcher, such as Java's, behaves on a regular expression: whether it can need exponential time.

A pattern becomes an automaton whose states are the places of its characters (Glushkov's construction). Time is exponential when
one text leads along two different ways from a state back to itself: `(a+)+`, `(a|a)*`, `(.*,)*`; not in `(\\w+\\.)*\\w+`. How often an
ordinary repetition follows another that reads the same character gives the degree of a polynomial, which is bounded as well.
Counted repetitions are taken for unbounded ones, and what is not known for anything, so that doubt refuses.

Source: Weideman, van der Merwe, Berglund, Watson, "Analyzing Matching Time Behavior of Backtracking Regular Expression
Matchers by Using Ambiguity of NFA", CIAA 2016.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from repoquarry.graphstore.cypher.regex.tree import Place, Tree, UnreadablePattern, parse

MOST_PLACES = 1_000
"""Characters and classes of a pattern that is looked at."""

_MOST_IN_LOOP = 60
_MOST_REPETITIONS = 4
"""Repetitions in a row that can read the same character: time grows with the length of the text to this power."""


def objection(pattern: str) -> str:
    """What is wrong with a pattern, as the words behind its name; empty when it may run."""
    try:
        automaton = _automaton(parse(pattern))
    except UnreadablePattern as unreadable:
        return f"with {unreadable}"
    if len(automaton.masks) > MOST_PLACES:
        return f"with more than {MOST_PLACES:,} characters and classes"
    loops = _loops(automaton.follow, range(len(automaton.masks)))
    for loop in loops:
        if len(loop) > _MOST_IN_LOOP:
            return f"with more than {_MOST_IN_LOOP} characters inside a repetition"
        if _is_ambiguous(automaton, loop):
            return "that backtracks exponentially (a repetition inside a repetition, or alternatives inside one that begin alike)"
    if _longest_row(automaton) > _MOST_REPETITIONS:
        return f"with more than {_MOST_REPETITIONS} repetitions in a row that match the same character"
    return ""


@dataclass(frozen=True)
class _Automaton:
    """`masks` are the characters of each place; `follow` says how often a place can follow another directly."""

    masks: tuple[int, ...]
    follow: tuple[Counter[int], ...]


@dataclass(frozen=True)
class _Part:
    nullable: bool
    first: Counter[int]
    last: Counter[int]


def _automaton(tree: Tree) -> _Automaton:
    masks: list[int] = []
    follow: list[Counter[int]] = []

    def join(left: Counter[int], right: Counter[int]) -> None:
        for start, ways in left.items():
            for end, others in right.items():
                follow[start][end] = min(2, follow[start][end] + ways * others)

    def build(node: Tree) -> _Part:
        if isinstance(node.what, Place):
            masks.append(node.what.mask)
            follow.append(Counter())
            here = Counter({len(masks) - 1: 1})
            return _Part(False, here, here)
        parts = [build(child) for child in node.children]
        if node.what == "or":
            first = _sum(part.first for part in parts)
            return _Part(any(p.nullable for p in parts), first, _sum(part.last for part in parts))
        if node.what == "loop" or node.what == "optional":
            (part,) = parts
            if node.what == "loop":
                join(part.last, part.first)
            return _Part(part.nullable or node.may_be_empty, part.first, part.last)
        nullable, first, last = True, Counter[int](), Counter[int]()
        for part in parts:
            join(last, part.first)
            first = _sum((first, part.first)) if nullable else first
            last = _sum((last, part.last)) if part.nullable else part.last
            nullable = nullable and part.nullable
        return _Part(nullable, first, last)

    build(tree)
    return _Automaton(tuple(masks), tuple(follow))


def _sum(counters: Iterable[Counter[int]]) -> Counter[int]:
    total: Counter[int] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _loops(follow: Sequence[Iterable[int]], places: Iterable[int]) -> list[list[int]]:
    """The strongly connected components with a way back to themselves, in reverse order of reachability."""
    import rustworkx  # here because most queries have no regular expression

    graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
    kept = list(places)
    number = dict(zip(kept, graph.add_nodes_from(kept), strict=True))
    graph.add_edges_from([
        (number[place], number[other], None) for place in kept for other in follow[place] if other in number
    ])  # fmt: skip
    found = rustworkx.strongly_connected_components(graph)
    loops = [[kept[index] for index in component] for component in found]
    return [loop for loop in loops if len(loop) > 1 or loop[0] in follow[loop[0]]]


def _is_ambiguous(automaton: _Automaton, loop: list[int]) -> bool:
    """Whether one text leads from a place of the loop back to it on two ways."""
    inside = set(loop)
    ways = {place: [(other, n) for other, n in automaton.follow[place].items() if other in inside] for place in loop}
    if any(n > 1 for found in ways.values() for _, n in found):
        return True
    pairs = {(a, b): number for number, (a, b) in enumerate((a, b) for a in loop for b in loop)}
    follow = [
        [pairs[c, d] for c, _ in ways[a] for d, _ in ways[b] if automaton.masks[c] & automaton.masks[d]]
        for a, b in pairs
    ]
    both = list(pairs)
    for component in _loops(follow, range(len(both))):
        same = {both[number][0] == both[number][1] for number in component}
        if same == {True, False}:
            return True
    return False


def _longest_row(automaton: _Automaton) -> int:
    """The most loops on one way through the places that read one same character."""
    longest = 0
    for bit in _kinds_of_characters(automaton.masks):
        places = [place for place, mask in enumerate(automaton.masks) if mask >> bit & 1]
        longest = max(longest, _row_of_loops(automaton, places))
    return longest


def _kinds_of_characters(masks: Sequence[int]) -> list[int]:
    """One character of each kind that the masks tell apart."""
    kinds: dict[tuple[int, ...], int] = {}
    distinct = sorted(set(masks))
    for bit in range(129):
        kinds.setdefault(tuple(number for number, mask in enumerate(distinct) if mask >> bit & 1), bit)
    return [bit for members, bit in kinds.items() if members]


def _row_of_loops(automaton: _Automaton, places: list[int]) -> int:
    kept = set(places)
    loop_of: dict[int, int] = {}
    for number, loop in enumerate(_loops(automaton.follow, places)):
        loop_of.update(dict.fromkeys(loop, number))
    if not loop_of:
        return 0
    best: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for place in places:
        members.setdefault(loop_of.get(place, -1 - place), []).append(place)

    for place in reversed(places):  # places are numbered from left to right, and only loops lead back
        group = loop_of.get(place, -1 - place)
        if group in best:
            continue
        behind = {
            loop_of.get(other, -1 - other)
            for member in members[group] for other in automaton.follow[member] if other in kept
        } - {group}  # fmt: skip
        best[group] = (group >= 0) + max((best.get(other, 0) for other in behind), default=0)
    return max(best.values())
