"""The pages of the shop."""

from webshop.http.messages import Request, Response
from webshop.shop import Shop


def front_page(request: Request) -> Response:
    """The page with all items."""
    return Response(b"welcome")


def place_order(request: Request) -> Response:
    """Order what the request names."""
    total = Shop().order(request.body.decode(), 1)
    return Response(str(total).encode())
