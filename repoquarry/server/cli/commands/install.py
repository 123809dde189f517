"""Commands `install` and `uninstall`: the files that make an agent host use this program."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from repoquarry.server.cli.host_files import HOOKS, HOSTS, HostFile
from repoquarry.server.cli.options import one_of
from repoquarry.server.cli.output import translated
from repoquarry.server.errors import invalid_field, request_error

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
        print(f"next: repoquarry index {folder}", file=sys.stderr)  # The tools answer from indexed folders only.


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
