"""The version of a library that is chosen for a user of it."""

import pytest

from repoquarry.ingest.graph.provided_names import PackageDeclarations, choose_provider


def _stored(ecosystem: str, *versions: str) -> dict[str, PackageDeclarations]:
    return {f"lib@{one}": PackageDeclarations(provides={f"{ecosystem}/lib": one}) for one in versions}


def _asking(ecosystem: str, requirement: str) -> PackageDeclarations:
    return PackageDeclarations(requires={f"{ecosystem}/lib": requirement})


def test_the_locked_version_comes_before_requirement_and_newest() -> None:
    stored = _stored("pypi", "1.0", "1.5", "2.0")
    assert (
        choose_provider(stored, PackageDeclarations(requires={"pypi/lib": ">=1"}, locked={"pypi/lib": "1"}))
        == "lib@1.0"
    )
    assert (
        choose_provider(stored, PackageDeclarations(requires={"pypi/lib": "<2"}, locked={"pypi/lib": "1.4"}))
        == "lib@1.5"
    )
    assert choose_provider(stored, PackageDeclarations(requires={"pypi/other": "<2"})) == "lib@2.0"


@pytest.mark.parametrize(
    ("ecosystem", "requirement", "expected"),
    [
        ("pypi", ">=1,<2", "1.5.2"),
        ("pypi", "(>=1,<2) ; python_version > '3'", "1.5.2"),
        ("pypi", "~= 1.4", "1.5.2"),
        ("pypi", "^1.4", "1.5.2"),
        ("pypi", "==1.4.*", "1.4.0"),
        ("npm", "^0.2.3", "0.2.9"),
        ("npm", "~1.4", "1.4.0"),
        ("npm", "1.x || >=7", "1.5.2"),
        ("npm", "1.4", "1.4.0"),
        ("npm", ">= 0.2.0 < 1", "0.3.0"),
        ("npm", "*", "2.0.0"),
        ("crates", "0.2", "0.2.9"),
        ("crates", "=1.4.0", "1.4.0"),
        ("npm", "workspace:*", "2.0.0"),
        ("npm", "^9", "2.0.0"),
        ("maven", "[1,2)", "2.0.0"),
        ("maven", "1.4.0", "1.4.0"),
    ],
)
def test_the_highest_that_the_requirement_allows_else_the_newest(
    ecosystem: str, requirement: str, expected: str
) -> None:
    stored = _stored(ecosystem, "0.2.9", "0.3.0", "1.4.0", "1.5.2", "2.0.0", "2.1.0rc1")
    assert choose_provider(stored, _asking(ecosystem, requirement)) == f"lib@{expected}"


def test_a_version_is_that_of_the_manifest_else_that_of_the_ref() -> None:
    bare = {"pypi/lib": ""}
    stored = {
        "a": PackageDeclarations(provides={"pypi/lib": "3.0"}, ref="v1.0"),
        "b": PackageDeclarations(provides=bare, ref="release/1.5"),
        "lib@main": PackageDeclarations(provides=bare, ref="main"),
    }
    for requirement, expected in (("<2", "b"), (">=2", "a"), ("", "a")):
        assert choose_provider(stored, _asking("pypi", requirement)) == expected


def test_what_is_open_stays_open() -> None:
    user = _asking("pypi", ">=1")
    same = {
        "library": PackageDeclarations(provides={"pypi/lib": "1"}),
        "fork": PackageDeclarations(provides={"pypi/lib": "1.0"}),
    }
    assert choose_provider(same, user) is None
    assert choose_provider(same, PackageDeclarations(locked={"pypi/lib": "1"})) is None
    unrelated = {
        "library": PackageDeclarations(provides={"pypi/lib": "1"}),
        "other": PackageDeclarations(provides={"pypi/other": "2"}),
    }
    assert choose_provider(unrelated, PackageDeclarations()) is None
    assert choose_provider(unrelated, user) == "library"
    assert choose_provider({"lib@a": PackageDeclarations(), "lib@b": PackageDeclarations()}, user) is None
    assert choose_provider({"only": PackageDeclarations()}, user) == "only"
    assert choose_provider({}, user) is None
