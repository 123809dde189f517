"""What is said by the way: interpreters and packages of the operating system in Dockerfiles, CI files, `.python-version`, `tox.ini`."""

from __future__ import annotations

import re
from pathlib import Path

from repoquarry.agent.provision.python.manifests.values import Certainty, Manifest, PythonStatement

_IMAGE = re.compile(r"^\s*FROM\s+(?:--\S+\s+)?\S*?python:(\d\.\d+)", re.IGNORECASE | re.MULTILINE)
_INSTALLED = re.compile(r"apt(?:-get)?\s+(?:-\S+\s+)*install\s+([^&;|>\n]*)")
_MATRIX = re.compile(
    r"python[-_ ]?version[s]?['\"]?\s*[:=]\s*\[?([^\n\]]*(?:\n\s*-?\s*['\"]?\d\.\d+[^\n]*)*)", re.IGNORECASE
)
_TRAVIS = re.compile(r"^python:\s*\n((?:\s*-\s*[^\n]+\n)+)|^python:\s*\[?([^\n\]]+)", re.MULTILINE)
_VERSION = re.compile(r"(?<![\d.])(3\.\d{1,2}|2\.7)(?![\d])")


def read_version_file(path: Path, origin: str) -> Manifest:
    """`.python-version` and `runtime.txt`."""
    if match := _VERSION.search(path.read_text(encoding="utf-8", errors="replace")):
        return Manifest(python=(PythonStatement(f"=={match[1]}.*", origin, Certainty.CHOSEN),))
    return Manifest()


def read_dockerfile(path: Path, origin: str) -> Manifest:
    """Image of Python and packages that are installed with apt."""
    text = path.read_text(encoding="utf-8", errors="replace")
    python = tuple(PythonStatement(f"=={found}.*", origin, Certainty.HINT) for found in _IMAGE.findall(text))
    return Manifest(python=python, system=_system(text))


def read_pipeline(path: Path, origin: str) -> Manifest:
    """Interpreters that a CI file or `tox.ini` tests with, and packages that it installs."""
    text = path.read_text(encoding="utf-8", errors="replace")
    parts = [*_MATRIX.findall(text), *(part for pair in _TRAVIS.findall(text) for part in pair)]
    found = [version for part in parts for version in _VERSION.findall(part)]
    if origin.endswith("tox.ini"):
        found += [f"{major}.{minor}" for major, minor in re.findall(r"\bpy(3)(\d{1,2})\b", text)]
    return Manifest(
        python=tuple(PythonStatement(f"=={version}.*", origin, Certainty.HINT) for version in dict.fromkeys(found)),
        system=_system(text),
    )


def _system(text: str) -> tuple[str, ...]:
    words = (word for found in _INSTALLED.findall(text.replace("\\\n", " ")) for word in found.split())
    return tuple(dict.fromkeys(word for word in words if re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", word)))
