"""An HTTP server of the test's own process, on a port of the loopback that the system chooses."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def served(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[int]:
    """Answer by `handler` until the end, on the port that is given."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], tuple[int, Mapping[str, str], bytes]]) -> Iterator[str]:
    """Answer requests of every method with the status, headers and body that a function gives, at the address that is given."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            status, headers, body = answer(self)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with served(Handler) as port:
        yield f"http://127.0.0.1:{port}"
