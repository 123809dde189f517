"""Pages of a release: the table of dependencies, and notes for the version."""

import csv
import re
import tomllib

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
