"""Environments are found by their own names, and by nothing that leads out of their folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from repoquarry.execution.provision.environment_cache import EnvironmentCache

_RECORD = json.dumps({"keys": ["k"], "size_bytes": 1})


@pytest.mark.parametrize("name", ["", ".", "..", "../beside", "e1/", "e1/env", "e2"])
def test_other_names_find_nothing_and_remove_nothing(tmp_path: Path, name: str) -> None:
    for folder in (tmp_path, tmp_path / "beside", tmp_path / "root" / "e1", tmp_path / "root" / "e1" / "env"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "record.json").write_text(_RECORD, encoding="utf-8")
    cache = EnvironmentCache(tmp_path / "root", 0)
    assert cache.find_by_name(name) is None
    assert not cache.remove(name)
    assert cache.find_by_name("e1") == cache.all()[0]
    assert (tmp_path / "record.json").is_file()
