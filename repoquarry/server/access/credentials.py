"""TLS of the server: its certificate, and whose certificates clients have to show."""

from __future__ import annotations

from pathlib import Path

import grpc

from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.sections import ServerSettings


def server_credentials(settings: ServerSettings) -> grpc.ServerCredentials | None:
    """None without TLS. With `tls_client_ca` only clients with a certificate of it are let in. Raises: SettingsError."""
    if settings.tls_certificate is None or settings.tls_key is None:
        return None
    pair = (_pem(settings.tls_key), _pem(settings.tls_certificate))
    if settings.tls_client_ca is None:
        return grpc.ssl_server_credentials([pair])
    return grpc.ssl_server_credentials([pair], _pem(settings.tls_client_ca), require_client_auth=True)


def _pem(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as exc:
        raise SettingsError(f"the TLS file {path} cannot be read: {exc.strerror}") from exc
