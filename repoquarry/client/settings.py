"""Settings of a client: address, token, certificates, deadlines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ClientSettings:
    """How the client and the command line reach a server."""

    server: str = ""
    """Address of the server that commands are sent to, `host:port`. Empty: commands work on the local store."""

    token: str = field(default="", repr=False)
    """Bearer token that is sent. Empty sends none."""

    user: str = ""
    """Name of the user for whom an application asks; users of one token take turns. At most 128 characters; the token needs the
    scope `vouch`. Empty names none."""

    certificate: Path | None = None
    """PEM file with the certificates that the server's is checked against; turns TLS on. None: those that the machine trusts,
    with `tls`."""

    tls: bool = False
    """Whether to speak TLS also without `certificate`."""

    client_certificate: Path | None = None
    """PEM file with the certificate chain that the client shows (mutual TLS); needs TLS. None: it shows none."""

    client_key: Path | None = None
    """PEM file with that certificate's private key; needed with `client_certificate`."""

    seconds: float = 300.0
    """Deadline of one call with its retries. 0 means none. An event stream lasts longer: it is asked for again when this has passed,
    and a server that does not even begin to answer for as long counts as unreachable."""

    attempts: int = 4
    """How often a call is sent when the server cannot be reached or is not ready, with growing pauses; more than 5 counts as 5.
    1 or 0 does not retry. Only calls that may be sent twice are: those that read, and those that create with a `request_id`."""

    resume_seconds: float = 30.0
    """How long a broken event stream is taken up again without an answer before it fails. 0 does not try."""

    silence_seconds: float = 20.0
    """How long a server may leave a running call without any sign of life, HTTP/2 pings included, before the connection counts as
    broken; one attempt to connect takes at most as long. 0 sends no pings. Else at least 1."""

    max_message_bytes: int = 64 * 1024 * 1024
    """Largest message that is accepted, in bytes. At least 64 KiB."""
