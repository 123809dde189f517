"""uv commands that resolve an install plan to a lock file, build and install packages; readers of locks and installed metadata."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.execution.provision.python.install_plan import InstallPlan, applies
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.settings import EnvironmentSettings
from repoquarry.languages.manifests.python_requirements import canonical

_JOBS = str(max((os.cpu_count() or 2) // 2, 1))
_BUILD_JOBS = {
    **dict.fromkeys(("MAX_JOBS", "CMAKE_BUILD_PARALLEL_LEVEL", "NPY_NUM_BUILD_JOBS"), _JOBS),
    "MAKEFLAGS": f"-j{_JOBS}",
}
"""Builds leave half of the machine to others."""


def find_uv() -> Path:
    """Find the program `uv`. Raises: EnvironmentUnavailableError if it is not installed."""
    try:
        from uv import find_uv_bin

        return Path(find_uv_bin()).resolve()
    except (ImportError, FileNotFoundError) as error:
        raise EnvironmentUnavailableError(
            "the program uv, which builds Python environments, is not installed; run pip install 'repoquarry[environments]'"
        ) from error


@dataclass(frozen=True)
class Installer:
    """Commands of uv in one workspace, by the settings."""

    runner: CommandRunner
    settings: EnvironmentSettings
    uv: Path
    wheels: Path
    """Wheel cache shared by all provisionings; written only by commands that build nothing."""

    @property
    def private(self) -> Path:
        """Cache of this workspace, in which foreign builds may write."""
        return self.runner.workspace / ".home" / "uv"

    def resolve(self, plan: InstallPlan, files: Path, seconds: float = 0.0) -> CommandOutcome:
        """Write exact versions to `files/lock.txt`. The cache is private because metadata may have to be built.

        `seconds`: additional time limit; 0 means no additional limit.
        """
        _write_inputs(plan, files)
        command = ["pip", "compile", str(files / "wanted.in"), "--output-file", str(files / "lock.txt")]
        command += ["--no-annotate", "--no-header", "--no-strip-extras", "--upgrade"]
        command += ["--python", str(plan.interpreter.path)]
        for option in ("constraints", "overrides", "excludes"):
            if (stated := files / f"{option}.in").stat().st_size:
                command += [f"--{option}", str(stated)]
        return self._run([*command, *self._build_options(plan, files)], plan, private=True, seconds=seconds)

    def look_up(self, requirement: str, interpreter: Interpreter, plan: InstallPlan, files: Path) -> CommandOutcome:
        """Check whether wheels alone satisfy a requirement; nothing is installed."""
        (files / "asked.in").write_text(f"{requirement}\n", encoding="utf-8")
        command = ["pip", "compile", str(files / "asked.in"), "--no-deps", "--no-build", "--quiet"]
        command += ["--python", str(interpreter.path), "--no-header", "--no-annotate"]
        moved = replace(plan, interpreter=interpreter, build_alongside=(), stated=())
        return self._run([*command, *self._build_options(moved, files)], moved, private=True)

    def unpack(self, requirement: str, plan: InstallPlan, place: Path) -> CommandOutcome:
        """Unpack the wheel of a package below a folder of the workspace, without its requirements."""
        place.mkdir(parents=True, exist_ok=True)
        asked = place.with_suffix(".in")
        asked.write_text(f"{requirement}\n", encoding="utf-8")
        command = ["pip", "sync", str(asked), "--target", str(place), "--quiet", "--no-build"]
        return self._run([*command, "--python", str(plan.interpreter.path), *self._sources(plan)], plan, private=False)

    def make(self, interpreter: Interpreter, place: Path) -> CommandOutcome:
        """Create an empty environment."""
        command = ["venv", "--quiet", "--allow-existing", "--python", str(interpreter.path), str(place)]
        access = CommandAccess((place.parent,), (self.uv, interpreter.prefix))
        return self.runner.run([str(self.uv), *command, "--no-config", "--no-python-downloads"], access)

    def install_wheels(self, plan: InstallPlan, place: Path, lock: Path) -> CommandOutcome:
        """Synchronize the environment with a lock, from wheels only."""
        command = ["pip", "sync", str(lock), "--allow-empty-requirements", "--quiet", "--no-build"]
        command += ["--python", str(place / "bin" / "python")]
        return self._run([*command, *self._sources(plan)], plan, private=False, writable=(place.parent,))

    def compile(self, plan: InstallPlan, place: Path, lock: Path) -> CommandOutcome:
        """Compile the installed packages, because processes use the environment read-only."""
        command = ["pip", "install", "--no-deps", "--quiet", "--no-build", "--compile-bytecode", "-r", str(lock)]
        command += ["--python", str(place / "bin" / "python")]
        return self._run([*command, *self._sources(plan)], plan, private=False, writable=(place.parent,))

    def build(
        self, plan: InstallPlan, place: Path, requirements: Sequence[str], files: Path, access: CommandAccess
    ) -> CommandOutcome:
        """Build and install packages without wheels, or the repository itself, into an environment."""
        command = ["pip", "install", "--no-deps", "--quiet", "--python", str(place / "bin" / "python"), *requirements]
        command += self._build_options(plan, files)
        return self._run(command, plan, private=True, writable=access.writable, readable=access.readable)

    def _run(
        self,
        arguments: Sequence[str],
        plan: InstallPlan,
        *,
        private: bool,
        writable: tuple[Path, ...] = (),
        readable: tuple[Path, ...] = (),
        seconds: float = 0.0,
    ) -> CommandOutcome:
        cache = self.private if private else self.wheels
        cache.mkdir(parents=True, exist_ok=True)
        command = [str(self.uv), *arguments, "--cache-dir", str(cache), "--no-python-downloads", "--link-mode", "copy"]
        command += ["--color", "never", *([] if "--config-file" in arguments else ["--no-config"])]
        access = CommandAccess(
            writable if private else (*writable, cache),
            (self.uv, plan.interpreter.prefix, *readable),
            network=True,
            variables={**_BUILD_JOBS, "UV_HTTP_TIMEOUT": "120", "UV_CONCURRENT_BUILDS": "1", **plan.variables},
        )
        return self.runner.run(command, access, seconds=seconds)

    def _sources(self, plan: InstallPlan) -> list[str]:
        options = [part for path in self.settings.find_links for part in ("--find-links", path)]
        if self.settings.index:
            options += ["--default-index", self.settings.index]
        return options

    def _build_options(self, plan: InstallPlan, files: Path) -> list[str]:
        options = self._sources(plan)
        if plan.before is not None:
            options += ["--exclude-newer", plan.before.strftime("%Y-%m-%d")]
            options += [
                part for name in sorted(plan.undated) for part in ("--exclude-newer-package", f"{name}=2999-01-01")
            ]
        if plan.build_constraints:
            options += ["--build-constraints", str(files / "build.in")]
        if plan.build_alongside or plan.stated:
            options += ["--config-file", str(files / "uv.toml")]
        return options


def _write_inputs(plan: InstallPlan, files: Path) -> None:
    files.mkdir(parents=True, exist_ok=True)
    locked = (f"{name}=={version}" for name, version in plan.locked)
    texts = {
        "wanted.in": (item.text for item in plan.wanted if applies(item, plan.interpreter)),
        "constraints.in": (*plan.constraints, *locked),
        "overrides.in": plan.overrides,
        "excludes.in": sorted(plan.excluded),
        "build.in": plan.build_constraints,
    }
    for name, lines in texts.items():
        (files / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (files / "uv.toml").write_text(_configuration(plan), encoding="utf-8")
    (files / "lock.txt").unlink(missing_ok=True)


def _configuration(plan: InstallPlan) -> str:
    """Format uv's configuration: undeclared build requirements, and replaced metadata."""
    packages: dict[str, list[str]] = {}
    for package, requirement in plan.build_alongside:
        packages.setdefault(package, []).append(requirement)
    lines = [f"{json.dumps(package)} = {json.dumps(needed)}" for package, needed in packages.items()]
    stated = [
        f'[[dependency-metadata]]\nname = "{name}"\nversion = "{version}"\nrequires-dist = {json.dumps(requires)}'
        for name, version, requires in plan.stated
    ]
    return "\n".join([*stated, "[extra-build-dependencies]", *lines, ""])


