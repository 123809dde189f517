"""Environments are found by their own names and keys, and by nothing that leads out of their folder; damaged ones are not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from repoquarry.execution.provision.environment_cache import CachedEnvironment, EnvironmentCache, content_key

_RECORD = json.dumps({"keys": ["k"], "size_bytes": 1, "digest": content_key({"keys": ["k"], "size_bytes": 1})})

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "garbage": lambda content: b"\x55" * len(content),
    "changed": lambda content: content.replace(b"1", b"2"),
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "other": lambda content: b"[]",
}


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


def finished(root: Path) -> tuple[EnvironmentCache, CachedEnvironment]:
    """A cache with one finished environment."""
    cache = EnvironmentCache(root, 0)
    folder = cache.start()
    (folder / "env" / "lib").mkdir(parents=True)
    (folder / "env" / "lib" / "module.py").write_text("VALUE = 1\n" * 100)
    return cache, cache.finish(folder, {"keys": ["key"], "lock": ["module==1"]})


def damage(path: Path, kind: str) -> None:
    content = path.read_bytes()
    path.unlink()
    if kind != "deleted":
        path.write_bytes(DAMAGES[kind](content))


def test_files_that_commands_add_do_not_damage_an_environment(tmp_path: Path) -> None:
    cache, stored = finished(tmp_path)
    (stored.path / "lib" / "__pycache__").mkdir()
    (stored.path / "lib" / "__pycache__" / "module.pyc").touch()
    (stored.path / ".cache").touch()
    assert cache.find("key") == cache.add_key(stored, "key")


@pytest.mark.parametrize("kind", [*DAMAGES, "deleted"])
@pytest.mark.parametrize("name", ["record.json", "files.txt", "env/lib/module.py"])
@pytest.mark.parametrize("held", [False, True])
def test_damaged_environment_is_rebuilt_but_kept_for_its_running_task(
    tmp_path: Path, name: str, kind: str, held: bool
) -> None:
    cache, stored = finished(tmp_path)
    if held:
        cache.hold(stored, tmp_path)
    damage(stored.folder / name, kind)
    assert cache.find("key") is None
    cache.discard(cache.start())
    assert stored.folder.exists() == held
    cache, again = finished(tmp_path)
    assert cache.find("key") == again
