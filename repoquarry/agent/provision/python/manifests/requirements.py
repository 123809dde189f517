"""Requirement files of pip: `requirements.txt` and the files that they include."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from repoquarry.agent.provision.python.manifests.values import CORE, Manifest, Wanted, group_of, parse


def read(path: Path, origin: str) -> Manifest:
    """The requirements of one file; its group follows from its name."""
    group = group_of(posixpath.basename(origin)) or (group_of(posixpath.dirname(origin)) or CORE)
    text = path.read_text(encoding="utf-8-sig", errors="replace").replace("\\\n", " ")
    if "\0" in text:  # UTF-16, which `pip freeze >` writes on Windows
        text = path.read_bytes().decode("utf-16", errors="replace")
    wanted: list[Wanted] = []
    includes: list[str] = []
    notes: list[str] = []
    for line in text.splitlines():
        stripped = re.sub(r"(^|\s)#.*$", "", line).strip()
        if match := re.match(r"(?:-r|--requirement|-c|--constraint)[\s=]+(\S+)", stripped):
            includes.append(posixpath.normpath(posixpath.join(posixpath.dirname(origin), match[1])))
        elif match := re.match(r"(?:-e|--editable)[\s=]+(\S+)", stripped):
            if (found := parse(match[1], origin, group)) and "://" in match[1]:
                wanted.append(found)
        elif found := parse(stripped, origin, group):
            wanted.append(found)
        elif stripped and not stripped.startswith(("-", ".", "/")):
            notes.append(f"{origin}: {stripped[:80]!r} is no requirement and was left out")
    return Manifest(tuple(wanted), includes=tuple(includes), notes=tuple(notes))
