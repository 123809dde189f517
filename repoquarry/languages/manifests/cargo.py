"""Manifests of Rust: `Cargo.toml`, those of a workspace's members included."""

from __future__ import annotations

import tomllib

from repoquarry.languages.manifests.values import beside, table
from repoquarry.languages.packages import Manifest, Packages


def _cargo(path: str, text: str, found: Packages) -> None:
    data = tomllib.loads(text)
    package = table(data.get("package"))
    found.provide("crates", package.get("name"), package.get("version"))
    if "/" not in path:
        found.describe(package.get("description"))
    tables = [data.get(key) for key in ("dependencies", "dev-dependencies", "build-dependencies")]
    tables.append(table(data.get("workspace")).get("dependencies"))
    for name, wanted in [item for one in tables for item in table(one).items()]:
        crate = table(wanted).get("package", name)
        found.require("crates", crate, wanted if isinstance(wanted, str) else table(wanted).get("version", ""))
    for program in data.get("bin", ()) if isinstance(data.get("bin"), list) else ():
        target = table(program).get("path")
        if isinstance(target, str) and (file := beside(path, target)):
            found.programs.setdefault(("console_script", str(table(program).get("name", ""))), file)


MANIFESTS = (Manifest(r"Cargo\.toml", _cargo, anywhere=True),)
