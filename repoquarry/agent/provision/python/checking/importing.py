"""Tries in the finished environment what the code imports; the trying process runs isolated and without network."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from repoquarry.agent.provision.python.imports import Code
from repoquarry.agent.provision.running import Access, Runner
from repoquarry.agent.provision.trial import Need, Tried

_PROBE = Path(__file__).with_name("probe.py")
_ROUNDS = 12
"""A module may end the process that imports it; the rest is tried in a new one."""

_MOST_ALONE = 6
_OF_ITSELF = re.compile(
    r"(?:ModuleNotFound|Import|Syntax|Tab|Indentation|Timeout|OS|FileNotFound)Error\b|not tried|.* while it was imported$"
)
"""Errors that the modules imported before have no part in."""


def check(runner: Runner, python: Path, code: Code, own: Sequence[str], readable: Sequence[Path]) -> tuple[Tried, ...]:
    """Import the repository's own packages and all that it imports from outside."""
    wanted = [Tried(name, own=True, need=Need.NEEDED) for name in own]
    wanted += [Tried(item.module, own=False, need=item.need, where=item.where) for item in code.imported]
    names = {item.module: item.names for item in code.imported}
    found: dict[str, Tried] = {}
    for _ in range(_ROUNDS):
        left = [item for item in wanted if item.module not in found]
        if not left:
            break
        found |= _round(runner, python, left, names, readable)
    for item in [item for item in wanted if item.module in found and _may_be_the_company(found[item.module])][
        :_MOST_ALONE
    ]:
        alone = _round(runner, python, [item], names, readable)
        found |= {module: tried for module, tried in alone.items() if tried.works}
    return tuple(
        found.get(item.module, replace(item, error="not tried: too many modules end the process")) for item in wanted
    )


def _may_be_the_company(tried: Tried) -> bool:
    """Whether an import may have failed for what was imported before it in the same process, which no program has to do."""
    return bool(tried.error) and not _OF_ITSELF.match(tried.error)


def _round(
    runner: Runner, python: Path, left: Sequence[Tried], names: dict[str, tuple[str, ...]], readable: Sequence[Path]
) -> dict[str, Tried]:
    folder = runner.workspace / ".home" / "check"
    folder.mkdir(parents=True, exist_ok=True)
    asked, answers = folder / "asked.json", folder / "answers.jsonl"
    asked.write_text(json.dumps([[item.module, names.get(item.module, ())] for item in left]), encoding="utf-8")
    answers.unlink(missing_ok=True)
    outcome = runner.run(
        [str(python), str(_PROBE), str(asked), str(answers)],
        Access(readable=(*readable, _PROBE), variables=_compiled(runner)),
        folder,
    )
    lines = answers.read_text(encoding="utf-8", errors="replace").splitlines() if answers.exists() else []
    rows = [row for line in lines if isinstance(row := _parsed(line), dict)]
    by_module = {item.module: item for item in left}
    found = {
        row["module"]: replace(by_module[row["module"]], error=row["error"], trace=row["trace"])
        for row in rows
        if row.get("module") in by_module and "error" in row
    }
    begun = [row["module"] for row in rows if row.get("module") in by_module]
    for module in begun[-1:] if begun else [left[0].module]:
        if module not in found:
            said = outcome.stopped or f"the process ended with code {outcome.exit_code}"
            found[module] = replace(
                by_module[module], error=f"{said} while it was imported", trace=outcome.output[-4000:]
            )
    return found


def _compiled(runner: Runner) -> dict[str, str]:
    """Lets one round leave what it compiled to the next: environments are read-only here."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(runner.workspace / ".home" / "compiled")}


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
