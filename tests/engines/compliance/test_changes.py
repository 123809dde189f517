"""The compliance suite on the engines of the package: changes."""

from repoquarry.graphstore.testing.changes import *  # noqa: F403
