"""The shop's own server."""
