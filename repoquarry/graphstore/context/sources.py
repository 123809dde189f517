"""Shows a class or function in as few tokens as asked: whole, or with the bodies of its methods left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from repoquarry.graphstore import tokens
from repoquarry.graphstore.search.index.places import CLASS, FUNCTION, Places


def excerpt(places: Places, place: int, lines: Sequence[str], budget: int) -> str:
    """Return the source of a place, its outline, or the beginning of that, whichever is the first to fit the budget.

    Empty when not even the first line fits.
    """
    whole = _join(places, place, lines, _span(places, place))
    if tokens.count(whole) <= budget:
        return whole
    outline = _join(places, place, lines, _outline(places, place, lines))
    if places.label[place] == CLASS and tokens.count(outline) <= budget:
        return outline
    return _beginning(outline if places.label[place] == CLASS else whole, budget)


def title(places: Places, place: int) -> str:
    """The line above an excerpt that says where it is from."""
    span = f"{places.start_line[place]}-{places.end_line[place]}"
    qualname = places.qualname(place)
    return f"## {places.path(place)}:{span}{f' {qualname}' if qualname else ''}"


def _span(places: Places, place: int) -> Iterator[int]:
    return iter(range(int(places.start_line[place]), int(places.end_line[place]) + 1))


def _outline(places: Places, place: int, lines: Sequence[str]) -> Iterator[int]:
    """Line numbers of a class without the bodies of what it defines; 0 stands for lines left out."""
    inner = [
        member
        for member in places.definitions.get(int(places.file[place]), ())
        if places.parent[member] == place and places.label[member] == FUNCTION
    ]
    number = int(places.start_line[place])
    for member in inner:
        first, last = int(places.start_line[member]), int(places.end_line[member])
        yield from range(number, first)
        head = _head_end(lines, first, last)
        yield from range(max(number, first), head + 1)
        if head < last:
            yield 0
        number = max(number, last + 1)
    yield from range(number, int(places.end_line[place]) + 1)


def _head_end(lines: Sequence[str], first: int, last: int) -> int:
    """Last line of a definition's head: where its brackets are closed again and a body may begin."""
    depth = 0
    for number in range(first, min(last, first + 20, len(lines)) + 1):
        text = lines[number - 1]
        depth += sum(text.count(open_) for open_ in "([") - sum(text.count(close) for close in ")]")
        stripped = text.strip()
        if depth <= 0 and stripped and not stripped.startswith("@"):
            return number
    return first


def _join(places: Places, place: int, lines: Sequence[str], numbers: Iterator[int]) -> str:
    indent = " " * 8
    shown = [lines[number - 1] if number else f"{indent}..." for number in numbers if number <= len(lines)]
    return "\n".join(shown)


def _beginning(text: str, budget: int) -> str:
    """Whole lines from the beginning that fit, with `...` as the last one."""
    cut = tokens.head(text, max(budget - 2, 0))
    whole = cut.rsplit("\n", 1)[0] if "\n" in cut else ""
    return f"{whole}\n..." if whole else ""
