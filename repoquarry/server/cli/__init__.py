"""The command line. Every command speaks in messages of the contract, to the local store or, with `--server`, to a service.

Start-up is kept short: a command's module is loaded when the command is called, and heavy libraries when it works.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of `repoquarry`."""
    from repoquarry.server.cli.program import run

    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))
