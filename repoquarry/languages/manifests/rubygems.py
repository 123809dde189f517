"""Manifests of Ruby: gem specifications and `Gemfile`. They are programs: only names written as texts are seen."""

from __future__ import annotations

import re
from typing import Final

from repoquarry.languages.manifests.values import anywhere
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


MANIFESTS = (Manifest(anywhere(r"[\w.-]+\.gemspec"), _gemspec), Manifest(anywhere("Gemfile"), _gemspec))
