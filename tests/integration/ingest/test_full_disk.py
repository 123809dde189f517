"""A disk that is full from the n-th write on: a deletion or an indexing ends whole or changes nothing, and the store stays usable."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.graph.repository_links import delete_repository
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
_NAMES = {"shop": "def sell():\n    return 1\n", "depot": "import shop\n\n\ndef load():\n    return shop.sell()\n"}
_UNLIMITED = 1_000_000


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("library") / "full_disk.so"
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-O1",
        "-D_LARGEFILE64_SOURCE",
        "-o",
        str(built),
        str(_ROOT / "tests/full_disk.c"),
        "-ldl",
    ]
    subprocess.run(command, check=True)
    return built


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name, text in _NAMES.items():
        manifest = f'[project]\nname = "{name}"\nversion = "1"\n'
        write_tree(folder / name, {f"{name}.py": text, "pyproject.toml": manifest})
    write_tree(folder / "other", {f"part{number}.py": f"def work{number}():\n    pass\n" * 40 for number in range(8)})
    return folder


def index(sources: Path, folder: Path, *names: str) -> None:
    with Store.open(StoreSettings(folder, embedding=None), writable=True) as store:
        for name in names:
            index_repository(str(sources / name), store, IngestSettings(workers=1), name=name)


@pytest.fixture(scope="module", params=[("shop",), ("shop", "depot")], ids=["one repository", "two repositories"])
def stored(request: pytest.FixtureRequest, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored") / "store"
    index(sources, folder, *request.param)
    return folder


def functions(folder: Path) -> Mapping[str, int]:
    """Number of functions by repository, as a process finds it that only reads."""
    with Store.open(StoreSettings(folder, embedding=None)) as store:
        text = "MATCH (f:Function) RETURN f.repository AS name, count(f) AS number"
        rows = store.engine.run(text, {}, QueryLimits()).rows
        assert store.query("RETURN 1 AS one").rows == [(1,)]
        assert set(store.repositories()) == {str(row[0]) for row in rows}
        assert all(store.source_text(name, next(iter(store.sources.files(name)))) for name in store.repositories())
        return {str(name): int(str(number)) for name, number in rows}


def run_full(
    library: Path, stored: Path, copies: Path, action: str, source: str, numbers: Iterable[int]
) -> list[tuple[int, int, str]]:
    command = [sys.executable, str(_HERE / "full_disk_runs.py"), str(library), str(stored), str(copies), action, source]
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(_ROOT)}
    done = subprocess.run([*command, *map(str, numbers)], env=environment, check=True, capture_output=True, text=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def check_deletion(copies: Path, before: Mapping[str, int], outcome: tuple[int, int, str]) -> None:
    writes, _, reason = outcome
    folder = copies / str(writes)
    expected = before if reason else {name: count for name, count in before.items() if name != "shop"}
    assert functions(folder) == expected, outcome
    with Store.open(StoreSettings(folder, embedding=None), writable=True) as store:
        if reason:
            delete_repository("shop", store)
        assert store.repositories() == store.sources.repositories() == sorted(set(before) - {"shop"})


def check_indexing(
    copies: Path, source: Path, before: Mapping[str, int], count: int, outcome: tuple[int, int, str]
) -> None:
    writes, _, reason = outcome
    folder = copies / str(writes)
    after = {**before, source.name: count}
    assert functions(folder) == (before if reason else after), outcome
    index(source.parent, folder, source.name)
    assert functions(folder) == after
    with Store.open(StoreSettings(folder, embedding=None), writable=True) as store:
        assert store.sources.list_sealed_unpublished() == []


def sample(count: int, size: int) -> list[int]:
    """Return first, last and evenly spaced numbers of writes."""
    return sorted({round(place * (count - 1) / (size - 1)) for place in range(size)})


def test_deletion_on_a_full_disk_is_whole_or_changes_nothing(library: Path, stored: Path, tmp_path: Path) -> None:
    before = functions(stored)
    ((_, count, reason),) = run_full(library, stored, tmp_path, "delete", "shop", [_UNLIMITED])
    assert (count > 5, reason) == (True, "")
    for outcome in run_full(library, stored, tmp_path, "delete", "shop", sample(count, 8)):
        check_deletion(tmp_path, before, outcome)


def test_indexing_on_a_full_disk_is_whole_or_changes_nothing(
    library: Path, stored: Path, sources: Path, tmp_path: Path
) -> None:
    before = functions(stored)
    source = str(sources / "other")
    ((_, count, reason),) = run_full(library, stored, tmp_path, "index", source, [_UNLIMITED])
    assert (count > 20, reason) == (True, "")
    for outcome in run_full(library, stored, tmp_path, "index", source, sample(count, 5)):
        check_indexing(tmp_path, sources / "other", before, 320, outcome)


_LONG_SAMPLE = 40


def failing_writes(count: int, before: Mapping[str, int]) -> range:
    """Return the numbers of writes that `make test-long` lets fail: every one in a store of one repository, else a sample."""
    return range(0, count, 1 if len(before) == 1 else max(count // _LONG_SAMPLE, 1))


@pytest.mark.long
@pytest.mark.parametrize("action", ["delete", "index"])
def test_any_write_may_be_the_first_on_a_full_disk(
    library: Path, stored: Path, sources: Path, tmp_path: Path, action: str
) -> None:
    before = functions(stored)
    source = "shop" if action == "delete" else str(sources / "other")
    ((_, count, _),) = run_full(library, stored, tmp_path, action, source, [_UNLIMITED])
    for outcome in run_full(library, stored, tmp_path, action, source, failing_writes(count, before)):
        if action == "delete":
            check_deletion(tmp_path, before, outcome)
        else:
            check_indexing(tmp_path, Path(source), before, 320, outcome)


@pytest.mark.long
def test_any_write_of_a_changed_repository_may_be_the_first_on_a_full_disk(
    library: Path, stored: Path, sources: Path, tmp_path: Path
) -> None:
    before = functions(stored)
    source = sources / "shop"
    text = (source / "shop.py").read_text()
    (source / "shop.py").write_text(f"{text}\n\ndef buy():\n    return 1\n")
    try:
        ((_, count, _),) = run_full(library, stored, tmp_path, "index", str(source), [_UNLIMITED])
        for outcome in run_full(
            library, stored, tmp_path, "index", str(source), range(0, count, max(count // _LONG_SAMPLE, 1))
        ):
            check_indexing(tmp_path, source, before, 2, outcome)
    finally:
        (source / "shop.py").write_text(text)


_SMALL_DISK = """
import sys
from pathlib import Path
from repoquarry.graphstore.errors import StoreFullError
from tests.integration.ingest.full_disk_runs import act
from tests.integration.ingest.test_full_disk import functions

