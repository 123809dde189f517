"""What npm installed as an environment: moved out of the workspace, and seen from there through links.

The environment mirrors the folders of the tree that hold a `node_modules`, so that packages which lie in one of them find those above.
Links to the repository's own packages stay in the workspace: another workspace has another copy of them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from repoquarry.agent.provision.javascript.npm import MODULES


def clear(tree: Path) -> None:
    """Remove all that is installed in a tree."""
    for folder in list(_installed(tree)):
        shutil.rmtree(folder, ignore_errors=True)


def move_out(tree: Path, environment: Path) -> dict[str, str]:
    """Move what is installed into the environment; the links to the tree's own packages that were in it, both relative to the tree."""
    links: dict[str, str] = {}
    environment.mkdir(parents=True, exist_ok=True)
    for folder in list(_installed(tree)):
        for entry in _entries(folder):
            if entry.is_symlink():
                target = entry.resolve()
                if target.is_relative_to(tree.resolve()):
                    links[entry.relative_to(tree).as_posix()] = target.relative_to(tree.resolve()).as_posix()
                entry.unlink()
        target = environment / folder.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder, target)
    (environment / MODULES).mkdir(exist_ok=True)
    return links


def link_in(tree: Path, environment: Path, links: Mapping[str, str]) -> Path:
    """Let a tree see an environment; the folder of the links at its root."""
    clear(tree)
    for folder in _installed(environment):
        for entry in [*_entries(folder), folder / ".bin"]:
            place = tree / entry.relative_to(environment)
            if entry.exists() and (tree / folder.relative_to(environment)).parent.is_dir():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(entry)
    for name, target in links.items():
        place = tree / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(tree / target)
    (tree / MODULES).mkdir(exist_ok=True)
    return tree / MODULES


def _installed(root: Path) -> Iterator[Path]:
    """Folders `node_modules` that lie in no other."""
    for folder, folders, _ in os.walk(root):
        if MODULES in folders:
            yield Path(folder, MODULES)
        folders[:] = [name for name in folders if name not in (MODULES, ".git")]


def _entries(folder: Path) -> list[Path]:
    """Packages in one `node_modules`, those of scopes among them."""
    found = []
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("@") and entry.is_dir() and not entry.is_symlink():
            found += sorted(entry.iterdir())
        elif not entry.name.startswith("."):
            found.append(entry)
    return found
