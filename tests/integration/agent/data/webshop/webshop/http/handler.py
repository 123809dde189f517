"""The way from a request to its view."""

from webshop.http.messages import NotFound, Request, Response
from webshop.http.routes import find_view


class Handler:
    """Finds the view for a request and calls it."""

    def handle(self, request: Request) -> Response:
        """Answer a request: resolve its path to a view and call the view with the request."""
        view = find_view(request.path)
        if view is None:
            return NotFound(b"no such page")
        return view(request)
