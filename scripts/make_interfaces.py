"""Make the pack of interface tables from real packages: `make_interfaces.py [PACKAGE...]` downloads them by pip and npm.

The tables go to `repoquarry/interfaces`, with the distribution, its version and its licence in each.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from repoquarry.ingest.interfaces.collection import read_npm_package, read_python_package
from repoquarry.ingest.interfaces.tables import PACK, InterfaceTable, encode_table, file_name

#: package that code imports -> distributions, whose later ones complete the earlier ones
PYPI: Final = {
    "django": ("django-stubs",), "rest_framework": ("djangorestframework-stubs",), "sqlalchemy": ("SQLAlchemy",), "fastapi": ("fastapi",),
    "starlette": ("starlette",), "pydantic": ("pydantic",), "flask": ("flask",), "werkzeug": ("werkzeug",), "jinja2": ("jinja2",),
    "click": ("click",), "typer": ("typer",), "requests": ("requests",), "httpx": ("httpx",), "celery": ("celery-types",),
    "aiohttp": ("aiohttp",), "flask_sqlalchemy": ("flask-sqlalchemy",),
}  # fmt: skip
NPM: Final = {
    "react": ("@types/react",), "express": ("@types/express", "@types/express-serve-static-core"), "axios": ("axios",), "rxjs": ("rxjs",),
    "typeorm": ("typeorm",), "@nestjs/common": ("@nestjs/common",), "@nestjs/core": ("@nestjs/core",), "zustand": ("zustand",),
    "@reduxjs/toolkit": ("@reduxjs/toolkit",), "@tanstack/react-query": ("@tanstack/react-query", "@tanstack/query-core"),
    "@angular/core": ("@angular/core",), "pinia": ("pinia",), "fastify": ("fastify",), "zod": ("zod",),
}  # fmt: skip


def main() -> None:
    wanted = set(sys.argv[1:])
    for ecosystem, packages in (("pypi", PYPI), ("npm", NPM)):
        for package, distributions in packages.items():
            if wanted and package not in wanted:
                continue
            with tempfile.TemporaryDirectory() as folder:
                table = (_pypi if ecosystem == "pypi" else _npm)(package, distributions, Path(folder))
            path = PACK / ecosystem / f"{file_name(package)}.json.xz"
            path.parent.mkdir(parents=True, exist_ok=True)
            content = encode_table(table)
            path.write_bytes(content)
            count = sum(map(len, table.names.values()))
            print(f"{ecosystem} {package}: {table.source} ({table.licence}), {count} names, {len(content):,} bytes")


def _pypi(package: str, distributions: tuple[str, ...], folder: Path) -> InterfaceTable:
    for name in distributions:
        command = (
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--quiet",
            "--dest",
            str(folder),
            name,
        )
        subprocess.run([sys.executable, *command], check=True)
    for wheel in folder.glob("*.whl"):
        with ZipFile(wheel) as archive:
            archive.extractall(folder / "packages")  # noqa: S202  a checked distribution
    return read_python_package(package, [folder / "packages"])


def _npm(package: str, distributions: tuple[str, ...], folder: Path) -> InterfaceTable:
    folders = list[Path]()
    for number, name in enumerate(distributions):
        place = folder / str(number)
        place.mkdir()
        subprocess.run(["npm", "pack", "--silent", name], cwd=place, check=True, capture_output=True)
        with tarfile.open(next(place.glob("*.tgz"))) as archive:
            archive.extractall(place, filter="data")
        folders.append(next(path.parent for path in place.glob("*/package.json")))
    return read_npm_package(package, folders)


if __name__ == "__main__":
    main()
