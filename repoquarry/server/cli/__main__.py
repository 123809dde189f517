"""`python -m repoquarry.server.cli`: the same as `repoquarry`."""

from repoquarry.server.cli import main

main()
