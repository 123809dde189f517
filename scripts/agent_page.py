"""Page docs/reference/agent-reference.md: the tools of the agent with their arguments, and the events of a task with their data."""

from __future__ import annotations

import msgspec

from repoquarry.agent.events import FIELDS
from repoquarry.agent.tools.base import Tool
from repoquarry.agent.tools.registry import TOOLS, load_tool


def agent_page() -> str:
    """docs/reference/agent-reference.md: every tool with its arguments, every event with its data."""
    lines = [
        "# Tools and events of the agent",
        "",
        "<!-- generated from repoquarry/agent/tools and repoquarry/agent/events.py by scripts/generate_docs.py -->",
        "",
        "[agent.md](../explanation/agent.md) describes how a task runs.",
        "",
        "## Tools",
        "",
        "Names are a name (`save`), a dotted name (`Model.save`), a path or its end, `path:line`, or `path::qualname`. Tools",
        "marked with * need a task with a workspace.",
        "",
        "| tool | what it does | arguments |",
        "|---|---|---|",
    ]
    lines += [_tool_row(load_tool(name)) for name in TOOLS]
    lines += ["", "## Events", "", "Each event has exactly the data listed here.", "", "| event | data |", "|---|---|"]
    for kind, fields in FIELDS.items():
        lines.append(f"| `{kind.value}` | {_cell('; '.join(f'`{key}` {text}' for key, text in fields.items()))} |")
    return "\n".join(lines) + "\n"


def _tool_row(tool: Tool) -> str:
    mark = "*" if tool.needs_workspace else ""
    return f"| `{tool.name}`{mark} | {_cell(tool.summary)} | {_cell('; '.join(_arguments(tool))) or 'none'} |"


def _arguments(tool: Tool) -> list[str]:
    schema = msgspec.json.schema(tool.arguments)["$defs"][tool.arguments.__name__]
    return [f"`{name}` {field['description']}" for name, field in schema["properties"].items()]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
