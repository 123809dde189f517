"""The frames of a traceback in a command's output, looked up in the graph: which indexed definitions failed."""

from __future__ import annotations

from repoquarry.agent.task import Place
from repoquarry.agent.tools.base import ToolContext
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.search.mentions import parse_stack_frames

_FRAMES = 8
_TAIL_CHARACTERS = 20_000


def frames_in(context: ToolContext, output: str) -> tuple[tuple[Place, ...], str]:
    """Places of the definitions that the frames stand in, nearest to the failure first, and lines that offer them."""
    found: dict[str, tuple[DefinitionRecord, int]] = {}
    for frame in parse_stack_frames(output[-_TAIL_CHARACTERS:]):
        definition = _definition(context, frame.path, frame.line)
        if definition is not None:
            found.setdefault(definition.id, (definition, frame.line))
        if len(found) == _FRAMES:
            break
    if not found:
        return (), ""
    lines = [
        f"- line {line}: {item.path}:{item.start_line}-{item.end_line} {item.qualname or '(module level)'} in {item.repository}"
        for item, line in found.values()
    ]
    places = tuple(Place.of(item, f"The traceback passes line {line}.") for item, line in found.values())
    return places, "\n".join(["Frames in the graph, nearest to the failure first (view_function shows one):", *lines])


def _definition(context: ToolContext, path: str, line: int) -> DefinitionRecord | None:
    """The innermost definition at a line of a file that ends like this one; a checkout and an installed package both do."""
    workspace = str(context.workspace.root) if context.workspace is not None else ""
    if path.startswith("/") and "/site-packages/" not in path and not (workspace and path.startswith(f"{workspace}/")):
        return None  # of the interpreter itself
    parts = path.removeprefix(workspace).strip("/").split("/")
    for start in range(len(parts)):
        files = context.reader.files_ending("/".join(parts[start:]), context.repositories)
        if len(files) > 1:
            return None
        if files:
            repository, name = files[0]
            inside = [
                item for item in context.reader.inside(repository, name) if item.start_line <= line <= item.end_line
            ]
            return max(inside, key=lambda item: item.start_line, default=context.reader.module(repository, name))
    return None
