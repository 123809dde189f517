"""The command line as the installed script starts it, also where nothing is installed."""

from __future__ import annotations

import sys

COMMAND = (sys.executable, "-c", "from repoquarry.server.cli import main; main()")
