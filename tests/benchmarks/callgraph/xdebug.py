"""Rows of calls from function traces of Xdebug: `python -m tests.benchmarks.callgraph.xdebug ROOT OUT.tsv TRACE [TRACE ...]`.

Traces are made with `xdebug.mode=trace`, `xdebug.start_with_request=yes` and `xdebug.trace_format=1`. Rows are those of `tracepoint.rb`: file of the
call below ROOT, its line, called name, file of the function, line of its name; the last two are empty where it is not below ROOT. Rows of an
OUT that is there already are kept. What runs without a call in the source (functions that PHP's own call, loading of files) is left out.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from repoquarry.languages import registry

_NAME = re.compile(r"^(?:(.*?)(?:->|::))?([A-Za-z_]\w*)$")
_USER = "1"
Place = tuple[str, int]


def definitions(root: Path) -> tuple[dict[str, Place], dict[str, list[Place]], set[str]]:
    """Return functions by their full names in lower case, methods of traits by name, and the full names of classes."""
    found: dict[str, Place] = {}
    by_trait: dict[str, list[Place]] = {}
    classes: set[str] = set()
    for path in sorted(root.rglob("*.php")):
        name = path.relative_to(root).as_posix()
        facts = registry.language_for("a.php").extract(name, path.read_bytes())
        traits = {one.key for one in facts.definitions if one.form == "trait"}
        for one in facts.definitions:
            full = f"{facts.namespace}.{one.qualname}".strip(".").replace(".", "\\").lower()
            if one.kind == "class":
                classes.add(full)
                continue
            found.setdefault(full, (name, one.name_line))
            if one.parent in traits:
                by_trait.setdefault(one.name.lower(), []).append((name, one.name_line))
    return found, by_trait, classes


def read(trace: Path, root: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield file, line, class and function of each call that is written below the root."""
    by_user = {0: True}
    with trace.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            part = line.split("\t", 10)
            if len(part) < 10 or part[2] != "0":
                continue
            level = int(part[0])
            by_user[level] = part[6] == _USER or part[7] != ""
            match = _NAME.match(part[5])
            if match is not None and by_user.get(level - 1, True) and part[8].startswith(root):
                yield part[8].removeprefix(root), int(part[9]), match[1] or "", match[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("traces", type=Path, nargs="+")
    options = parser.parse_args()
    root = options.root.resolve()
    by_name, by_trait, classes = definitions(root)
    rows = set(options.out.read_text().splitlines()) if options.out.exists() else set()
    for trace in options.traces:
        for path, line, cls, name in set(read(trace, f"{root}/")):
            place = by_name.get(f"{cls}\\{name}".strip("\\").lower())
            if place is None and cls.lower() in classes and len(by_trait.get(name.lower(), ())) == 1:
                place = by_trait[name.lower()][0]
            rows.add("\t".join((path, str(line), name, *map(str, place or ("", "")))))
    options.out.write_text("\n".join(sorted(rows)) + "\n")


if __name__ == "__main__":
    main()
