"""Files and blocks that `repoquarry install` writes into a project: no part of the program that is indexed.

A block of instructions is taken out of the document of the user around it, so that the rest is indexed as before.
"""

from __future__ import annotations

import re
from typing import Final

from repoquarry.ingest.sources.source import SkippedPath

BEGIN: Final = "<!-- repoquarry: begin -->\n"
END: Final = "<!-- repoquarry: end -->\n"
ONLY_INSTALLED: Final = "only the instructions of repoquarry install"
_BLOCK = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
_DOCUMENTS: Final = ("AGENTS.md", "GEMINI.md")
"""Names of documents with a block at the end."""
_HOST_FILES: Final = (
    ".mcp.json",
    ".claude/settings.json",
    ".claude/skills/repoquarry/SKILL.md",
    ".cursor/mcp.json",
    ".cursor/hooks.json",
    ".cursor/rules/repoquarry.mdc",
    ".codex/config.toml",
    ".vscode/mcp.json",
    ".github/instructions/repoquarry.instructions.md",
    ".gemini/settings.json",
)
"""Configuration of agent hosts, relative to the folder of the installation."""


def is_host_file(path: str) -> bool:
    """Return whether a path is configuration of an agent host that `install` writes."""
    return path in _HOST_FILES or path.endswith(tuple(f"/{name}" for name in _HOST_FILES))


def can_hold_block(path: str) -> bool:
    return path.rpartition("/")[2] in _DOCUMENTS


def strip_installed(path: str, content: bytes) -> bytes | SkippedPath:
    """Remove the block of `install` from a document; skip a document that has nothing else.

    Text below the block keeps its line numbers.
    """
    if not can_hold_block(path):
        return content
    text = content.decode("latin-1")  # Keeps every byte.
    found = _BLOCK.search(text)
    if found is None:
        return content
    blank_lines = "\n" * found[0].count("\n")
    is_last = found.end() == len(text)
    stripped = remove_block(text, found[0]) if is_last else text.replace(found[0], blank_lines, 1)
    return stripped.encode("latin-1") if stripped else SkippedPath(path, ONLY_INSTALLED)


def append_block(text: str, block: str) -> str:
    """Append a block below an empty line, which holds a space where the text does not end in a line break: removal can tell."""
    separator = "" if not text else "\n" if text.endswith("\n") else "\n \n"
    return f"{text}{separator}{block}"


def remove_block(text: str, block: str) -> str:
    """Remove a block that `append_block` added; the user may have written below it."""
    before, found, after = text.partition(block)
    if not found or not before:
        return after if found else text
    return (before.removesuffix("\n \n") if before.endswith("\n \n") else before.removesuffix("\n")) + after
