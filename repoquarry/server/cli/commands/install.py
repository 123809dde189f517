"""Commands `install` and `uninstall`: write and remove the project files that make an agent host use this program.

An MCP entry, instructions and a hook are each one contiguous text that is computed the same way for removal, so foreign content stays
as it is, byte for byte.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from repoquarry.ingest.files.installed_files import BEGIN, END, append_block, remove_block
from repoquarry.server.cli.output import translated
from repoquarry.server.cli.session import one_of
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.text_format import TABLES

NAME: Final = "repoquarry"
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\],:]', re.DOTALL)


@dataclass(frozen=True)
class JsonServers:
    """JSON file (comments and trailing commas allowed) with an object of MCP servers under `key`."""

    key: str
    is_typed: bool = False
    """True if an entry names its transport."""

    def add(self, text: str) -> str:
        """Insert the entry. Raises: ValueError for a file that cannot be parsed."""
        if not text.strip():
            return json.dumps({self.key: json.loads(f"{{{self._entry()}}}")}, indent=4) + "\n"
        document = _parse_json(text)
        if NAME in document.get(self.key, {}):
            return text
        return _insert(text, self._insertions())

    def remove(self, text: str) -> str:
        """Remove what `add` inserted; an empty string where nothing else was in the file."""
        return "" if text == self.add("") else _remove_inserted(text, self._insertions())

    def _entry(self) -> str:
        kind = '"type": "stdio", ' if self.is_typed else ""
        return f'\n    "{NAME}": {{{kind}"command": "{NAME}", "args": ["mcp"]}}'

    def _container(self) -> str:
        return f'\n  "{self.key}": {{{self._entry()}\n  }}'

    def _insertions(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        return (self._entry(), (self.key,)), (self._container(), ())


def _parse_json(text: str) -> dict[str, dict[str, object]]:
    """Raises: ValueError unless the text is a JSON object; comments and trailing commas are allowed."""
    bare = _TOKEN.sub(lambda match: "" if match.group().startswith(("//", "/*")) else match.group(), text)
    bare = re.sub(r'("(?:[^"\\\n]|\\.)*")|,(\s*[}\]])', lambda match: match[1] or match[2], bare)
    document = json.loads(bare.removeprefix("\ufeff"))
    if not isinstance(document, dict) or not all(
        isinstance(document.get(key, {}), dict) for key in ("mcpServers", "servers", "hooks")
    ):
        raise ValueError("not a JSON object of servers")
    return document


def _insert(text: str, insertions: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """Insert the first text whose container is in the file. Raises: ValueError."""
    for inserted, path in insertions:
        position = _container_start(text, path)
        if position is not None:
            comma = "" if _is_empty_container(text, position) else ","
            return f"{text[:position]}{inserted}{comma}{text[position:]}"
    raise ValueError("no JSON object")


def _remove_inserted(text: str, insertions: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """Remove the longest of some texts that the file contains once."""
    for inserted, _ in reversed(insertions):
        for written in (f"{inserted},", inserted):
            if text.count(written) == 1:
                return text.replace(written, "")
    return text


def _container_start(text: str, path: tuple[str, ...]) -> int | None:
    """Return the position behind the bracket that opens the object or array under some keys; the root object has none."""
    keys: list[str] = []
    last = ""
    for match in _TOKEN.finditer(text):
        mark = match.group()
        if mark in "{[":
            keys.append(last)
            last = ""
            if keys == ["", *path]:
                return match.end()
        elif mark in "}]":
            keys.pop()
        if mark == ",":
            last = ""
        elif mark.startswith('"') and not last:
            last = str(json.loads(mark))
    return None


def _is_empty_container(text: str, position: int) -> bool:
    following = next((m.group() for m in _TOKEN.finditer(text, position) if not m.group().startswith(("//", "/*"))), "")
    return following in ("}", "]")


@dataclass(frozen=True)
class JsonHook:
    """JSON file with commands under the events of `hooks`."""

    event: str
    is_flat: bool = False
    """True if a hook is a command with a `version` of the file, and not a group of typed commands."""

    def add(self, text: str) -> str:
        """Insert the hook. Raises: ValueError for a file that cannot be parsed."""
        if not text.strip():
            version = {"version": 1} if self.is_flat else {}
            hooks = json.loads(f"[{self._entry()}]")
            return json.dumps({**version, "hooks": {self.event: hooks}}, indent=2) + "\n"
        present = _parse_json(text).get("hooks", {}).get(self.event, [])
        if not isinstance(present, list):
            raise ValueError(f"hooks.{self.event} is not a list")
        return text if any(_HOOK in json.dumps(one) for one in present) else _insert(text, self._insertions())

    def remove(self, text: str) -> str:
        """Remove what `add` inserted; an empty string where nothing else was in the file."""
        return "" if text == self.add("") else _remove_inserted(text, self._insertions())

    def _entry(self) -> str:
        command = f'"command": "{_HOOK}"'
        body = command if self.is_flat else f'"matcher": "startup", "hooks": [{{"type": "command", {command}}}]'
        return f"\n      {{{body}}}"

    def _insertions(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        event = f'\n    "{self.event}": [{self._entry()}\n    ]'
        return (
            (self._entry(), ("hooks", self.event)),
            (event, ("hooks",)),
            (f'\n  "hooks": {{{event}\n  }}', ()),
        )


_HOOK: Final = f"{NAME} index . >&2"
"""Bring the index up to date; hosts read stdout, so nothing is printed there."""


@dataclass(frozen=True)
class TomlServers:
    """TOML file with a table for each MCP server."""

    def add(self, text: str) -> str:
        """Append the table. Raises: ValueError for a file that cannot be parsed."""
        if NAME in tomllib.loads(text).get("mcp_servers", {}):
            return text
        return append_block(text, _TABLE)

    def remove(self, text: str) -> str:
        return remove_block(text, _TABLE)


_TABLE = f'[mcp_servers.{NAME}]\ncommand = "{NAME}"\nargs = ["mcp"]\n'


@dataclass(frozen=True)
class MarkedBlock:
    """Markdown file of the user with a marked block of instructions at its end."""

    body: str

    def add(self, text: str) -> str:
        return text if BEGIN in text else append_block(text, f"{BEGIN}{self.body}{END}")

    def remove(self, text: str) -> str:
        return remove_block(text, f"{BEGIN}{self.body}{END}")


@dataclass(frozen=True)
class OwnFile:
    """File that only this program writes. Raises: RequestError for a file of the same name with other content."""

    body: str

    def add(self, text: str) -> str:
        if text and text != self.body:
            raise request_error("OUTPUT_FAILED", "the file has other content; remove it, then install again")
        return self.body

    def remove(self, text: str) -> str:
        return "" if text == self.body else text


HostFile = JsonServers | TomlServers | JsonHook | MarkedBlock | OwnFile

_RULES = (TABLES / "agent_rules.md").read_text(encoding="utf-8")
_SUMMARY = "Find and understand code by a graph of definitions, calls and tests. Use before grep or reading files, and before a change."
_SKILL = OwnFile(f"---\nname: {NAME}\ndescription: {_SUMMARY}\n---\n\n{_RULES}")

HOSTS: Final[dict[str, dict[str, HostFile]]] = {
    "claude": {".mcp.json": JsonServers("mcpServers", is_typed=True), f".claude/skills/{NAME}/SKILL.md": _SKILL},
    "cursor": {
        ".cursor/mcp.json": JsonServers("mcpServers"),
        f".cursor/rules/{NAME}.mdc": OwnFile(f"---\ndescription: {_SUMMARY}\nalwaysApply: false\n---\n\n{_RULES}"),
    },
    "codex": {".codex/config.toml": TomlServers(), "AGENTS.md": MarkedBlock(_RULES)},
    "vscode": {
        ".vscode/mcp.json": JsonServers("servers", is_typed=True),
        f".github/instructions/{NAME}.instructions.md": OwnFile(
            f"---\ndescription: {_SUMMARY}\napplyTo: '**'\n---\n\n{_RULES}"
        ),
    },
    "gemini": {".gemini/settings.json": JsonServers("mcpServers"), "GEMINI.md": MarkedBlock(_RULES)},
}
"""Files of each host, relative to the project."""
HOOKS: Final[dict[str, tuple[str, JsonHook]]] = {
    "claude": (".claude/settings.json", JsonHook("SessionStart")),
    "cursor": (".cursor/hooks.json", JsonHook("sessionStart", is_flat=True)),
    "gemini": (".gemini/settings.json", JsonHook("SessionStart")),
}
"""File and form of the hook at the start of a session, for hosts that have one."""


_HostArgument = Annotated[str, typer.Argument(help=f"Host: {', '.join(HOSTS)}.", autocompletion=one_of(tuple(HOSTS)))]
_FolderOption = Annotated[Path, typer.Option("--folder", help="Folder of the project.")]
_DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print the changes and write nothing.")]


def install_command(
    host: _HostArgument,
    folder: _FolderOption = Path("."),
    dry_run: _DryRunOption = False,
    hook: Annotated[
        bool,
        typer.Option("--hook", help=f"Update the index at the start of every session ({', '.join(HOOKS)})."),
    ] = False,
) -> None:
    """Write the MCP entry and the instructions of an agent host into a project; foreign content is not changed."""
    if hook and host in HOSTS and host not in HOOKS:
        raise invalid_field("--hook", f"{host} has no hook at the start of a session; {', '.join(HOOKS)} have one")
    _apply(host, folder, is_removal=False, has_hook=hook, dry_run=dry_run)


def uninstall_command(host: _HostArgument, folder: _FolderOption = Path("."), dry_run: _DryRunOption = False) -> None:
    """Remove exactly what `install` wrote into a project."""
    _apply(host, folder, is_removal=True, has_hook=host in HOOKS, dry_run=dry_run)


def _apply(host: str, folder: Path, *, is_removal: bool, has_hook: bool, dry_run: bool) -> None:
    if host not in HOSTS:
        raise invalid_field("HOST", f"{host!r} is not one of {', '.join(HOSTS)}")
    files: list[tuple[str, HostFile]] = [*HOSTS[host].items(), *([HOOKS[host]] if has_hook else [])]
    before = {folder / name: _read(folder / name) for name, _ in files}
    after = dict(before)
    # Two insertions may share a file: the last one is removed first.
    for name, kind in reversed(files) if is_removal else files:
        path = folder / name
        try:
            after[path] = (kind.remove if is_removal else kind.add)(after[path])
        except ValueError as exc:
            raise request_error(
                "OUTPUT_FAILED", f"{path} cannot be parsed: {exc}; correct it first", path=str(path)
            ) from exc
    changes = [(path, before[path], text) for path, text in after.items() if text != before[path]]
    for path, _, _ in changes:  # Before anything is written: either all files change or none.
        _require_writable(path)
    for path, old, new in changes:
        if dry_run:
            lines = difflib.unified_diff(old.splitlines(), new.splitlines(), str(path), str(path), lineterm="")
            print("\n".join(lines))
        else:
            _write(path, folder, new)
            print(f"{'removed from' if is_removal else 'wrote'} {path}")
    if not changes:
        print("nothing to remove" if is_removal else "already installed")
    elif not (is_removal or dry_run):
        # The tools answer from indexed folders only.
        print(f"unless the folder is indexed, next: repoquarry index {folder}", file=sys.stderr)


def _read(path: Path) -> str:
    """Return the text of a file with its line ends; empty for a missing one."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as exc:
        raise request_error("OUTPUT_FAILED", f"{path} cannot be read: {exc}", path=str(path)) from exc


def _require_writable(path: Path) -> None:
    existing = path if path.exists() else next(parent for parent in path.absolute().parents if parent.exists())
    if not os.access(existing, os.W_OK):
        raise request_error("OUTPUT_FAILED", f"{existing} is read-only; nothing was written", path=str(path))


def _write(path: Path, folder: Path, text: str) -> None:
    """Replace a file atomically with its mode kept; an empty text removes the file and the
    folders in `folder` that are empty then.
    """
    with translated(path):
        if not text:
            path.unlink()
            for parent in path.parents:
                if parent == folder or any(parent.iterdir()):
                    break
                parent.rmdir()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.resolve()  # A link stays a link.
        part = target.with_name(f".{target.name}.part")
        part.write_bytes(text.encode("utf-8"))
        os.chmod(part, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(part, target)
