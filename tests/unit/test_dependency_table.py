"""The table of dependencies in the installation guide."""

from __future__ import annotations

import csv
import re
import tomllib

from tests.e2e.service import ROOT


def test_every_dependency_has_a_purpose() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = {re.split(r"[<>=]", requirement)[0] for requirement in project["dependencies"]}
    with (ROOT / "docs/data/dependencies.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row["package"])} == required
    assert all(row["purpose"] for row in rows)
