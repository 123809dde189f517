"""Manifests of .NET: project files of C#. They are read as text: package references stand in one element each."""

from __future__ import annotations

import re
from typing import Final

from repoquarry.languages.manifests.values import anywhere
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


MANIFESTS = (Manifest(anywhere(r"[\w.-]+\.csproj"), _project),)
