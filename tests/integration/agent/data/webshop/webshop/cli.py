"""Command line of the shop."""

import sys

from webshop.http.server import Server


def main() -> None:
    """Start the server."""
    if sys.argv[1:] == ["serve"]:
        Server().serve()
