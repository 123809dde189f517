"""Entry point of the command line `repoquarry`, whose commands use the local store or call a server.

Start-up is short: the module of a command is loaded when the command is called, and heavy libraries on use. Nothing is imported
before the search path is restricted, not even from the standard library.
"""

from repoquarry.search_path import restrict_search_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


_NEW_OBJECTS = 20_000
"""Objects between two collections of garbage; Python's own threshold is 700 or 2000."""


def main(arguments: "Sequence[str] | None" = None) -> "NoReturn":
    """Entry point of `repoquarry`."""
    restrict_search_path()
    import gc
    import sys

    # Imports make nearly all objects of a command: collecting among them is 7 to 10 % of its processor time, and frees nothing.
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])

    from repoquarry.server.cli.program import run

    _leave(run(sys.argv[1:] if arguments is None else list(arguments)))


def _leave(code: int) -> "NoReturn":
    """Exit without freeing memory, which takes a sixth of a second after a large index.

    The other steps of an exit happen: waiting for threads, registered functions, flushing of buffers.
    """
    import atexit
    import os
    import sys
    import threading
    from contextlib import suppress

    watched = sys.gettrace() is not None or sys.getprofile() is not None
    if watched or any(not one.daemon for one in threading.enumerate() if one is not threading.main_thread()):
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
