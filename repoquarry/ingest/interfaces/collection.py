"""Making of interface tables from packages in folders: unpacked distributions, `site-packages` and `node_modules`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from email.parser import HeaderParser
from pathlib import Path
from typing import Any, Final

from repoquarry.ingest.interfaces.javascript_reader import read_declarations
from repoquarry.ingest.interfaces.python_reader import read_modules
from repoquarry.ingest.interfaces.tables import InterfaceError, InterfaceTable

_LEFT_OUT: Final = frozenset(
    ("tests", "testing", "test", "_vendor", "conftest", "locale", "mypy_django_plugin", "gis", "dialects", "benchmarks", "node_modules")
)  # fmt: skip
"""Folders and modules of packages that applications do not use."""
_MAX_BYTES: Final = 4 << 20
"""Larger files are left out."""


def read_python_package(package: str, folders: Sequence[Path]) -> InterfaceTable:
    """Read a package from folders that contain it or its stubs; stubs precede sources, and earlier folders later ones.

    Raises: InterfaceError.
    """
    texts: dict[str, tuple[str, bool]] = {}
    for folder in folders:
        for top, suffix in ((f"{package}-stubs", ".pyi"), (package, ".pyi"), (package, ".py")):
            for module, path in _modules(folder, top, suffix):
                texts.setdefault(module, (path.read_text("utf-8", "replace"), path.stem == "__init__"))
    if not texts:
        raise InterfaceError(f"no package {package} in {', '.join(map(str, folders))}")
    names, stars = read_modules(texts)
    said = [metadata for folder in folders for metadata in _metadata(folder, package)]
    sources, licences = [f"{name} {version}" for name, version, _ in said], [licence for _, _, licence in said]
    return InterfaceTable(package, "pypi", names, ", ".join(sources), ", ".join(dict.fromkeys(licences)), stars)


def _modules(folder: Path, top: str, suffix: str) -> Iterator[tuple[str, Path]]:
    single = folder / f"{top}{suffix}"
    paths = [single] if single.is_file() else sorted((folder / top).rglob(f"*{suffix}"))
    for path in paths:
        parts = list(path.relative_to(folder).with_suffix("").parts)
        parts[0] = parts[0].removesuffix("-stubs")
        if not _LEFT_OUT & set(parts) and not path.is_symlink() and path.stat().st_size <= _MAX_BYTES:
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _metadata(folder: Path, package: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, version and licence of the distributions that bring a package or its stubs."""
    for record in sorted(folder.glob("*.dist-info/RECORD")):
        brought = {
            line.partition("/")[0].partition(",")[0] for line in record.read_text("utf-8", "replace").splitlines()
        }
        if brought & {package, f"{package}-stubs", f"{package}.py"}:
            stated = HeaderParser().parsestr(record.with_name("METADATA").read_text("utf-8", "replace"))
            yield (
                stated["Name"],
                stated["Version"],
                _licence(stated["License-Expression"] or stated["License"], stated.get_all("Classifier") or []),
            )


def _licence(stated: str | None, classifiers: Sequence[str]) -> str:
    if stated and len(stated) < 40:
        return stated
    found = (one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License ::"))
    return next(found, "see the distribution")


def read_npm_package(package: str, folders: Sequence[Path]) -> InterfaceTable:
    """Read the declarations of a package; further folders have packages whose declarations it passes on.

    Raises: InterfaceError.
    """
    files: dict[str, str] = {}
    sources, licences, entries, parts = list[str](), list[str](), list[str](), set[str]()
    for folder in folders:
        try:
            manifest: dict[str, Any] = json.loads((folder / "package.json").read_bytes())
        except (OSError, ValueError) as exc:
            raise InterfaceError(f"no npm package in {folder}: {exc}") from exc
        name = str(manifest.get("name", package))
        own = {
            path.relative_to(folder).as_posix(): path
            for pattern in ("*.d.ts", "*.d.mts")
            for path in sorted(folder.rglob(pattern))
            if "node_modules" not in path.relative_to(folder).parts and path.stat().st_size <= _MAX_BYTES
        }
        files |= {f"{name}/{path}": place.read_text("utf-8", "replace") for path, place in own.items()}
        entries.append(f"{name}/{_types(manifest, own)}")
        sources.append(f"{name} {manifest.get('version', '')}")
        licences.append(str(manifest.get("license", "")))
        parts.add(name.removeprefix("@types/"))
    names = read_declarations(package, files, entries, parts)
    if not names:
        raise InterfaceError(f"no declarations of {package} in {', '.join(map(str, folders))}")
    return InterfaceTable(package, "npm", {package: names}, ", ".join(sources), ", ".join(dict.fromkeys(licences)))


def _types(manifest: dict[str, Any], files: dict[str, Path]) -> str:
    """Return the path of the declarations of the main export."""
    stated = (manifest.get("types"), manifest.get("typings"), _exported(manifest.get("exports")))
    paths = [str(one).removeprefix("./") for one in stated if one]
    return next((one for one in paths if one in files), "index.d.ts")


def _exported(exports: object) -> str:
    pending = [exports.get(".", exports) if isinstance(exports, dict) else exports]
    while pending:
        one = pending.pop(0)
        if isinstance(one, str) and one.endswith((".d.ts", ".d.mts")):
            return one
        if isinstance(one, dict):
            pending = [*([one["types"]] if "types" in one else []), *one.values(), *pending]
    return ""
