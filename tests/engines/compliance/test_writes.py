"""The compliance suite on the engines of the package: writes."""

from repoquarry.graphstore.testing.writes import *  # noqa: F403
