"""Maker of the frozen graphs: `python -m tests.engines.differential.freeze` writes `frozen.json.xz`.

The file holds the graphs of four repositories as the indexer of commit b853eaf built them: `shop@1` and `shop@2`, two
versions of a library; `desk`, which uses the library; and `quarry`, a part of this project's sources at that commit with
its history. Corpus and cookbook name modules, classes and functions of these graphs. Renaming the product's modules does
not change the file; make it again only if the schema or a query needs something that the graphs lack, in a clone with the
complete history. The same indexer writes the same bytes; a later one may resolve more, and then queries may need other
names. The paths below are those of the commit.
"""

import lzma
import subprocess
import tempfile
from pathlib import Path

import msgspec

from repoquarry.graphstore.model.graph_tables import RelationshipTable, RepositoryGraph
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.engines.differential.engine_pair import FILE

COMMIT = "b853eaf"
PACKAGE = "repoquarry/graphstore"
_LEFT_OUT = ("search", "code", "comparison", "context", "impact", "named", "cypher/regex", "cypher/rewrites")
"""Excluded folders of the package: every query has rows without them, and queries over all pairs of functions are faster."""
PATHS = (
    PACKAGE,
    "tests/unit/cypher",
    "pyproject.toml",
    "README.md",
    *(f":(exclude){PACKAGE}/{folder}" for folder in _LEFT_OUT),
    ":(exclude)*.safetensors",
)

_ROUNDED = """

def rounded(amount, places=2):
    factor = 10**places
    if amount < 0:
        return -rounded(-amount, places)
    nearest = int(amount * factor + 0.5)
    return nearest // factor if nearest % factor == 0 else nearest / factor
"""
_PROJECT = '[project]\nname = "{name}"\nversion = "{version}"\ndependencies = [{dependencies}]\n'
SHOP_1 = {
    "pyproject.toml": _PROJECT.format(name="shop", version="1.0", dependencies=""),
    "shop/__init__.py": "",
    "shop/prices.py": '"""Prices of goods."""\n\n\ndef total(items):\n    return rounded(sum(items))\n\n\n'
    "def discount(amount, share):\n    return rounded(amount * share)\n" + _ROUNDED,
}
SHOP_2 = {
    "pyproject.toml": _PROJECT.format(name="shop", version="2.0", dependencies=""),
    "shop/__init__.py": "",
    "shop/prices.py": '"""Prices of goods."""\n\n\n'
    "def total(items, tax=0):\n    return rounded(sum(items) * (1 + tax))\n" + _ROUNDED,
}
DESK = {
    "pyproject.toml": _PROJECT.format(name="desk", version="0.1", dependencies='"requests>=2.31", "shop>=1.0"'),
    "schema.py": '"""Columns of orders."""\n\n\nclass Table:\n    """Orders by column."""\n\n    columns = ("id", "price")\n',
    "values.py": '"""Values of orders."""\n\n__all__ = ["get_price", "set_price"]\n\n\ndef get_price(order):\n    return order.price\n\n\n'
    "def set_price(order, price):\n    order.price = price\n" + _ROUNDED,
    "engines/__init__.py": "",
    "engines/base.py": """from abc import ABC, abstractmethod


class Engine(ABC):
    @abstractmethod
    def run(self, order):
        ...

    @abstractmethod
    def explain(self, order):
        ...

    def close(self):
        self.flush()

    def flush(self):
        return None
""",
    "engines/fast.py": """from engines.base import Engine
from schema import Table
from search.find import find


class FastEngine(Engine):
    def __init__(self):
        self.table = Table()

    def run(self, order):
        return find(self.table, order)

    def close(self):
        self.table = None
        super().close()
""",
    "search/__init__.py": "",
    "search/find.py": "from schema import Table\nfrom values import get_price\n\n\n"
    "def find(table: Table, order):\n    return table.columns, get_price(order)\n",
    "main.py": "from shop.prices import total\n\nfrom engines.fast import FastEngine\n\n\n"
    "def main(orders):\n    engine = FastEngine()\n    found = [engine.run(order) for order in orders]\n"
    "    engine.close()\n    return total(found)\n",
}


def build_graphs(commit: str, folder: Path) -> list[RepositoryGraph]:
    """Index the four repositories into one store and read their graphs back, without what depends on `folder`."""
    sources = {"shop@1": SHOP_1, "shop@2": SHOP_2, "desk": DESK}
    for name, files in sources.items():
        for path, text in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    _export(commit, folder / "quarry")
    names = [*sources, "quarry"]
    with Store.open(StoreSettings(folder / "store"), writable=True) as store:
        for name in names:
            index_repository(str(folder / name), store, IngestSettings(workers=1), name=name)
        graphs = [store.graph(name) for name in names]
    for graph in graphs:
        [repository] = (table for table in graph.nodes if table.label == "Repository")
        repository.columns.update(source=[graph.repository], revision=["0" * 64])
    return graphs


def encode_graphs(graphs: list[RepositoryGraph]) -> bytes:
    """Encode the graphs as compressed JSON, which names no class of the product.

    The product is called quarry in them, so that no script that renames the product's modules changes the queries.
    """
    plain = [
        {
            "repository": graph.repository,
            "nodes": [{"label": table.label, "columns": table.columns} for table in graph.nodes],
            "relationships": [_plain(table) for table in graph.relationships],
        }
        for graph in graphs
    ]
    return lzma.compress(msgspec.json.encode(plain).replace(b"repoquarry", b"quarry"), preset=9 | lzma.PRESET_EXTREME)


def _plain(table: RelationshipTable) -> dict[str, object]:
    return {
        "type": table.type,
        "start_label": table.start_label,
        "end_label": table.end_label,
        "start": table.start,
        "end": table.end,
        "columns": table.columns,
    }


def _export(commit: str, target: Path) -> None:
    """Make a repository of PATHS alone: the commit with the part of its history that touches them."""
    root = Path(__file__).parents[3]
    whole = target.with_suffix(".git")
    _git("clone", "--quiet", "--bare", str(root), str(whole))
    _git("-C", str(whole), "branch", "--force", "frozen", commit)
    history = _git("-C", str(whole), "fast-export", "--", "refs/heads/frozen", "--", *PATHS)
    _git("init", "--quiet", "--initial-branch", "frozen", str(target))
    _git("-C", str(target), "fast-import", "--quiet", stdin=history)
    _git("-C", str(target), "reset", "--quiet", "--hard")


def _git(*arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", *arguments], input=stdin, capture_output=True, check=True).stdout


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.write_bytes(encode_graphs(build_graphs(COMMIT, Path(folder))))
