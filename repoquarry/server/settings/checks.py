"""What settings have to be together, whatever their types say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from repoquarry.graphstore.model.score_profiles import PROFILES
from repoquarry.server.errors import SettingsError
from repoquarry.server.scopes import scopes_by_token
from repoquarry.server.settings.sections import Settings

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


def check_settings(settings: Settings) -> Settings:
    """The settings as they are. Raises: SettingsError for the first that cannot be."""
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
