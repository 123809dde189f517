"""Repositories that mix languages: files of one family see each other only, and their edges are those of one graph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.ingest import resolution
from repoquarry.ingest.resolution import Resolution, prepare, resolve
from repoquarry.ingest.resolution.families import stubs_of
from repoquarry.ingest.resolution.kernel_input import PROTOCOLS, TABLES, encode_tables
from repoquarry.languages import registry
from repoquarry.languages.family import LanguageFeature, PointsToConfig
from tests.toylang import toy_language

SOURCES = {
    "tool/main.py": "import util\n\nutil.run(len)\n",
    "tool/util.py": "def run(f):\n    return f\n",
    "web/main.toy": 'use "./util" as util\nuse "std" as std\nutil.run()\nstd.list()\n',
    "web/util.toy": "fn run()\n  return std\n",
}


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    with toy_language():
        yield


def resolved(*paths: str) -> Resolution:
    return resolve([registry.language_for(path).extract(path, SOURCES[path].encode()) for path in paths or SOURCES])


def edges(found: Resolution) -> set[tuple[object, object]]:
    """(caller, callee) of calls and imports by path and key, or name."""

    def end(number: int) -> object:
        return found.path_key(number) or found.external(number)

    calls = {(end(one.caller), end(one.callee)) for one in found.calls}
    return calls | {(end(one.source), end(one.target)) for one in found.imports}


def test_a_mixture_has_the_edges_of_its_parts() -> None:
    whole = resolved()
    parts = edges(resolved("tool/main.py", "tool/util.py")) | edges(resolved("web/main.toy", "web/util.toy"))
    assert edges(whole) == parts
    assert (("web/main.toy", ""), "std.list") in parts
    assert (("tool/main.py", ""), ("tool/util.py", "run")) in parts
    assert [module.path for module in whole.modules] == sorted(SOURCES)
    assert resolve([registry.language_for(p).extract(p, SOURCES[p].encode()) for p in reversed(SOURCES)]) == whole


@pytest.mark.parametrize("modules_are_known", [True, False])
def test_a_language_without_calls_has_modules_definitions_and_imports(
    monkeypatch: pytest.MonkeyPatch, modules_are_known: bool
) -> None:
    toy = registry.load("toy")
    assert toy.has_calls
    family = replace(toy.family, method=None) if toy.family and modules_are_known else None
    quiet = replace(toy, family=family)
    assert not quiet.has_calls
    monkeypatch.setattr(resolution, "load", lambda name: quiet if name == "toy" else registry.load(name))
    found = resolved("web/main.toy", "web/util.toy", "tool/util.py")
    keys = {"tool/util.py": ["", "run"], "web/main.toy": [""], "web/util.toy": ["", "run"]}
    assert {path: [one.key for one in found.symbols if one.path == path] for path in keys} == keys
    assert not found.calls
    assert not found.unresolved
    imports = {(("web/main.toy", ""), ("web/util.toy", "")), (("web/main.toy", ""), "std")}
    assert edges(found) == (imports if modules_are_known else set())


def test_tables_stand_in_the_order_of_the_kernel() -> None:
    header = (Path(resolution.__file__).parents[2] / "native/resolution/kernel/program/language_tables.h").read_text()
    assert names_of("LanguageProtocol", header) == PROTOCOLS
    assert names_of("TableId", header)[1:] == TABLES
    assert names_of("LanguageFeature", header) == tuple(
        feature.name.lower() for feature in LanguageFeature if feature.name
    )


def names_of(enum: str, header: str) -> tuple[str, ...]:
    """The names of an enumeration but the last one, which counts them."""
    body = header.partition(f"enum class {enum} : int32_t {{")[2].partition("}")[0]
    return tuple(re.findall(r"(\w+)\s*(?:,|$)", re.sub(r"//.*", "", body).strip()))[:-1]


def test_the_kernel_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="knows no protocol 'iterated'"):
        encode_tables(PointsToConfig(protocols={"iterated": "next"}, tables=dict))
    with pytest.raises(ValueError, match="knows no table 'container'"):
        encode_tables(PointsToConfig(protocols={}, tables=lambda: {"container": ()}))


def test_what_may_be_meant_by_an_unresolved_call_is_never_in_the_outside_world() -> None:
    """`getLineNumber` is defined in the sources that Java brings for its platform, which are no files of the repository."""
    sources = {
        "A.java": "class A { void f() { nope.getLineNumber(); nope.own(); } void own() {} }",
        "b.py": "def b():\n    return 1\n",
    }
    found = resolve([registry.language_for(path).extract(path, text.encode()) for path, text in sources.items()])
    meant = {one.name: [found.path_key(target) for target in one.candidates] for one in found.unresolved}
    assert meant == {"getLineNumber": [], "own": [("A.java", "A.own")]}


def test_what_a_family_needs_beside_its_files_is_made_once_while_they_are_waited_for() -> None:
    stubs_of.cache_clear()
    prepare(registry.language_for("A.java").extract("A.java", b""))
    assert stubs_of.cache_info().currsize == 1
    prepare(registry.language_for("B.java").extract("B.java", b""))
    assert stubs_of.cache_info().misses == 1
