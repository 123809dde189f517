"""The quickstarts of the README as a reader runs them: index, install and a first answer over MCP; a service before its client."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import TextContent

from tests.command_line import COMMAND
from tests.documentation.pages import read_blocks
from tests.neo4j_server import free_port
from tests.source_trees import commit_tree, write_tree

_FILES = {
    "scrapy/request.py": "class Request:\n    def replace(self):\n        return self\n",
    "scrapy/redirect.py": (
        "from scrapy.request import Request\n\n\ndef build_redirect(request: Request):\n    return request.replace()\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = write_tree(tmp_path / "scrapy", _FILES)
    commit_tree(root)
    return root


def _environment(project: Path) -> dict[str, str]:
    return {**os.environ, "REPOQUARRY_STORE": str(project.parent / "store")}


def _run(project: Path, line: str) -> str:
    """Run a line of the README that starts with `repoquarry`."""
    words = shlex.split(line, comments=True)
    assert words[0] == "repoquarry"
    done = subprocess.run(
        [*COMMAND, *words[1:]], cwd=project, env=_environment(project), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _find_lines(command: str) -> list[str]:
    """Return the commands of the README's block with a command."""
    (block,) = [block for block in read_blocks("README.md") if block.language == "sh" and command in block.text]
    return [part.strip() for line in block.text.splitlines() for part in line.split(" && ")]


async def test_first_answer_over_mcp_is_current(project: Path) -> None:
    for line in _find_lines("repoquarry install claude"):
        _run(project, line)
    entry = json.loads((project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["repoquarry"]
    assert entry["command"] == "repoquarry"
    server = StdioServerParameters(
        command=sys.executable, args=[*COMMAND[1:], *entry["args"]], env=_environment(project), cwd=project
    )
    async with Client(server) as client:
        answer = await client.call_tool("explore", {"target": "Request.replace"})
    assert isinstance(answer.content[0], TextContent)
    text = answer.content[0].text
    assert "build_redirect" in text
    assert text.rstrip().splitlines()[-1].startswith("based on scrapy@")
    assert "(clean, current)" in text.rstrip().splitlines()[-1]


def test_service_answers_the_client_that_is_started_after_it(project: Path) -> None:
    serve, ask = _find_lines("repoquarry serve")
    _run(project, "repoquarry index .")
    address = f"127.0.0.1:{free_port()}"
    words = shlex.split(serve.replace("127.0.0.1:50151", address), comments=True)
    service = subprocess.Popen(
        [*COMMAND, *words[1:]], env=_environment(project), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert service.stdout is not None
        assert any("listening on" in line for line in service.stdout)
        answer = _run(project.parent, ask.replace("127.0.0.1:50151", address))
    finally:
        service.send_signal(signal.SIGTERM)
        service.communicate(timeout=60)
    assert "scrapy/redirect.py" in answer
    assert "build_redirect" in answer
