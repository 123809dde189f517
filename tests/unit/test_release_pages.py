"""Pages of a release and of the papers: versions, dependencies, and commands that exist."""

import csv
import re
import tomllib

from repoquarry.agent.tools.base import available_tools
from tests.e2e.service import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_has_notes_and_a_changelog() -> None:
    notes = (ROOT / "docs/guides/release-notes.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(PROJECT['version'])}\n\n\S", notes, re.MULTILINE)
    assert f"## [{PROJECT['version']}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_dependency_has_a_purpose() -> None:
    required = {re.split(r"[<>=]", requirement)[0] for requirement in PROJECT["dependencies"]}
    with (ROOT / "docs/data/dependencies.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row["package"])} == required
    assert all(row["purpose"] for row in rows)


STATES = {"works", "differs", "partly", "missing"}


def rows() -> list[dict[str, str]]:
    with (ROOT / "docs" / "data" / "papers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def options_by_command() -> dict[str, set[str]]:
    """Read the commands and options from the page that is generated from the command line."""
    sections = re.split(
        r"^## repoquarry ", (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return {
        part.split(maxsplit=1)[0]: set(re.findall(r"^\| `(?:\S+ )?(--[\w-]+)", part, re.MULTILINE))
        for part in sections[1:]
    }


def test_every_named_command_and_option_exists() -> None:
    known = options_by_command()
    assert {"evaluate", "show", "context"} <= known.keys()
    for row in rows():
        for command in re.findall(r"repoquarry (\w+)", row["command"]):
            assert command in known, row
            missing = set(re.findall(r"--[\w-]+", row["command"])) - known[command]
            assert not missing, (row, missing)


def test_every_named_tool_and_setting_exists() -> None:
    settings = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")
    tools = {tool.name for tool in available_tools(workspace=True, indexing=True)}
    texts = [row["deviation"] for row in rows()]
    named = [name for text in texts for name in re.findall(r"tools? `(\w+)`", text)]
    assert "paths" in named
    assert set(named) <= tools
    for name in (name for text in texts for name in re.findall(r"`((?:agent|ingest|store)\.[\w.]+)`", text)):
        assert f"| `{name}` |" in settings or f"| `{name}." in settings, name


def test_every_row_has_a_state_and_a_reason_for_a_gap() -> None:
    for row in rows():
        assert row["state"] in STATES, row
        assert (row["command"] == "-") is (row["state"] == "missing"), row
        assert row["state"] == "works" or row["deviation"] != "-", row
        assert None not in row, row


def test_every_row_that_claims_something_names_an_existing_test() -> None:
    for row in rows():
        if row["state"] == "missing":
            assert row["test"] == "-", row
            continue
        named = re.findall(r"`([^`]+)`", row["test"])
        assert named, row
        for file, _, name in (test.partition("::") for test in named):
            assert name.startswith("test_"), row
            assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), row


def test_each_paper_has_its_capabilities_once() -> None:
    names = [(row["section"], row["capability"]) for row in rows()]
    assert len(names) == len(set(names)) >= 96
    assert {name.split()[0] for name, _ in names} == {"RepoMaster", "GitTaskBench", "SWE-PolyBench"}
