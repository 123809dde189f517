"""Random edits of a tree, one after the other into one store: CPU seconds of each, and whether it ends where a fresh index does.

    python -m tests.benchmarks.indexing.random_edits TREE EDITS      default: BENCH_TREE 6

Edits are of Python files: a comment, an empty line, a call, a function, a method, a removed statement, in turn. All that is stored is compared
byte for byte: revision, search index, graph. Seconds are of this process and its children.
"""

import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.__main__ import SKIPPED
from tests.fresh_index_comparison import index, same_as_fresh
from tests.process_checks import cpu_seconds

_STATEMENT = re.compile(r"^( +)(?:\w[\w.]* = |return |self\.\w+\()")
Edit = Callable[[list[str], int, str], list[str]]


def _insert(text: str) -> Edit:
    """An edit that inserts a line before a statement."""
    return lambda lines, at, indent: [*lines[:at], text.format(indent=indent), *lines[at:]]


def _append(text: str) -> Edit:
    return lambda lines, _at, _indent: [*lines, text]


EDITS: dict[str, Edit] = {
    "comment": _insert("{indent}# one comment more\n"),
    "empty line": _insert("\n"),
    "call": _insert("{indent}print(len(str(1)))\n"),
    "function": _append("\n\ndef one_function_more(value):\n    return str(value)\n"),
    "class": _append("\n\nclass OneClassMore:\n    def run(self, value):\n        return self.run(value)\n"),
    "removed": lambda lines, at, indent: [*lines[:at], f"{indent}pass\n", *lines[at + 1 :]],
}


def main() -> int:
    given = sys.argv[1:] or [os.environ.get("BENCH_TREE", ""), "6"]
    if len(given) != 2 or not Path(given[0]).is_dir():
        print("name a tree and a number of edits, or set BENCH_TREE")
        return SKIPPED
    print(f"load before: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
    with tempfile.TemporaryDirectory(prefix="random-edits-") as scratch:
        tree = Path(scratch) / "tree"
        shutil.copytree(given[0], tree, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        return 1 if _apply(tree, Path(scratch), int(given[1])) else 0


def _apply(tree: Path, scratch: Path, count: int) -> int:
    """Return the number of edits that did not end where a fresh index does."""
    rng, unequal = random.Random(7), 0
    paths = sorted(tree.rglob("*.py"))
    index(tree, scratch / "stored")
    for number in range(count):
        name = list(EDITS)[number % len(EDITS)]
        path = _edit(paths, EDITS[name], rng)
        before = cpu_seconds()
        index(tree, scratch / "stored")
        seconds = cpu_seconds() - before
        is_equal = _is_exact(tree, scratch / "stored", scratch / f"fresh{number}")
        unequal += not is_equal
        shutil.rmtree(scratch / f"fresh{number}")
        print(f"{name:12s} {path.relative_to(tree)!s:60s} {seconds:6.2f} {'' if is_equal else 'UNEQUAL'}", flush=True)
    return unequal


def _is_exact(tree: Path, stored: Path, fresh: Path) -> bool:
    try:
        same_as_fresh(tree, stored, fresh)
    except AssertionError:
        return False
    return True


def _edit(paths: Sequence[Path], edit: Edit, rng: random.Random) -> Path:
    """Edit a random file at a random statement."""
    while True:
        path = rng.choice(paths)
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines(keepends=True)
        places = [(at, match[1]) for at, line in enumerate(lines) if (match := _STATEMENT.match(line))]
        if places:
            at, indent = rng.choice(places)
            path.write_text("".join(edit(lines, at, indent)), encoding="utf-8", errors="surrogateescape")
            return path


if __name__ == "__main__":
    sys.exit(main())
