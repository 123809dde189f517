"""What repairs may look up while they are chosen: wheels, solutions, archives and metadata, each bounded or remembered."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from packaging.specifiers import SpecifierSet

from repoquarry.agent.provision.python.archives.taking import Archives
from repoquarry.agent.provision.python.attempts.attempt import failed
from repoquarry.agent.provision.python.installed import holder_of, required_by
from repoquarry.agent.provision.python.installer import Installer
from repoquarry.agent.provision.python.interpreters import Interpreter
from repoquarry.agent.provision.python.plan import Plan

_PROBES = 24
_PROBE_SECONDS = 120.0


class Lookups:
    """Questions in the course of attempts, about the plan that is tried."""

    plan: Plan
    """The one that is tried; set before the first question."""

    def __init__(self, installer: Installer, environment: Path, files: Path) -> None:
        self._installer, self._environment, self._files = installer, environment, files
        self._wheels: dict[tuple[str, Interpreter, datetime | None], bool] = {}
        self._archives = Archives(installer.runner, installer.settings.index)
        self._probes = 0

    def resolves(self, plan: Plan) -> bool:
        """Whether a plan has a solution; nothing is installed. False without a look when many were tried, and when it takes long."""
        self._probes += 1
        return self._probes <= _PROBES and not failed(self._installer.resolve(plan, self._files, _PROBE_SECONDS))

    def requires(self, name: str, version: str) -> tuple[str, ...] | None:
        """What the wheel of a version requires, in the form of today; None without a wheel."""
        place = self._files / "unpacked"
        shutil.rmtree(place, ignore_errors=True)
        if failed(self._installer.unpack(f"{name}=={version}", self.plan, place)):
            return None
        found = next(place.glob("*.dist-info/METADATA"), None)
        return required_by(found.read_text(encoding="utf-8", errors="replace")) if found else None

    def takes_archive(self, name: str, allowed: SpecifierSet) -> str:
        """Version of a package whose source archive could be fetched for the plan; empty for none."""
        return self._archives.take(name, allowed, self.plan)

    def holder(self, module: str) -> str:
        """Package of the last installation that gives a top-level module; empty for none."""
        return holder_of(self._environment, module)

    def has_wheel(self, requirement: str, interpreter: Interpreter) -> bool:
        """Whether a requirement can be met by wheels alone on an interpreter, at the date of the plan."""
        return self._looked_up(requirement, interpreter, self.plan)

    def has_newer_wheel(self, requirement: str, interpreter: Interpreter) -> bool:
        """The same at any date."""
        return self._looked_up(requirement, interpreter, replace(self.plan, date=None))

    def _looked_up(self, requirement: str, interpreter: Interpreter, plan: Plan) -> bool:
        key = (requirement, interpreter, plan.date)
        if key not in self._wheels:
            self._wheels[key] = not failed(self._installer.look_up(requirement, interpreter, plan, self._files))
        return self._wheels[key]
