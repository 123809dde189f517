"""Coverage of the digest of inputs: everything that decides a graph, so that equal digests mean equal graphs."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from repoquarry.ingest.files import hashing
from repoquarry.ingest.files.hashing import HashedTree, SkippedFiles, inputs_digest
from repoquarry.ingest.previous_state import IndexInputs
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.source import Checkout, SkippedPath

PACKAGE = Path(hashing.__file__).parents[2]


@pytest.fixture(autouse=True)
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package's code that a test may change, digested again at every call."""
    for part in ("languages", "ingest", "graphstore/model", "graphstore/storage"):
        shutil.copytree(PACKAGE / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(hashing, "_PACKAGE", tmp_path)
    hashing.indexer_version.cache_clear()
    hashing.extractor_version.cache_clear()
    yield tmp_path
    hashing.indexer_version.cache_clear()
    hashing.extractor_version.cache_clear()


def versions() -> tuple[str, str]:
    """Digests of the extractor and of the complete indexer."""
    hashing.indexer_version.cache_clear()
    hashing.extractor_version.cache_clear()
    return hashing.extractor_version(), hashing.indexer_version()


@pytest.mark.parametrize(
    ("path", "facts_too"),
    [
        ("languages/facts.py", True),
        ("languages/constraints.py", True),
        ("languages/python/visitors/functions.py", True),
        ("ingest/resolution/kernel_input.py", False),
        ("languages/python/builtins.json", True),
        ("languages/java/stubs.zip", True),
        ("ingest/graph/assembler.py", False),
        ("ingest/importance.py", False),
        ("graphstore/model/score_profiles.py", False),
        ("graphstore/model/schema.py", False),
        ("graphstore/storage/git_history.py", False),
    ],
)
def test_code_and_tables_count(own_package: Path, path: str, facts_too: bool) -> None:
    before = versions()
    changed = own_package / path
    changed.write_bytes(changed.read_bytes() + b"\n")
    after = versions()
    assert after[1] != before[1]
    assert (after[0] != before[0]) == facts_too


@pytest.mark.parametrize(
    ("distribution", "facts_too"),
    [
        ("tree-sitter", True), ("tree-sitter-python", True), ("msgspec", True),
        ("numpy", False), ("rustworkx", False), ("pathspec", False), ("PyYAML", False),
    ],
)  # fmt: skip
def test_versions_of_libraries_count(monkeypatch: pytest.MonkeyPatch, distribution: str, facts_too: bool) -> None:
    before, told = versions(), hashing._version
    monkeypatch.setattr(hashing, "_version", lambda name: "99.0" if name == distribution else told(name))
    after = versions()
    assert after[1] != before[1]
    assert (after[0] != before[0]) == facts_too


def test_the_interpreter_and_the_layout_of_facts_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = versions()
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    later = versions()
    assert later[0] != before[0]
    assert later[1] != before[1]
    monkeypatch.setattr(hashing, "FACTS_VERSION", 99)
    assert versions()[0] != later[0]


def test_every_library_that_the_indexer_imports_is_covered() -> None:
    # memory, packing, when to index, and which version links lead to: none decides what is in a graph of its own
    beside = {"psutil", "zstandard", "watchfiles", "packaging"}
    beside |= {"google"}  # messages of SCIP, whose encoding is fixed
    modules = {"PyYAML": "yaml"}
    ours = {modules.get(name, name.replace("-", "_")) for name in hashing._COMPUTING} | beside
    modules_by_part = [list((PACKAGE / part).rglob("*.py")) for part in ("ingest", "languages")]
    assert all(modules_by_part)
    for path in chain.from_iterable(modules_by_part):
        for name in re.findall(r"^(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert name in ours | set(sys.stdlib_module_names) | {"repoquarry"}, f"{path.name} imports {name}"


CHECKOUT = Checkout(root=Path("/x"), name="shop", source="/x", kind="folder", commit="c1", branch="main", history=True)
HASHED = HashedTree([], {"a.py": b"1"})
SETTINGS = IngestSettings()


@pytest.mark.parametrize(
    "change",
    [
        lambda c, h, s: (replace(c, source="/y"), h, s),
        lambda c, h, s: (replace(c, kind="archive"), h, s),
        lambda c, h, s: (replace(c, commit="c2"), h, s),
        lambda c, h, s: (replace(c, branch="b"), h, s),
        lambda c, h, s: (replace(c, history=False), h, s),
        lambda c, h, s: (c, replace(h, hashes={"a.py": b"2"}), s),
        lambda c, h, s: (c, replace(h, hashes={"b.py": b"1"}), s),
        lambda c, h, s: (c, replace(h, dirty=True), s),
        lambda c, h, s: (c, replace(h, left_out=SkippedFiles([SkippedPath("x", "binary")])), s),
        lambda c, h, s: (c, replace(h, left_out=SkippedFiles((), {".c": 1})), s),
        lambda c, h, s: (c, h, replace(s, history_commits=1)),
        lambda c, h, s: (c, h, replace(s, resolver_steps=1)),
        lambda c, h, s: (c, h, replace(s, score_profile="paper")),
        lambda c, h, s: (c, h, replace(s, index_generated=True)),
    ],
)  # fmt: skip
def test_what_is_told_of_a_run_counts(change: Callable[[Any, Any, Any], tuple[Any, Any, Any]]) -> None:
    checkout, hashed, settings = change(CHECKOUT, HASHED, SETTINGS)
    before = inputs_digest(IndexInputs(CHECKOUT, SETTINGS), HASHED)
    assert inputs_digest(IndexInputs(checkout, settings), hashed) != before
    assert inputs_digest(IndexInputs(CHECKOUT, SETTINGS), HASHED) == before
