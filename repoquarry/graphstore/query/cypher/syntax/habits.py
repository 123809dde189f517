"""Hints for habits from SQL, Python, GQL and other versions of Cypher, by the text at a syntax error."""

from __future__ import annotations

import re

_AT: tuple[tuple[str, str], ...] = (
    (r"!=", "unequal is `<>`"),
    (r"=(?<===)", "equality is `=`"),
    (r"(?i:(?:NOT\s+)?I?LIKE)\b", "LIKE is STARTS WITH, ENDS WITH, CONTAINS, or =~ with a regular expression"),
    (r"(?i:GROUP\s+BY)\b", "the columns without an aggregation are the groups; leave GROUP BY out"),
    (r"(?i:HAVING)\b", "HAVING is WITH ... AS n WHERE n > 1"),
    (r"(?i:NOT\s+IN)\b", "write NOT x IN list"),
    (r"(?i:NOT\s+(CONTAINS|STARTS|ENDS))\b", "write NOT before the comparison: NOT x CONTAINS y"),
    (r"&&?", "and is AND"),
    (r"\|\|?", "or is OR"),
    (r"!", "not is NOT"),
    (r"(?i:LET)\b", "LET x = y is WITH *, y AS x"),
    (r"(?i:FILTER)\b", "FILTER is WITH * WHERE ..."),
    (r"(?i:FOR)\b", "FOR x IN list is UNWIND list AS x"),
    (r"(?i:OFFSET)\b", "OFFSET is SKIP, which comes before LIMIT"),
    (r"(?i:SELECT)\b", "a query begins with MATCH and ends with RETURN"),
    (r"(?i:JOIN|INNER|LEFT|OUTER)\b", "a join is a pattern, such as (a)-[:CALLS]->(b)"),
    (r"(?i:None|nil|undefined)\b", "the missing value is null: x IS NULL"),
    (r"(?i:LIMIT|SKIP|ORDER|WHERE|RETURN)\b", "remove the comma before it"),
)
"""Pattern of the text at the error, and the hint."""

_BEFORE: tuple[tuple[str, str], ...] = (
    (r"(?i:\bIN\s*)\([^()]*$", "a list has square brackets: x IN ['a', 'b']"),
    (r"\{\s*\w+\s*$", "a parameter is $name, not {name}"),
    (
        r"(?i:\b(filter|extract)\s*)\(\s*\w+\s+IN\b[^()]*$",
        "filter() and extract() are list comprehensions: [x IN list WHERE ... | ...]",
    ),
    (r",\s*(?i:LIMIT|SKIP|ORDER|WHERE|RETURN)\s*(?i:BY\s*)?$", "remove the comma before it"),
)
"""Pattern of the text before the error, and the hint."""


_READ_BEFORE = 200
"""Characters before the error that are searched, which bounds the search."""


def find_hint(text: str, offset: int) -> str:
    """Return the hint for a syntax error at an offset; empty if there is none."""
    before = text[max(0, offset - _READ_BEFORE) : offset]
    for pattern, hint in _BEFORE:
        if re.search(pattern, before):
            return hint
    for pattern, hint in _AT:
        if re.compile(pattern).match(text, offset):
            return hint
    return ""
