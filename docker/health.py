"""Asks the service in this container for its health: exit code 0 when it serves. Needs no token, as health is exempt."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

TIMEOUT_SECONDS = 4.0


def main() -> int:
    port = os.environ.get("REPOQUARRY_SERVER_LISTEN", "127.0.0.1:50151").rpartition(":")[2]
    certificate = os.environ.get("REPOQUARRY_SERVER_TLS_CERTIFICATE")
    address = f"localhost:{port}"
    if certificate:
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(Path(certificate).read_bytes()))
    else:
        channel = grpc.insecure_channel(address)
    with channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_SECONDS)
        except grpc.RpcError as exc:
            print(f"no health: {exc.code().name}", file=sys.stderr)
            return 1
    return 0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1


if __name__ == "__main__":
    sys.exit(main())
