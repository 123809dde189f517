"""Values of parsed manifests, which may hold anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

#: folders whose manifests speak for samples and not for the repository
_SAMPLES = (
    r"(?:.*/)?(?:tests?|__tests__|testdata|fixtures?|__fixtures__|examples?|samples?|demos?|templates?|docs?|benchmarks?|e2e"
    r"|integration-tests?)/.*"
)


def table(value: object) -> Mapping[str, Any]:
    """A table, empty where there is none."""
    return value if isinstance(value, dict) else {}


def anywhere(name: str) -> re.Pattern[str]:
    """Paths of files of a name, in the root or in any folder that does not hold samples."""
    return re.compile(rf"(?!{_SAMPLES})(?:.*/)?{name}")


def beside(path: str, other: str) -> str:
    """The path of a file that a manifest names relative to itself; empty where it leads out of the repository."""
    folders = path.split("/")[:-1]
    for part in other.split("/"):
        if part == ".." and not folders:
            return ""
        if part == "..":
            folders.pop()
        elif part not in ("", "."):
            folders.append(part)
    return "/".join(folders)
