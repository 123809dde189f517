"""Resolution: facts of all files to calls, imports, inheritance and references.

`resolve` is pure and deterministic. Files are resolved per family of languages (`languages/family.py`) and the
results are merged. Most languages use a flow-insensitive points-to analysis in C++ (`native/resolution/kernel`,
docs/explanation/kernel.md) over the constraints that the extractors emitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from repoquarry.ingest.resolution.excluded_files import add_placeholders, list_placeholders, mark_excluded
from repoquarry.ingest.resolution.families import (
    import_edges,
    merge_resolutions,
    resolve_by_types,
    stubs_of,
    without_stubs,
)
from repoquarry.ingest.resolution.kernel_output import (
    KernelError,
    KernelResultReader,
    ProgramInput,
    resolved,
)
from repoquarry.ingest.resolution.model import (
    LIKELY,
    CallEdge,
    CallTable,
    EntryPoint,
    ExportedName,
    ImportEdge,
    InheritanceEdge,
    OverrideEdge,
    ReferenceEdge,
    Resolution,
    SolverBudget,
    Symbol,
    UnresolvedCall,
)
from repoquarry.ingest.resolution.variable_uses import VariableResolver
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import (
    AttributionConfig,
    Configuration,
    LanguageFamily,
    ModuleInfo,
    ModuleMap,
    PointsToConfig,
)
from repoquarry.languages.registry import load

__all__ = [
    "LIKELY",
    "CallEdge",
    "CallTable",
    "EntryPoint",
    "ExportedName",
    "ImportEdge",
    "InheritanceEdge",
    "KernelError",
    "ModuleInfo",
    "OverrideEdge",
    "ReferenceEdge",
    "Resolution",
    "SolverBudget",
    "Symbol",
    "UnresolvedCall",
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
    stubs = stubs_of(family.stubs) if family.stubs else ()
    program = [*files, *stubs]
    modules = family.modules(program, configuration, roots)
    method, count = family.method, len(program)
    if isinstance(method, PointsToConfig):
        if placeholders := list_placeholders(family, excluded):
            program += placeholders
            modules = add_placeholders(modules, family.modules(program, configuration, roots), count)
        given = ProgramInput(program, family, method, modules, budget or SolverBudget(), placeholders=len(placeholders))
        found = KernelResultReader(given, resolved(given.input)).resolution()
        uses = VariableResolver(program, modules, found).uses(len(files))
        found = msgspec.structs.replace(found, uses=uses)
    elif isinstance(method, AttributionConfig):
        found = resolve_by_types(program, modules, family, method)
    else:
        found = import_edges(program, modules)
    found = without_stubs(found, program, len(files)) if len(program) > len(files) else found
    own = msgspec.structs.replace(found, origins=family.origins(files, found.externals))
    return mark_excluded(own, excluded)
