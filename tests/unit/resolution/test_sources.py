"""Small sources with carets: under a line, what its call sites reach (`calls:`), why they reach nothing (`unresolved:`),
or which constants and fields it reads, assigns or imports (`uses:`).

A file is a case, and so is a folder below that of a language: a repository of several files. Lines are those of the file in which the
caret stands, comments are written as the language writes them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages import registry
from repoquarry.languages.facts import FileFacts
from tests.golden import GoldenFiles
from tests.resolution_export import GOLDEN, golden_section, read_program
from tests.toylang import toy_language

HERE = Path(__file__).parent / "sources"
SUFFIXES = {
    suffix for entry in registry.LANGUAGES.values() for suffixes in entry.suffixes.values() for suffix in suffixes
}
SUFFIXES.add(".toy")
CASES = sorted(path for path in [*HERE.glob("*.py"), *HERE.glob("*/*")] if path.is_dir() or path.suffix in SUFFIXES)
GROUPS: dict[str, list[Path]] = defaultdict(list)
"""Cases by language."""
for _case in CASES:
    GROUPS["python" if _case.parent == HERE else _case.parent.name].append(_case)
Findings = dict[tuple[str, int], set[tuple[str, str]]]


@pytest.fixture(autouse=True, scope="module")
def toy() -> Iterator[None]:
    """The toy language, known as any other is: by a line in the table."""
    with toy_language():
        yield


def expectations(path: str, text: str) -> Findings:
    """(File, line) -> (kind, name) of everything that the carets below the line say."""
    markers = "|".join(map(re.escape, registry.language_for(path).comments.line))
    caret = re.compile(rf"^\s*(?:{markers})\s*\^ (calls|unresolved|uses): (.+)$")
    found: Findings = defaultdict(set)
    line = 0
    for number, content in enumerate(text.splitlines(), 1):
        if match := caret.match(content):
            found[path, line] |= {(match[1], name.strip()) for name in match[2].split(",")}
        else:
            line = number
    return dict(found)


def findings(resolution: Resolution, files: list[FileFacts]) -> Findings:
    """The same for the resolution. Definitions are named within their namespace, where the language has such, or within their module."""
    names = {module.path: module.name for module in resolution.modules} | {
        facts.path: facts.namespace for facts in files if facts.namespace
    }
    found: Findings = defaultdict(set)
    for edge in resolution.calls:
        symbol = resolution.symbols[edge.callee] if edge.callee >= 0 else None
        name = (
            ".".join(filter(None, (names[symbol.path], symbol.key))) if symbol else resolution.externals[~edge.callee]
        )
        for line in edge.lines:
            found[resolution.symbols[edge.caller].path, line].add(("calls", name))
    for use in resolution.uses:
        owner = resolution.symbols[use.owner]
        name = ".".join(filter(None, (names[owner.path], owner.key, use.name)))
        for line in use.lines:
            found[resolution.symbols[use.source].path, line].add(("uses", name))
    for site in resolution.unresolved:
        for line in site.lines:
            found[resolution.symbols[site.caller].path, line].add(("unresolved", site.reason))
    return dict(found)


@cache
def resolved(case: Path) -> tuple[list[FileFacts], dict[str, bytes], Resolution]:
    files, configuration = read_program(case)
    return files, configuration, resolve(files, configuration=configuration)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.relative_to(HERE).as_posix())
def test_every_call_site_reaches_what_the_carets_say(case: Path) -> None:
    files, _, resolution = resolved(case)
    assert [facts.parse_errors for facts in files] == [()] * len(files)
    expected: Findings = {}
    for facts in files:
        path = case / facts.path if case.is_dir() else case
        expected |= expectations(facts.path, path.read_text(encoding="utf-8"))
    found = findings(resolution, files)
    if not any(kind == "uses" for sites in expected.values() for kind, _ in sites):
        found = {site: own for site, sites in found.items() if (own := {one for one in sites if one[0] != "uses"})}
    assert found == expected


@pytest.mark.parametrize("group", GROUPS)
def test_resolution_of_a_language_equals_the_golden_file(group: str, golden_files: GoldenFiles) -> None:
    sections = (golden_section(case.name, *resolved(case)) for case in GROUPS[group])
    golden_files.check(GOLDEN / f"{group}.txt", "\n".join(line for section in sections for line in section) + "\n")


def test_every_golden_file_belongs_to_a_test() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {*GROUPS, "programs"}
