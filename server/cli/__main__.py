"""`python -m server.cli`: the same as `repoquarry`."""

from server.cli import main

main()
