"""Resolution: facts of all files to calls, imports, inheritance and references.

`resolve` is pure and deterministic. Files are resolved family by family (`repoquarry/languages/family.py`) and the results united. The heart
for most languages is a flow-insensitive points-to analysis in C++ (`kernel/`, see docs/kernel.md) over the constraints that the language
extractors emitted; `native/` hands the facts to it as arrays and makes edges of what comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from repoquarry.ingest.resolution.families import attributed, import_edges, stubs_of, unite, without_stubs
from repoquarry.ingest.resolution.kernel_output import Beforehand, Edges, KernelError, ProgramInput, resolved
from repoquarry.ingest.resolution.model import (
    LIKELY,
    Budget,
    CallEdge,
    Calls,
    EntryPoint,
    Export,
    ImportEdge,
    Inherits,
    Override,
    Reference,
    Resolution,
    Symbol,
    UnresolvedCall,
)
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.family import Attribution, Configuration, Family, ModuleInfo, Modules, PointsTo
from repoquarry.languages.registry import load

__all__ = [
    "LIKELY",
    "Budget",
    "CallEdge",
    "Calls",
    "EntryPoint",
    "Export",
    "ImportEdge",
    "Inherits",
    "KernelError",
    "ModuleInfo",
    "Override",
    "Reference",
    "Resolution",
    "Symbol",
    "UnresolvedCall",
    "by_family",
    "prepare",
    "resolve",
    "resolve_family",
    "unite",
]

_NO_FAMILY = Family(
    "", lambda files, _configuration, _roots: Modules([ModuleInfo(one.path, "", "", False) for one in files])
)


def resolve(
    files: Sequence[FileFacts],
    *,
    configuration: Configuration | None = None,
    roots: Sequence[str] | None = None,
    budget: Budget | None = None,
) -> Resolution:
    """The resolved graph of one repository; the order of `files` does not matter.

    `configuration` are the texts of files that decide how imports are found (`registry.is_configuration`); `roots` adds source roots
    (folders from which modules are imported) to those that are found.

    Raises: KernelError.
    """
    programs = by_family(sorted(files, key=lambda facts: facts.path))
    return unite([resolve_family(family, own, configuration or {}, roots, budget) for family, own in programs])


def prepare(facts: FileFacts) -> None:
    """Load what the resolution of a file's family needs beside its files, while these are waited for."""
    family = load(facts.language).family
    if family is not None and family.stubs:
        stubs_of(family.stubs)


def by_family(files: Iterable[FileFacts]) -> list[tuple[Family, list[FileFacts]]]:
    """The families of languages with their files, both in the order in which they come."""
    programs: dict[str, tuple[Family, list[FileFacts]]] = {}
    for facts in files:
        family = load(facts.language).family or _NO_FAMILY
        programs.setdefault(family.name, (family, []))[1].append(facts)
    return list(programs.values())


def resolve_family(
    family: Family,
    files: list[FileFacts],
    configuration: Configuration,
    roots: Sequence[str] | None = None,
    budget: Budget | None = None,
) -> Resolution:
    """What `resolve` unites: the resolution of one family, whose files are in path order. Raises: KernelError."""
    stubs = stubs_of(family.stubs) if family.stubs else ()
    program = [*files, *stubs]
    modules = family.modules(program, configuration, roots)
    method = family.method
    if isinstance(method, PointsTo):
        given = ProgramInput(program, family, method, modules, budget or Budget())
        with ThreadPoolExecutor(1) as beside:  # the kernel needs neither Python nor more than one core
            beforehand = beside.submit(Beforehand, program)
            answer = resolved(given.input)
        found = Edges(given, beforehand.result(), answer).resolution()
    elif isinstance(method, Attribution):
        found = attributed(program, modules, family, method)
    else:
        found = import_edges(program, modules)
    return without_stubs(found, program, len(files)) if stubs else found
