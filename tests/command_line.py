"""The command line as the installed script starts it, also where nothing is installed."""

import sys

COMMAND = (sys.executable, "-c", "from repoquarry.server.cli import main; main()")
