"""Accepts connections and turns bytes into requests."""

import socket

from webshop.http.handler import Handler
from webshop.http.messages import Request


class Server:
    """Listens on a socket."""

    def __init__(self) -> None:
        self.handler = Handler()

    def serve(self) -> None:
        """Accept connections for ever."""
        with socket.create_server(("127.0.0.1", 8000)) as listener:
            while True:
                connection, _ = listener.accept()
                self.answer(connection)

    def answer(self, connection: socket.socket) -> None:
        """Read one request and send its response."""
        request = Request.parse(connection.recv(65536))
        response = self.handler.handle(request)
        connection.sendall(response.to_bytes())
