"""Manifests of npm: `package.json`, those of workspaces included."""

from __future__ import annotations

import json
import re
from typing import Final

from repoquarry.languages.manifests.values import beside, table
from repoquarry.languages.packages import Manifest, Packages

_DEPENDENCIES: Final = ("dependencies", "peerDependencies", "optionalDependencies", "devDependencies")
_STARTED: Final = re.compile(r"(?:^|\s)((?:\.{0,2}/)?[\w@./-]+\.(?:[cm]?[jt]sx?))(?=\s|$)")
"""A file in a command such as `node server.js --port 80`."""


def _package_json(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    found.provide("npm", data.get("name"), data.get("version"))
    if "/" not in path:
        found.describe(data.get("description"))
    for key in _DEPENDENCIES:
        for name, wanted in table(data.get(key)).items():
            found.require("npm", name, wanted)
    started = data.get("bin")
    programs = {str(data.get("name", "")): started} if isinstance(started, str) else table(started)
    for name, target in programs.items():
        if isinstance(target, str) and (file := beside(path, target)):
            found.programs.setdefault(("console_script", name), file)
    for name, command in table(data.get("scripts")).items():
        for target in _STARTED.findall(command) if isinstance(command, str) else ():
            if file := beside(path, target):
                found.programs.setdefault(("script", name), file)


MANIFESTS = (Manifest(r"package\.json", _package_json, anywhere=True),)
