"""Resolutions of several language families as one, and parts of one family that are united."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from repoquarry.ingest import resolution
from repoquarry.ingest.resolution import Resolution, families, prepare, resolve
from repoquarry.ingest.resolution.families import stubs_of
from repoquarry.ingest.resolution.kernel_input import PROTOCOLS, TABLES, encode_tables
from repoquarry.languages import registry
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import LanguageFeature, PointsToConfig
from repoquarry.languages.registry import language_for
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


def test_tables_follow_the_order_of_the_kernel() -> None:
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


def test_stubs_of_a_family_are_loaded_once() -> None:
    stubs_of.cache_clear()
    prepare(registry.language_for("A.java").extract("A.java", b""))
    assert stubs_of.cache_info().currsize == 1
    prepare(registry.language_for("B.java").extract("B.java", b""))
    assert stubs_of.cache_info().misses == 1


TWO_FAMILIES = {
    "app/base.py": "class Base:\n    def run(self):\n        pass\n",
    "app/main.py": "from app.base import Base\n\n\nclass Job(Base):\n    def run(self):\n        missing()\n\n\n"
    "def start(job: Job):\n    Job().run()\n\n\nif __name__ == '__main__':\n    start(Job())\n",
    "web/base.js": "export class Base { run() {} }\n",
    "web/main.js": "import { Base } from './base.js';\nexport class Page extends Base { run() { absent(); } }\n"
    "export function show() { new Page().run(); }\nshow();\n",
}


def _facts(wanted: str) -> list[FileFacts]:
    return [
        language_for(path).extract(path, TWO_FAMILIES[path].encode())
        for path in sorted(TWO_FAMILIES)
        if path.endswith(wanted)
    ]


def _told(found: Resolution, name: str) -> set[tuple[object, ...]]:
    """The records of a list with names in place of numbers."""

    def shown(number: int) -> object:
        return found.path_key(number) or found.external(number)

    def row(record: object) -> tuple[object, ...]:
        numbers = families._LISTS[name]
        fields = record.__struct_fields__  # type: ignore[attr-defined]
        return tuple(
            shown(getattr(record, one)) if one in numbers else getattr(record, one)
            for one in fields
            if one != "candidates"
        )

    return {row(record) for record in getattr(found, name)}


def test_every_list_of_records_is_in_the_table() -> None:
    kinds = {name: get_args(kind)[0] for name, kind in get_type_hints(Resolution).items() if get_args(kind)}
    beside = {"symbols", "externals", "modules", "origins"}
    assert kinds.keys() - beside == families._LISTS.keys()
    assert all(set(fields) <= set(kinds[name].__struct_fields__) for name, fields in families._LISTS.items())


def test_two_families_resolve_as_each_alone() -> None:
    python, javascript, whole = resolve(_facts(".py")), resolve(_facts(".js")), resolve(_facts(""))
    for name in families._LISTS:
        assert _told(whole, name) == _told(python, name) | _told(javascript, name), name
        assert len(getattr(whole, name)) == len(getattr(python, name)) + len(getattr(javascript, name))
    assert all(_told(whole, name) for name in ("imports", "unresolved", "inherits", "overrides", "exports"))


def test_a_script_without_console_is_a_module() -> None:
    sources = {
        "app.pyw": "from tools import go\n\ndef main():\n    go()\n",
        "tools.py": "import app\n\ndef go():\n    app.main()\n",
    }
    found = resolve([language_for(path).extract(path, text.encode()) for path, text in sources.items()])
    calls = {(found.symbols[edge.caller].key, found.symbols[edge.callee].path) for edge in found.calls}
    assert calls == {("main", "tools.py"), ("go", "app.pyw")}
