"""`ClientSettings`: server address, token, certificates and deadlines of a client; `server.settings.loading` reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ClientSettings:
    """How the client and the command line reach a server."""

    server: str = ""
    """Address of the server that commands use, `host:port`. Empty: commands use the local store."""
    token: str = field(default="", repr=False)
    """Bearer token of each request. Empty sends none."""
    user: str = ""
    """Name of the user on whose behalf an application sends requests. Users of one token are scheduled fairly.

    At most 128 characters; the token needs the scope `vouch`. Empty sends none.
    """
    certificate: Path | None = None
    """PEM file with the certificates that verify the server; enables TLS. None: the certificates that the machine trusts, with `tls`."""
    tls: bool = False
    """True to use TLS without `certificate`."""
    client_certificate: Path | None = None
    """PEM file with the certificate chain of the client (mutual TLS); needs TLS. None sends no certificate."""
    client_key: Path | None = None
    """PEM file with the private key of `client_certificate`, which requires it."""
    seconds: float = 300.0
    """Deadline of one call including its retries. 0 means none. An event stream lasts longer: it is requested again after this time.

    A server that does not start to respond within this time counts as unreachable.
    """
    attempts: int = 4
    """Maximum number of attempts, with growing pauses, if the server is unreachable or not ready; more than 5 counts as 5.

    1 or 0 does not retry. Only calls that are safe to repeat are retried: reads, and creates with a `request_id`.
    """
    resume_seconds: float = 30.0
    """Time during which a broken event stream is resumed without a response before it fails. 0 does not resume."""
    silence_seconds: float = 20.0
    """Time without any sign of life, including HTTP/2 pings, after which a connection of a running call counts as broken.

    Also the limit of one attempt to connect. 0 sends no pings; otherwise at least 1.
    """
    max_message_bytes: int = 64 * 1024 * 1024
    """Largest accepted message, in bytes. At least 64 KiB."""
