"""What goes over the wire."""


class Message:
    """Headers and a body."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    def to_bytes(self) -> bytes:
        """The message as it is sent."""
        return self.body


class Request(Message):
    """A request with its path."""

    path = "/"

    @classmethod
    def parse(cls, data: bytes) -> "Request":
        """Read a request from bytes."""
        request = cls(data)
        request.path = data.split(b" ")[1].decode() if b" " in data else "/"
        return request


class Response(Message):
    """A response with its status."""

    status = 200

    def to_bytes(self) -> bytes:
        """Status line and body."""
        return b"HTTP/1.1 %d\r\n\r\n" % self.status + self.body


class NotFound(Response):
    """Answers requests that no view serves."""

    status = 404
