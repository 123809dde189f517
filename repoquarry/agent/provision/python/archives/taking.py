"""Takes a source archive that the installer refuses for its name, and puts it where the installer finds it by a name of today.

Until 2020 archives could be called `Twisted-17.1.0.tar.bz2`; PEP 625 asks for `twisted-17.1.0.tar.gz`. What is in them is the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from packaging.specifiers import SpecifierSet

from repoquarry.agent.isolation.confinement import base_interpreter
from repoquarry.agent.provision.python.archives.page import Archive, archives, newest
from repoquarry.agent.provision.python.manifests.values import canonical
from repoquarry.agent.provision.python.plan import Plan
from repoquarry.agent.provision.running import Access, Runner

INDEX: Final = "https://pypi.org/simple"
_CARRIER: Final = Path(__file__).with_name("carrier.py")
_PAGE_BYTES: Final = 64 * 1024 * 1024
_SECONDS: Final = 240.0


def archive_folder(workspace: Path) -> Path:
    """Folder of a workspace for archives that were taken, which the installer is given beside the index."""
    return workspace / ".home" / "archives"


@dataclass
class Archives:
    """The archives that were taken for one provisioning."""

    runner: Runner
    index: str
    """Address of the package index; empty for the public one."""
    _pages: dict[str, tuple[Archive, ...]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return archive_folder(self.runner.workspace)

    def take(self, package: str, allowed: SpecifierSet, plan: Plan) -> str:
        """Take the newest archive that is allowed at the date of a plan. Returns its version; empty when there is none."""
        until = plan.before if canonical(package) not in plan.undated else None
        found = newest(self._listed(package), allowed, until, str(plan.interpreter))
        if found is None:
            return ""
        stem = f"{canonical(package).replace('-', '_')}-{found.version}"
        if not (self.folder / f"{stem}.tar.gz").exists() and not self._carry(found, stem):
            return ""
        return str(found.version)

    def _listed(self, package: str) -> tuple[Archive, ...]:
        if package not in self._pages:
            address = f"{(self.index or INDEX).rstrip('/')}/{canonical(package)}/"
            place = unquote(address.removeprefix("file://")) if address.startswith("file://") else ""
            text = ""
            if fetched := self._get(f"{address}index.html" if place else address, "page"):
                with fetched.open("rb") as page:
                    text = page.read(_PAGE_BYTES).decode("utf-8", errors="replace")
            self._pages[package] = archives(text, address, package)
        return self._pages[package]

    def _carry(self, found: Archive, stem: str) -> bool:
        """Fetch an archive and pack it again. False when it cannot be, or is not what the index says."""
        fetched = self._get(found.address, found.file)
        if fetched is None:
            return False
        with fetched.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        if found.digest and found.digest != digest:
            return False
        made = self.folder / f"{stem}.tar.gz"
        packed = self._run("pack", str(fetched), stem, str(made), network=False)
        fetched.unlink()
        if not packed:
            made.unlink(missing_ok=True)
        return packed

    def _get(self, address: str, name: str) -> Path | None:
        scratch = self.runner.workspace / ".home" / "fetched"
        for folder in (scratch, self.folder):
            folder.mkdir(parents=True, exist_ok=True)
        target = scratch / name
        return target if self._run("get", address, str(target), network=True) else None

    def _run(self, *arguments: str, network: bool) -> bool:
        base = base_interpreter()
        command: Sequence[str] = [base, "-I", str(_CARRIER), *arguments]
        access = Access(readable=(_CARRIER, Path(base).parents[1]), network=network)
        outcome = self.runner.run(command, access, seconds=_SECONDS)
        return outcome.exit_code == 0 and not outcome.stopped
