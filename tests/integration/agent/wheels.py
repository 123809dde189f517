"""A package index in a folder: wheels made on the spot, so that provisioning is tested without a network."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.source_trees import pack_tar


def add_wheel(
    index: Path,
    name: str,
    version: str,
    files: Mapping[str, str],
    requires: Sequence[str] = (),
    tag: str = "py3-none-any",
) -> None:
    """Put a wheel into the index, and into its page."""
    folder = index / name.lower().replace("_", "-")
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name.replace('-', '_')}-{version}"
    wheel = folder / f"{stem}-{tag}.whl"
    needed = "".join(f"Requires-Dist: {one}\n" for one in requires)
    info = {
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}",
        f"{stem}.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in {**files, **info}.items():
            archive.writestr(path, text)
        archive.writestr(f"{stem}.dist-info/RECORD", "".join(f"{path},,\n" for path in (*files, *info)))
    _write_page(folder)


def add_source(index: Path, name: str, version: str, files: Mapping[str, str]) -> None:
    """Put a source distribution into the index, and into its page."""
    folder = index / name.lower()
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{name}-{version}"
    packed = {**files, "PKG-INFO": f"Metadata-Version: 1.0\nName: {name}\nVersion: {version}\n"}
    (folder / f"{stem}.tar.gz").write_bytes(pack_tar(packed, f"{stem}/", "gz"))
    _write_page(folder)


def _write_page(folder: Path) -> None:
    links = []
    for made in sorted((*folder.glob("*.whl"), *folder.glob("*.tar.*"))):
        digest = hashlib.sha256(made.read_bytes()).hexdigest()
        links.append(f'<a href="{made.name}#sha256={digest}">{made.name}</a>')
    page = "<!DOCTYPE html><html><body>" + "\n".join(links) + "</body></html>"
    (folder / "index.html").write_text(page, encoding="utf-8")
