"""`setup.cfg`: the declarative tables of setuptools, and pbr's."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

from repoquarry.agent.provision.python.manifests.values import (
    TESTS,
    Certainty,
    Manifest,
    PythonStatement,
    group_of,
    parse_all,
)
from repoquarry.agent.provision.python.manifests.versions import classified


def read(path: Path, origin: str) -> Manifest:
    """What the file says; nothing but a note when it cannot be parsed."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
    except configparser.Error as error:
        return Manifest(notes=(f"{origin} cannot be parsed: {' '.join(str(error).split())}",))

    def get(section: str, option: str) -> str:
        return str(parser.get(section, option, fallback=""))

    lines = get("options", "install_requires")
    file = re.match(r"\s*file:\s*(.+)", lines)
    wanted = [] if file else list(parse_all(_lines(lines), origin))
    wanted += parse_all(_lines(get("options", "tests_require")), origin, TESTS)
    for name in parser.options("options.extras_require") if parser.has_section("options.extras_require") else ():
        if group := group_of(name):
            wanted += parse_all(_lines(get("options.extras_require", name)), origin, group)
    python = list(classified(get("metadata", "classifiers") + get("metadata", "classifier"), origin))
    if required := get("options", "python_requires") or get("metadata", "python-requires"):
        python.append(PythonStatement(required.strip(), origin, Certainty.REQUIRED))
    return Manifest(
        tuple(wanted),
        tuple(python),
        includes=tuple(name.strip() for name in file[1].split(",")) if file else (),
        name=get("metadata", "name").strip(),
    )


def _lines(text: str) -> list[str]:
    return [part for line in text.splitlines() for part in (line.split(";;") if ";;" in line else [line])]
