"""Small programs below `tests/programs`, each followed by all that extraction or resolution finds in it.

A program begins with `=== title`, each of its files with `--- path`; `--- found` begins the findings, which `--update-golden` rewrites.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry
from tests.golden import GoldenFiles
from tests.resolution_export import PROGRAMS, format_programs, list_facts, list_records

PATHS = sorted(PROGRAMS.glob("facts/*.txt")) + sorted(PROGRAMS.glob("resolution/*.txt"))


def find(kind: str, texts: dict[str, str]) -> Iterator[str]:
    """Yield the facts of the files, or the records of their resolution."""
    files = [
        registry.language_for(path).extract(path, texts[path].encode()) for path in texts if registry.is_source(path)
    ]
    if kind == "resolution":
        configuration = {path: text.encode() for path, text in texts.items() if registry.is_configuration(path)}
        yield from list_records(resolve(files, configuration=configuration))
    for facts in files:
        yield from (
            list_facts(facts)
            if kind == "facts"
            else (f"error {facts.path} {error.line}" for error in facts.parse_errors)
        )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_program_has_the_findings_below_it(path: Path, golden_files: GoldenFiles) -> None:
    golden_files.check(path, format_programs(path, partial(find, path.parent.name)))
