"""The compliance suite on the engines of the package: limits."""

from repoquarry.graphstore.testing.limits import *  # noqa: F403
