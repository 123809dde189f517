"""Generator of the table of Python's built-ins: `generate_builtins.py PYTHON...`, one interpreter per version, oldest first.

The graph of a repository must not depend on the interpreter that indexes it, so built-ins come from this committed table: all names of
`builtins`, and the bases and attributes of its types, each with the version that introduced it (the oldest interpreter's version for
older ones). Versions newer than the newest interpreter come from typeshed, which mypy contains, by its conditions on `sys.version_info`.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import mypy

TABLE = Path(__file__).parents[1] / "repoquarry" / "languages" / "python" / "builtins.json"
NEWEST = (3, 14)
_DUMP = """
import builtins, json, sys, types
found = {name: value for name, value in vars(builtins).items()}
kinds = {name: value for name, value in found.items() if isinstance(value, type) and name != "__loader__"}
kinds |= {"generator": types.GeneratorType, "coroutine": types.CoroutineType}
print(json.dumps({
    "version": sys.version_info[:2],
    "names": sorted(found),
    "types": {name: {"bases": [base.__name__ for base in kind.__bases__], "attributes": sorted(vars(kind))}
              for name, kind in kinds.items()},
}))
"""


def main(interpreters: Sequence[str]) -> None:
    """Write the table."""
    dumps = [json.loads(subprocess.check_output([path, "-I", "-c", _DUMP], text=True)) for path in interpreters]
    names: dict[str, str] = {}
    types: dict[str, dict[str, Any]] = {}
    for dump in dumps:
        version = "{}.{}".format(*dump["version"])
        for name in dump["names"]:
            names.setdefault(name, version)
        for name, kind in dump["types"].items():
            known = types.setdefault(name, {"bases": kind["bases"], "attributes": {}})
            for attribute in kind["attributes"]:
                known["attributes"].setdefault(attribute, version)
    newest = tuple(dumps[-1]["version"])
    while newest < NEWEST:
        newest = (newest[0], newest[1] + 1)
        _add_declared(names, types, newest)
    table = {
        "names": dict(sorted(names.items())),
        "types": {
            name: {"bases": kind["bases"], "attributes": dict(sorted(kind["attributes"].items()))}
            for name, kind in sorted(types.items())
        },
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {TABLE.name}: {len(names)} names, {len(types)} types")


def _add_declared(names: dict[str, str], types: dict[str, dict[str, Any]], version: tuple[int, ...]) -> None:
    """Add the declarations of typeshed that a version introduces."""
    stub = ast.parse((Path(mypy.__file__).parent / "typeshed" / "stdlib" / "builtins.pyi").read_text("utf-8"))
    shown = ".".join(map(str, version))
    before = dict(_declared(stub.body, (version[0], version[1] - 1)))
    for name, members in _declared(stub.body, version):
        if name not in before:
            names.setdefault(name, shown)
        for member in members - before.get(name, set()) if name in types else ():
            types[name]["attributes"].setdefault(member, shown)


def _declared(body: Sequence[ast.stmt], version: tuple[int, ...]) -> Iterator[tuple[str, set[str]]]:
    """Yield the name of each declaration for a version of Python, and its members if it is a class."""
    for statement in body:
        if isinstance(statement, ast.If):
            holds = eval(ast.unparse(statement.test), {"sys": _System(version)})  # noqa: S307 - mypy's own file
            yield from _declared(statement.body if holds else statement.orelse, version)
        elif isinstance(statement, ast.ClassDef):
            yield statement.name, {name for name, _ in _declared(statement.body, version)}
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement.name, set()
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, set()


class _System:
    """Stub of `sys` for the conditions in typeshed."""

    platform = "linux"

    def __init__(self, version: tuple[int, ...]) -> None:
        self.version_info = version


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
