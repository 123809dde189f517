"""Addresses to listen on, as settings give them."""

from __future__ import annotations

from repoquarry.server.errors import SettingsError


def split_address(listen: str, setting: str = "server.listen") -> tuple[str, int]:
    """Host and port of `host:port`. Raises: SettingsError."""
    host, separator, port = listen.rpartition(":")
    if not separator or not host or not port.isdigit() or int(port) > 65_535:
        raise SettingsError(f"{setting} is {listen!r}, not host:port")
    return host, int(port)
