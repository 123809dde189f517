"""Every block of the pages is executed, or says why it is not; the execution itself is `make test-docs`."""

import re

import pytest

from repoquarry.agent.tools.base import available_tools
from repoquarry.server.settings.loading import CONFIG_VARIABLE
from repoquarry.server.settings.sections import setting_fields
from tests.documentation.pages import list_pages, parse_blocks, read_blocks
from tests.e2e.service import ROOT


@pytest.mark.parametrize("page", list_pages())
def test_every_block_is_executed_or_says_why_not(page: str) -> None:
    read_blocks(page)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("```\nrepoquarry list\n```\n", "names no language"),
        ("```text\nREPOQUARRY_STORE=x repoquarry list\n```\n", "commands are shown as prose"),
        ("Run:\n\n    repoquarry list\n", "indented block"),
        ("```toml\na = 1\n```\n", "toml is not executed and no comment says why"),
        ("<!-- not executed: -->\n```sh\nls\n```\n", "gives no reason"),
        ("<!-- not executed: no engine -->\nText.\n\n```sh\nls\n```\n", "steers no block"),
    ],
)
def test_a_block_that_could_go_unnoticed_is_refused(source: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^page.md:\\d+: .*{problem}"):
        list(parse_blocks("page.md", source))


def test_blocks_come_with_setup_and_output() -> None:
    source = "<!-- setup:\nmkdir a\n-->\n```sh\nls\n```\n\n```text\na\n```\n\n<!-- not executed: no engine -->\n```sh\ndocker ps\n```\n"
    first, shown, last = parse_blocks("page.md", source)
    assert (first.setup, first.output, first.is_executed) == ("mkdir a", "a\n", True)
    assert not shown.is_executed
    assert (last.reason, last.is_executed, last.line) == ("no engine", False, 13)


def test_variables_of_the_blocks_are_settings() -> None:
    variables = {item.variable for item in setting_fields()} | {CONFIG_VARIABLE, "REPOQUARRY_TOKEN"}  # compose.yaml
    blocks = [block for page in list_pages() for block in read_blocks(page)]
    named = {name for block in blocks for name in re.findall(r"REPOQUARRY_\w+", block.text + block.setup)}
    assert named - variables == set()


def test_addresses_of_this_machine_have_the_default_ports() -> None:
    """gRPC, MCP and the page have 50151 to 50153; 9464 and 4317 are the ports of Prometheus exporters and OpenTelemetry."""
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in list_pages() if "/decisions/" not in page)
    ports = set(re.findall(r"(?:127\.0\.0\.1|0\.0\.0\.0|localhost):([1-9]\d+)", text))
    assert ports <= {"50151", "50152", "50153", "9464", "4317", "7687", "11434"}


def test_reasons_name_tests_that_exist() -> None:
    reasons = [block.reason for page in list_pages() for block in read_blocks(page)]
    assert [
        path for reason in reasons for path in re.findall(r"tests/[\w/.]+", reason) if not (ROOT / path).exists()
    ] == []


def test_every_tool_is_on_the_page_of_mcp() -> None:
    page = (ROOT / "docs/guides/mcp.md").read_text(encoding="utf-8")
    assert [tool.name for tool in available_tools(workspace=False, task=False) if f"`{tool.name}`" not in page] == []
