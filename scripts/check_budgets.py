"""Line budgets by package: `python scripts/check_budgets.py [--table]`; exits with 1 where a package exceeds its budget.

Hand-written lines are counted, blank lines and comments included; generated code is not, nor are tables of pages that are rendered from
data files (scripts/data_tables.py). The budgets are in `budgets.toml` at the root.
A budget changes only together with a decision record in docs.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parent.parent
_RENDERED_TABLE = re.compile(rb"<!-- table: .*?<!-- end of table -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Budget:
    """Maximum size of a part of the repository.

    `unit` is `lines` or `bytes`. `max_modules` is 0 if the number of files is not limited.
    """

    name: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    unit: str
    max_size: int
    max_modules: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Measured size of a part: lines or bytes by the unit of its budget, and number of files."""

    size: int
    modules: int


def load_budgets() -> list[Budget]:
    """Read `budgets.toml`."""
    parsed = tomllib.loads((ROOT / "budgets.toml").read_text())
    generated = tuple(parsed["generated"])
    return [
        Budget(
            row["name"],
            tuple(row["include"]),
            (*row.get("exclude", ()), *generated),
            row.get("unit", "lines"),
            row["max_size"],
            row.get("max_modules", 0),
        )
        for row in parsed["budget"]
    ]


def tracked_files() -> list[str]:
    """List the files under version control, and new ones that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted({name for name in names if (ROOT / name).is_file()})


def measure(budget: Budget, files: list[str]) -> Usage:
    """Measure the files that a budget includes."""
    chosen = [
        name
        for name in files
        if any(fnmatch(name, pattern) for pattern in budget.include)
        and not any(fnmatch(name, pattern) for pattern in budget.exclude)
    ]
    contents = [(ROOT / name).read_bytes() for name in chosen]
    size = sum(
        len(_RENDERED_TABLE.sub(b"", content)) if budget.unit == "bytes" else content.count(b"\n")
        for content in contents
    )
    return Usage(size, len(chosen))


def main() -> int:
    files = tracked_files()
    exceeded = 0
    for budget in load_budgets():
        usage = measure(budget, files)
        over = usage.size > budget.max_size or 0 < budget.max_modules < usage.modules
        exceeded += over
        if over or "--table" in sys.argv:
            files_text = f", {usage.modules:>4} of {budget.max_modules:>4} files" if budget.max_modules else ""
            state = "  over budget" if over else ""
            print(f"{budget.name:<28} {usage.size:>7,} of {budget.max_size:>7,} {budget.unit}{files_text}{state}")
    return 1 if exceeded else 0


if __name__ == "__main__":
    raise SystemExit(main())
