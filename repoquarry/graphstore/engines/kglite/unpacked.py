"""Loading a graph file without leaving anything in the folder for temporary files."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import Any

import kglite

_UNPACKED = "kglite_portable_{pid}_*"
"""How the engine names the folder into which it unpacks the columns of a large graph, which it then maps."""

_guard = threading.Lock()


def load_file(path: Path) -> Any:
    """A graph of its own. What the engine unpacked for it is removed at once: the maps hold it, and a process that is killed cannot.

    Raises: kglite.KgError, OSError, ValueError.
    """
    with _guard:  # so that no folder of a load that is still under way is removed
        graph = kglite.load(str(path))
        temporary = Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - where the engine looks, too
        for folder in temporary.glob(_UNPACKED.format(pid=os.getpid())):
            shutil.rmtree(folder, ignore_errors=True)
        return graph
