"""Python client of RepoQuarry's gRPC services: blocking (`Client`) and asynchronous (`AsyncClient`).

with Client(ClientSettings("127.0.0.1:50151", token="...")) as client:
    for row in client.rows("MATCH (f:Function) RETURN f.qualname AS name LIMIT 3"):
        print(row["name"])

It needs grpcio, protobuf and googleapis-common-protos only, and nothing else of RepoQuarry. Names are loaded when they are first used, so
that the errors and settings can be imported without loading gRPC.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from repoquarry.client.errors import ClientError, RequestError, RequestFailure
from repoquarry.client.settings import ClientSettings

if TYPE_CHECKING:
    from repoquarry.client._async.client import AsyncClient
    from repoquarry.client._sync.client import Client
    from repoquarry.client.values import from_message, to_message

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "ClientSettings",
    "RequestError",
    "RequestFailure",
    "from_message",
    "to_message",
]

_LAZY = {
    "AsyncClient": "repoquarry.client._async.client",
    "Client": "repoquarry.client._sync.client",
    "from_message": "repoquarry.client.values",
    "to_message": "repoquarry.client.values",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
