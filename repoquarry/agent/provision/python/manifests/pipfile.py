"""`Pipfile`, and the lock files of Python: Pipfile.lock, poetry.lock, uv.lock, pdm.lock."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from repoquarry.agent.provision.python.manifests.values import (
    CORE,
    TESTS,
    Certainty,
    Manifest,
    PythonStatement,
    Wanted,
    canonical,
    parse,
)


def read(path: Path, origin: str) -> Manifest:
    """What a `Pipfile` says; nothing but a note when it is no TOML."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8", errors="replace"))
    except tomllib.TOMLDecodeError as error:
        return Manifest(notes=(f"{origin} is no TOML: {error}",))
    requires = document.get("requires", {})
    version = requires.get("python_version") or requires.get("python_full_version")
    python = PythonStatement(f"=={'.'.join(str(version).split('.')[:2])}.*", origin, Certainty.CHOSEN)
    wanted = [*_table(document.get("packages"), origin, CORE), *_table(document.get("dev-packages"), origin, TESTS)]
    return Manifest(tuple(wanted), (python,) if version else ())


def _table(table: object, origin: str, group: str) -> Iterator[Wanted]:
    for name, value in table.items() if isinstance(table, dict) else ():
        settings = value if isinstance(value, dict) else {"version": str(value)}
        version = str(settings.get("version", "*")).strip()
        extras = ",".join(settings.get("extras", ()))
        text = f"{name}{f'[{extras}]' if extras else ''}{'' if version == '*' else version}"
        if "path" not in settings and (found := parse(text, origin, group)):
            yield found


def read_lock(path: Path, origin: str) -> Manifest:
    """Exact versions from a lock file of any of the four tools."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        pairs = list(_json_lock(json.loads(text)) if path.name == "Pipfile.lock" else _toml_lock(tomllib.loads(text)))
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        return Manifest(notes=(f"{origin} cannot be parsed: {error}",))
    return Manifest(locked=tuple(dict.fromkeys(pairs)))


def _json_lock(document: object) -> Iterator[tuple[str, str]]:
    for section in ("default", "develop"):
        table = document.get(section) if isinstance(document, dict) else None
        for name, entry in table.items() if isinstance(table, dict) else ():
            if isinstance(entry, dict) and str(entry.get("version", "")).startswith("=="):
                yield canonical(name), str(entry["version"])[2:]


def _toml_lock(document: dict[str, object]) -> Iterator[tuple[str, str]]:
    packages = document.get("package")
    for entry in packages if isinstance(packages, list) else ():
        source = entry.get("source") or {}
        if "name" in entry and "version" in entry and not {"editable", "virtual", "directory"} & set(source):
            yield canonical(str(entry["name"])), str(entry["version"])
