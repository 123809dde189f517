"""Page docs/reference/agent-reference.md: the tools of the agent with their arguments."""

from __future__ import annotations

from repoquarry.agent.tools.base import TOOLS, load_tool
from repoquarry.operations.base import Operation


def agent_page() -> str:
    """docs/reference/agent-reference.md: every tool with its arguments."""
    lines = [
        "# Tools of the agent",
        "",
        "<!-- generated from repoquarry/agent/tools by scripts/generate_docs.py -->",
        "",
        "[agent.md](../explanation/agent.md) describes how a task runs, [rpc.md](rpc.md#taskevent) the events.",
        "",
        "Names are a name (`save`), a dotted name (`Model.save`), a path or its end, `path:line`, or `path::qualname`. Tools",
        "marked with * need a task with a workspace.",
        "",
        "| tool | what it does | arguments |",
        "|---|---|---|",
    ]
    lines += [_tool_row(load_tool(name)) for name in TOOLS]
    return "\n".join(lines) + "\n"


def _tool_row(tool: type[Operation]) -> str:
    mark = "*" if tool.effect.needs_workspace else ""
    return f"| `{tool.name}`{mark} | {_cell(tool.summary)} | {_cell('; '.join(_arguments(tool))) or 'none'} |"


def _arguments(tool: type[Operation]) -> list[str]:
    schema = tool.schema()
    return [f"`{name}` {field['description']}" for name, field in schema["properties"].items()]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
