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
- You have a workspace: a folder in which you may write files and run commands. It is not the repository; checkout puts its files
  there. Commands and installations may have to be approved by a person; one that is declined is not to be tried again."""


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
    parts.append("Repositories of this task:\n" + "\n".join(lines))
    parts.append(f"For cypher, nodes: {labels}. Relationships: {kinds}.")
    return "\n\n".join(parts)
