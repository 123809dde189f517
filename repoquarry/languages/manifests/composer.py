"""Manifests of PHP: `composer.json`, and `composer.lock`."""

from __future__ import annotations

import json

from repoquarry.languages.manifests.locks import take_single
from repoquarry.languages.manifests.values import table
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


def _composer_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    listed = [data.get(key) for key in ("packages", "packages-dev")]
    packages = [table(one) for part in listed if isinstance(part, list) for one in part]
    # branches, `dev-main`, are no versions
    take_single(
        found, "composer", ((one.get("name"), str(one.get("version", "")).removeprefix("v")) for one in packages)
    )


MANIFESTS = (
    Manifest(r"composer\.json", _composer, anywhere=True),
    Manifest(r"composer\.lock", _composer_lock, anywhere=True),
)
