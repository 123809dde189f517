"""`python -m tests.oracle FOLDER...`: resolves source trees with both resolvers, lays them side by side and times them."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.python import extract
from tests import oracle
from tests.oracle.comparison import differences


def main(folders: list[str]) -> int:
    """0 where both agree on all folders."""
    failed = 0
    for folder in map(Path, folders):
        files = _facts(folder)
        start = time.process_time()
        resolve(files)
        middle = time.process_time()
        oracle.report(oracle.solve(files))
        end = time.process_time()
        found = differences(files)
        print(f"{folder.name}: {len(files)} files, kernel {middle - start:.2f} s, oracle {end - middle:.2f} s (CPU): "
              + ("equal" if not found else "DIFFERENT\n  " + "\n  ".join(found)), flush=True)  # fmt: skip
        failed += bool(found)
    return int(failed > 0)


def _facts(folder: Path) -> list[FileFacts]:
    sources = sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")])
    return [extract(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sources]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
