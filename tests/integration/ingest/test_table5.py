"""Table 5 of GitTaskBench (arXiv 2508.18993) on a small tree: the library query `statistics`, and tokens."""

from pathlib import Path

from tests.benchmarks.indexing.table5 import count, python_tokens
from tests.source_trees import write_tree

_SHOP = """import json
from os import path, sep


class Shop:
    class Shelf: pass

    def sell(self):
        return json.dumps(path.join(sep, str(self)))


async def later():
    sell()
"""


def test_statistics_count_a_tree_as_table_5_does(tmp_path: Path) -> None:
    tree = write_tree(
        tmp_path / "shop",
        {"shop.py": _SHOP, "broken.py": "tiktoken is great!", "a/__init__.py": "", "notes.md": "# Notes\n"},
    )
    found = count(tree, tmp_path / "store")
    assert (found["files"], found["classes"], found["functions"]) == (2, 2, 1), "a broken file has no row"
    assert (found["loc"], found["imports"], found["calls"]) == (13, 3, 3)
    (tree / "shop.py").unlink()
    assert python_tokens(tree) == 6, "cl100k_base, as its authors print it, also of a broken file"
