"""Manifests of PHP: `composer.json`."""

from __future__ import annotations

import json

from repoquarry.languages.manifests.values import anywhere, table
from repoquarry.languages.packages import Manifest, Packages


def _composer(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    found.provide("composer", data.get("name"))
    if "/" not in path:
        found.describe(data.get("description"))
    for key in ("require", "require-dev"):
        for name, wanted in table(data.get(key)).items():
            if "/" in name:  # the others are PHP itself and its extensions
                found.require("composer", name, wanted)


MANIFESTS = (Manifest(anywhere(r"composer\.json"), _composer),)
