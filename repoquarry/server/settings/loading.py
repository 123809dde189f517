"""Reading the settings of this process: the file, the environment, and what the caller gives."""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.checks import check_settings
from repoquarry.server.settings.conversion import as_kind, described
from repoquarry.server.settings.fields import PREFIX, SettingField, section_of, setting_fields
from repoquarry.server.settings.sections import Settings

CONFIG_VARIABLE = "REPOQUARRY_CONFIG"
IGNORED_PREFIXES = ("REPOQUARRY_TEST_",)
"""Variables of the test suite, which are no settings."""


def default_folder() -> Path:
    """The local store's folder when no setting names one: below the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("repoquarry", appauthor=False) / "store"


def default_config() -> Path:
    """The settings file that is read when it exists and `REPOQUARRY_CONFIG` names no other."""
    from platformdirs import user_config_path

    return user_config_path("repoquarry", appauthor=False) / "repoquarry.toml"


def load_settings(
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
    *,
    config: Path | None = None,
) -> Settings:
    """The settings of this process.

    `given` holds values by key (`server.listen`) that win over everything else; `environment` defaults to the process's own.
    Raises: SettingsError.
    """
    variables = os.environ if environment is None else environment
    path = config or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)
    fields = {item.key: item for item in setting_fields()}
    values: dict[str, object] = {"store.folder": default_folder()}
    for key, value in _flatten(_read_file(path)):
        values[key] = _convert(_known(fields, key, "the settings file"), value)
    by_variable = {item.variable: item for item in fields.values()}
    for variable, text in variables.items():
        if not variable.startswith(PREFIX) or variable == CONFIG_VARIABLE or variable.startswith(IGNORED_PREFIXES):
            continue
        item = by_variable.get(variable)
        if item is None:
            raise SettingsError(f"{variable} is not a setting{_nearest(variable, by_variable)}")
        values[item.key] = _convert(item, text)
    for key, value in (given or {}).items():
        values[key] = _convert(fields[key], value)
    return check_settings(_build(Settings, "", values))


def _read_file(path: Path | None) -> Mapping[str, object]:
    named = path is not None
    path = path or default_config()
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        if not named:
            return {}
        raise SettingsError(f"the settings file {path} does not exist") from exc
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise SettingsError(f"the settings file {path} cannot be read: {exc}") from exc


def _flatten(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    mappings = {item.key for item in setting_fields() if typing.get_origin(item.kind) is Mapping}
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and key not in mappings:
            yield from _flatten(value, f"{key}.")
        else:
            yield key, value


def _known(fields: Mapping[str, SettingField], key: str, where: str) -> SettingField:
    if key not in fields:
        raise SettingsError(f"{key} in {where} is not a setting{_nearest(key, fields)}")
    return fields[key]


def _nearest(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else "; docs/settings.md lists them"


def _build(owner: type, prefix: str, values: Mapping[str, object]) -> Any:
    hints = typing.get_type_hints(owner)
    arguments: dict[str, object] = {}
    for item in dataclasses.fields(owner):
        key = f"{prefix}{item.name}"
        section = section_of(hints[item.name])
        if section is not None:
            arguments[item.name] = _build(section, f"{key}.", values)
        elif key in values:
            arguments[item.name] = values[key]
    return owner(**arguments)


def _convert(item: SettingField, value: object) -> object:
    try:
        return as_kind(item.kind, value)
    except (ValueError, TypeError, LookupError) as exc:
        shown = "its value" if item.name in {"tokens", "token", "neo4j_password", "options"} else repr(value)
        raise SettingsError(f"{item.key} ({item.variable}): {shown} is not {described(item.kind)}") from exc
