"""Resolves and loads in the finished environment what the code imports; the trying process runs isolated and without network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from repoquarry.agent.provision.javascript.imports import Taken
from repoquarry.agent.provision.javascript.nodes import Node
from repoquarry.agent.provision.running import Access, Runner
from repoquarry.agent.provision.trial import Tried

_PROBE: Final = Path(__file__).with_name("probe.mjs")
_ROUNDS: Final = 12
"""A module may end the process that loads it; the rest is tried in a new one."""
_SECONDS: Final = 300.0


def check(
    runner: Runner, node: Node, tree: Path, taken: Sequence[Taken], readable: Sequence[Path]
) -> tuple[tuple[Tried, ...], tuple[str, ...]]:
    """Each specifier as it was tried; and notes on those that are there and do not load, as code for browsers does."""
    probe = tree / ".repoquarry-probe.mjs"
    shutil.copyfile(_PROBE, probe)
    found: dict[str, tuple[str, str]] = {}
    try:
        for _ in range(_ROUNDS):
            left = [item for item in taken if item.specifier not in found]
            if not left:
                break
            found |= _round(runner, node, probe, left, readable)
    finally:
        probe.unlink(missing_ok=True)
    untried = ("not tried: too many modules end the process", "")
    tried = tuple(
        Tried(one.specifier, own=False, need=one.need, error=found.get(one.specifier, untried)[0], where=one.where)
        for one in taken
    )
    notes = tuple(
        f"{name} is there and does not load in Node.js: {note[:200]}" for name, (_, note) in found.items() if note
    )
    return tried, notes


def _round(
    runner: Runner, node: Node, probe: Path, left: Sequence[Taken], readable: Sequence[Path]
) -> dict[str, tuple[str, str]]:
    folder = runner.workspace / ".home" / "check"
    folder.mkdir(parents=True, exist_ok=True)
    asked, answers = folder / "asked.json", folder / "answers.jsonl"
    asked.write_text(json.dumps([[one.specifier, str(probe.parent / one.where)] for one in left]), encoding="utf-8")
    answers.unlink(missing_ok=True)
    outcome = runner.run(
        [str(node.path), str(probe), str(asked), str(answers)],
        Access(readable=(node.prefix, *readable)),
        probe.parent,
        _SECONDS,
    )
    lines = answers.read_text(encoding="utf-8", errors="replace").splitlines() if answers.exists() else []
    known = {one.specifier for one in left}
    rows = [row for line in lines if (row := _parsed(line)).get("module") in known]
    found = {row["module"]: (str(row["error"]), str(row["note"])) for row in rows if "error" in row and "note" in row}
    begun = rows[-1]["module"] if rows else left[0].specifier
    if begun not in found:
        said = outcome.stopped or f"the process ended with code {outcome.exit_code}"
        found[begun] = (f"{said} while it was loaded: {outcome.output[-300:].strip()}", "")
    return found


def _parsed(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
