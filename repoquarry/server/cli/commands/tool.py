"""Command `tool`: runs an operation on code by its name, with the answer that agents read over MCP."""

from __future__ import annotations

import json
from collections.abc import Iterable

from repoquarry import v1 as pb
from repoquarry.operations.render import Table
from repoquarry.server.cli.output import print_tables
from repoquarry.server.cli.session import REPOSITORIES, CliSession, argument, option, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import format_table


@with_session
def tool_command(
    session: CliSession,
    tool: str = argument("", "One of the tools; without it they are listed."),
    values: list[str] | None = argument(None, "Values of its parameters.", metavar="[PARAMETER=VALUE]..."),
    repository: list[str] | None = REPOSITORIES,
    tokens: int = option(8_000, "--tokens", "-t", "Maximum number of tokens.", min=500, max=200_000),
) -> None:
    """Run a reading tool of the agent, or list the tools with their parameters. A value may be JSON."""
    with session.api() as api:
        if not tool:
            session.render(api.tools.list_tools(pb.ListToolsRequest()), _print_tools)
            return
        arguments = json.dumps(_parse(values or ()))
        request = pb.CallToolRequest(tool=tool, arguments=arguments, repositories=repository, max_tokens=tokens)
        session.render(api.tools.call_tool(request), _print_answer)


def _parse(values: Iterable[str]) -> dict[str, object]:
    """Parse the arguments of a tool. Raises: RequestError."""
    arguments: dict[str, object] = {}
    for item in values:
        name, separator, value = item.partition("=")
        if not separator:
            raise invalid_field("values", f"{item!r} is not of the form PARAMETER=VALUE")
        try:
            arguments[name] = json.loads(value) if value[:1] in ("{", "[") else value
        except ValueError as exc:
            raise invalid_field("values", f"{name} is not JSON: {exc}") from exc
    return arguments


def _print_tools(answer: pb.ListToolsResponse) -> None:
    rows = [
        (tool.name, " ".join(json.loads(tool.arguments_schema)["properties"]), tool.summary) for tool in answer.tools
    ]
    print(format_table(("TOOL", "PARAMETERS", "PURPOSE"), rows))


def _print_answer(answer: pb.CallToolResponse) -> None:
    summary = Table((), (), answer.summary * (answer.summary not in answer.text))
    print_tables([Table((), (), answer.text.rstrip()), summary], answer.basis)
