"""The search indexes of a store from their making to their end: nothing of them is left anywhere else."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from repoquarry.graphstore.errors import StoreCorruptError
from repoquarry.graphstore.model.graph_tables import RepositoryGraph
from repoquarry.graphstore.search.index.postings import load_array


def test_an_index_that_is_built_holds_up_no_other(town: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    building, may_go_on = threading.Event(), threading.Event()
    read: Callable[[str], RepositoryGraph] = town.graph

    def slow(repository: str) -> RepositoryGraph:
        if repository == "shop":
            building.set()
            may_go_on.wait()
        return read(repository)

    monkeypatch.setattr(town, "graph", slow)
    with ThreadPoolExecutor(1) as executor:
        shop = executor.submit(town.indexes.open, "shop")
        building.wait()
        assert len(town.indexes.open("bank").places) > 0
        assert not shop.done()
        may_go_on.set()
        assert shop.result() is town.indexes.open("shop")


def test_several_who_need_the_same_index_build_it_once(shop: Any) -> None:
    with ThreadPoolExecutor(4) as executor:
        opened = list(executor.map(shop.indexes.open, ["shop"] * 8))
    assert all(index is opened[0] for index in opened)
    assert shop.graphs_read == 1


def test_failed_index_can_be_requested_again(shop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(shop, "graph", lambda repository: (_ for _ in ()).throw(StoreCorruptError("half")))
        with pytest.raises(StoreCorruptError):
            shop.indexes.open("shop")
    assert len(shop.indexes.open("shop").places) > 0


def test_only_the_stored_revision_is_kept(shop: Any, tmp_path: Path) -> None:
    first = shop.indexes.open("shop")
    draft = shop.indexes.start_build(
        "shop", shop.texts["shop"].__getitem__, lambda done, total: None
    )  # of a run that was killed
    shop.stored = "r2"
    second = shop.indexes.open("shop")
    shop.indexes.prune("shop", "r2")
    assert [folder.name for folder in (tmp_path / "shop").iterdir()] == ["r2"]
    assert shop.indexes.open("shop") is second
    shop.stored = "r1"
    assert shop.indexes.open("shop") is not first, "what was removed is no longer in memory either"
    draft.close()


def test_nothing_is_left_of_what_is_dropped(town: Any, tmp_path: Path) -> None:
    opened = town.indexes.open("shop"), town.indexes.open("bank")
    town.indexes.drop("shop")
    assert [folder.name for folder in tmp_path.iterdir()] == ["bank"]
    assert town.indexes.open("bank") is opened[1]
    assert town.indexes.open("shop") is not opened[0]


def test_index_built_elsewhere_is_adopted_unchanged(
    shop: Any, make_library: Callable[..., Any], tmp_path: Path
) -> None:
    made = shop.indexes.open("shop").folder.rename(tmp_path / "made")
    shop.indexes.close()
    left = shop.indexes.index_folder("shop")
    left.mkdir(parents=True)
    (left / "half").touch()
    shop.indexes.adopt("shop", "r1", made)
    assert not made.exists()
    assert not (left / "half").exists()
    assert len(shop.indexes.open("shop").places) > 0
    assert shop.graphs_read == 1


def test_damaged_index_is_not_reused(shop: Any) -> None:
    place = shop.indexes.open("shop").folder
    assert shop.indexes.earlier("shop", "r1", {}) is not None
    assert shop.indexes.earlier("shop", "r0", {}) is None
    (place / "vocabulary.npy").write_bytes(b"")
    assert shop.indexes.earlier("shop", "r1", {}) is None


@pytest.mark.parametrize("array", [np.zeros(0, np.int32), np.eye(3, dtype=np.float16), np.arange(20_000) % 2 == 0])
def test_an_array_is_loaded_as_it_was_saved_or_not_at_all(array: NDArray[Any], tmp_path: Path) -> None:
    np.save(file := tmp_path / "array.npy", np.repeat(array, 4, axis=0))
    loaded = load_array(file)
    assert np.array_equal(loaded, np.repeat(array, 4, axis=0))
    assert (loaded.dtype, loaded.flags.writeable) == (array.dtype, False)
    content = file.read_bytes()
    for damaged in (b"", content[:50], content + b"0", content.replace(b"False", b"True ")):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=re.escape(str(file))):
            load_array(file)
