"""What a chat model is told before it gets the task."""

from __future__ import annotations

from repoquarry.agent.policies.base import PolicyContext
from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES

_RULES = """\
You answer questions about source code repositories that are stored as a property graph, by calling tools.

- Look before you answer: name only files, lines and names that a tool showed you.
- A name may mean several things; say which ones you mean, and do not pick one silently.
- Edges carry a confidence. Calls that could not be resolved are listed as possible: say so when they bear on the answer.
- Long views are cut to what matters for the task; ask for a narrower view to see more.
- When you know the answer, call finish with the text and the ranked places."""

_WORKSPACE = """\
- When no repository is named, choose one with choose_repository; when it fails, go on to the next, and say so in the answer.
- Work in turns: look, write a script, run it, read its log (read_log: head, tail, errors), look up the definitions that a traceback
  names, repair, run again.
- You have a workspace: a folder in which you may write files and run commands. It is not the repository; checkout puts its whole
  tree there. The files that came with the task are in inputs/; put what is to be delivered into outputs/. The output of each command
  is kept in logs/. Commands and installations may have to be approved by a person; one that is declined is not to be tried again."""


def instructions(context: PolicyContext) -> str:
    """Rules, repositories and, for queries, the names in the graph."""
    known = {item.id: item for item in context.reader.repositories()}
    lines = [
        f"- {name}: {known[name].summary or 'no description'} ({known[name].files} files, {', '.join(known[name].languages)})"
        for name in context.repositories
        if name in known
    ]
    labels = "; ".join(f"{label.name}({', '.join(label.by_name)})" for label in NODE_LABELS.values())
    kinds = "; ".join(
        f"({'|'.join(kind.start)})-[{kind.name}]->({'|'.join(kind.end)})" for kind in RELATIONSHIP_TYPES.values()
    )
    parts = [_RULES + ("\n" + _WORKSPACE if context.request.workspace else "")]
    if context.request.inputs:
        parts.append("Files of this task:\n" + "\n".join(f"- inputs/{path}" for path in context.request.inputs))
    if context.request.checks:
        checks = "\n".join(f"- {check}" for check in context.request.checks)
        parts.append(f"The task is done when all of this holds, and not before:\n{checks}")
    parts.append("Repositories of this task:\n" + "\n".join(lines))
    parts.append(f"For cypher, nodes: {labels}. Relationships: {kinds}.")
    return "\n\n".join(parts)
