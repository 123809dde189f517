"""Manifests of .NET: project files of C#, read as text, since package references stand in one element each. And `packages.lock.json`."""

from __future__ import annotations

import json
import re
from typing import Final

from repoquarry.languages.manifests.locks import take_single
from repoquarry.languages.manifests.values import table
from repoquarry.languages.packages import Manifest, Packages

_ID: Final = re.compile(r"<(?:PackageId|AssemblyName)>\s*([\w.-]+)\s*</")
_DESCRIPTION: Final = re.compile(r"<Description>\s*([^<]+?)\s*</Description>")
_REFERENCE: Final = re.compile(r"<PackageReference\s+Include=\"([\w.-]+)\"(?:\s+Version=\"([^\"]*)\")?")


def _project(path: str, text: str, found: Packages) -> None:
    own = _ID.search(text)
    found.provide("nuget", own[1] if own else path.rpartition("/")[2].removesuffix(".csproj"))
    if description := _DESCRIPTION.search(text):
        found.describe(description[1])
    for name, version in _REFERENCE.findall(text):
        found.require("nuget", name, version)


def _packages_lock(path: str, text: str, found: Packages) -> None:
    frameworks = table(table(json.loads(text)).get("dependencies")).values()
    packages = [item for framework in frameworks for item in table(framework).items()]
    take_single(found, "nuget", ((name, table(one).get("resolved")) for name, one in packages))


MANIFESTS = (
    Manifest(r"[\w.-]+\.csproj", _project, anywhere=True),
    Manifest(r"packages\.lock\.json", _packages_lock, anywhere=True),
)
