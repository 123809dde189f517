"""Size budgets by package: `python scripts/check_budgets.py [--table]`; exits with 1 where a part exceeds its budget.

Bytes of hand-written files are counted; generated code is not, nor are tables of pages that are rendered from data files
(scripts/data_tables.py). The budgets are in `budgets.toml` at the root.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent
_RENDERED_TABLE = re.compile(rb"<!-- table: .*?<!-- end of table -->", re.DOTALL)


def tracked_files() -> list[str]:
    """List the files under version control, and new ones that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted({name for name in names if (ROOT / name).is_file()})


def measure(names: list[str], include: list[str], exclude: list[str]) -> int:
    """Sum the bytes of the files that match a pattern of `include` and none of `exclude`."""
    return sum(
        len(_RENDERED_TABLE.sub(b"", (ROOT / name).read_bytes()))
        for name in names
        if any(fnmatch(name, pattern) for pattern in include) and not any(fnmatch(name, pattern) for pattern in exclude)
    )


def main() -> int:
    table = tomllib.loads((ROOT / "budgets.toml").read_text())
    names = tracked_files()
    is_exceeded = False
    for budget in table["budget"]:
        size = measure(names, budget["include"], [*budget.get("exclude", []), *table["generated"]])
        limit = 1000 * budget["max_kilobytes"]
        is_exceeded |= size > limit
        if size > limit or "--table" in sys.argv:
            state = "  over budget" if size > limit else ""
            print(f"{budget['name']:<45} {size:>9,} of {limit:>9,} bytes{state}")
    return int(is_exceeded)


if __name__ == "__main__":
    raise SystemExit(main())
