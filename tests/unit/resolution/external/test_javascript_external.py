"""The outside world of JavaScript as its stubs declare it."""

from repoquarry.languages.javascript.extractor import extract
from repoquarry.languages.javascript.family import FOLDER, load_stub_declarations, tables


def test_the_stubs_are_read_without_errors() -> None:
    paths = sorted(FOLDER.rglob("*.d.ts"))
    assert paths
    assert [extract(path.name, path.read_bytes()).parse_errors for path in paths] == [()] * len(paths)


def test_effects_of_functions_apply_to_declared_functions() -> None:
    known = load_stub_declarations()
    behaviours = tables()["behaviours"][::2]
    heads = {name.split(".")[1] for name in behaviours if name.startswith("globalThis.")}
    assert heads <= set(known.names)


def test_effects_of_methods_apply_to_declared_methods() -> None:
    members = {name for own in load_stub_declarations().members.values() for name in own}
    assert {*tables()["container_methods"][::2]} <= members


def test_members_and_results_come_from_the_declarations() -> None:
    known = load_stub_declarations()
    assert {"map", "push", "length"} <= {*known.members["Array"]}
    assert known.results["String.split"] == "Array"
    assert known.results["path.join"] == "String"
    assert known.results["fetch"] == "Promise"
    assert "JSON.parse" not in known.results


def test_what_a_type_inherits_is_its_own() -> None:
    members = load_stub_declarations().members
    assert {*members["Iterator"]} <= {*members["Generator"]}
    assert "message" in members["TypeError"]