def locked_lines(lock: str) -> Iterator[tuple[str, str]]:
    """Yield the package and the line of each pin in a lock."""
    for line in lock.splitlines():
        if match := re.match(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:==|@)", line):
            yield match[1], line.strip()


_NAMED = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?")


def required_by(metadata: str) -> tuple[str, ...]:
    """Parse the requirements in metadata without extras; versions in old notation (`pytz (>=2011k)`) are dropped."""
    head = metadata.partition("\n\n")[0]
    found = []
    for line in re.findall(r"^Requires-Dist: *(.+?)\s*$", head, re.MULTILINE):
        stated, _, marker = line.partition(";")
        if "extra" in marker:
            continue
        try:
            found.append(str(Requirement(line)))
        except InvalidRequirement:
            if match := _NAMED.match(stated):
                found.append(match[1] + (match[2] or "") + (f"; {marker.strip()}" if marker.strip() else ""))
    return tuple(found)


def holder_of(environment: Path, module: str) -> str:
    """Find the installed package of a top-level module by recorded files; empty if there is none."""
    record = re.compile(rf"^{re.escape(module)}(?:/|\.py,|\.[\w-]+\.so,)", re.MULTILINE)
    for info in sorted(environment.glob("lib/python3.*/site-packages/*.dist-info")):
        listed = info / "RECORD"
        if listed.is_file() and record.search(listed.read_text(encoding="utf-8", errors="replace")):
            return canonical(info.name.removesuffix(".dist-info").rpartition("-")[0])
    return ""
