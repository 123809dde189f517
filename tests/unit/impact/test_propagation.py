"""Propagation of a change says what it did not follow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.reading import impact as module
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.impact import CodeChange, analyze_impact, propagate_impact, run_steps
from repoquarry.graphstore.reading.name_resolution import require_definitions
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

_CALLERS = "".join(f"def user{number}():\n    return price()\n\n\n" for number in range(5))


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[CodeReader]:
    write_tree(tmp_path / "tree", {"shop.py": f"def price():\n    return 1\n\n\n{_CALLERS}"})
    with Store.open(StoreSettings(tmp_path / "store"), writable=True) as store:
        index_repository(str(tmp_path / "tree"), store, IngestSettings(workers=1), name="shop")
        yield CodeReader(store)


def test_definitions_beyond_the_limit_of_a_hop_are_counted(reader: CodeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    touched = require_definitions(reader, "price", ["shop"])
    change = CodeChange(("shop",), tuple(touched), frozenset(), ())
    assert run_steps(propagate_impact(reader, touched, ["shop"], 3, 0.01))[1] == 0
    assert not any("not looked for" in note for note in analyze_impact(reader, change, ["shop"]).notes)
    monkeypatch.setattr(module, "MAX_FRONTIER", 2)
    assert run_steps(propagate_impact(reader, touched, ["shop"], 1, 0.01))[1] == 4, "five callers and their file"
    note = "the dependents of 4 affected definitions were not looked for: each hop follows 2 at most"
    assert note in analyze_impact(reader, change, ["shop"], max_hops=1).notes
