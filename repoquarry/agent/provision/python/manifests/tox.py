"""`tox.ini`: the interpreters that it tests with, and what its tests need beside the project, which many older projects state nowhere else."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from repoquarry.agent.provision.python.manifests import hints
from repoquarry.agent.provision.python.manifests.values import TESTS, Manifest, parse_all

_FACTORS: Final = re.compile(r"(!?[\w{},.!-]+)\s*:\s+(?=\S)")


def read(path: Path, origin: str) -> Manifest:
    """Interpreters as hints, and the requirements of the base environment as those of tests."""
    found = hints.read_pipeline(path, origin)
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
    except configparser.Error as error:
        return replace(found, notes=(f"{origin} cannot be parsed: {' '.join(str(error).split())}",))
    lines = str(parser.get("testenv", "deps", fallback=""))
    return replace(found, wanted=tuple(parse_all(list(_unconditional(lines)), origin, TESTS)))


def _unconditional(lines: str) -> Iterator[str]:
    """Requirements of all environments; those of single ones exclude each other by design, and substitutions are left out."""
    for line in lines.splitlines():
        match = _FACTORS.match(line.strip())
        if match and not match[1].startswith("!"):
            continue
        text = line.strip()[match.end() :] if match else line.strip()
        if "{" not in text:
            yield text
