"""What lies in an environment: which package gives a module, and what a package requires, read from its metadata."""

from __future__ import annotations

import re
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from repoquarry.agent.provision.python.manifests.values import canonical

_NAMED = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?")


def required_by(metadata: str) -> tuple[str, ...]:
    """What metadata requires without extras; versions in a form that is no longer accepted (`pytz (>=2011k)`) are left out."""
    head = metadata.partition("\n\n")[0]
    found = []
    for line in re.findall(r"^Requires-Dist: *(.+?)\s*$", head, re.MULTILINE):
        stated, _, marker = line.partition(";")
        if "extra" in marker:
            continue
        try:
            found.append(str(Requirement(line)))
        except InvalidRequirement:
            match = _NAMED.match(stated)
            if match:
                found.append(match[1] + (match[2] or "") + (f"; {marker.strip()}" if marker.strip() else ""))
    return tuple(found)


def holder_of(environment: Path, module: str) -> str:
    """Package that gives a top-level module of an environment, by the lists of its files; empty for none."""
    record = re.compile(rf"^{re.escape(module)}(?:/|\.py,|\.[\w-]+\.so,)", re.MULTILINE)
    for info in sorted(environment.glob("lib/python3.*/site-packages/*.dist-info")):
        listed = info / "RECORD"
        if listed.is_file() and record.search(listed.read_text(encoding="utf-8", errors="replace")):
            return canonical(info.name.removesuffix(".dist-info").rpartition("-")[0])
    return ""
