"""Downloads from peers that send a byte now and then for ever: the deadline and a cancellation end them."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.ingest.sources.downloads import Credentials, Downloader

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
ANSWERS = {
    "nothing": (b"", b""),
    "status line": (b"", b"HTTP/1.1 200 OK "),
    "headers": (_HEAD, b"X-Long: 1\r\n"),
    "body": (_HEAD + b"Content-Length: 100000000\r\n\r\n", b"x"),
    "body until the end": (_HEAD + b"\r\n", b"x"),
    "chunks": (_HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "size of a chunk": (_HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
}
"""Bytes that come at once, and bytes that come one by one and are repeated."""


class SlowPeer:
    def __init__(self, at_once: bytes, repeated: bytes) -> None:
        self._at_once, self._repeated = at_once, repeated
        self.stop = threading.Event()
        self.has_client = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/page"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(self._at_once)
            self.has_client.set()
            while not self.stop.is_set():
                for byte in self._repeated or b"":
                    if self.stop.wait(0.05):
                        return
                    try:
                        connection.sendall(bytes([byte]))
                    except OSError:
                        return
                self.stop.wait(0.05)

    def close(self) -> None:
        self.stop.set()
        self._listener.close()


@pytest.fixture(params=ANSWERS)
def peer(request: pytest.FixtureRequest) -> Iterator[SlowPeer]:
    made = SlowPeer(*ANSWERS[request.param])
    yield made
    made.close()


def test_deadline_ends_a_slow_page(peer: SlowPeer) -> None:
    downloader = Downloader(EVERYWHERE, IngestSettings(git_seconds=0.3), lambda: False, Credentials())
    with pytest.raises(SourceNotFoundError, match=r"timed out after 0\.3 s"):
        downloader.read(peer.url)


def test_cancellation_ends_a_slow_archive(peer: SlowPeer, tmp_path: Path) -> None:
    downloader = Downloader(EVERYWHERE, IngestSettings(git_seconds=900), peer.has_client.is_set, Credentials())
    with pytest.raises(IngestCancelledError):
        downloader.save(peer.url, tmp_path / "archive", "", "")
