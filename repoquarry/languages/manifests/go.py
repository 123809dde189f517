"""Manifests of Go: `go.mod`."""

from __future__ import annotations

import re
from typing import Final

from repoquarry.languages.manifests.values import anywhere
from repoquarry.languages.packages import Manifest, Packages

_MODULE: Final = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)
_BLOCK: Final = re.compile(r"^require\s*\(([^)]*)\)", re.MULTILINE)
_LINE: Final = re.compile(r'^\s*(?:require\s+)?"?([\w.~-]+\.[\w.~-]+/[^\s"]+)"?\s+(v[^\s/]+)', re.MULTILINE)
_SINGLE: Final = re.compile(r"^require\s+[^(\s].*$", re.MULTILINE)


def _go_mod(path: str, text: str, found: Packages) -> None:
    for module in _MODULE.findall(text):
        found.provide("go", module)
    for block in (*_BLOCK.findall(text), *_SINGLE.findall(text)):
        for name, version in _LINE.findall(block):
            found.require("go", name, version)


MANIFESTS = (Manifest(anywhere(r"go\.mod"), _go_mod),)
