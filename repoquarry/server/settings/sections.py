"""Dataclasses of all settings with their file keys and environment variables; token scopes by RPC.

The table of scopes lists every method, so that the author of a new method decides its scope.
"""

from __future__ import annotations

import dataclasses
import enum
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repoquarry.agent.settings import AgentSettings
from repoquarry.client.settings import ClientSettings
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server.errors import SettingsError
from repoquarry.server.text_format import read_table


def split_address(listen: str, setting: str = "server.listen") -> tuple[str, int]:
    """Split `host:port`; a port alone is on 127.0.0.1. Raises: SettingsError."""
    host, _, port = f"127.0.0.1:{listen}".rpartition(":") if listen.isdecimal() else listen.rpartition(":")
    if not host or not (port.isascii() and port.isdecimal()) or int(port) > 65_535:
        raise SettingsError(f"{setting} is {listen!r}, not host:port")
    return host, int(port)


LOG_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True)
class ServerSettings:
    """Settings of the service: addresses, access, limits of parallel work."""

    listen: str = "127.0.0.1:50151"
    """Address and port, `host:port`, or a port alone for 127.0.0.1; port 0 means any free port. IPv6 hosts are in brackets."""
    tokens: tuple[str, ...] = field(default=(), repr=False)
    """Bearer tokens. `TOKEN` has all scopes, `SCOPE+SCOPE:TOKEN` only the named scopes: `read` reads indexed data, `task` gives the
    agent tasks, `index` runs index jobs and batches, `vouch` names users, `admin` includes all. At least 16 characters each
    (`openssl rand -hex 32`). Empty means that no token is needed."""
    max_failed_attempts: int = 30
    """Calls of one address per minute with a missing or wrong token that are refused with the reason; further ones are refused with
    `TOO_MANY_ATTEMPTS`. Calls with a right token pass. 0 means no limit."""
    allow_unauthenticated: bool = False
    """True if it listens without a token on an address that other machines can reach."""
    tls_certificate: Path | None = None
    """PEM file with the certificate chain. None means no TLS."""
    tls_key: Path | None = None
    """PEM file with the certificate's private key; needed with `tls_certificate`."""
    tls_client_ca: Path | None = None
    """PEM file with the authorities of client certificates (mutual TLS); needs `tls_certificate`. None means that clients need no
    certificate."""
    source_roots: tuple[Path, ...] = ()
    """Folders that index jobs may read folders and archives from. Empty means none if tokens are set, and otherwise every folder that
    the user of the server may read; `/` means every folder."""
    source_hosts: tuple[str, ...] = ()
    """Hosts that a server fetches git addresses from: `[transport://]host[:port]`, with `https` and its port where none is said;
    `*` and `*.example.org` stand for public names. An inner host, an address in digits and every transport but `https` and `http`
    is named exactly (`ssh://git.corp:2222`). Empty: `https://*`, any public name over https. No redirect is followed."""
    request_threads: int = 16
    """Maximum number of parallel requests; further requests wait, and one token (or address, without tokens) has at most half.
    At least 1."""
    query_threads: int = 128
    """Maximum number of running and queued Cypher queries; further queries wait, and one token has at most half. At least 1."""
    reader_seconds: float = 300.0
    """Time without a read by the client after which the rest of a query result is dropped, in seconds. 0 means no limit."""
    task_workers: int = 2
    """Maximum number of parallel tasks; further tasks wait in the queue. At least 1."""
    provision_workers: int = 1
    """Maximum number of parallel provisionings, in addition to those of tasks; further provisionings wait in the queue. At least 1."""
    batch_jobs: int = 0
    """Number of repositories of a batch that are indexed in parallel. 0 means one for each core that the server may use."""
    batch_memory_bytes: int = 0
    """Memory of all processes of a batch beyond which no further repository starts, in bytes. 0 means three quarters of the free
    memory at the start of the batch."""
    max_attempts: int = 3
    """How often the server may die while a job, provisioning or task runs before the work is reported as failed; of a batch, while
    it brought no outcome. A stop in order does not count, nor work that was queued or waited for approval. At least 1."""
    max_message_bytes: int = 16 * 1024 * 1024
    """Size of one request or one part of an answer, in bytes. At least 64 KiB."""
    freshness_seconds: float = 5.0
    """Time for which the freshness of a repository is cached, in seconds; at least 50 times as long as its check took. 0 checks the
    source each time."""
    progress_seconds: float = 0.25
    """Minimum time between two progress events of a job, in seconds. 0 records every event."""
    retention_days: float = 30.0
    """Time for which ended jobs, batches and tasks are stored with their events, in days. 0 means no limit."""
    shutdown_seconds: float = 10.0
    """Time for running calls to end when the server stops, in seconds. 0 ends them immediately. The process exits at most five seconds
    later in any case; unfinished work resumes at the next start."""
    log_level: str = "info"
    """`debug`, `info`, `warning` or `error`."""


@dataclass(frozen=True)
class McpSettings:
    """Settings of the Model Context Protocol, for agents and editors."""

    listen: str = ""
    """Address at which `repoquarry serve` also serves MCP over HTTP (path `/mcp`), as `server.listen`. Tokens and TLS are those of the
    service. Empty means none."""
    allowed_hosts: tuple[str, ...] = ()
    """Admitted Host headers, `name` or `name:port`; port `*` means any port. Loopback names are admitted on a loopback address; any
    other address needs an entry."""
    allowed_origins: tuple[str, ...] = ()
    """Admitted Origin headers in addition to loopback origins, such as `https://chat.example.org`; requests without one are admitted."""
    max_tokens: int = 8_000
    """Maximum length of an answer with its basis, in tokens. At least 500."""
    all_tools: bool = False
    """True if `/mcp` and stdin list the rare tools as well; `/mcp/all` always does."""


