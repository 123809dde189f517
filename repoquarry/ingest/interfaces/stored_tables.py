"""Interface tables of packages that other indexed repositories provide, read from their stored texts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from repoquarry.graphstore.errors import GraphStoreError
from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.ingest.interfaces.javascript_reader import read_declarations
from repoquarry.ingest.interfaces.providers import Provider
from repoquarry.ingest.interfaces.python_reader import read_modules
from repoquarry.ingest.interfaces.tables import STORED, InterfaceTable, file_name

_log = logging.getLogger(__name__)
_MAX_FILES: Final = 1_500
"""Modules of a provider that are read; later ones by path are left out."""
_ENTRIES: Final = (
    "index.d.ts",
    "src/index.ts",
    "src/index.d.ts",
    "index.ts",
    "lib/index.ts",
    "src/main.ts",
    "types/index.d.ts",
)
_TESTS: Final = frozenset(("tests", "test", "testing", "docs", "examples", "benchmarks", "node_modules"))


def load_tables(sources: SourceStore, providers: Sequence[Provider]) -> dict[str, bytes]:
    """Return the tables of providers by path, as `list_interfaces` takes them."""
    found: dict[str, bytes] = {}
    for provider in providers:
        try:
            tables = _read(sources, provider)
        except GraphStoreError as exc:
            _log.warning("interface_unreadable repository=%s reason=%s", provider.repository, exc)
            continue
        for package, content in tables:
            found[f"{STORED}{provider.ecosystem}/{file_name(package)}.json"] = content
    return found


@lru_cache(16)
def _read(sources: SourceStore, provider: Provider) -> tuple[tuple[str, bytes], ...]:
    tables = _read_npm(sources, provider) if provider.ecosystem == "npm" else _read_python(sources, provider)
    return tuple(
        (one.package, msgspec.json.encode(one, order="deterministic")) for one in tables if any(one.names.values())
    )


def _read_python(sources: SourceStore, provider: Provider) -> list[InterfaceTable]:
    """Read each top-level package of a repository, at its top or below `src` and `lib`."""
    modules: dict[str, dict[str, tuple[str, bool]]] = {}
    paths = [
        path for path in sorted(sources.files(provider.repository, provider.revision)) if path.endswith((".pyi", ".py"))
    ]
    for path in sorted(paths[:_MAX_FILES], key=lambda one: not one.endswith(".pyi")):
        parts = path.rpartition(".")[0].split("/")
        parts = parts[1:] if parts[0] in ("src", "lib") else parts
        if not _TESTS & set(parts) and not parts[0].startswith(("test_", "conftest", "setup")):
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            text = sources.text(provider.repository, path, provider.revision)
            modules.setdefault(parts[0], {}).setdefault(name, (text, is_package))
    source = f"{provider.repository} {provider.revision[:12]}"
    return [
        InterfaceTable(top, "pypi", names, source, "", stars)
        for top, own in sorted(modules.items())
        for names, stars in [read_modules(own)]
    ]


def _read_npm(sources: SourceStore, provider: Provider) -> list[InterfaceTable]:
    paths = [
        path
        for path in sorted(sources.files(provider.repository, provider.revision))
        if path.endswith((".ts", ".tsx", ".d.mts")) and not _TESTS & set(path.split("/"))
    ]
    entry = next((one for one in _ENTRIES if one in paths), None)
    if entry is None:
        return []
    files = {path: sources.text(provider.repository, path, provider.revision) for path in paths[:_MAX_FILES]}
    names = read_declarations(provider.package, files, [entry])
    source = f"{provider.repository} {provider.revision[:12]}"
    return [InterfaceTable(provider.package, "npm", {provider.package: names}, source)]
