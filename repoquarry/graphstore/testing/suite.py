"""The whole compliance suite: `from repoquarry.graphstore.testing.suite import *` in a test module of an engine."""

from repoquarry.graphstore.testing.changes import *  # noqa: F403
from repoquarry.graphstore.testing.fixtures import *  # noqa: F403
from repoquarry.graphstore.testing.limits import *  # noqa: F403
from repoquarry.graphstore.testing.values import *  # noqa: F403
from repoquarry.graphstore.testing.writes import *  # noqa: F403
