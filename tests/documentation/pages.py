"""Fenced blocks of the documentation pages, with the comments that steer their execution."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.e2e.service import ROOT

EXECUTED = ("sh", "console", "python", "js", "json", "toml", "cypher")
"""Languages that a page is run in. Cypher runs in tests/engines/differential/test_corpus.py, on both engines; JSON and TOML are
configurations of MCP clients."""
PROSE = "text"
"""Language of output and drawings."""
_COMMENT = re.compile(r"<!--\s*(not executed|setup):(.*?)-->", re.DOTALL)
_COMMAND = re.compile(
    r"^\s*(?:[A-Z_]+=\S+ )*(?:repoquarry|pip|make|docker|npm|neo4j(?:-admin)?|python3?) ", re.MULTILINE
)


@dataclass(frozen=True)
class Block:
    """One fenced block. `reason` is why it is not executed, empty where it is; `output` is None where the page shows none."""

    page: str
    line: int
    language: str
    text: str
    setup: str = ""
    reason: str = ""
    output: str | None = None

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page}:{self.line}"

    @property
    def is_executed(self) -> bool:
        return self.language in EXECUTED and not self.reason


@cache
def list_pages() -> tuple[str, ...]:
    found = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("clients/*/README.md"),
    ]
    return tuple(sorted(str(path.relative_to(ROOT)) for path in found))


@cache
def read_blocks(page: str) -> tuple[Block, ...]:
    return tuple(parse_blocks(page, (ROOT / page).read_text(encoding="utf-8")))


def parse_blocks(page: str, source: str) -> Iterator[Block]:
    """Parse the fenced blocks of a page. Raises: ValueError where a block or comment breaks the rules of the package."""
    tokens = MarkdownIt("commonmark").parse(source)
    steering: dict[str, str] = {}
    for position, token in enumerate(tokens):
        place = f"{page}:{(token.map or [0])[0] + 1}"
        if token.type == "html_block":
            steering.update((kind, text.strip()) for kind, text in _COMMENT.findall(token.content))
        elif token.type == "code_block":
            raise ValueError(f"{place}: indented block; fence it and name its language")
        elif token.type == "fence":
            yield _parse_fence(place, token, tokens[position + 1 : position + 2], steering)
            steering = {}
        elif steering:
            raise ValueError(f"{place}: a comment that steers no block stands before this")


def find_mcp_entry(language: str, text: str) -> dict[str, Any] | None:
    """Find the entry for RepoQuarry in a configuration of an MCP client; None where the block is something else."""
    parsed = json.loads(text) if language == "json" else tomllib.loads(text)
    for key in ("mcpServers", "servers", "context_servers", "mcp_servers"):
        if isinstance(parsed, dict) and key in parsed:
            entry: dict[str, Any] = parsed[key]["repoquarry"]
            return entry
    return None


def _parse_fence(place: str, token: Token, following: list[Token], steering: dict[str, str]) -> Block:
    page, line = place.rsplit(":", 1)
    language, text = token.info.strip(), token.content
    reason = steering.get("not executed", "")
    if not language:
        raise ValueError(f"{place}: the block names no language")
    if "not executed" in steering and not reason:
        raise ValueError(f"{place}: the comment gives no reason")
    if language == PROSE and _COMMAND.search(text):
        raise ValueError(f"{place}: commands are shown as prose; name their language")
    executed = find_mcp_entry(language, text) is not None if language in ("json", "toml") else language in EXECUTED
    if not executed and language != PROSE and not reason:
        raise ValueError(f"{place}: {language} is not executed and no comment says why")
    shown = (
        following[0].content
        if following and following[0].type == "fence" and following[0].info.strip() == PROSE
        else None
    )
    return Block(page, int(line), language, text, steering.get("setup", ""), reason, shown)