@dataclass(frozen=True)
class PageSettings:
    """The page: the indexed code in a browser."""

    listen: str = ""
    """Address at which `repoquarry serve` also serves the page, as `server.listen`. Tokens and TLS are those of the service; a browser signs
    in with a token once. Empty: none."""
    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are let in, `name` for any port or `name:port`. The loopback names are let in by themselves where the address is
    one of theirs; any other address needs an entry. Requests from pages of other origins are always refused."""
    session_seconds: float = 43_200.0
    """Time without a request after which a browser has to sign in again, in seconds. At least 1."""


@dataclass(frozen=True)
class TelemetrySettings:
    """Settings of metrics and traces of `repoquarry serve`; off by default. Needs the extra `telemetry`."""

    metrics_listen: str = ""
    """Address of the Prometheus metrics (path `/metrics`), as `server.listen`. TLS and tokens are those of the service; every token is
    admitted, because metrics contain no indexed data and no requests. Empty means none."""
    traces_endpoint: str = ""
    """Address of an OTLP collector for traces over gRPC, such as `http://127.0.0.1:4317`; `https://` uses TLS. Empty means none."""
    traces_sample_ratio: float = 1.0
    """Sampled share of the traces without a decision of the client (`traceparent`), from 0 to 1."""


@dataclass(frozen=True)
class Settings:
    """All sections of one process."""

    store: StoreSettings
    """Location of the store, graph engine, and limits of queries."""
    server: ServerSettings = field(default_factory=ServerSettings)
    """The service."""
    client: ClientSettings = field(default_factory=ClientSettings)
    """Connection to a server."""
    mcp: McpSettings = field(default_factory=McpSettings)
    """Agents and editors."""
    page: PageSettings = field(default_factory=PageSettings)
    """Browsers."""
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)
    """Metrics and traces for operators."""
    ingest: IngestSettings = field(default_factory=IngestSettings)
    """Indexing."""
    agent: AgentSettings = field(default_factory=AgentSettings)
    """Tasks."""


PREFIX = "REPOQUARRY_"
RENAMED = {"REPOQUARRY_STORE_FOLDER": "REPOQUARRY_STORE"}
"""Variables that are shorter than the rule gives."""


@dataclass(frozen=True)
class SettingField:
    """Setting: its key in the file (`section.field`), its variable, and the type of its value."""

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
    """Yield all settings by section, in the order of declaration."""
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
    """Return the dataclass of a field, optional or not; None for a plain value."""
    for part in (kind, *typing.get_args(kind)):
        if isinstance(part, type) and dataclasses.is_dataclass(part):
            return part
    return None


class TokenScope(enum.StrEnum):
    """Permission for a kind of request. `ADMIN` includes all others."""

    READ = "read"
    """Look at what is indexed: search, queries, sources, relations, repositories."""
    TASK = "task"
    """Give the agent tasks, follow, approve and cancel them; provision environments."""
    INDEX = "index"
    """Create, follow and cancel index jobs and batches."""
    VOUCH = "vouch"
    """Name the user of a call in the metadata key `x-repoquarry-user`, so that users of one token take turns."""
    ADMIN = "admin"
    """Everything, deleting repositories included."""


ALL = frozenset(TokenScope)
METHODS: Mapping[str, TokenScope] = {
    f"/repoquarry.v1.{service}/{method}": TokenScope(scope) for service, method, scope in read_table("token_scopes")
}
"""Scope by full method name."""
NO_TOKEN = ("/grpc.health.v1.Health/",)
"""Prefixes of methods without a token, for load balancers. Mutual TLS still requires a certificate."""
ANY_TOKEN = ("/grpc.reflection.", "/metrics")
"""Prefixes of methods and paths that every token may call, because their answers contain no indexed data."""
MIN_TOKEN_CHARACTERS = 16
"""Minimum length; shorter tokens can be guessed."""


def read_token(entry: str) -> tuple[str, frozenset[TokenScope]]:
    """Parse an entry of `server.tokens`: `TOKEN` has all scopes, `read+task:TOKEN` has two.

    Raises: ValueError, which does not repeat the token.
    """
    names, separator, token = entry.rpartition(":")
    known = {str(scope): scope for scope in TokenScope}
    if separator and (not token or not names or any(name not in known for name in names.split("+"))):
        raise ValueError(f"an entry is TOKEN or SCOPE+SCOPE:TOKEN with the scopes {', '.join(known)}")
    if len(token) < MIN_TOKEN_CHARACTERS:
        raise ValueError(
            f"a token of {len(token)} characters is too short; use at least {MIN_TOKEN_CHARACTERS}, "
            "for example the output of: openssl rand -hex 32"
        )
    return token, frozenset(known[name] for name in names.split("+")) if separator else ALL


def missing_scope(method: str, scopes: frozenset[TokenScope]) -> TokenScope | None:
    """Return the scope that a call of `method` lacks; None when the call is permitted."""
    if TokenScope.ADMIN in scopes or method.startswith(ANY_TOKEN):
        return None
    needed = METHODS.get(method, TokenScope.ADMIN)
    return None if needed in scopes else needed


def scopes_by_token(entries: Sequence[str]) -> Mapping[str, frozenset[TokenScope]]:
    """Parse the scopes by token; repeated tokens have the union of their scopes. Raises: ValueError."""
    found: dict[str, frozenset[TokenScope]] = {}
    for entry in entries:
        token, scopes = read_token(entry)
        found[token] = found.get(token, frozenset()) | scopes
    return found
