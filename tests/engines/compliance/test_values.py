"""The compliance suite on the engines of the package: values."""

from repoquarry.graphstore.testing.values import *  # noqa: F403
