"""Crates and modules of Rust: the full name of each file by `Cargo.toml`, Cargo's own layout and `mod` declarations.

A full name begins with a crate and has its modules after dots: `grep_searcher.searcher.core`. Targets that no other crate can import have a
hyphen in the name of their crate: `grep-tests-misc`.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from repoquarry.languages.facts import FileFacts, Import
from repoquarry.languages.family import Configuration, ModuleMap, Place
from repoquarry.languages.structural.module_resolution import build_module_map
from repoquarry.languages.structured_text import load_toml

_FOLDERS = {"src/bin": "bin", "tests": "tests", "examples": "examples", "benches": "benches"}
_KINDS = {"bin": "bin", "test": "tests", "example": "examples", "bench": "benches"}


def find_modules(files: Sequence[FileFacts], configuration: Configuration, _roots: Sequence[str] | None) -> ModuleMap:
    """As `repoquarry.languages.family.FindModules`."""
    names = _name_files(files, configuration)
    by_name = {name: unit for unit, name in reversed([*enumerate(names)])}
    by_path = {facts.path: unit for unit, facts in enumerate(files)}

    def lead(importer: int, entry: Import) -> Place | None:
        if entry.how == "mod":
            return next(
                (by_path[one] for one in _files_of(files[importer].path, names, importer, entry) if one in by_path),
                None,
            )
        full = f"{entry.module}::{entry.name}" if entry.name not in ("", "*") else entry.module
        for whole in _absolute(names[importer], full.split("::"), by_name):
            parts = whole.split(".")
            for length in range(len(parts), 0, -1):
                if (found := by_name.get(".".join(parts[:length]))) is not None:
                    return found
        return None

    return build_module_map(files, lead, names)


def _absolute(own: str, parts: list[str], by_name: Mapping[str, int]) -> Iterator[str]:
    """Yield the full names that a path may have."""
    first, *rest = parts
    base = own
    if first == "crate":
        base = own.partition(".")[0]
    elif first == "super":
        base = own.rpartition(".")[0]
        while rest and rest[0] == "super":
            base, rest = base.rpartition(".")[0], rest[1:]
    elif first != "self":
        if f"{own}.{first}" in by_name:
            yield ".".join([own, *parts])
        if first in by_name or (first == "" and rest):
            yield ".".join(parts).lstrip(".")
        return
    if base:
        yield ".".join([base, *rest])


def _files_of(path: str, names: Sequence[str], unit: int, entry: Import) -> Iterator[str]:
    """Yield the paths that the file of a declared module may have."""
    folder = posixpath.dirname(path)
    if entry.alias:  # #[path = ".."]
        yield posixpath.normpath(posixpath.join(folder, entry.module))
        return
    stem = path.rpartition("/")[2].removesuffix(".rs")
    if stem != "mod" and "." in names[unit]:
        folder = posixpath.join(folder, stem)
    name = entry.module.removeprefix("self::")
    for base in dict.fromkeys((folder, posixpath.dirname(path), posixpath.join(posixpath.dirname(path), stem))):
        yield posixpath.join(base, f"{name}.rs")
        yield posixpath.join(base, name, "mod.rs")


def _name_files(files: Sequence[FileFacts], configuration: Configuration) -> list[str]:
    by_path = {facts.path: unit for unit, facts in enumerate(files)}
    names = [""] * len(files)
    taken: set[str] = set()
    for path, crate in _targets(by_path, configuration):
        unit = by_path.get(path)
        if unit is not None and not names[unit]:
            name = crate
            while name in taken:
                name += "-"
            taken.add(name)
            names[unit] = name
            _name_modules(unit, files, by_path, names)
    for unit, facts in enumerate(files):
        if facts.path.startswith("/"):
            names[unit] = facts.path[1:].removesuffix(".rs")
        elif not names[unit]:
            names[unit] = _name_by_folder(facts.path, files, names)
    return names


def _name_modules(root: int, files: Sequence[FileFacts], by_path: Mapping[str, int], names: list[str]) -> None:
    """Name the modules that a file declares, and those that they declare."""
    pending = [root]
    while pending:
        current = pending.pop()
        for entry in files[current].imports:
            if entry.how != "mod":
                continue
            name = entry.alias or entry.module.removeprefix("self::")
            found = (by_path[one] for one in _files_of(files[current].path, names, current, entry) if one in by_path)
            unit = next(found, None)
            if unit is not None and not names[unit]:
                names[unit] = f"{names[current]}.{name}"
                pending.append(unit)


def _name_by_folder(path: str, files: Sequence[FileFacts], names: Sequence[str]) -> str:
    """Name a file that no module declares by its place below the nearest file that has a name."""
    best, base = "", ""
    for facts, name in zip(files, names, strict=True):
        folder = posixpath.dirname(facts.path)
        if (
            name
            and facts.path.endswith(("/lib.rs", "/main.rs", "/mod.rs"))
            and path.startswith(f"{folder}/")
            and len(folder) >= len(best)
        ):
            best, base = folder, name
    rest = path[len(best) :].lstrip("/").removesuffix(".rs").removesuffix("/mod")
    return ".".join(part for part in (base, *rest.split("/")) if part)


def _targets(paths: Mapping[str, int], configuration: Configuration) -> Iterator[tuple[str, str]]:
    """Yield (root file, crate) of all targets, libraries first."""
    manifests = dict(_manifests(configuration))
    for folder, manifest in manifests.items():
        library = manifest.get("lib")
        library = library if isinstance(library, dict) else {}
        name = library.get("name") or _package(manifest)
        if name:
            path = posixpath.normpath(posixpath.join(folder, str(library.get("path") or "src/lib.rs")))
            yield path, str(name).replace("-", "_")
    for folder, manifest in manifests.items():
        yield from _programs(folder, manifest, paths)
    for path in sorted(paths):
        if path.rpartition("/")[2] in ("lib.rs", "main.rs") and not path.startswith("/"):
            yield path, "crate"


def _programs(folder: str, manifest: Mapping[str, Any], paths: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the programs, tests, examples and benchmarks of a package: those that it lists, and those that Cargo finds."""
    package = _package(manifest)
    if not package:
        return
    listed = [(kind, one) for key, kind in _KINDS.items() for one in manifest.get(key, ()) if isinstance(one, dict)]
    for kind, one in listed:
        name = str(one.get("name", ""))
        path = str(one.get("path") or ("src/main.rs" if kind == "bin" else f"{kind}/{name}.rs"))
        crate = name.replace("-", "_") if kind == "bin" and "-" not in name else f"{package}-{kind}-{name}"
        yield posixpath.normpath(posixpath.join(folder, path)), crate
    yield posixpath.join(folder, "src/main.rs"), package.replace("-", "_")
    yield posixpath.join(folder, "build.rs"), f"{package}-build"
    for below, kind in _FOLDERS.items():
        base = posixpath.join(folder, below)
        for path in sorted(one for one in paths if one.startswith(f"{base}/")):
            inner = path[len(base) + 1 :].removesuffix(".rs")
            if "/" not in inner or (inner.count("/") == 1 and inner.endswith("/main")):
                yield path, f"{package}-{kind}-{inner.removesuffix('/main')}"


def _package(manifest: Mapping[str, Any]) -> str:
    package = manifest.get("package")
    return str(package.get("name", "")) if isinstance(package, dict) else ""


def _manifests(configuration: Configuration) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the folders and contents of manifests that can be read."""
    for path, text in sorted(configuration.items()):
        if path.rpartition("/")[2] == "Cargo.toml":
            try:
                yield posixpath.dirname(path), load_toml(text.decode("utf-8", "replace"))
            except tomllib.TOMLDecodeError:
                continue
