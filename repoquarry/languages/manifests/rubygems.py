"""Manifests of Ruby: gem specifications and `Gemfile`, which are programs: only names written as texts are seen. And `Gemfile.lock`."""

from __future__ import annotations

import re
from typing import Final

from repoquarry.languages.manifests.locks import take_single
from repoquarry.languages.packages import Manifest, Packages

_NAME: Final = re.compile(r"^\s*\w+\.name\s*=\s*[\"']([\w.-]+)[\"']", re.MULTILINE)
_SUMMARY: Final = re.compile(r"^\s*\w+\.(?:summary|description)\s*=\s*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
_DEPENDENCY: Final = re.compile(
    r"^\s*(?:\w+\.add(?:_runtime|_development)?_dependency|gem)[\s(]+[\"']([\w.-]+)[\"'](?:\s*,\s*[\"']([^\"'\n]+)[\"'])?",
    re.MULTILINE,
)


def _gemspec(path: str, text: str, found: Packages) -> None:
    for name in _NAME.findall(text):
        found.provide("rubygems", name)
    for summary in _SUMMARY.findall(text) if "/" not in path else ():
        found.describe(summary)
    for name, requirement in _DEPENDENCY.findall(text):
        found.require("rubygems", name, requirement)


_SECTION: Final = re.compile(r"^(GEM|GIT|PATH|PLUGIN SOURCE)\r?\n((?:[ \t]+[^\n]*\n?)*)", re.MULTILINE)
_LOCKED: Final = re.compile(r"^ {4}([\w.-]+) \((\d[^\s()-]*)(?:-[^()]+)?\)", re.MULTILINE)
"""A gem and its version, without the platform that it was built for."""
_OWN_PLACE: Final = re.compile(r"^  remote: (?!\.\.|/)", re.MULTILINE)


def _gemfile_lock(path: str, text: str, found: Packages) -> None:
    if not re.search(r"^(?:GEM|GIT|PATH|DEPENDENCIES)\r?$", text, re.MULTILINE):
        raise ValueError("it has no part of a Gemfile.lock")
    locked: list[tuple[str, str]] = []
    for section, body in _SECTION.findall(text):
        gems = _LOCKED.findall(body)
        if section == "PATH" and _OWN_PLACE.search(
            body
        ):  # the repository's own, whose specifications compute their version
            for name, version in gems:
                found.provide("rubygems", name, version)
        else:
            locked += gems
    take_single(found, "rubygems", locked)


MANIFESTS = (
    Manifest(r"[\w.-]+\.gemspec", _gemspec, anywhere=True),
    Manifest("Gemfile", _gemspec, anywhere=True),
    Manifest(r"(?:Gemfile|gems)\.(?:lock|locked)", _gemfile_lock, anywhere=True),
)
