"""Runs every benchmark of the folders next to this file, each in its own process, so that their memory use is independent.

A benchmark is a module with a `main()`; it exits with 77 and says why when the data it needs is not there.
"""

import subprocess
import sys
from pathlib import Path

SKIPPED = 77


def main() -> int:
    here = Path(__file__).parent
    found = (path.relative_to(here).with_suffix("") for path in here.rglob("[a-z]*.py"))
    names = sys.argv[1:] or sorted(".".join(path.parts) for path in found)
    failed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        code = subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}"], check=False).returncode
        if code == SKIPPED:
            print("   skipped: what it needs is not here (see above)")
        elif code:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
