"""Manifests of Go: `go.mod`, and `go.sum`.

What `go.mod` requires is what is built, as nothing that is required by others may be newer than its list says (since Go 1.17, where the
list is whole). `go.sum` adds modules of which it has the texts of one version only; its lines `…/go.mod` were merely considered.
"""

from __future__ import annotations

import re
from typing import Final

from repoquarry.languages.manifests.locks import take_single
from repoquarry.languages.packages import Manifest, Packages

_MODULE: Final = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)
_BLOCK: Final = re.compile(r"^require\s*\(([^)]*)\)", re.MULTILINE)
_LINE: Final = re.compile(r'^\s*(?:require\s+)?"?([\w.~-]+\.[\w.~-]+/[^\s"]+)"?\s+(v[^\s/]+)', re.MULTILINE)
_REPLACED: Final = re.compile(
    r"^\s*(?:replace\s+)?([^\s\"()]+)(?:\s+v\S+)?\s+=>\s+([^\s\"]+)(?:\s+(v\S+))?", re.MULTILINE
)
_SUM: Final = re.compile(r"^(\S+) (v[^\s/]+) h1:", re.MULTILINE)
_SINGLE: Final = re.compile(r"^require\s+[^(\s].*$", re.MULTILINE)


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def _go_mod(path: str, text: str, found: Packages) -> None:
    for module in _MODULE.findall(text):
        found.provide("go", module)
    replaced = {name: (target, version) for name, target, version in _REPLACED.findall(_without_comments(text))}
    for block in (*_BLOCK.findall(text), *_SINGLE.findall(text)):
        for name, version in _LINE.findall(block):
            found.require("go", name, version)
            if name not in replaced:
                found.lock("go", name, _bare(version))
    for name, (target, version) in replaced.items():
        found.lock("go", name, _bare(version) if target == name else None)


def _go_sum(path: str, text: str, found: Packages) -> None:
    take_single(found, "go", ((name, _bare(version)) for name, version in _SUM.findall(text)))


def _bare(version: str) -> str:
    """A version without Go's `v`, and without what marks a module from before modules."""
    return version.removeprefix("v").removesuffix("+incompatible")


MANIFESTS = (Manifest(r"go\.mod", _go_mod, anywhere=True), Manifest(r"go\.sum", _go_sum, anywhere=True))
