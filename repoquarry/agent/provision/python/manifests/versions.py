"""Version notations that are not PEP 440's, as specifiers of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from repoquarry.agent.provision.python.manifests.values import Certainty, PythonStatement

_CLASSIFIER = re.compile(r"Programming Language :: Python :: (\d\.\d+)")


def caret(text: str) -> str:
    """Poetry's and conda's `^1.2`, `~1.2`, `1.2`, `*`, alternatives by `|` (the last one) as a specifier; empty for any version."""
    text = re.split(r"\|\|?", text)[-1].strip()
    parts = [
        part for part in (_caret_part(part.strip()) for part in re.split(r"\s*,\s*|\s+(?=[<>=!~^])", text)) if part
    ]
    specifier = ",".join(parts)
    try:
        return str(SpecifierSet(specifier)) if specifier else ""
    except InvalidSpecifier:
        return ""


def _caret_part(part: str) -> str:
    if part in ("", "*"):
        return ""
    if part.startswith("^"):
        return _bounds(part[1:], _caret_ceiling)
    if part.startswith("~") and not part.startswith("~="):
        return _bounds(part[1:], _tilde_ceiling)
    return f"=={part}" if part[0].isdigit() else part.replace(" ", "")


def _bounds(version: str, ceiling: object) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", re.split(r"[a-z]", version)[0])]
    if not numbers or not callable(ceiling):
        return ""
    return f">={version.strip()},<{'.'.join(map(str, ceiling(numbers)))}"


def _caret_ceiling(numbers: list[int]) -> list[int]:
    """The first number that is not zero, plus one."""
    place = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
    return [*numbers[:place], numbers[place] + 1]


def _tilde_ceiling(numbers: list[int]) -> list[int]:
    return [numbers[0] + 1] if len(numbers) == 1 else [numbers[0], numbers[1] + 1]


def classified(text: str, origin: str) -> Iterator[PythonStatement]:
    """The minor versions that classifiers name."""
    for version in dict.fromkeys(_CLASSIFIER.findall(text)):
        yield PythonStatement(f"=={version}.*", origin, Certainty.STATED)
