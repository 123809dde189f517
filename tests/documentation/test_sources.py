"""Sources of the pages: every block is executed or says why it is not (`make test-docs` executes them), links lead to files and headings
that exist, every page is in the navigation, and the built site needs no network."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from repoquarry.agent.tools.base import available_tools
from repoquarry.graphstore.query.query_library import QueryLibrary
from repoquarry.server.settings.loading import CONFIG_VARIABLE
from repoquarry.server.settings.sections import setting_fields
from tests.documentation.pages import list_pages, parse_blocks, read_blocks
from tests.e2e.service import ROOT

_EXTERNAL = re.compile(r"[a-z]+:")
CONFIGURATION: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
_LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]*\bsrc=\"?([^\s\">]+)|<link[^>]*rel=\"?stylesheet\"?[^>]*href=\"?([^\s\">]+)"
)


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


_QUERY_COMMAND = re.compile(
    r"repoquarry (?:query\b[^\n`|]*?--named |queries (?!-)|check (?!-))((?:[a-z][\w-]*/?(?![\w./])(?: |$)?)+)",
    re.MULTILINE,
)
_QUERY_ROW = re.compile(r"^\| ((?:`[a-z]+(?:-[a-z]+)*`(?:, )?)+) \| changed:", re.MULTILINE)


def _named_queries(text: str) -> set[str]:
    """Return the names of queries and rules in commands and in the table of changed queries."""
    rows = {name for row in _QUERY_ROW.findall(text) for name in re.findall(r"`([^`]+)`", row)}
    return rows | {name for found in _QUERY_COMMAND.findall(text) for name in found.split()}


def test_named_queries_of_all_documents_exist() -> None:
    """In commands of pages, tables of figures, examples, and the hints of the product; own queries of a page are files that it writes."""
    folders = ("docs", "examples", "man", "repoquarry", "web/src")
    suffixes = {".md", ".csv", ".toml", ".py", ".cypher", ".ts", ".tsx", ".1"}
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in suffixes]
    known, seen = set(QueryLibrary().queries), set[str]()
    for file in [*files, ROOT / "README.md", ROOT / "CHANGELOG.md"]:
        text = file.read_text(encoding="utf-8").replace("\\-", "-")  # of the manual page
        own = {Path(path).stem for path in re.findall(r"[\w/-]+\.cypher", text)} | set(
            re.findall(r"mkdir -p (\w+)", text)
        )
        named = _named_queries(text)
        seen |= named & known
        assert named - known - own == set(), file
    assert len(seen) > 30


def test_reasons_name_tests_that_exist() -> None:
    reasons = [block.reason for page in list_pages() for block in read_blocks(page)]
    assert [
        path for reason in reasons for path in re.findall(r"tests/[\w/.]+", reason) if not (ROOT / path).exists()
    ] == []


def test_every_tool_is_on_the_page_of_mcp() -> None:
    page = (ROOT / "docs/guides/mcp.md").read_text(encoding="utf-8")
    assert [tool.name for tool in available_tools(workspace=False, task=False) if f"`{tool.name}`" not in page] == []


@cache
def read_tokens(path: Path) -> tuple[Token, ...]:
    return tuple(MarkdownIt("commonmark").parse(path.read_text(encoding="utf-8")))


@cache
def list_anchors(path: Path) -> frozenset[str]:
    """List the anchors of a page's headings as the site and the hosting service make them."""
    tokens = read_tokens(path)
    headings = [tokens[number + 1].content for number, token in enumerate(tokens) if token.type == "heading_open"]
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings)


def list_targets(path: Path) -> list[str]:
    inline = [child for token in read_tokens(path) for child in token.children or ()]
    return [
        str(child.attrs.get("href") or child.attrs["src"]) for child in inline if {"href", "src"} & set(child.attrs)
    ]


def find_broken(path: Path) -> list[str]:
    broken = []
    for target in filter(lambda target: not _EXTERNAL.match(target), list_targets(path)):
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and anchor not in list_anchors(file)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("page", [*list_pages(), "CHANGELOG.md", "SECURITY.md"])
def test_links_lead_to_files_and_headings(page: str) -> None:
    assert find_broken(ROOT / page) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A name\n\n[here](#a-name) [file](page.md) [no file](other.md) [no heading](page.md#b)\n")
    assert find_broken(page) == ["other.md", "page.md#b"]


def list_navigation(entries: object) -> Iterator[str]:
    if isinstance(entries, str):
        yield entries
    else:
        values = entries.values() if isinstance(entries, dict) else entries
        for entry in values:  # type: ignore[attr-defined]
            yield from list_navigation(entry)


def test_navigation_has_every_page_once() -> None:
    pages = [str(path.relative_to(ROOT / "docs")) for path in ROOT.glob("docs/**/*.md")]
    records = [page for page in pages if re.match(r"decisions/\d", page)]
    assert Counter(list_navigation(CONFIGURATION["nav"])) == Counter(set(pages) - set(records))


@pytest.mark.docs
def test_site_is_built_complete_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    for page in list_navigation(CONFIGURATION["nav"]):
        name = page.replace("README.md", "index.md").removesuffix(".md") + ".html"
        text = (site / name).read_text(encoding="utf-8")
        loaded = [first or second for first, second in _LOADED.findall(text)]
        assert loaded, page
        assert [address for address in loaded if re.match(r"(?:https?:)?//", address)] == [], page
    assert "Resuming after a restart" in (site / "search.json").read_text(encoding="utf-8")
