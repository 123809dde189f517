"""Interfaces of the packages that a program imports, as rows of the kernel's tables.

For each package the first of these is taken: a table in `.repoquarry/interfaces` of the repository, one that another indexed repository
provides, one of the pack.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from repoquarry.ingest.interfaces.compilation import compile_interfaces
from repoquarry.ingest.interfaces.tables import (
    STORED,
    InterfaceError,
    InterfaceTable,
    decode_table,
    is_own_table,
    load_packaged,
    packaged,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import Configuration, PointsToConfig

_log = logging.getLogger(__name__)
MODEL = "interface"
"""Name of the model of all interfaces, which edges show."""
_PAIRS, _NAMES = ("behaviours", "results"), ("transparent", "properties")
"""Tables of a language whose names keep their meaning."""


def list_interfaces(
    ecosystem: str, files: Sequence[FileFacts], configuration: Configuration, own: Iterable[str]
) -> list[InterfaceTable]:
    """Return the tables of the packages that files import, without those of the program's `own` modules; refused tables are logged."""
    if not ecosystem:
        return []
    imported = imported_packages(files, ecosystem) - {name.partition(".")[0] for name in own}
    found: dict[str, InterfaceTable] = {}
    for path in sorted((one for one in configuration if is_own_table(one) or one.startswith(STORED)), reverse=True):
        try:
            table = decode_table(configuration[path])
        except InterfaceError as exc:
            _log.warning("interface_refused path=%s reason=%s", path, exc)
            continue
        if table.ecosystem == ecosystem and table.package in imported:
            found[table.package] = table
    for package in sorted(imported & packaged(ecosystem) - found.keys()):
        found[package] = load_packaged(ecosystem, package)
    return [found[package] for package in sorted(found)]


def imported_packages(files: Iterable[FileFacts], ecosystem: str) -> set[str]:
    """Return the names of the packages that files import: `a` of `a.b` in Python, `@a/b` of `@a/b/c` in JavaScript."""
    modules = {one.module for facts in files for one in facts.imports if not one.level}
    if ecosystem == "npm":
        return {"/".join(module.split("/")[: 2 if module.startswith("@") else 1]) for module in modules}
    return {module.partition(".")[0] for module in modules}


def with_interfaces(
    method: PointsToConfig, files: Sequence[FileFacts], found: Sequence[InterfaceTable]
) -> PointsToConfig:
    """Add the rows of interfaces to the tables of a language; rows of models take precedence."""
    if not found:
        return method
    words = {text for facts in files for text in facts.graph.symbols.texts()}
    words |= {name for facts in files for one in facts.imports for name in (one.name, one.module.rpartition(".")[2])}
    compiled, tables = compile_interfaces(found, words), dict(method.tables())
    rows = tables.get("models", ())
    known = frozenset(
        chain(rows[::2], *(tables.get(name, ())[::2] for name in _PAIRS), *(tables.get(name, ()) for name in _NAMES))
    )
    added = [
        text
        for key, steps in compiled.programs.items()
        if key not in known
        for text in (key, f"{MODEL} {steps}".rstrip())
    ]
    tables["models"] = (*rows, *added)
    tables["model_names"] = (*tables.get("model_names", ()), MODEL)
    tables["interface_members"] = tuple(compiled.members)
    tables["frameworks"] = (
        *tables.get("frameworks", ()),
        *(text for one in compiled.packages for text in (f"{one}/*", "described")),
    )
    return replace(method, tables=lambda: tables)
