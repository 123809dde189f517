"""All settings of a process: the one place that reads the environment and the settings file.

Every package declares its own frozen settings; here they become sections of one tree. A value comes from, first wins: what the
caller gives (command line), the environment (`REPOQUARRY_<SECTION>_<FIELD>`), the TOML file (`[section] field = …`), the
default of the field. The names follow from the fields by rule, so that a new field is a setting without further code.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repoquarry.agent.settings import AgentSettings
from repoquarry.client.settings import ClientSettings
from repoquarry.graphstore.model.score_profiles import PROFILES
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server.conversion import as_kind, described
from repoquarry.server.errors import SettingsError
from repoquarry.server.scopes import scopes_by_token

PREFIX = "REPOQUARRY_"
CONFIG_VARIABLE = "REPOQUARRY_CONFIG"
RENAMED = {"REPOQUARRY_STORE_FOLDER": "REPOQUARRY_STORE"}
"""Settings whose variable is shorter than the rule gives."""

IGNORED_PREFIXES = ("REPOQUARRY_TEST_",)
"""Variables of the test suite, which are no settings."""


@dataclass(frozen=True)
class ServerSettings:
    """The service: where it listens, who may call it, and what it runs at once."""

    listen: str = "127.0.0.1:50151"
    """Address and port, `host:port`; port 0 takes a free one. IPv6 hosts in brackets."""

    tokens: tuple[str, ...] = field(default=(), repr=False)
    """Bearer tokens, any of which lets a caller in: `TOKEN` may do everything, `SCOPE+SCOPE:TOKEN` what its scopes say. `read`
    looks at what is indexed, `task` gives the agent tasks, `index` runs index jobs and batches, `admin` may do everything. Empty: no token
    is asked for."""

    allow_open: bool = False
    """Whether to listen without a token on an address that other machines can reach."""

    tls_certificate: Path | None = None
    """PEM file with the certificate chain. None: no TLS."""

    tls_key: Path | None = None
    """PEM file with the certificate's private key; needed with `tls_certificate`."""

    tls_client_ca: Path | None = None
    """PEM file with the certificates that clients' certificates have to come from (mutual TLS); needs `tls_certificate`. None:
    clients show no certificate."""

    source_roots: tuple[Path, ...] = ()
    """Folders that index jobs may read folders and archives from. Empty: any that the server's user may read."""

    source_hosts: tuple[str, ...] = ()
    """Hosts that a server fetches git addresses from: `[transport://]host[:port]`, with `https` and its port where none is said;
    `*` and `*.example.org` stand for public names. An inner host, an address in digits and every transport but `https` and `http`
    is named exactly (`ssh://git.corp:2222`). Empty: `https://*`, any public name over https. No redirect is followed."""

    request_threads: int = 16
    """Requests that are worked on at once; more wait. At least 1."""

    query_threads: int = 128
    """Cypher queries that run or wait for their turn at once; more wait in line. At least 1."""

    reader_seconds: float = 300.0
    """How long a client may read nothing of a query's answer before the rest is dropped. 0 waits for ever."""

    task_workers: int = 2
    """Tasks that run at once; more wait in the queue. At least 1."""

    provision_workers: int = 1
    """Provisionings that run at once, beside those of tasks; more wait in the queue. At least 1."""

    batch_jobs: int = 0
    """Repositories of a batch that are indexed at once. 0: one for each core that the server may use."""

    batch_memory_bytes: int = 0
    """Memory of a batch's processes together, beyond which no further repository starts, in bytes. 0: three quarters of what the
    machine has free when the batch starts."""

    max_attempts: int = 3
    """How often a job, provisioning or task that the server's end interrupted is started before it is reported as failed; of a batch,
    starts that brought no outcome. At least 1."""

    max_message_bytes: int = 16 * 1024 * 1024
    """Size of one request or one part of an answer, in bytes. At least 64 KiB."""

    rows_per_batch: int = 500
    """Rows in one part of a streamed query result. At least 1."""

    source_bytes: int = 2 * 1024 * 1024
    """Text that one ReadSource returns, in bytes; longer is cut and said to be. 0 means no limit."""

    freshness_seconds: float = 5.0
    """How long the answer to whether a repository has moved on is kept before the source is looked at again. 0 looks each time."""

    freshness_repositories: int = 20
    """Repositories whose freshness one answer looks at; that of the others is reported as unknown. 0 looks at none."""

    progress_seconds: float = 0.25
    """Least time between two progress events of one job. 0 records every one."""

    keep_days: float = 30.0
    """How long ended jobs, batches and tasks are kept with their events, in days. 0 keeps them for ever."""

    shutdown_seconds: float = 10.0
    """Time that running calls get to end when the server stops. 0 ends them at once."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""


@dataclass(frozen=True)
class McpSettings:
    """The Model Context Protocol: what agents and editors get, and over which address. Needs the extra `mcp`."""

    listen: str = ""
    """Address at which `repoquarry serve` also serves MCP over HTTP (path `/mcp`), `host:port`; port 0 takes a free one. Empty: none."""

    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are let in, `name` or `name:port`, port `*` for any. The loopback names are let in by themselves where the
    address is one of theirs; any other address needs an entry."""

    allowed_origins: tuple[str, ...] = ()
    """Origin headers that are let in beside the loopback ones, such as `https://chat.example.org`; requests without one are let in."""

    max_tokens: int = 8_000
    """Longest answer, in tokens, with what it rests on. At least 500."""


