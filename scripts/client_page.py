"""Page of the Python client: every public class and method with its docstring, whose examples the tests run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from repoquarry.client import Client

_REASON = "a doctest, which tests/e2e/serving/test_client_examples.py runs"


def client_page() -> str:
    """Return docs/reference/client.md."""
    lines = [
        "# Python client",
        "",
        "<!-- generated from the docstrings of repoquarry/client by scripts/generate_docs.py -->",
        "",
        "`from repoquarry.client import Client`; the [guide](../guides/client.md) has deadlines, retries and settings. The examples talk to",
        "a service with the indexed repository `shop`. `AsyncClient` has the same methods as coroutines.",
        "",
        "## Client",
        "",
        *_format_docstring(Client),
    ]
    for name, method in public_methods():
        signature = inspect.signature(method)
        parameters = [
            one.replace(annotation=inspect.Parameter.empty) for one in list(signature.parameters.values())[1:]
        ]
        short = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
        lines += [
            "",
            f"### Client.{name}",
            "",
            f"`{name}{short}` returns `{signature.return_annotation}`.",
            "",
            *_format_docstring(method),
        ]
    lines += [
        "",
        "## Services",
        "",
        "Each service of the [contract](rpc.md) is an attribute; its methods take and return the messages.",
        "",
    ]
    lines += [f"- `client.{name}`" for name in sorted(_service_names())]
    return "\n".join(lines) + "\n"


def public_methods() -> list[tuple[str, Callable[..., Any]]]:
    """Return the public methods of the client, in the order of the source."""
    return [
        (name, value) for name, value in vars(Client).items() if inspect.isfunction(value) and not name.startswith("_")
    ]


def _service_names() -> Iterator[str]:
    with Client("127.0.0.1:1") as client:
        yield from (name for name in vars(client) if not name.startswith("_"))


def _format_docstring(item: object) -> Iterator[str]:
    """Yield the lines of a docstring as Markdown, its examples fenced."""
    in_example = False
    for line in (inspect.getdoc(item) or "").splitlines():
        if line.startswith("    >>>") and not in_example:
            yield from (f"<!-- not executed: {_REASON} -->", "```pycon")
            in_example = True
        yield line.removeprefix("    ") if in_example else line
    if in_example:
        yield "```"
