"""One-minute tour: index this repository, ask three questions about it, and submit a task to a gRPC service.

The tour uses a temporary folder and a free loopback port; it needs no download and no key.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYMBOL = "parse_source"
LANGUAGES = "MATCH (m:Module) RETURN m.language AS language, count(m) AS files ORDER BY files DESC LIMIT 3"
COLUMNS = 80
START_SECONDS = 60.0


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="repoquarry-demo-") as folder, _server(Path(folder)) as address:
        remote = ["--server", address]
        _show("Index this repository", ["index", ".", "--name", "repoquarry"], remote, lines=2)
        _show(f"Who calls {SYMBOL}?", ["show", SYMBOL, "--callers"], remote, lines=6)
        _show("What does a change of it affect?", ["impact", "repoquarry", "--symbol", SYMBOL], remote, lines=6)
        _show("Count in Cypher", ["query", LANGUAGES], remote, lines=4)
        _show("Ask in a task of the gRPC service", ["ask", f"Who calls {SYMBOL}?", "--quiet"], remote, lines=4)
    print("\nOpen the page of your own code: repoquarry index . && repoquarry ui")
    return 0


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"127.0.0.1:{port}"
    environment = {**os.environ, "REPOQUARRY_STORE": str(folder / "store")}
    process = subprocess.Popen(
        [*_command(), "serve", "--listen", address],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
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


def _show(title: str, arguments: list[str], remote: list[str], lines: int) -> None:
    """Run a command on the server and print the first lines of its output."""
    shown = " ".join(repr(word) if " " in word else word for word in arguments)
    print(f"\n{title}\n{textwrap.shorten(f'$ repoquarry {shown}', COLUMNS, placeholder=' …')}", flush=True)
    # The index shows its progress in one line of a terminal; the others print the basis of their answer.
    has_progress = arguments[0] == "index" and sys.stderr.isatty()
    code, output = _run_in_terminal([*_command(), *arguments, *remote], None if has_progress else subprocess.DEVNULL)
    if code:
        sys.exit(f"{output}\nthe command failed with exit code {code}")
    # A row whose names cannot be wrapped may be wider than the terminal.
    printed = [line if len(line) <= COLUMNS else f"{line[: COLUMNS - 2]} …" for line in output.rstrip().splitlines()]
    if len(printed) > lines:
        printed[lines - 1] = f"{printed[lines - 1][: COLUMNS - 2]} …"
    print(*printed[:lines], sep="\n", flush=True)


def _run_in_terminal(command: list[str], stderr: int | None) -> tuple[int, str]:
    """Run a command with a terminal of 80 columns as its stdout. Returns its exit code and output."""
    reading, writing = pty.openpty()
    fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    process = subprocess.Popen(command, stdout=writing, stderr=stderr, env={**os.environ, "NO_COLOR": "1"})
    os.close(writing)
    output = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while part := os.read(reading, 65_536):
            output += part
    os.close(reading)
    return process.wait(), output.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    sys.exit(main())
