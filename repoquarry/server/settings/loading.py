"""Loader of settings from command line, environment and TOML file: converts values to their types and validates them."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import json
import os
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.sections import (
    PREFIX,
    SettingField,
    Settings,
    scopes_by_token,
    section_of,
    setting_fields,
)


def convert(kind: Any, value: object) -> object:
    """Convert a value to a type: text of the environment is parsed, a value of the file is checked. Raises: ValueError, TypeError."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        inner = next(part for part in typing.get_args(kind) if part is not types.NoneType)
        return None if value in ("", None) else convert(inner, value)
    if origin is tuple:
        parts = (
            [part.strip() for part in value.split(",")] if isinstance(value, str) else list(typing.cast("Any", value))
        )
        return tuple(convert(typing.get_args(kind)[0], part) for part in parts if part != "")
    if origin is Mapping:
        table = json.loads(value) if isinstance(value, str) else value
        if not isinstance(table, Mapping):
            raise TypeError("not a table")
        return dict(table)
    return _SCALARS[kind](value)


def _parse_bool(value: object) -> bool:
    if isinstance(value, bool):
        return value
    return {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}[
        str(value).lower()
    ]


def _parse_number(kind: type[int] | type[float], value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError("not a number")
    number = kind(str(value).replace("_", ""))
    if not 0 <= number < float("inf"):
        raise ValueError("negative or not finite")
    return number


def _parse_str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


_SCALARS: Mapping[Any, Callable[[object], object]] = {
    bool: _parse_bool,
    int: partial(_parse_number, int),
    float: partial(_parse_number, float),
    str: _parse_str,
    Path: lambda value: Path(_parse_str(str(value))).expanduser(),
}


def describe_type(kind: Any) -> str:
    names = {bool: "true or false", int: "an integer of at least 0", float: "a number of at least 0", str: "a string"}
    if kind in names:
        return names[kind]
    if typing.get_origin(kind) is tuple:
        return "a list (in the environment: separated by commas)"
    return "a table (in the environment: JSON)" if typing.get_origin(kind) is Mapping else "a path"


_MIN_VALUES = {
    **dict.fromkeys((
        "server.request_threads", "server.query_threads", "server.task_workers", "server.provision_workers",
        "server.max_attempts", "store.query_workers", "store.quick_workers", "store.neo4j_queries",
        "store.neo4j_quick_queries", "store.neo4j_batch_bytes", "store.embedding.batch_size",
        "store.embedding.timeout_seconds", "store.embedding.attempts", "agent.max_task_characters", "agent.places",
        "agent.query_rows", "agent.model.attempts", "agent.search.results", "agent.selection.chunk_tokens",
        "agent.selection.chunks", "page.session_seconds",
    ), 1),
    **dict.fromkeys(("store.quick_seconds", "store.neo4j_wait_seconds"), 0.01),
    **dict.fromkeys(("server.max_message_bytes", "client.max_message_bytes"), 64 * 1024),
    "mcp.max_tokens": 500,
}  # fmt: skip
"""Minimum value by setting."""
_CHOICES: Mapping[str, str] = {
    "agent.workspace.isolation": "repoquarry.execution.isolation.registry:VARIANTS",
    "ingest.score_profile": "repoquarry.graphstore.model.score_profiles:PROFILES",
    "server.log_level": "repoquarry.server.settings.sections:LOG_LEVELS",
    "store.embedding.embedder": "repoquarry.graphstore.search.embeddings.embedder:EMBEDDERS",
    "store.engine": "repoquarry.graphstore.engines:ENGINES",
}
"""Setting -> location of the further names that it accepts, which is imported only for a value other than the default."""
_NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_DEFAULTS = Settings(StoreSettings(Path()))


def check_settings(settings: Settings) -> Settings:
    """Return the settings unchanged. Raises: SettingsError for the first invalid setting."""
    server = settings.server
    for key, least in _MIN_VALUES.items():
        if (value := attrgetter(key)(settings)) < least:
            raise SettingsError(f"{key} is {value}; expected at least {least}")
    for key, location in _CHOICES.items():
        if (value := attrgetter(key)(settings)) != (default := attrgetter(key)(_DEFAULTS)):
            module, name = location.split(":")
            known = sorted({default, *getattr(importlib.import_module(module), name)})
            if value not in known:
                raise SettingsError(f"{key} is {value!r}, not one of {', '.join(known)}")
    _check_hosts(server.source_hosts)
    scheme = settings.store.neo4j_uri.partition("://")[0]
    if scheme not in _NEO4J_SCHEMES:
        raise SettingsError(f"store.neo4j_uri has the scheme {scheme!r}, not one of {', '.join(_NEO4J_SCHEMES)}")
    if not 0 <= settings.telemetry.traces_sample_ratio <= 1:
        raise SettingsError(
            f"telemetry.traces_sample_ratio is {settings.telemetry.traces_sample_ratio}, not from 0 to 1"
        )
    if (server.tls_certificate is None) != (server.tls_key is None):
        raise SettingsError("server.tls_certificate and server.tls_key are needed together")
    _check_access(settings)
    return settings


def _check_access(settings: Settings) -> None:
    server, client = settings.server, settings.client
    if server.tls_client_ca is not None and server.tls_certificate is None:
        raise SettingsError("server.tls_client_ca needs server.tls_certificate and server.tls_key")
    if (client.client_certificate is None) != (client.client_key is None):
        raise SettingsError("client.client_certificate and client.client_key are needed together")
    if client.client_certificate is not None and client.certificate is None and not client.tls:
        raise SettingsError("client.client_certificate needs TLS: set client.tls or client.certificate")
    if 0 < client.silence_seconds < 1:
        raise SettingsError(f"client.silence_seconds is {client.silence_seconds}; expected 0, or at least 1")
    try:
        scopes_by_token(server.tokens)
    except ValueError as exc:
        raise SettingsError(f"server.tokens: {exc}") from exc


def _check_hosts(hosts: Sequence[str]) -> None:
    if not hosts:
        return
    # Lazy import: most processes have no such list.
    from repoquarry.ingest.sources.network_policy import parse_network_policy

    try:
        parse_network_policy(hosts)
    except ValueError as exc:
        raise SettingsError(f"server.source_hosts: {exc}") from exc


CONFIG_VARIABLE = "REPOQUARRY_CONFIG"
IGNORED_PREFIXES = ("REPOQUARRY_TEST_",)
"""Prefixes of variables that are not settings: those of the test suite."""


def default_folder() -> Path:
    """Return the default folder of the local store, below the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("repoquarry", appauthor=False) / "store"


def default_config() -> Path:
    """Return the default settings file, which is read if it exists."""
    from platformdirs import user_config_path

    return user_config_path("repoquarry", appauthor=False) / "repoquarry.toml"


def load_settings(
    environment: Mapping[str, str] | None = None,
    given: Mapping[str, object] | None = None,
    *,
    config: Path | None = None,
) -> Settings:
    """Load the settings of this process.

    `given` maps keys such as `server.listen` to values that take precedence; `environment` defaults to that of the process.
    Raises: SettingsError.
    """
    variables = os.environ if environment is None else environment
    path = config or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)
    fields = {item.key: item for item in setting_fields()}
    values: dict[str, object] = {}
    for key, value in _flatten(_read_file(path)):
        if key not in fields:
            raise SettingsError(f"{key} in the settings file is not a setting{_nearest(key, fields)}")
        values[key] = _convert(fields[key], value)
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
    if "store.folder" not in values:
        values["store.folder"] = _default_folder(needed=not values.get("client.server"))
    return check_settings(_build(Settings, "", values))


def _default_folder(*, needed: bool) -> Path:
    """Return the default folder of the store; an empty path without a home directory if it is not needed. Raises: SettingsError."""
    try:
        return default_folder()
    except RuntimeError as exc:
        if not needed:
            return Path()
        raise SettingsError(
            f"no folder for the store: {exc}; set {PREFIX}STORE or --store to a folder, or HOME"
        ) from exc


def _read_file(path: Path | None) -> Mapping[str, object]:
    named = path is not None
    try:
        path = path or default_config()
    except RuntimeError:  # Without a home directory there is no default file.
        return {}
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


def _nearest(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else "; docs/reference/settings.md lists them"


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
        return convert(item.kind, value)
    except (ValueError, TypeError, LookupError, RuntimeError) as exc:  # RuntimeError: `~` without a home directory.
        shown = "its value" if item.name in {"tokens", "token", "neo4j_password", "options"} else repr(value)
        raise SettingsError(f"{item.key} ({item.variable}): {shown} is not {describe_type(item.kind)}") from exc
