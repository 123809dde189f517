"""Runs an action on copies of a store, in one process for each number of writes that succeed; a preloaded library refuses the others.

Arguments: library, store, folder of copies, action, source, then the numbers. Prints a JSON line for each: the number, the number of
counted writes, and the class of the error (empty: none).
"""

import ctypes
import json
import os
import shutil
import sys
from pathlib import Path

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.repository_links import delete_repository
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings


def act(action: str, source: str, folder: Path) -> None:
    with Store.open(StoreSettings(folder, embedding=None), writable=True) as store:
        if action == "delete":
            delete_repository(source, store)
        else:
            index_repository(source, store, IngestSettings(workers=1), name=Path(source).name)


def run(library: str, folder: Path, action: str, source: str, writes: int) -> None:
    shim = ctypes.CDLL(library)
    shim.full_disk_arm(os.fsencode(folder.resolve()), ctypes.c_long(writes))
    reason = ""
    try:
        act(action, source, folder)
    except GraphStoreError as exc:
        reason = type(exc).__name__
    shim.full_disk_count.restype = ctypes.c_long
    print(json.dumps([writes, shim.full_disk_count(), reason]), flush=True)


def main() -> None:
    library, store, copies, action, source, *numbers = sys.argv[1:]
    for writes in map(int, numbers):
        folder = Path(copies) / str(writes)
        shutil.copytree(store, folder)
        child = os.fork()
        if not child:
            run(library, folder, action, source, writes)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
