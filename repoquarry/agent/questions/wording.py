"""How answers word counts, names and lines: in one place, so that all answers read alike."""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.graphstore.reading.records import DefinitionRecord

_SURE, _LIKELY = 0.9, 0.5


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `no files`; for nouns whose plural is made with s or ies."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + ("es" if noun.endswith("s") else "s")
    return f"{number or 'no'} {noun if number == 1 else plural}"


def names_of(definitions: Sequence[DefinitionRecord], limit: int = 6, *, places: bool = False) -> str:
    """Names with `and`; files and lines behind them when asked for, which they need when they are the same."""
    shown = [f"`{item.title}`" + (f" ({item.where()})" if places else "") for item in definitions[:limit]]
    if not places and len(set(shown)) < len(shown):
        return names_of(definitions, limit, places=True)
    if len(definitions) > limit:
        shown.append(f"{len(definitions) - limit} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def sites(lines: Sequence[int], limit: int = 5) -> str:
    """`line 4`, `lines 4, 9 and 3 more`."""
    if not lines:
        return "an unknown line"
    more = f" and {len(lines) - limit} more" if len(lines) > limit else ""
    return ("line " if len(lines) == 1 else "lines ") + ", ".join(map(str, lines[:limit])) + more


def times(number: int) -> str:
    """`once`, `twice`, `7 times`, `never`."""
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def certainty(confidence: float) -> str:
    """What is said behind a call whose target is not sure; nothing for a sure one."""
    if confidence >= _SURE:
        return ""
    return ", probably" if confidence >= _LIKELY else ", one of several methods that the call may reach"


def sentence(parts: Sequence[str]) -> str:
    """Clauses as one sentence; empty for none."""
    joined = "; ".join(parts)
    return f"{joined[:1].upper()}{joined[1:].rstrip('.')}." if joined else ""


def quoted_lines(lines: Sequence[tuple[int, str]], longest: int = 120) -> str:
    """Numbered source lines as sentences: "Line 4 says `x = 1`."; empty for none."""
    return " ".join(f"Line {number} says `{line[:longest]}`." for number, line in lines)
