"""Sections, keys and variables of all settings."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repoquarry.agent.settings import AgentSettings
from repoquarry.client.settings import ClientSettings
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server.errors import SettingsError


def split_address(listen: str, setting: str = "server.listen") -> tuple[str, int]:
    """Host and port of `host:port`, or of a port alone, which is one of the loopback's. Raises: SettingsError."""
    host, _, port = f"127.0.0.1:{listen}".rpartition(":") if listen.isdigit() else listen.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65_535:
        raise SettingsError(f"{setting} is {listen!r}, not host:port")
    return host, int(port)


@dataclass(frozen=True)
class ServerSettings:
    """The service: where it listens, who may call it, and what it runs at once."""

    listen: str = "127.0.0.1:50151"
    """Address and port, `host:port`, or a port alone for 127.0.0.1; port 0 takes a free one. IPv6 hosts in brackets."""

    tokens: tuple[str, ...] = field(default=(), repr=False)
    """Bearer tokens, any of which lets a caller in: `TOKEN` may do everything, `SCOPE+SCOPE:TOKEN` what its scopes say. `read`
    looks at what is indexed, `task` gives the agent tasks, `index` runs index jobs and batches, `vouch` names users, `admin` may do
    everything. At least 16 characters each (`openssl rand -hex 32`). Empty: no token is needed."""

    max_failed_attempts: int = 30
    """Calls of one address per minute with a missing or wrong token that are refused with the reason; further ones are refused with
    `TOO_MANY_ATTEMPTS`. Calls with a right token pass. 0 means no limit."""

    allow_unauthenticated: bool = False
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
    """Requests that are worked on at once; more wait, and one token (or address, without tokens) has half of them. At least 1."""

    query_threads: int = 128
    """Cypher queries that run or wait for their turn at once; more wait in line, and one token has half of them. At least 1."""

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
    """How often the server may die while a job, provisioning or task runs before the work is reported as failed; of a batch, while
    it brought no outcome. A stop in order does not count, nor work that was queued or waited for approval. At least 1."""

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

    retention_days: float = 30.0
    """How long ended jobs, batches and tasks are kept with their events, in days. 0 keeps them for ever."""

    shutdown_seconds: float = 10.0
    """Time that running calls get to end when the server stops. 0 ends them at once. The process ends at most five seconds later,
    whatever it is doing; what it worked on is resumed at the next start."""

    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""


@dataclass(frozen=True)
class McpSettings:
    """The Model Context Protocol: what agents and editors get, and over which address."""

    listen: str = ""
    """Address at which `repoquarry serve` also serves MCP over HTTP (path `/mcp`), as `server.listen`. Tokens and TLS are those of the
    service. Empty: none."""

    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are let in, `name` or `name:port`, port `*` for any. The loopback names are let in by themselves where the
    address is one of theirs; any other address needs an entry."""

    allowed_origins: tuple[str, ...] = ()
    """Origin headers that are let in beside the loopback ones, such as `https://chat.example.org`; requests without one are let in."""

    max_tokens: int = 8_000
    """Longest answer, in tokens, with what it rests on. At least 500."""

    max_connections: int = 256
    """Open connections over HTTP; further ones are closed at once. At least 1."""

    max_sessions: int = 1_000
    """Open sessions over HTTP; a further one is refused with status 503. At least 1."""

    session_seconds: float = 1_800.0
    """Time without a request after which a session over HTTP ends, in seconds. At least 1."""


@dataclass(frozen=True)
class TelemetrySettings:
    """What `repoquarry serve` tells its operators; all of it is off by default. Needs the extra `telemetry`."""

    metrics_listen: str = ""
    """Address at which Prometheus finds numbers (path `/metrics`), as `server.listen`. TLS and tokens are those of the service; any
    token will do, since the numbers name RPCs and states, nothing of what is indexed or asked. Empty: none."""

    traces_endpoint: str = ""
    """Address of an OTLP collector that takes traces over gRPC, such as `http://127.0.0.1:4317`; `https://` speaks TLS. Empty: none."""

    traces_sample_ratio: float = 1.0
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


PREFIX = "REPOQUARRY_"
RENAMED = {"REPOQUARRY_STORE_FOLDER": "REPOQUARRY_STORE"}
"""Settings whose variable is shorter than the rule gives."""


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
