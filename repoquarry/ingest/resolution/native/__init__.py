"""The native kernel of resolution, seen from Python: tables and input before it, the library itself, edges after it."""

from repoquarry.ingest.resolution.native.beforehand import Beforehand
from repoquarry.ingest.resolution.native.edges import Edges
from repoquarry.ingest.resolution.native.library import KernelError, resolved
from repoquarry.ingest.resolution.native.program import ProgramInput

__all__ = ["Beforehand", "Edges", "KernelError", "ProgramInput", "resolved"]
