"""Reader of `corpus*.cypher`: the queries with their chapters and parameters."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILES = sorted(Path(__file__).parent.glob("corpus*.cypher"))


NAMED_VALUES: dict[str, dict[str, Any]] = {
    "callers-of-function": {"name": "check"},
    "users-of-module": {"path": "schema.py"},
    "call-path": {"start": "query", "end": "refuse"},
    "broken-by-change": {"name": "total"},
    "package-versions": {"package": "requests"},
    "tests-of-function": {"name": "check"},
    "removed-functions": {"old": "shop@1", "new": "shop@2"},
    "changed-signatures": {"old": "shop@1", "new": "shop@2"},
    "layer-violations": {"layers": ["search/", "engines/"]},
    "forbidden-imports": {"from": "engines/", "to": "search/"},
    "forbidden-packages": {"packages": ["numpy", "msgspec"]},
    "branch-limit": {"branches": 5},
    "length-limit": {"lines": 20},
}
"""Required values of named queries, by query: they give rows over the frozen graphs."""


@dataclass(frozen=True)
class Case:
    """One query of the corpus; `is_empty` says that it has no rows over the frozen graphs."""

    chapter: str
    query: str
    parameters: dict[str, Any]
    line: int
    is_empty: bool


def read() -> list[Case]:
    return [case for file in FILES for case in _cases(file)]


def _cases(file: Path) -> list[Case]:
    cases: list[Case] = []
    chapter, parameters, lines, is_empty = "", {}, [], False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("// == "):
            chapter = line.removeprefix("// == ")
        elif line.startswith("//$ "):
            parameters = json.loads(line.removeprefix("//$ "))
        elif line == "// no rows":
            is_empty = True
        elif line.strip() and not line.startswith("//"):
            lines.append(line)
            if line.endswith(";"):
                cases.append(Case(chapter, "\n".join(lines).removesuffix(";"), parameters, number, is_empty))
                parameters, lines, is_empty = {}, [], False
    return cases
