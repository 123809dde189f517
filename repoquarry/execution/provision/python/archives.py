"""Fetcher of source archives whose old file names uv rejects: finds them on the package index and repacks them under valid names.

Until 2020 names such as `Twisted-17.1.0.tar.bz2` were valid; PEP 625 requires `twisted-17.1.0.tar.gz`. The newest version
that the requirement, a date and the interpreter admit is taken; a script in the sandbox (`archive_carrier`) fetches and repacks it.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin

from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from repoquarry.execution.isolation.confinement import base_interpreter
from repoquarry.execution.provision.command_runner import CommandAccess, CommandRunner
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.interpreters import admits
from repoquarry.languages.manifests.python_requirements import canonical

_NAMED: Final = re.compile(r"([A-Za-z0-9][\w.-]*?)-(\d[\w.!+]*?)(\.tar\.(?:gz|bz2|xz)|\.tgz|\.tbz2?|\.zip)$")
_LINK: Final = re.compile(r"<a\s([^>]*)>\s*([^<\s]+)\s*</a>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"([\w-]+)\s*=\s*[\"']([^\"']*)[\"']")


@dataclass(frozen=True)
class Archive:
    """Source archive of a package."""

    file: str
    version: Version
    address: str
    python: str = ""
    """Specifier of the supported Python versions."""
    published: datetime | None = None
    """Publication time; None if the index does not state it."""
    digest: str = ""
    """SHA-256; empty if the index does not state it."""


def parse_archives(page: str, address: str, package: str) -> tuple[Archive, ...]:
    """Parse the archives on an index page in JSON (PEP 691) or HTML (PEP 503); yanked ones are skipped."""
    rows = _from_json(page) if page.lstrip().startswith("{") else _from_html(page)
    found = []
    for name, place, python, published, digest in rows:
        match = _NAMED.fullmatch(name)
        if match and canonical(match[1]) == canonical(package) and (version := _version(match[2])):
            found.append(Archive(name, version, urljoin(address, place), python, _moment(published), digest))
    return tuple(found)


def select_newest(
    found: Sequence[Archive], allowed: SpecifierSet, until: datetime | None, python: str
) -> Archive | None:
    """Select the newest release that the specifiers, the date and the interpreter allow."""
    published = (one for one in found if until is None or one.published is None or one.published < until)
    released = (one for one in published if one.version in allowed and not one.version.is_prerelease)
    return max((one for one in released if admits(one.python, python)), key=lambda one: one.version, default=None)


_Row = tuple[str, str, str, str, str]


def _from_json(page: str) -> Iterator[_Row]:
    try:
        files = json.loads(page).get("files", [])
    except ValueError:
        return
    for file in files:
        if isinstance(file, dict) and not file.get("yanked"):
            hashes = file.get("hashes") or {}
            row = (file.get("filename"), file.get("url"), file.get("requires-python"), file.get("upload-time"))
            name, address, python, published = (str(part or "") for part in row)
            yield name, address, python, published, str(hashes.get("sha256", ""))


def _from_html(page: str) -> Iterator[_Row]:
    for attributes, name in _LINK.findall(page):
        stated = {key.lower(): html.unescape(value) for key, value in _ATTRIBUTE.findall(attributes)}
        if "href" in stated and "data-yanked" not in stated:
            place, _, fragment = stated["href"].partition("#")
            yield name, place, stated.get("data-requires-python", ""), "", fragment.removeprefix("sha256=")


def _version(text: str) -> Version | None:
    with contextlib.suppress(InvalidVersion):
        return Version(text)
    return None


def _moment(text: str) -> datetime | None:
    with contextlib.suppress(ValueError):
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


INDEX: Final = "https://pypi.org/simple"
_CARRIER: Final = Path(__file__).with_name("archive_carrier.py")
_PAGE_BYTES: Final = 64 * 1024 * 1024
_SECONDS: Final = 240.0


def archive_folder(workspace: Path) -> Path:
    """Return the folder of fetched archives, which is a second source of packages."""
    return workspace / ".home" / "archives"


@dataclass
class ArchiveFetcher:
    """Fetcher of archives for one provisioning."""

    runner: CommandRunner
    index: str
    """Address of the package index; empty for the public one."""
    _pages: dict[str, tuple[Archive, ...]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return archive_folder(self.runner.workspace)

    def fetch(self, package: str, allowed: SpecifierSet, plan: InstallPlan) -> str:
        """Fetch the newest archive that is allowed at the date of a plan. Returns its version; empty if there is none."""
        until = plan.before if canonical(package) not in plan.undated else None
        found = select_newest(self._listed(package), allowed, until, str(plan.interpreter))
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
            self._pages[package] = parse_archives(text, address, package)
        return self._pages[package]

    def _carry(self, found: Archive, stem: str) -> bool:
        """Fetch and repack an archive; return False if that fails or the digest differs from the index."""
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
        access = CommandAccess(readable=(_CARRIER, Path(base).parents[1]), network=network)
        outcome = self.runner.run([base, "-I", str(_CARRIER), *arguments], access, seconds=_SECONDS)
        return outcome.exit_code == 0 and not outcome.stopped
