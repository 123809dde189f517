"""Facts -> resolved graph: what every import, base class and call site reaches, for all files of one repository at
once.

`resolve` is pure and deterministic. Its heart is a flow-insensitive assignment graph (`solver.py`) over the
constraints that the
language extractors emitted; it asks only for what some call site needs, which is why it is quick.
"""

from __future__ import annotations

from ingest.resolution.model import (
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

__all__ = [
    "Budget",
    "CallEdge",
    "EntryPoint",
    "Export",
    "ImportEdge",
    "Inherits",
    "ModuleInfo",
    "Override",
    "Reference",
    "Resolution",
    "Symbol",
    "UnresolvedCall",
]
