"""The Node.js programs of this machine, and which of them a repository asks for."""

from __future__ import annotations

import functools
import glob
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from repoquarry.agent.errors import EnvironmentUnavailableError
from repoquarry.agent.provision.javascript.manifest import Project
from repoquarry.agent.provision.javascript.ranges import Version, fits
from repoquarry.processes.program import run_program

_LOOK: Final = "JSON.stringify([process.versions.node, require('module').builtinModules])"
_SECONDS: Final = 20


@dataclass(frozen=True)
class Node:
    """A Node.js with its npm."""

    path: Path
    npm: Path
    """The script of npm that lies beside it, resolved."""
    version: Version
    built_in: frozenset[str]
    """Modules that it brings."""

    @property
    def prefix(self) -> Path:
        """Folder that holds it with npm."""
        return self.path.parents[1]

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


def choose_node(project: Project, extra: Sequence[str] = ()) -> tuple[Node, str]:
    """The program that the repository names, else one that it admits, the newest of these; and why.

    `extra` are paths or patterns of programs. Raises: EnvironmentUnavailableError when there is none with npm.
    """
    nodes = sorted(find_nodes(extra), key=lambda node: node.version, reverse=True)
    if not nodes:
        raise EnvironmentUnavailableError(
            "no Node.js with npm was found on this machine; install them, or name node in agent.environment.nodes"
        )
    stated = [(origin, text) for origin, text in (project.named, project.engine) if text]
    for origin, text in stated:
        for node in nodes:
            if fits(node.version, text):
                return node, f"asked for by {origin} ({text})"
    reason = "the newest that is here"
    if stated:
        reason += f", though {stated[0][0]} asks for {stated[0][1]}: no such one is here"
    return nodes[0], reason


def find_nodes(extra: Sequence[str] = ()) -> Iterator[Node]:
    """Every Node.js with npm, each once."""
    seen = set()
    for path in _candidates(extra):
        node = _inspect(path)
        if node is not None and node.path not in seen:
            seen.add(node.path)
            yield node


def _candidates(extra: Sequence[str]) -> Iterator[str]:
    """What the operator names, that of PATH, and those of nvm."""
    home = os.environ.get("NVM_DIR") or "~/.nvm"
    for pattern in (*extra, shutil.which("node") or "", f"{home}/versions/node/*/bin/node"):
        yield from sorted(glob.glob(os.path.expanduser(pattern))) if pattern else ()


@functools.cache
def _inspect(path: str) -> Node | None:
    program = Path(path)
    npm = program.parent / "npm"
    try:
        real, script = program.resolve(strict=True), npm.resolve(strict=True)
        asked = run_program([str(real), "-p", _LOOK], seconds=_SECONDS)
        version, built_in = json.loads(asked.output)
        first, second, third = (int(part) for part in version.split("-")[0].split("."))
    except (OSError, ValueError):
        return None
    return Node(real, script, (first, second, third), frozenset(built_in))
