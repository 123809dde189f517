"""The call graph as `{caller: [callees]}` in the naming of PyCG, for laying it beside other tools' graphs.

Modules with dots, then classes and nested functions: `package.module.Class.method`, `module.<lambda1>`; the module itself calls from its
top level; built-ins are `<builtin>.len`, methods of built-in types `<**PyStr**>.join`. Calling a class is an edge to its `__init__` where
the repository has one, and none otherwise; decorators that only mark a method are not calls in this notation.
"""

from __future__ import annotations

from collections.abc import Sequence

from repoquarry.ingest.facts import FileFacts
from repoquarry.ingest.resolution.model import CallEdge, Resolution

#: Edges below this are possibilities rather than findings.
DEFAULT_CONFIDENCE = 0.5

_TYPES = {
    "builtins.str.": "<**PyStr**>.",
    "builtins.dict.": "<**PyDict**>.",
    "builtins.list.": "<**PyList**>.",
    "builtins.tuple.": "<**PyTuple**>.",
}
_MARKS = {"builtins.staticmethod", "builtins.classmethod", "builtins.property"}


def call_graph(
    resolution: Resolution, files: Sequence[FileFacts], minimum_confidence: float = DEFAULT_CONFIDENCE
) -> dict[str, list[str]]:
    """Callers and their callees, both sorted; every definition of the repository is a caller, if only of nothing."""
    names, classes = _names(resolution, files)
    graph: dict[str, set[str]] = {name: set() for number, name in names.items() if number not in classes}
    for edge in resolution.calls:
        callee = _callee(edge, resolution, names, classes)
        if callee is not None and edge.confidence >= minimum_confidence:
            graph.setdefault(names[edge.caller], set()).add(callee)
            graph.setdefault(callee, set())
    return {caller: sorted(callees) for caller, callees in sorted(graph.items())}


def _names(resolution: Resolution, files: Sequence[FileFacts]) -> tuple[dict[int, str], set[int]]:
    modules = {module.path: module.name for module in resolution.modules}
    definitions = {(facts.path, one.key): one for facts in files for one in facts.definitions}
    names: dict[int, str] = {}
    classes: set[int] = set()
    for number, symbol in enumerate(resolution.symbols):
        definition = definitions.get((symbol.path, symbol.key))
        parts = [modules[symbol.path], definition.qualname if definition is not None else ""]
        names[number] = ".".join(part for part in parts if part)
        if definition is not None and definition.kind == "class":
            classes.add(number)
    return names, classes


def _callee(edge: CallEdge, resolution: Resolution, names: dict[int, str], classes: set[int]) -> str | None:
    if edge.callee >= 0:
        return None if edge.callee in classes else names[edge.callee]
    name = resolution.externals[~edge.callee]
    if name in _MARKS:
        return None
    for prefix, shown in _TYPES.items():
        if name.startswith(prefix):
            return shown + name[len(prefix) :]
    return f"<builtin>.{name.removeprefix('builtins.')}" if name.startswith("builtins.") else name
