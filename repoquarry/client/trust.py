"""Certificates that a client trusts and shows, read from files."""

from __future__ import annotations

import ssl
from pathlib import Path

from repoquarry.client.errors import Failure, RequestError


def system_roots() -> bytes:
    """The certificates that this machine trusts, as OpenSSL finds them (`SSL_CERT_FILE` and `SSL_CERT_DIR` included).

    Read by us because gRPC carries a list of its own, in which the authorities that an operator installed are missing.
    Raises: RequestError when there are none.
    """
    paths = ssl.get_default_verify_paths()
    if paths.cafile is not None and (found := read_pem(Path(paths.cafile))).strip():
        return found
    folder = Path(paths.capath) if paths.capath is not None else None
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    found = b"\n".join(read_pem(path) for path in files if path.suffix in (".pem", ".crt") and path.is_file())
    if not found:
        raise _unusable(
            "this machine has no list of trusted certificates: install it (ca-certificates), or name a file with "
            "client.certificate"
        )
    return found


def read_pem(path: Path) -> bytes:
    """Content of a PEM file. Raises: RequestError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as exc:
        raise _unusable(f"the TLS file {path} cannot be read: {exc.strerror}") from exc


def _unusable(message: str) -> RequestError:
    return RequestError(Failure("SETTINGS_INVALID", message, {}, "FAILED_PRECONDITION"))
