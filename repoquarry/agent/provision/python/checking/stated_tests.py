"""Where a repository says that its tests lie: what `tox.ini` has pytest run on, where pytest's own configuration says nothing.

Elsewhere pytest would import scripts and examples that the repository never gives to it, and some of those do things when they are imported.
"""

from __future__ import annotations

import configparser
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from repoquarry.agent.provision.python.manifests.reading import head

_CONFIGURATION: Final = ("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")
_TESTPATHS: Final = re.compile(r"^\s*testpaths\s*=", re.MULTILINE)
_PYTEST: Final = re.compile(r"(?:^|[\s/])(?:py\.test|pytest)(?=\s|$)(.*)")
_GIVEN: Final = re.compile(r"\{posargs:?([^{}]*)\}|\[\]")
_SUBSTITUTED: Final = re.compile(r"\{(?:toxinidir|tox_root)\}/?")
_WITH_VALUE: Final = re.compile(
    r"-[kmnpcorW]|--(?:cov|cov-config|cov-report|ignore|deselect|rootdir|durations|tb|maxfail|junit-?xml|basetemp|confcutdir|color|log-level)"
)


def stated_places(tree: Path) -> tuple[str, ...]:
    """Files and folders that pytest is run on, relative to the tree; empty where none are said, or one of them is not there."""
    if any(_TESTPATHS.search(head(tree / name)) for name in _CONFIGURATION):
        return ()
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(head(tree / "tox.ini"))
    except configparser.Error:
        return ()
    lines = str(parser.get("testenv", "commands", fallback="")).replace("\\\n", " ").splitlines()
    found = tuple(dict.fromkeys(place for line in lines for place in _places(line)))
    return found if all(_is_inside(tree, place) for place in found) else ()


def _places(line: str) -> Iterator[str]:
    """The arguments of pytest in one command that are no options."""
    match = _PYTEST.search(line)
    text = _SUBSTITUTED.sub("", _GIVEN.sub(r" \1 ", match[1])) if match else ""
    try:
        words = shlex.split(text)
    except ValueError:  # a quote that never ends
        words = []
    before = ""
    for word in words:
        if not word.startswith("-") and not _WITH_VALUE.fullmatch(before) and "{" not in word:
            yield word
        before = word


def _is_inside(tree: Path, place: str) -> bool:
    path = (tree / place.partition("::")[0]).resolve()
    return path.exists() and path.is_relative_to(tree.resolve())
