"""GitTaskBench's Table 5 from the graph: each of its repositories indexed whole, then the documented query.

    BENCH_MIRROR=... REPOQUARRY_BENCH=... python -m tests.benchmarks.indexing.table5 [REPOSITORY ...]

`BENCH_MIRROR` holds the bare repository `QuantaAlpha+GitTaskBench/repo`; `REPOQUARRY_BENCH` the paper's numbers, `statistics/table5.json`.
Exits with 1 when a number differs from the paper's.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import replace
from pathlib import Path

from repoquarry.graphstore.graph_engine import QueryLimits
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.graphstore.token_counting import count_tokens
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.benchmarks.__main__ import SKIPPED

COLUMNS = ("files", "classes", "functions", "loc", "imports", "calls")
"""The table's columns, as the query `statistics` calls them; the tokens are counted from the files."""
TOKENS_WITHIN = 0.001
"""Share by which tokens may differ: one of five repositories does, by .0005."""
_EVERYTHING = replace(IngestSettings(), index_generated=True, index_vendored=True, max_file_bytes=0)


def main() -> int:
    mirror = Path(os.environ.get("BENCH_MIRROR", "")) / "QuantaAlpha+GitTaskBench" / "repo"
    truth = Path(os.environ.get("REPOQUARRY_BENCH", "")) / "statistics" / "table5.json"
    if not mirror.is_dir() or not truth.is_file():
        print("set BENCH_MIRROR (bare repositories) and REPOQUARRY_BENCH (the paper's numbers)")
        return SKIPPED
    rows = json.loads(truth.read_text())["rows"]
    del rows["Average"]
    names = sys.argv[1:] or sorted(rows, key=lambda name: int(rows[name]["loc"]))
    print(f"{'ours / paper':22s}" + "".join(f"{column:>18s}" for column in (*COLUMNS, "tokens")), flush=True)
    equal = sum(show(name, statistics(mirror, name), rows[name]) for name in names)
    print(f"{equal} of {len(names)} repositories equal in all columns")
    return 0 if equal == len(names) else 1


def statistics(mirror: Path, name: str) -> dict[str, int]:
    """The row of one repository, by the table's columns."""
    with tempfile.TemporaryDirectory(prefix="repoquarry-bench-") as scratch:
        return count(lay_out(mirror, name, Path(scratch)), Path(scratch) / "store")


def count(folder: Path, store_folder: Path) -> dict[str, int]:
    """The row of a folder's Python files, indexed into a new store."""
    with Store.open(StoreSettings(folder=store_folder), writable=True) as store:
        report = index_repository(str(folder), store, _EVERYTHING)
        query = store.query_library().require("statistics")
        found = store.engine.run(query.text, query.bind({"repository": report.repository}), QueryLimits())
    row = dict(zip(found.columns, found.rows[0], strict=True))
    return {column: int(str(row[column])) for column in COLUMNS} | {"tokens": python_tokens(folder)}


def python_tokens(folder: Path) -> int:
    """The tokens of all Python files, by the vocabulary that the paper's numbers come from."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.py"))
    return sum(count_tokens(text, "cl100k_base") for text in texts)


def lay_out(mirror: Path, name: str, scratch: Path) -> Path:
    """The repository's Python files below `scratch`: its pictures and models, some of them absent in a mirror, say nothing here."""
    wanted = f":(glob)code_base/{name}/**/*.py"
    packed = subprocess.run(
        ["git", "--git-dir", mirror, "archive", "HEAD", "--", wanted], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(scratch, filter="data")
    return scratch / "code_base" / name


def show(name: str, ours: dict[str, int], paper: dict[str, int]) -> bool:
    """Print one row; whether all of it is equal."""
    equal = all(ours[column] == paper[column] for column in COLUMNS)
    equal = equal and abs(ours["tokens"] - paper["tokens"]) <= TOKENS_WITHIN * paper["tokens"]
    cells = "".join(f"{f'{ours[column]} / {paper[column]}':>18s}" for column in (*COLUMNS, "tokens"))
    print(f"{name:22s}{cells}  {'' if equal else 'differs'}", flush=True)
    return equal


if __name__ == "__main__":
    sys.exit(main())
