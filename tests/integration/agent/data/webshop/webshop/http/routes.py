"""Which path is served by which view."""

from collections.abc import Callable

from webshop import views
from webshop.http.messages import Request, Response

View = Callable[[Request], Response]

ROUTES: dict[str, View] = {"/": views.front_page, "/order": views.place_order}


def find_view(path: str) -> View | None:
    """The view for a path."""
    return ROUTES.get(path)
