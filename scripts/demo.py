"""Two-minute tour: index this repository, serve it over gRPC, and ask it a question through the server.

The tour uses the folder build/demo and a free loopback port; it needs no download and no key. Its store stays, for the page.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUESTION = "Who calls index_repository?"
START_SECONDS = 60.0


def main() -> int:
    store = ROOT / "build" / "demo"
    with _server(store) as address:
        remote = ["--server", address]
        _say(f"1. Index {ROOT.name} through the server at {address}")
        _repoquarry("index", str(ROOT), "--name", "repoquarry", *remote)
        _say("2. Count the nodes of the graph in Cypher")
        _repoquarry(
            "query", "MATCH (n) RETURN labels(n)[0] AS kind, count(*) AS nodes ORDER BY nodes DESC, kind", *remote
        )
        _say(f"3. Ask: {QUESTION}")
        _repoquarry("ask", QUESTION, "--repository", "repoquarry", *remote)
    program = " ".join(os.path.relpath(part) for part in _command())
    _say(f"4. Open the page: REPOQUARRY_STORE={os.path.relpath(store)} {program} ui repoquarry")
    return 0


@contextlib.contextmanager
def _server(store: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"127.0.0.1:{port}"
    environment = {**os.environ, "REPOQUARRY_STORE": str(store)}
    process = subprocess.Popen([*_command(), "serve", "--listen", address], env=environment, stderr=subprocess.DEVNULL)
    try:
        _wait_until_listening(process, port)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_until_listening(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            sys.exit(f"the server stopped with exit code {process.returncode}; run `repoquarry serve` to see why")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    sys.exit(f"the server did not listen on port {port} within {START_SECONDS:.0f} seconds")


def _command() -> list[str]:
    return [str(Path(sys.executable).with_name("repoquarry"))]


def _repoquarry(*arguments: str) -> None:
    print(f"$ repoquarry {' '.join(repr(word) if ' ' in word else word for word in arguments)}", flush=True)
    subprocess.run([*_command(), *arguments], check=True)


def _say(text: str) -> None:
    print(f"\n{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