folder, sources = Path(sys.argv[1]) / "store", Path(sys.argv[2])
act("index", str(sources / "shop"), folder)
try:
    act("index", str(sources / "large"), folder)
except StoreFullError:
    log = folder / "sources.db-wal"
    assert functions(folder) == {"shop": 1}
    act("index", str(sources / "other"), folder)
    act("delete", "shop", folder)
    print(log.stat().st_size if log.exists() else 0, functions(folder))
"""


@pytest.mark.long
@pytest.mark.parametrize("size", ["6m", "7m", "9m"])
def test_failed_index_on_a_small_disk_returns_its_space(sources: Path, tmp_path: Path, size: str) -> None:
    words = random.Random(7)
    body = "".join(f"def f{number}():\n    return '{words.randbytes(2000).hex()}'\n\n\n" for number in range(5))
    write_tree(
        sources / "large",
        {f"part{number}.py": f"{body}# {number}\n" + words.randbytes(9000).hex() for number in range(400)},
    )
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size={size} tmpfs "$1" && shift && exec "$@"'
    inside = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", str(disk)]
    if subprocess.run([*inside, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this user may not mount a small disk in a namespace")
    command = [*inside, sys.executable, "-c", _SMALL_DISK, str(disk), str(sources)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(_ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split(" ", 1) == ["0", "{'other': 320}\n"], done.stderr
