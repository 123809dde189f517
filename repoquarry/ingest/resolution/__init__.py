"""Resolver of calls, imports, inheritance and references: from the parsed facts of all files to edges between definitions.

`resolve` is pure and deterministic. Files are resolved per family of languages (`languages/family.py`) and the
results are merged. Most languages use a flow-insensitive points-to analysis in C++ (`native/resolution/kernel`,
docs/explanation/kernel.md) over the constraints that the extractors emitted.
Excluded source files are not parsed, but calls into them are unresolved instead of external.
"""

from __future__ import annotations

import logging
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import msgspec
import numpy as np

from repoquarry.ingest.interfaces.rows import list_interfaces, with_interfaces
from repoquarry.ingest.resolution.candidates import with_candidates
from repoquarry.ingest.resolution.commands import find_command_references
from repoquarry.ingest.resolution.families import (
    import_edges,
    interfaces_of,
    merge_resolutions,
    resolve_by_types,
    stubs_of,
    without_stubs,
)
from repoquarry.ingest.resolution.kernel_input import KernelError, ProgramInput, resolved
from repoquarry.ingest.resolution.kernel_output import KernelResultReader
from repoquarry.ingest.resolution.model import (
    Resolution,
    SolverBudget,
    UnresolvedCall,
)
from repoquarry.ingest.resolution.routes import find_route_references, merge_references
from repoquarry.languages.facts import NO_GRAPH, FileFacts
from repoquarry.languages.family import (
    AttributionConfig,
    Configuration,
    LanguageFamily,
    ModuleInfo,
    ModuleMap,
    PointsToConfig,
)
from repoquarry.languages.model_files import Model, compile_tables, load_models, parse_own_models
from repoquarry.languages.registry import family_name, is_folder_index, is_source, language_for, load

logger = logging.getLogger(__name__)

__all__ = [
    "KernelError",
    "Resolution",
    "SolverBudget",
    "by_family",
    "merge_resolutions",
    "prepare",
    "resolve",
    "resolve_family",
]

_NO_FAMILY = LanguageFamily(
    "", lambda files, _configuration, _roots: ModuleMap([ModuleInfo(one.path, "", "", False) for one in files])
)


def resolve(
    files: Sequence[FileFacts],
    *,
    configuration: Configuration | None = None,
    excluded: Mapping[str, str] | None = None,
    roots: Sequence[str] | None = None,
    budget: SolverBudget | None = None,
) -> Resolution:
    """Resolve one repository; the order of `files` does not matter.

    `configuration` has the files that configure import resolution (`registry.is_configuration`); `excluded` has
    the reasons of source files that are not read, by path; `roots` are additional source roots (folders from which modules are imported).

    Raises: KernelError.
    """
    programs = by_family(sorted(files, key=lambda facts: facts.path))
    return merge_resolutions(
        [resolve_family(family, own, configuration or {}, excluded or {}, roots, budget) for family, own in programs]
    )


def prepare(facts: FileFacts) -> None:
    """Load the stubs that the resolution of a file's family needs, while other files are awaited."""
    family = load(facts.language).family
    if family is not None and family.stubs:
        stubs_of(family.stubs)


def by_family(files: Iterable[FileFacts]) -> list[tuple[LanguageFamily, list[FileFacts]]]:
    """Group files by family, both in order of first occurrence."""
    programs: dict[str, tuple[LanguageFamily, list[FileFacts]]] = {}
    for facts in files:
        family = load(facts.language).family or _NO_FAMILY
        programs.setdefault(family.name, (family, []))[1].append(facts)
    return list(programs.values())


def resolve_family(
    family: LanguageFamily,
    files: list[FileFacts],
    configuration: Configuration,
    excluded: Mapping[str, str],
    roots: Sequence[str] | None = None,
    budget: SolverBudget | None = None,
) -> Resolution:
    """Resolve the files of one family, in path order. Raises: KernelError."""
    models, own_models = list_models(load(files[0].language).ecosystem, configuration)
    stubs = [*stubs_of(family.stubs), *interfaces_of(models, ".java", files)] if family.stubs else []
    program = [*files, *stubs]
    modules = family.modules(program, configuration, roots)
    method, count = family.method, len(program)
    if isinstance(method, PointsToConfig):
        method = with_models(method, models) if own_models else method
        interfaces = list_interfaces(
            load(files[0].language).ecosystem, files, configuration, (info.name for info in modules.infos)
        )
        method = with_interfaces(method, files, interfaces)
        if placeholders := list_placeholders(family, excluded):
            program += placeholders
            modules = add_placeholders(modules, family.modules(program, configuration, roots), count)
        sizes = {"own": len(files), "placeholders": len(placeholders)}
        given = ProgramInput(program, family, method, modules, budget or SolverBudget(), **sizes)
        found = with_candidates(KernelResultReader(given, resolved(given.input)).resolution(), program)
        routes = find_route_references(program, found.entry_points)
        commands = find_command_references(program, found.entry_points)
        found = msgspec.structs.replace(found, references=merge_references(found.references, [*routes, *commands]))
    elif isinstance(method, AttributionConfig):
        found = resolve_by_types(program, modules, family, method, models)
    else:
        found = import_edges(program, modules)
    found = without_stubs(found, program, len(files)) if len(program) > len(files) else found
    own = msgspec.structs.replace(found, origins=family.origins(files, found.externals))
    return mark_excluded(own, excluded)


def list_models(ecosystem: str, configuration: Configuration) -> tuple[list[Model], list[Model]]:
    """Return all models for a language, and those of the repository's own; refused files are logged."""
    own, refused = parse_own_models(configuration)
    for reason in refused:
        logger.warning("model_refused reason=%r", reason)
    return [*load_models(ecosystem), *own], own


def with_models(method: PointsToConfig, models: Sequence[Model]) -> PointsToConfig:
    """Replace the models among the tables of a language."""
    own, tables = compile_tables(models), method.tables()
    merged = {**tables, **{name: own[name] for name in ("behaviours", "frameworks", "models", "model_names")}}
    return replace(method, tables=lambda: merged)


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
        graph=NO_GRAPH,
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


def mark_excluded(found: Resolution, excluded: Mapping[str, str]) -> Resolution:
    """Return the resolution in which calls into excluded files and imports of them are unresolved."""
    reasons = _find_excluded(found.externals, excluded)
    if not reasons:
        return found
    is_excluded = np.isin(~found.calls.callees, np.fromiter(reasons, np.int32))
    rows = np.flatnonzero(~is_excluded)
    lost: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    calls = ((call.caller, ~call.callee, call.lines) for call in found.calls)
    for symbol, number, lines in chain(calls, ((one.source, ~one.target, one.lines) for one in found.imports)):
        if number in reasons:
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


def _find_excluded(externals: Sequence[str], excluded: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Map the externals that belong to excluded files to the last part of their name and the reason of the file.

    A name begins with the path of a placeholder, or with a qualified name of the file (Java).
    """
    reasons = {path: reason.partition(":")[0] for path, reason in excluded.items() if is_source(path)}
    paths = {path: path for path in reasons}
    for path in reasons:
        parts = posixpath.splitext(path)[0].split("/")
        for start in range(len(parts) - 1):
            paths.setdefault(".".join(parts[start:]), path)
    found = {}
    for number, external in enumerate(externals):
        end = len(external)
        while end > 0 and external[:end] not in paths:
            end = external.rfind(".", 0, end)
        if end > 0:
            path = paths[external[:end]]
            name = external[end:].rpartition(".")[2] or posixpath.basename(path).partition(".")[0]
            found[number] = name, f"excluded: {reasons[path]}"
    return found
