"""The documentation site: every page is in the navigation, and the built pages need no network."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.service import ROOT

CONFIGURATION: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
_LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]*\bsrc=\"?([^\s\">]+)|<link[^>]*rel=\"?stylesheet\"?[^>]*href=\"?([^\s\">]+)"
)


def list_navigation(entries: object) -> Iterator[str]:
    if isinstance(entries, str):
        yield entries
    else:
        values = entries.values() if isinstance(entries, dict) else entries
        for entry in values:  # type: ignore[attr-defined]
            yield from list_navigation(entry)


def test_navigation_has_every_page_once() -> None:
    pages = [str(path.relative_to(ROOT / "docs")) for path in ROOT.glob("docs/**/*.md")]
    records = [page for page in pages if re.match(r"decisions/\d", page)]
    assert Counter(list_navigation(CONFIGURATION["nav"])) == Counter(set(pages) - set(records))


@pytest.mark.docs
def test_site_is_built_complete_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    for page in list_navigation(CONFIGURATION["nav"]):
        name = page.replace("README.md", "index.md").removesuffix(".md") + ".html"
        text = (site / name).read_text(encoding="utf-8")
        loaded = [first or second for first, second in _LOADED.findall(text)]
        assert loaded, page
        assert [address for address in loaded if re.match(r"(?:https?:)?//", address)] == [], page
    assert "Resuming after a restart" in (site / "search.json").read_text(encoding="utf-8")
