"""Folders whose files are tests, unless code uses them."""

import pytest

from repoquarry.ingest.file_features import CandidateTests
from repoquarry.ingest.resolution import resolve
from repoquarry.languages.registry import language_for

SOURCES = {
    "py": ("import pkg.core\n\n\ndef check():\n    pass\n", "import {folder}.cases\n"),
    "js": ("export function check() {{}}\n", "import {{ check }} from '../{folder}/cases.js'\ncheck()\n"),
    "ts": ("export function check() {{}}\n", "import {{ check }} from '../{folder}/cases'\ncheck()\n"),
}


@pytest.mark.parametrize("suffix", SOURCES)
@pytest.mark.parametrize("folder", ["t", "testing", "spec"])
def test_folder_holds_tests_unless_code_imports_them(folder: str, suffix: str) -> None:
    cases, user = (text.format(folder=folder) for text in SOURCES[suffix])
    path = f"{folder}/cases.{suffix}"
    for users, expected in (({}, {path}), ({f"pkg/core.{suffix}": user}, set())):
        files = [language_for(name).extract(name, text.encode()) for name, text in {path: cases, **users}.items()]
        resolution = resolve(files)
        assert CandidateTests.of(files).files([facts.path for facts in files], resolution) == expected
