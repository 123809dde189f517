"""Excluded source files in resolution: they are not parsed, but calls into them are unresolved instead of external."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from repoquarry.ingest.resolution.model import Resolution, UnresolvedCall
from repoquarry.languages.facts import ConstraintGraph, FileFacts, TextPool
from repoquarry.languages.family import LanguageFamily, ModuleInfo, ModuleMap
from repoquarry.languages.registry import family_name, is_folder_index, is_source, language_for

_NO_GRAPH = ConstraintGraph(TextPool(), b"", b"", b"", b"", b"")


def list_placeholders(family: LanguageFamily, excluded: Mapping[str, str]) -> list[FileFacts]:
    """List facts without content for the excluded files of a family."""
    paths = (path for path in sorted(excluded) if is_source(path) and family_name(path) == family.name)
    return list(map(_placeholder, paths))


def _placeholder(path: str) -> FileFacts:
    is_index = is_folder_index(path)
    folder, name = posixpath.split(path)
    return FileFacts(
        path=path,
        language=language_for(path).name,
        encoding="utf-8",
        loc=0,
        module_name=posixpath.basename(folder) if is_index else name.partition(".")[0],
        is_package=is_index,
        is_stub=False,
        docstring="",
        branches=0,
        deepest_indent=0,
        definitions=(),
        imports=(),
        exports=None,
        entry_points=(),
        parse_errors=(),
        graph=_NO_GRAPH,
    )


def add_placeholders(known: ModuleMap, extended: ModuleMap, count: int) -> ModuleMap:
    """Add the placeholders behind the first `count` files to the modules; a file that is read takes precedence.

    The name of a placeholder is its path, which no module and no package has.
    """
    added = extended.infos[count:]
    search, more = known.search, extended.search
    last_roots = list(search.last_roots)
    if last_roots:
        last_roots[-1:-1] = [()] * len(added)
    return ModuleMap(
        infos=[*known.infos, *(ModuleInfo(one.path, one.path, one.root, one.is_package) for one in added)],
        targets={key: _target(place, extended.targets.get(key), count) for key, place in known.targets.items()},
        members=known.members,
        search=replace(
            search,
            importable={**more.importable, **search.importable},
            folders=search.folders | more.folders,
            last_roots=last_roots,
        ),
        offered=known.offered,
    )


def _target(place: int | str | None, extended: int | str | None, count: int) -> int | str | None:
    return extended if place is None and isinstance(extended, int) and extended >= count else place


class ExcludedNames:
    """External names that belong to excluded files: by the path of a placeholder, or by a qualified name (Java)."""

    def __init__(self, excluded: Mapping[str, str]) -> None:
        self._reasons = {path: reason.partition(":")[0] for path, reason in excluded.items() if is_source(path)}
        self._paths: dict[str, str] = dict(zip(self._reasons, self._reasons, strict=True))
        for path in self._reasons:
            parts = posixpath.splitext(path)[0].split("/")
            for start in range(len(parts) - 1):
                self._paths.setdefault(".".join(parts[start:]), path)

    def find(self, external: str) -> tuple[str, str] | None:
        """Return the last part of an external name and why the file that it belongs to is excluded, if it is."""
        end = len(external)
        while end > 0:
            path = self._paths.get(external[:end])
            if path is not None:
                name = external[end:].rpartition(".")[2] or posixpath.basename(path).partition(".")[0]
                return name, f"excluded: {self._reasons[path]}"
            end = external.rfind(".", 0, end)
        return None


def mark_excluded(found: Resolution, excluded: Mapping[str, str]) -> Resolution:
    """Return the resolution in which calls into excluded files and imports of them are unresolved."""
    names = ExcludedNames(excluded)
    reasons = {at: known for at, name in enumerate(found.externals) if (known := names.find(name)) is not None}
    if not reasons:
        return found
    is_excluded = np.isin(~found.calls.callees, np.fromiter(reasons, np.int32))
    rows = np.flatnonzero(~is_excluded)
    lost: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for symbol, number, lines in _excluded_sites(found, reasons):
        lost[symbol, *reasons[number]].extend(lines)
    sites = (
        UnresolvedCall(caller, name, len(lines), tuple(sorted(lines)), reason, ())
        for (caller, name, reason), lines in lost.items()
    )
    return msgspec.structs.replace(
        found,
        calls=found.calls.chosen(rows, found.calls.callers[rows], found.calls.callees[rows]),
        unresolved=sorted([*found.unresolved, *sites], key=lambda one: (one.caller, one.name, one.reason)),
        imports=[one for one in found.imports if ~one.target not in reasons],
    )


def _excluded_sites(
    found: Resolution, reasons: Mapping[int, tuple[str, str]]
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Yield the symbol, external and lines of calls into excluded files and of their imports."""
    for call in found.calls:
        if ~call.callee in reasons:
            yield call.caller, ~call.callee, call.lines
    for entry in found.imports:
        if ~entry.target in reasons:
            yield entry.source, ~entry.target, entry.lines
