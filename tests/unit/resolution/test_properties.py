"""What must hold for any input: order and renaming change nothing, and nothing is joined by name alone."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.facts import FileFacts
from ingest.languages.python import extract
from ingest.resolution import Budget, Resolution, resolve

SOURCES = Path(__file__).parent / "sources"
FILES = [extract(f"package/{path.name}", path.read_bytes()) for path in sorted(SOURCES.glob("*.py"))]


def edges(resolution: Resolution) -> set[tuple[object, ...]]:
    """Calls by name, so that they can be compared between runs that number symbols differently."""

    def name(target: int) -> object:
        return resolution.path_key(target) or resolution.external(target)

    return {(name(edge.caller), name(edge.callee), edge.lines, edge.how, edge.confidence) for edge in resolution.calls}


@given(st.permutations(FILES))
@settings(max_examples=10, deadline=None)
def test_the_order_of_files_changes_nothing(files: list[FileFacts]) -> None:
    assert msgspec.msgpack.encode(resolve(files)) == msgspec.msgpack.encode(resolve(FILES))


@given(st.from_regex(r"\A[a-z]{3,8}_x\Z"))
@settings(max_examples=10, deadline=None)
def test_renaming_a_local_changes_no_edge(name: str) -> None:
    source = (SOURCES / "flow.py").read_text()
    renamed = re.sub(r"\bpet\b", name, source)
    before, after = (edges(resolve([extract("flow.py", text.encode())])) for text in (source, renamed))
    assert before == after


def test_facts_survive_the_way_between_processes() -> None:
    for facts in FILES:
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts)
        assert again == facts
    copies = [msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=FileFacts) for facts in FILES]
    assert resolve(copies) == resolve(FILES)


def test_a_method_is_not_found_by_its_name_alone() -> None:
    source = b"class A:\n    def only_here(self):\n        pass\n\ndef f(x):\n    x.only_here()\n"
    resolution = resolve([extract("a.py", source)])
    assert resolution.calls == []
    (site,) = resolution.unresolved
    assert (site.name, site.reason, site.lines) == ("only_here", "unknown receiver", (6,))
    assert [resolution.path_key(candidate) for candidate in site.candidates] == [("a.py", "A.only_here")]


def test_a_spent_budget_is_said() -> None:
    resolution = resolve(FILES, budget=Budget(steps=5))
    assert resolution.budget_hit
    assert not resolve(FILES).budget_hit


def test_endless_structures_come_to_an_end() -> None:
    source = (
        b"class C:\n    def m(self):\n        self.x = C()\n        self.x.x = self\n        return self.x.m().m()\n"
        b"a = []\na.append(a)\na[0][0][0]()\nC.__call__ = C()\nC()()()\n"
    )
    assert not resolve([extract("a.py", source)]).budget_hit