@dataclass(frozen=True)
class TelemetrySettings:
    """What `repoquarry serve` tells its operators; all of it is off by default. Needs the extra `telemetry`."""

    metrics_listen: str = ""
    """Address at which Prometheus finds numbers (path `/metrics`): `host:port`, or a port alone for 127.0.0.1; port 0 takes a free
    one. No token is asked for: the numbers name RPCs and states, nothing of what is indexed or asked. Empty: none."""

    traces_endpoint: str = ""
    """Address of an OTLP collector that takes traces over gRPC, such as `http://127.0.0.1:4317`; `https://` speaks TLS. Empty: none."""

    traces_share: float = 1.0
    """Share of the traces that is kept where the client has not decided (`traceparent`), from 0 to 1."""


@dataclass(frozen=True)
class Settings:
    """All sections of one process."""

    store: StoreSettings
    """Where the store lies, which engine holds the graph, and what queries may use."""

    server: ServerSettings = field(default_factory=ServerSettings)
    """The service."""

    client: ClientSettings = field(default_factory=ClientSettings)
    """The way to a server."""

    mcp: McpSettings = field(default_factory=McpSettings)
    """Agents and editors."""

    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)
    """Numbers and traces for operators."""

    ingest: IngestSettings = field(default_factory=IngestSettings)
    """Indexing."""

    agent: AgentSettings = field(default_factory=AgentSettings)
    """Tasks."""


@dataclass(frozen=True)
class SettingField:
    """One setting: its key in the file (`section.field`), its variable, and the type of its value."""

    key: str
    owner: type
    name: str
    kind: Any
    default: object

    @property
    def variable(self) -> str:
        derived = PREFIX + self.key.replace(".", "_").upper()
        return RENAMED.get(derived, derived)


def default_folder() -> Path:
    """The local store's folder when no setting names one: below the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("repoquarry", appauthor=False) / "store"


def default_config() -> Path:
    """The settings file that is read when it exists and `REPOQUARRY_CONFIG` names no other."""
    from platformdirs import user_config_path

    return user_config_path("repoquarry", appauthor=False) / "repoquarry.toml"


def setting_fields(owner: type = Settings, prefix: str = "") -> Iterator[SettingField]:
    """All settings, section by section, in the order of their declaration."""
    hints = typing.get_type_hints(owner)
    sections = []
    for item in dataclasses.fields(owner):
        kind = hints[item.name]
        key = f"{prefix}{item.name}"
        section = section_of(kind)
        if section is not None:
            sections.append((section, f"{key}."))
        else:
            default = item.default if item.default_factory is dataclasses.MISSING else item.default_factory()
            yield SettingField(key, owner, item.name, kind, default)
    for kind, below in sections:
        yield from setting_fields(kind, below)


def section_of(kind: Any) -> type | None:
    """The dataclass that a field holds, also where it may be None; None for a plain value."""
    for part in (kind, *typing.get_args(kind)):
        if isinstance(part, type) and dataclasses.is_dataclass(part):
            return part
    return None


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
    return _check(_build(Settings, "", values))


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


_LEAST = {
    **dict.fromkeys(
        (
            "server.request_threads",
            "server.query_threads",
            "server.task_workers",
            "server.provision_workers",
            "server.max_attempts",
        ),
        1,
    ),
    **dict.fromkeys(("store.query_workers", "store.quick_workers"), 1),
    **dict.fromkeys(("store.neo4j_queries", "store.neo4j_quick_queries", "store.neo4j_batch_bytes"), 1),
    **dict.fromkeys(("store.quick_seconds", "store.neo4j_wait_seconds"), 0.01),
    **dict.fromkeys(("store.embedding.batch_size", "store.embedding.timeout_seconds", "store.embedding.attempts"), 1),
    **dict.fromkeys(
        (
            "agent.max_task_characters",
            "agent.places",
            "agent.query_rows",
            "agent.model.attempts",
            "agent.search.results",
        ),
        1,
    ),
    **dict.fromkeys(("agent.selection.chunk_tokens", "agent.selection.chunks"), 1),
    **dict.fromkeys(("server.max_message_bytes", "client.max_message_bytes"), 64 * 1024),
    "mcp.max_tokens": 500,
}
"""Settings that have no meaning below this."""


def _check(settings: Settings) -> Settings:
    server = settings.server
    for key, least in _LEAST.items():
        value: Any = settings
        for name in key.split("."):
            value = getattr(value, name)
        if value < least:
            raise SettingsError(f"{key} must be at least {least}, and is {value}")
    if server.log_level not in ("debug", "info", "warning", "error"):
        raise SettingsError(f"server.log_level is {server.log_level!r}, not one of debug, info, warning, error")
    _check_hosts(server.source_hosts)
    if not 0 <= settings.telemetry.traces_share <= 1:
        raise SettingsError(f"telemetry.traces_share is {settings.telemetry.traces_share}, not from 0 to 1")
    if settings.ingest.score_profile not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise SettingsError(f"ingest.score_profile is {settings.ingest.score_profile!r}, not one of {known}")
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
    try:
        scopes_by_token(server.tokens)
    except ValueError as exc:
        raise SettingsError(f"server.tokens: {exc}") from exc


def _check_hosts(hosts: Sequence[str]) -> None:
    if not hosts:
        return
    from repoquarry.ingest.sources.reach import reach_of  # here because most processes have no such list

    try:
        reach_of(hosts)
    except ValueError as exc:
        raise SettingsError(f"server.source_hosts: {exc}") from exc
