"""Releases of the embedded engine that are accepted."""

import tomllib
from pathlib import Path

import pytest

from repoquarry.graphstore.engines.kglite import require_supported
from repoquarry.graphstore.errors import EngineUnavailableError


@pytest.mark.parametrize("version", ["0.21.1", "0.21.2", "0.21.10"])
def test_patch_releases_are_accepted(version: str) -> None:
    require_supported(version)


@pytest.mark.parametrize("version", ["0.21.0", "0.22.0", "0.20.9", "1.0"])
def test_other_release_is_refused_with_the_remedies(version: str) -> None:
    with pytest.raises(EngineUnavailableError, match=r"'kglite>=0.21.1,<0.22', or use Neo4j"):
        require_supported(version)


def test_bounds_are_those_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert "kglite>=0.21.1,<0.22" in project["project"]["dependencies"]
