"""Facts -> resolved graph: what every import, base class and call site reaches, for all files of one repository at once.

`resolve` is pure and deterministic. Its heart is a flow-insensitive points-to analysis in C++ (`kernel/`, see docs/kernel.md) over the
constraints that the language extractors emitted; `native/` hands the facts to it as arrays and makes edges of what comes back.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.facts import FileFacts
from repoquarry.ingest.resolution.model import (
    Budget,
    CallEdge,
    EntryPoint,
    Export,
    ImportEdge,
    Inherits,
    ModuleInfo,
    Override,
    Reference,
    Resolution,
    Symbol,
    UnresolvedCall,
)
from repoquarry.ingest.resolution.modules import Modules
from repoquarry.ingest.resolution.native import Edges, KernelError, ProgramInput, resolved

__all__ = [
    "Budget",
    "CallEdge",
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
    "resolve",
]


def resolve(
    files: Sequence[FileFacts], *, roots: Sequence[str] | None = None, budget: Budget | None = None
) -> Resolution:
    """The resolved graph of one repository; the order of `files` does not matter.

    `roots` adds source roots (folders from which modules are imported) to those that are found.

    Raises: KernelError.
    """
    ordered = sorted(files, key=lambda facts: facts.path)
    program = ProgramInput(ordered, Modules(ordered, roots), budget or Budget())
    with resolved(program.input) as output:
        return Edges(program, output).resolution()
