"""Check that the npm packages that a repository's code imports load in its finished environment."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from repoquarry.execution.provision.command_runner import ASIDE, CommandAccess, CommandRunner, list_sources, run_probe
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
    sources = list_sources(root, _SUFFIXES, max_bytes=_FILE_BYTES)
    files = [path for path in sources if not path.endswith((".min.js", ".d.ts", ".d.mts", ".d.cts"))][:_FILES]
    for path in files:
        aside = any(ASIDE.match(part) or _ASIDE.match(part) for part in path.split("/"))
        for item in extract(path, (root / path).read_bytes()).imports:
            specifier = item.module.partition("?")[0].partition("!")[0]
            package = package_of(specifier)
            if not package or item.level or item.how == "typing" or _is_elsewhere(specifier, package, built_in, own):
                continue
            need = ImportNeed.NEEDED if package in main else ImportNeed.BESIDE
            if aside or not item.at_module_level or item.how == "dynamic":
                need = ImportNeed.OPTIONAL
            if specifier not in found or found[specifier].need < need:
                found[specifier] = ImportedSpecifier(specifier, path, need)
    return tuple(found[key] for key in sorted(found)), len(files)


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


_PROBE: Final = Path(__file__).with_name("probe.mjs")
_SECONDS: Final = 300.0


def check_loading(
    runner: CommandRunner, node: NodeRuntime, tree: Path, taken: Sequence[ImportedSpecifier], readable: Sequence[Path]
) -> tuple[tuple[ImportCheck, ...], tuple[str, ...]]:
    """Load every specifier. Returns the checks, and notes on installed modules that do not load, such as browser code."""
    probe = tree / ".repoquarry-probe.mjs"
    shutil.copyfile(_PROBE, probe)
    asked = {one.specifier: str(tree / one.where) for one in taken}
    access = CommandAccess(readable=(node.prefix, *readable))
    try:
        found = run_probe(runner, [str(node.path), str(probe)], asked, access, tree, _SECONDS)
    finally:
        probe.unlink(missing_ok=True)
    untried = {"error": "not tried: too many modules end the process"}
    tried = tuple(
        ImportCheck(one.specifier, False, one.need, _error(found.get(one.specifier, untried)), where=one.where)
        for one in taken
    )
    notes = ((name, row["note"]) for name, row in found.items() if row.get("note"))
    return tried, tuple(f"{name} is installed and does not load in Node.js: {note[:200]}" for name, note in notes)


def _error(row: Mapping[str, str]) -> str:
    """Return the error of a module, with the end of the output if the module terminated the process."""
    return f"{row['error']}: {row['trace'][-300:].strip()}" if row.get("trace") else row["error"]
