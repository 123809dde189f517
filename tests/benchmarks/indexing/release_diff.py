"""Does `repoquarry diff` say what differs between two releases? Beside the view of Python's own `ast` on the same two trees.

Both releases are indexed and compared by the command. The other view parses every Python file that the product has, and keys
classes and functions by path and qualified name; a definition's signature is what `ast.unparse` writes of its parameters and return
annotation, or of its base classes, so that layout and comments do not count. A moved definition counts as one that went and one that came.
Where a scope defines a name more than once (overloads, branches), both views are compared without it. Prints recall and
precision for what came, went and changed in signature, and of the moved ones how many have an equal body.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.indexing.release_diff [OWNER/NAME BEFORE AFTER]
"""

import ast
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.__main__ import SKIPPED
from tests.command_line import COMMAND

RELEASES: Final = (
    ("pallets/flask", "2.2.5", "3.0.3"),
    ("pallets/click", "8.1.7", "8.2.0"),
    ("pallets/werkzeug", "2.3.8", "3.0.3"),
    ("pallets/jinja", "3.0.3", "3.1.4"),
    ("psf/requests", "v2.31.0", "v2.32.3"),
    ("encode/httpx", "0.26.0", "0.28.0"),
    ("encode/starlette", "0.37.0", "0.41.0"),
    ("marshmallow-code/marshmallow", "3.13.0", "3.21.0"),
    ("urllib3/urllib3", "1.26.18", "2.2.0"),
    ("tornadoweb/tornado", "v6.2.0", "v6.4.0"),
)
Key = tuple[str, str]
"""Path and qualified name."""


def main() -> int:
    mirrors = Path(os.environ.get("BENCH_MIRROR", "/nowhere"))
    asked = [tuple(sys.argv[1:4])] if len(sys.argv) > 3 else RELEASES
    total: Counter[str] = Counter()
    for repository, before, after in asked:
        git = mirrors / repository.replace("/", "+") / "repo"
        if not git.is_dir():
            print(f"BENCH_MIRROR holds no mirror of {repository}")
            return SKIPPED
        with tempfile.TemporaryDirectory() as work:
            counts = _compared(git, before, after, Path(work))
        total += counts
        _print(f"{repository} {before} to {after}", counts)
    _print("all", total)
    return 0


def _compared(git: Path, before: str, after: str, work: Path) -> Counter[str]:
    answer = _answer(git, before, after, work / "store")
    repeated: set[Key] = set()
    sides = [_definitions(git, ref, repeated) for ref in (before, after)]
    old, new = ({key: value for key, value in side.items() if key not in repeated} for side in sides)
    expected = {
        "added": new.keys() - old.keys(),
        "removed": old.keys() - new.keys(),
        "signature": {key for key in old.keys() & new.keys() if old[key] != new[key]},
    }
    told: dict[str, set[Key]] = {name: set() for name in expected}
    moved = Counter(_read(answer, told))
    return Counter(moved) + Counter(
        {
            f"{name} {part}": len(keys)
            for name in expected
            for part, keys in (
                ("right", (told[name] - repeated) & expected[name]),
                ("told", told[name] - repeated),
                ("expected", expected[name]),
            )
        }
    )


def _answer(git: Path, before: str, after: str, store: Path) -> dict[str, Any]:
    command = list(COMMAND)
    for ref, name in ((before, "old"), (after, "new")):
        asked = [*command, "index", str(git), "--ref", ref, "--name", name, "--store", str(store)]
        subprocess.run(asked, check=True, capture_output=True)
    asked = [*command, "diff", "old", "new", "--limit", "20000", "--json", "--store", str(store)]
    answer: dict[str, Any] = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
    return answer


def _read(answer: Mapping[str, Any], told: dict[str, set[Key]]) -> Iterator[str]:
    """Sort changes of Python's named definitions into added, removed and changed; returns the evidence of each moved one."""
    for change in answer["definitions"]:
        before, after = (_key(change[side]) for side in ("before", "after"))
        if before is None and after is None:
            continue
        if change["kind"] == "signature" and before is not None:
            told["signature"].add(before)
        else:
            told["removed"] |= {before} if before is not None else set()
            told["added"] |= {after} if after is not None else set()
        if change["kind"] == "moved":
            yield "moved by body" if change["same_body"] else "moved by name"


def _key(entity: Mapping[str, Any] | None) -> Key | None:
    if entity is None or entity["label"] not in ("Class", "Function") or not entity["path"].endswith((".py", ".pyi")):
        return None
    return None if "<" in entity["qualname"] else (entity["path"], entity["qualname"])


def _definitions(git: Path, ref: str, repeated: set[Key]) -> dict[Key, str]:
    """Signatures of all definitions of a release; adds to `repeated` what its scope defines more than once."""
    packed = subprocess.run(["git", "--git-dir", git, "archive", ref], check=True, capture_output=True).stdout
    found: dict[Key, str] = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        for member in tar:
            if not member.isfile() or not member.name.endswith((".py", ".pyi")):
                continue
            file = tar.extractfile(member)
            try:
                tree = ast.parse(file.read() if file else b"")
            except (SyntaxError, ValueError):
                continue
            for qualname, signature in _scope(tree, ""):
                key = member.name, qualname
                if key in found:
                    repeated.add(key)
                found[key] = signature
    return found


def _scope(node: ast.AST, prefix: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, ", ".join(ast.unparse(base) for base in child.bases)
            yield from _scope(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            returned = f" -> {ast.unparse(child.returns)}" if child.returns else ""
            yield prefix + child.name, f"({ast.unparse(child.args)}){returned}"
            yield from _scope(child, f"{prefix}{child.name}.")
        elif not isinstance(child, ast.Lambda):
            yield from _scope(child, prefix)


def _print(title: str, counts: Counter[str]) -> None:
    parts = []
    for name in ("added", "removed", "signature"):
        right, told, expected = (counts[f"{name} {part}"] for part in ("right", "told", "expected"))
        recall, precision = right / expected if expected else 1.0, right / told if told else 1.0
        parts.append(f"{name} {expected}: recall {recall:.3f} precision {precision:.3f}")
    print(
        f"{title}: {'; '.join(parts)}; moved {counts['moved by body']} by body, {counts['moved by name']} by name",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
