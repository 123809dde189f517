"""Parser that converts version ranges of npm, Cargo, Poetry, conda and PEP 440 to PEP 440 specifiers.

Source: https://github.com/npm/node-semver#ranges. Prereleases of npm are not distinguished from their release.
"""

from __future__ import annotations

import re
from typing import Final

from packaging.specifiers import SpecifierSet
from packaging.version import Version

_COMPARATOR: Final = re.compile(r"(\^|~=|~>?|===?|!=|>=|<=|>|<|=|)v?(\d[\w.+*-]*|[*xX])$")
_ANY: Final = re.compile(r"\.[xX*].*$")
_BLANKS: Final = re.compile(r"([\^~<>=!])\s+")
_HYPHEN: Final = re.compile(r"(\S+)\s+-\s+(\S+)")


def parse_alternatives(ecosystem: str, text: str) -> list[SpecifierSet]:
    """Parse the alternatives of a range. Raises: ValueError (InvalidSpecifier and InvalidVersion are such)."""
    return [parse_range(ecosystem, part) for part in text.split("||")]


def parse_range(ecosystem: str, text: str) -> SpecifierSet:
    """Parse one alternative of a range. Raises: ValueError."""
    glued = _HYPHEN.sub(r">=\1 <=\2", _BLANKS.sub(r"\1", text.strip(" ()")))
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
        return _compatible(version, caret=True)
    if sign in ("~", "~>"):
        return _compatible(version, caret=False)
    is_partial = ecosystem == "npm" and re.fullmatch(r"\d+(\.\d+)?", version)
    if sign in ("", "="):
        return f"=={version}.*" if is_partial else f"=={version}"
    if is_partial and sign in (">", "<="):  # npm's partial versions stand for all versions that begin with them
        return f"{'>=' if sign == '>' else '<'}{_format(_increment(Version(version).release, version.count('.')))}"
    return f"{sign}{version}"


def _compatible(version: str, *, caret: bool) -> str:
    """Format the range up to the next breaking version: a caret moves the first nonzero part, a tilde the second."""
    release = Version(version).release
    last = len(release) - 1
    moved = next((at for at, part in enumerate(release) if part), last) if caret else min(1, last)
    return f">={version},<{_format(_increment(release, moved))}"


def _increment(release: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*release[:place], release[place] + 1)


def _format(release: tuple[int, ...]) -> str:
    return ".".join(map(str, release))
