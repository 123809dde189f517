"""`python -m repoquarry.server.cli`."""

from repoquarry.server.cli import main

main()
