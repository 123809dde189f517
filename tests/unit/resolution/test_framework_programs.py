"""Programs made of the idioms of frameworks, written from their documentation, with edges that must exist and edges that must not.

`--- expected` of a program lists `caller -> callee` by the ends of qualified names; lines with `!` must have no likely edge, lines with `?` are
edges that are not found yet. Lambdas count to the definition around them.
"""

import re

import pytest

from repoquarry.graphstore.model.call_views import LIKELY
from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry
from tests.resolution_export import PROGRAMS, read_programs

PATHS = sorted((PROGRAMS / "frameworks").glob("*.txt"))
CASES = [(path.stem, title, texts) for path in PATHS for title, texts in read_programs(path)]


def find_calls(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Return (caller, callee) of all likely call edges of a program, without names of lambdas."""
    files = [
        registry.language_for(path).extract(path, texts[path].encode()) for path in texts if registry.is_source(path)
    ]
    configuration = {path: text.encode() for path, text in texts.items() if registry.is_configuration(path)}
    found = resolve(files, configuration=configuration)
    names: list[str] = []
    for facts in sorted(files, key=lambda one: one.path):
        names += ["", *(one.qualname for one in facts.definitions)]
    return {
        (plain(names[edge.caller]), plain(names[edge.callee] if edge.callee >= 0 else found.externals[~edge.callee]))
        for edge in found.calls
        if edge.confidence >= LIKELY
    }


def plain(name: str) -> str:
    return re.sub(r"\.?<[^>]*>", "", name)


def has_edge(calls: set[tuple[str, str]], line: str) -> bool:
    caller, _, callee = line.partition(" -> ")
    return any(
        (one == caller or one.endswith(f".{caller}")) and (other == callee or other.endswith(f".{callee}"))
        for one, other in calls
    )


@pytest.mark.parametrize(("language", "title", "texts"), CASES, ids=[f"{one[0]}: {one[1]}" for one in CASES])
def test_framework_calls_exist_and_others_do_not(language: str, title: str, texts: dict[str, str]) -> None:
    lines = texts.pop("expected").split("\n")
    calls = find_calls(texts)
    missing = [line for line in lines if line and line[0] not in "!?" and not has_edge(calls, line)]
    others = [line for line in lines if line and line[0] in "!?" and has_edge(calls, line[2:])]
    assert (missing, others) == ([], [])
