"""Small sources with carets: under a line, what its call sites reach (`calls:`) or why they reach nothing (`unresolved:`)."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from repoquarry.ingest.languages.python import extract
from repoquarry.ingest.resolution import Resolution, resolve

SOURCES = sorted((Path(__file__).parent / "sources").glob("*.py"))
CARET = re.compile(r"^\s*#\s*\^ (calls|unresolved): (.+)$")


def expectations(text: str) -> dict[int, set[tuple[str, str]]]:
    """Line -> (kind, name) of everything that the carets below it say."""
    found: dict[int, set[tuple[str, str]]] = defaultdict(set)
    line = 0
    for number, content in enumerate(text.splitlines(), 1):
        if match := CARET.match(content):
            found[line] |= {(match[1], name.strip()) for name in match[2].split(",")}
        else:
            line = number
    return found


def findings(resolution: Resolution) -> dict[int, set[tuple[str, str]]]:
    """The same of what was resolved."""
    modules = {module.path: module.name for module in resolution.modules}
    found: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for edge in resolution.calls:
        if edge.callee >= 0:
            symbol = resolution.symbols[edge.callee]
            name = f"{modules[symbol.path]}.{symbol.key}"
        else:
            name = resolution.externals[~edge.callee]
        for line in edge.lines:
            found[line].add(("calls", name))
    for site in resolution.unresolved:
        for line in site.lines:
            found[line].add(("unresolved", site.reason))
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_call_site_reaches_what_the_carets_say(path: Path) -> None:
    source = path.read_bytes()
    facts = extract(path.name, source)
    assert facts.parse_errors == ()
    assert dict(findings(resolve([facts]))) == dict(expectations(source.decode()))
