"""HTTP server that serves the built page and answers Connect requests with recorded messages.

A recorded message is `web/fixtures/{Method}.json` in the JSON of the contract; a `.jsonl` file holds the messages of a stream.
"""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "repoquarry" / "server" / "page"
FIXTURES = ROOT / "web" / "fixtures"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
END_OF_STREAM = 2


class RecordedService:
    """Answers by method. A test replaces one with `answers[method]` or makes one fail with `failures[method]`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: dict[str, bytes] = {}
        self.failures: dict[str, tuple[int, str]] = {}
        self.requests: list[tuple[str, dict[str, object]]] = []

    def unary(self, method: str) -> tuple[int, bytes]:
        """Return the status and body of a method with one answer."""
        if method in self.failures:
            status, code = self.failures[method]
            return status, json.dumps({"code": code, "message": f"{method} failed"}).encode()
        recorded = FIXTURES / f"{method}.json"
        if method in self.answers:
            return 200, self.answers[method]
        if recorded.exists():
            return 200, recorded.read_bytes()
        return 404, json.dumps({"code": "unimplemented", "message": f"{method} is not recorded"}).encode()

    def stream(self, method: str) -> bytes:
        """Return the enveloped messages of a stream."""
        recorded = FIXTURES / f"{method}.jsonl"
        text = self.answers.get(method) or (recorded.read_bytes() if recorded.exists() else b"")
        frames = [struct.pack(">BI", 0, len(line)) + line for line in text.splitlines() if line]
        end = b"{}"
        return b"".join([*frames, struct.pack(">BI", END_OF_STREAM, len(end)) + end])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: RecordedService

    def do_GET(self) -> None:
        path = PAGE / self.path.partition("?")[0].lstrip("/")
        file = path if path.is_file() else PAGE / "index.html"
        self._send(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

    def do_POST(self) -> None:
        method = self.path.rpartition("/")[2]
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.headers.get("Content-Type", "").startswith("application/connect+json"):
            self.service.requests.append((method, json.loads(body[5:] or b"{}")))
            self._send(200, self.service.stream(method), "application/connect+json")
            return
        self.service.requests.append((method, json.loads(body or b"{}")))
        status, answer = self.service.unary(method)
        self._send(status, answer, "application/json")

    def _send(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep requests out of the test output."""


@contextmanager
def recorded_service() -> Iterator[RecordedService]:
    """Run a service on a free port of this machine."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    service = RecordedService(f"http://127.0.0.1:{server.server_port}")
    handler.service = service
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
