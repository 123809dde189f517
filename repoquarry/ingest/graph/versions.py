"""Which of several stored versions of a library a repository uses, by what both declare.

The exact version of its lock file comes first, then the highest that its requirement allows, then the newest. Two stored repositories of
the same version leave it open, and nothing is guessed between libraries that only share a name of a module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from repoquarry.ingest.graph.parts import Parts

_REF: Final = re.compile(r"(?:^|[-_/@v])(\d+(?:\.\d+)*[\w.+-]*)$")
"""The version at the end of a ref such as `v1.2`, `release/1.2` or `toolbox-1.2rc1`."""
_RANGES: Final = frozenset({"pypi", "npm", "crates"})
"""Ecosystems whose requirements are understood."""
_COMPARATOR: Final = re.compile(r"(\^|~=|~|===?|!=|>=|<=|>|<|=|)v?(\d[\w.+*-]*|[*xX])$")
_ANY: Final = re.compile(r"\.[xX*].*$")


class Declared(msgspec.Struct, array_like=True, frozen=True):
    """What manifests and lock files of a repository say, packages as `ecosystem/name`."""

    provides: dict[str, str] = {}
    """Version by package; empty where the manifest does not write it out."""
    requires: dict[str, str] = {}
    locked: dict[str, str] = {}
    ref: str = ""

    @classmethod
    def of(cls, parts: Parts) -> Declared:
        packages, origin = parts.packages, parts.origin
        return cls(
            {"/".join(key): packages.versions.get(key, "") for key in packages.provides},
            {"/".join(key): requirement for key, requirement in packages.requires.items()},
            {"/".join(key): version for key, version in packages.locked.items()},
            origin.ref or origin.repository.partition("@")[2],
        )


def choose(offered: Mapping[str, Declared], user: Declared) -> str | None:
    """The repository among those that offer a name that `user` means by it; None where that is open."""
    if len(offered) < 2:
        return next(iter(offered), None)
    packages = _packages(offered)
    known = {package: _versions(offered, package) for package in packages}
    for package in packages:
        locked = _version(user.locked.get(package, ""))
        if exact := [name for name, version in known[package].items() if version == locked]:
            return exact[0] if len(exact) == 1 else None
    for package in packages:
        if package in user.requires:
            allowed = _allowed(package.partition("/")[0], user.requires[package], known[package].values())
            if fitting := {name: version for name, version in known[package].items() if version in allowed}:
                return _newest(fitting)
    return next((_newest(versions) for versions in known.values() if versions), None)


def _packages(offered: Mapping[str, Declared]) -> list[str]:
    """The packages that make the repositories versions of one library; none where they are not."""
    provided = [set(declared.provides) for declared in offered.values()]
    shared = set.intersection(*provided)
    if not shared and len({name.partition("@")[0] for name in offered}) == 1:
        shared = set.union(*provided)
    return sorted(shared)


def _versions(offered: Mapping[str, Declared], package: str) -> dict[str, Version]:
    """Those of the repositories whose version is known, with it."""
    found: dict[str, Version] = {}
    for name, declared in offered.items():
        at = _REF.search(declared.ref)
        version = _version(declared.provides.get(package, "")) or _version(at.group(1) if at else "")
        if version is not None:
            found[name] = version
    return found


def _newest(versions: Mapping[str, Version]) -> str | None:
    """The repository of the highest version, final ones first; None where two have it."""
    highest = max(versions.values(), key=lambda version: (not version.is_prerelease, version))
    having = [name for name, version in versions.items() if version == highest]
    return having[0] if len(having) == 1 else None


def _allowed(ecosystem: str, requirement: str, versions: Iterable[Version]) -> set[Version]:
    """The versions that a requirement allows; none where it is not understood."""
    if ecosystem not in _RANGES:
        return set()
    known = list(versions)
    try:
        ranges = [_range(ecosystem, one) for one in requirement.partition(";")[0].split("||")]
    except (InvalidSpecifier, ValueError):
        return set()
    return {version for each in ranges for version in each.filter(known)}


def _range(ecosystem: str, text: str) -> SpecifierSet:
    """A range of npm, Cargo, Poetry or PEP 440 as the last. Raises: InvalidSpecifier, ValueError."""
    glued = re.sub(r"([\^~<>=!])\s+", r"\1", text.strip(" ()"))
    return SpecifierSet(",".join(filter(None, (_comparator(ecosystem, one) for one in re.split(r"[,\s]+", glued)))))


def _comparator(ecosystem: str, text: str) -> str:
    if not text:
        return ""
    found = _COMPARATOR.match(text)
    if found is None:
        raise ValueError(text)
    sign, version = found.groups()
    if version in ("*", "x", "X"):
        return ""
    if _ANY.search(version) and sign in ("", "=", "==", "^", "~"):
        return f"=={_ANY.sub('', version)}.*"
    if sign == "^" or (not sign and ecosystem == "crates"):
        return _up_to(version, caret=True)
    if sign == "~":
        return _up_to(version, caret=False)
    if sign in ("", "="):
        partial = ecosystem == "npm" and re.fullmatch(r"\d+(\.\d+)?", version)
        return f"=={version}.*" if partial else f"=={version}"
    return f"{sign}{version}"


def _up_to(version: str, *, caret: bool) -> str:
    """From a version up to the next that may break: by a caret the first part that is not 0, by a tilde the second, moves."""
    release = Version(version).release
    moved = (
        next((at for at, part in enumerate(release) if part), len(release) - 1) if caret else min(1, len(release) - 1)
    )
    return f">={version},<{'.'.join(map(str, (*release[:moved], release[moved] + 1)))}"


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
