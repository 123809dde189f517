"""Types of network listeners: `Listener` (address setting, token scope, builder), and `ServiceContext`, which all listeners share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from repoquarry.server.authentication import Authenticator
from repoquarry.server.observer import Observer
from repoquarry.server.settings.sections import Settings

if TYPE_CHECKING:
    from repoquarry.server.api import Api


class ListeningServer(Protocol):
    """Server that is bound to `port`; `start` returns when it answers."""

    port: int

    async def start(self) -> None: ...
    async def stop(self) -> None: ...


@dataclass(frozen=True)
class ServiceContext:
    """Parts of a service that its listeners share."""

    settings: Settings
    api: Api
    authenticator: Authenticator
    observers: Sequence[Observer] = ()
    metrics: Any = None
    """ASGI application of the metrics; None if `telemetry.metrics_listen` is empty."""
    repositories: Sequence[str] = ()
    """Repositories that MCP offers; empty means all."""
    on_ready: Callable[[str], None] = lambda _: None
    """Callback with the last announcement when every listener answers."""
    on_stop: Callable[[], None] = lambda: None
    """Callback when the service is asked to stop, before its listeners end their calls; it does not block."""


@dataclass(frozen=True)
class Listener:
    """One address of a service."""

    name: str
    setting: str
    """Key of the setting that holds the address; without an address the listener is off."""
    method: str
    """Method whose token scope a caller needs; empty where every call names its own."""
    announcement: str
    """Line that reports the bound address."""
    build: Callable[[Listener, ServiceContext], ListeningServer]

    def find_address(self, settings: Settings) -> str:
        """Return the address, `host:port`; empty when the listener is off."""
        address: str = attrgetter(self.setting)(settings)
        return address
