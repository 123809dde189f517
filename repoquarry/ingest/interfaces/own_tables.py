"""Tables in `.repoquarry/interfaces` of a folder: what is there, and adding packages from a registry or an environment on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from repoquarry.ingest.errors import SourceNotFoundError
from repoquarry.ingest.files.folder_reader import read_folder
from repoquarry.ingest.files.selection import select_files
from repoquarry.ingest.interfaces.collection import read_npm_package, read_python_package
from repoquarry.ingest.interfaces.rows import imported_packages
from repoquarry.ingest.interfaces.tables import InterfaceError, InterfaceTable, decode_table, file_name, packaged
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, NetworkPolicy, acquire, parse_source
from repoquarry.languages.registry import OWN_INTERFACES, is_source, language_for, load

_ECOSYSTEMS = ("pypi", "npm")


@dataclass(frozen=True)
class KnownInterface:
    """An interface that a folder's index uses."""

    ecosystem: str
    package: str
    source: str
    """Distribution and version; empty if a table does not say it."""
    origin: str
    """`own` for a table of the folder, `pack` for one that comes with the product, `none` for an import without one."""


def list_known(root: Path, settings: IngestSettings) -> list[KnownInterface]:
    """List the packages that the files of a folder import, with their interfaces. Raises: InterfaceError, WorkerLostError."""
    known = read_folder(root, read_known, settings, root=root, settings=settings)
    if isinstance(known, str):
        raise InterfaceError(known)
    return known


def read_known(root: Path, settings: IngestSettings) -> list[KnownInterface] | str:
    """Return what `list_known` lists, or the reason why a table of the folder is refused."""
    try:
        return _read_known(root, settings)
    except InterfaceError as exc:
        return str(exc)


def _read_known(root: Path, settings: IngestSettings) -> list[KnownInterface]:
    own = {(one.ecosystem, one.package): one.source for one in _own_tables(root)}
    found = list[KnownInterface]()
    for ecosystem, packages in read_imported(root, settings).items():
        for package in sorted(packages):
            origin = "own" if (ecosystem, package) in own else "pack" if package in packaged(ecosystem) else "none"
            found.append(KnownInterface(ecosystem, package, own.get((ecosystem, package), ""), origin))
    return found


def _own_tables(root: Path) -> Iterator[InterfaceTable]:
    for path in sorted((root / OWN_INTERFACES).glob("*.json")):
        yield decode_table(path.read_bytes())


def read_imported(root: Path, settings: IngestSettings) -> dict[str, set[str]]:
    """Return the imported packages by ecosystem, without those of the folder itself."""
    files = [file.path for file in select_files(root, settings).files if is_source(file.path)]
    facts = [language_for(path).extract(path, (root / path).read_bytes()) for path in files]
    found: dict[str, set[str]] = {}
    for ecosystem in _ECOSYSTEMS:
        own = [one for one in facts if load(one.language).ecosystem == ecosystem]
        tops = {path.partition("/")[0].partition(".")[0] for path in files}
        packages = sorted(imported_packages(own, ecosystem) - tops)
        family = load(own[0].language).family if own else None
        origins = family.origins(own, packages) if family is not None else []
        found[ecosystem] = {
            name
            for name, origin in zip(packages, origins, strict=True)
            if name and not origin.is_standard and not name.startswith((".", "node:", "#", "@/", "~"))
        }
    return found


def read_package(ecosystem: str, package: str, folders: list[Path]) -> InterfaceTable | str:
    """Return the interface of a package in folders that contain it, or the reason why it has none."""
    try:
        return (read_npm_package if ecosystem == "npm" else read_python_package)(package, folders)
    except InterfaceError as exc:
        return str(exc)


def _table(ecosystem: str, package: str, folders: list[Path], settings: IngestSettings) -> InterfaceTable:
    table = read_folder(package, read_package, settings, ecosystem=ecosystem, package=package, folders=folders)
    if isinstance(table, str):
        raise InterfaceError(table)
    return table


def add_packages(
    root: Path, packages: Sequence[str], settings: IngestSettings, reach: NetworkPolicy = EVERYWHERE
) -> list[Path]:
    """Add packages of a registry, written as for `repoquarry index`: `pypi:requests`, `npm:axios@1.7.0`; a plain name is one of PyPI.

    Raises: InterfaceError, WorkerLostError; as `acquire`.
    """
    written = list[Path]()
    for wanted in packages:
        text = wanted if ":" in wanted else f"pypi:{wanted}"
        ecosystem, _, name = text.partition(":")
        if ecosystem not in _ECOSYSTEMS:
            raise InterfaceError(f"interfaces come from pypi and npm, not from {ecosystem!r}")
        source = parse_source(text)
        with acquire(source, settings, lambda: False, reach) as checkout:
            package = name.rpartition("@")[0] or name
            if ecosystem == "npm":
                table = _table("npm", package, [checkout.root], settings)
            else:
                table = _read_archive(package, checkout.root, f"{package} {checkout.ref or ''}".strip(), settings)
        written.append(_write(root, table))
    return written


def _read_archive(distribution: str, folder: Path, source: str, settings: IngestSettings) -> InterfaceTable:
    """Read the package of a source archive: in the folder, or below `src`."""
    plain = distribution.lower().replace("-", "_").removeprefix("types_").removesuffix("_stubs")
    for place in (folder, folder / "src", folder / "lib"):
        for package in (plain, distribution, plain.removeprefix("python_")):
            try:
                return msgspec.structs.replace(_table("pypi", package, [place], settings), source=source)
            except InterfaceError:
                continue
    raise InterfaceError(f"{distribution} has no package {plain} at its top or below `src`")


def add_from_environment(root: Path, settings: IngestSettings) -> list[Path]:
    """Add the imported packages that the folder's `.venv` and `node_modules` contain and the pack does not.

    Raises: SourceNotFoundError without such an environment; InterfaceError, WorkerLostError.
    """
    places = [*sorted(root.glob("*venv/lib/python*/site-packages")), *sorted(root.glob("*venv/Lib/site-packages"))]
    node = root / "node_modules"
    if not places and not node.is_dir():
        raise SourceNotFoundError(f"{root} has neither .venv nor node_modules", source=str(root))
    imported = read_folder(root, read_imported, settings, root=root, settings=settings)
    written = list[Path]()
    for package in sorted(imported["pypi"] - packaged("pypi")) if places else ():
        if any((place / package).is_dir() or (place / f"{package}.py").is_file() for place in places):
            written.append(_write(root, _table("pypi", package, places, settings)))
    for package in sorted(imported["npm"] - packaged("npm")):
        types = node / "@types" / package.removeprefix("@").replace("/", "__")
        found = [folder for folder in (types, node / package) if (folder / "package.json").is_file()]
        for folder in found:
            try:
                written.append(_write(root, _table("npm", package, [folder], settings)))
                break
            except InterfaceError:
                continue  # the package has no declarations of its own
    return written


def _write(root: Path, table: InterfaceTable) -> Path:
    folder = root / OWN_INTERFACES
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{file_name(table.package)}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(table, order="deterministic"), indent=1) + b"\n")
    return path
