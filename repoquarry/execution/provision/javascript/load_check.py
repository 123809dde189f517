"""Check that imports of the code load in the finished environment."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from repoquarry.execution.provision.command_runner import ASIDE, SKIPPED, CommandAccess, CommandRunner
from repoquarry.execution.provision.javascript.manifest import NodeRuntime, Project
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.languages.javascript.extractor import extract

_SUFFIXES: Final = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte")
_ASIDE: Final = re.compile(
    r"(.*\.(test|tests|spec|config|stories|bench)\.\w+|__tests__|__mocks__|__fixtures__|e2e|cypress|\..+|"
    r"gulpfile\.\w+|Gruntfile\.\w+|website)$"
)
_PACKAGE: Final = re.compile(r"(@[a-z0-9~_.-]+/)?[A-Za-z0-9~_.-]+")
_FILE_BYTES: Final = 1024 * 1024
_FILES: Final = 10_000


@dataclass(frozen=True)
class ImportedSpecifier:
    """Import specifier that leads into a package."""

    specifier: str
    where: str
    """First file that imports the specifier with that need."""
    need: ImportNeed

    @property
    def package(self) -> str:
        return package_of(self.specifier)


def package_of(specifier: str) -> str:
    """Return the package that a specifier leads into; empty if there is none."""
    match = _PACKAGE.match(specifier)
    return match[0] if match else ""


def read_imported_specifiers(
    root: Path, project: Project, built_in: Collection[str]
) -> tuple[tuple[ImportedSpecifier, ...], int]:
    """Read the specifiers imported from packages, and the number of files read; nothing is executed."""
    main = project.asked("dependencies", "peerDependencies")
    own = {project.name, *_workspaces(root)}
    found: dict[str, ImportedSpecifier] = {}
    count = 0
    for path in _files(root):
        count += 1
        aside = any(ASIDE.match(part) or _ASIDE.match(part) for part in path.split("/"))
        for item in extract(path, (root / path).read_bytes()).imports:
            specifier = item.module.partition("?")[0].partition("!")[0]
            package = package_of(specifier)
            if not package or item.level or item.how == "typing" or _is_elsewhere(specifier, package, built_in, own):
                continue
            always = item.at_module_level and item.how != "dynamic"
            need = (
                ImportNeed.OPTIONAL
                if aside or not always
                else ImportNeed.NEEDED
                if package in main
                else ImportNeed.BESIDE
            )
            if specifier not in found or found[specifier].need < need:
                found[specifier] = ImportedSpecifier(specifier, path, need)
    return tuple(found[key] for key in sorted(found)), count


def _is_elsewhere(specifier: str, package: str, built_in: Collection[str], own: Collection[str]) -> bool:
    """Return whether a specifier is built in, the repository's own, or a bundler alias."""
    if ":" in specifier or package in built_in or specifier in built_in or package in own:
        return True
    return specifier.startswith((".", "/", "#", "~", "@/")) or not specifier.startswith(package)


def _workspaces(root: Path) -> Iterator[str]:
    """Yield the names of the repository's workspace packages."""
    for pattern in ("packages/*/package.json", "packages/*/*/package.json", "*/package.json"):
        for path in sorted(root.glob(pattern)):
            if match := re.search(r'"name"\s*:\s*"([^"]+)"', path.read_text(encoding="utf-8", errors="replace")):
                yield match[1]


def _files(root: Path) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            bundled = name.endswith((".min.js", ".d.ts", ".d.mts", ".d.cts"))
            if (
                name.endswith(_SUFFIXES)
                and not bundled
                and not os.path.islink(path)
                and os.path.getsize(path) <= _FILE_BYTES
            ):
                count += 1
                if count > _FILES:
                    return
                yield os.path.relpath(path, root).replace(os.sep, "/")


_PROBE: Final = Path(__file__).with_name("probe.mjs")
_ROUNDS: Final = 12
"""Maximum number of processes: a module may terminate its process, the remaining modules load in a new one."""
_SECONDS: Final = 300.0


def check_loading(
    runner: CommandRunner, node: NodeRuntime, tree: Path, taken: Sequence[ImportedSpecifier], readable: Sequence[Path]
) -> tuple[tuple[ImportCheck, ...], tuple[str, ...]]:
    """Load every specifier. Returns the checks, and notes on installed modules that do not load, such as browser code."""
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
        ImportCheck(
            one.specifier, own=False, need=one.need, error=found.get(one.specifier, untried)[0], where=one.where
        )
        for one in taken
    )
    notes = tuple(
        f"{name} is there and does not load in Node.js: {note[:200]}" for name, (_, note) in found.items() if note
    )
    return tried, notes


def _round(
    runner: CommandRunner, node: NodeRuntime, probe: Path, left: Sequence[ImportedSpecifier], readable: Sequence[Path]
) -> dict[str, tuple[str, str]]:
    folder = runner.workspace / ".home" / "check"
    folder.mkdir(parents=True, exist_ok=True)
    asked, answers = folder / "asked.json", folder / "answers.jsonl"
    asked.write_text(json.dumps([[one.specifier, str(probe.parent / one.where)] for one in left]), encoding="utf-8")
    answers.unlink(missing_ok=True)
    outcome = runner.run(
        [str(node.path), str(probe), str(asked), str(answers)],
        CommandAccess(readable=(node.prefix, *readable)),
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
