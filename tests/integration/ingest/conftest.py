"""A small repository on disk, a store, and indexing that takes one worker."""

from collections.abc import Callable
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import commit_tree, write_tree

FILES = {
    "README.md": "# Shop\n\nA small shop that sells things. It is a test.\n",
    "pyproject.toml": '[project]\nname = "Shop"\ndependencies = ["click>=8", "Shop"]\n'
    '[project.scripts]\nshop = "shop.cli:main"\n',
    "shop/__init__.py": '"""The shop."""\nfrom shop.core import Engine\n__all__ = ["Engine"]\n',
    "shop/core.py": '"""Core."""\nimport json\n\n\nclass Base:\n    def run(self):\n        return 1\n\n\n'
    "class Engine(Base):\n    def run(self):\n        return self.load(json.dumps({}))\n\n"
    "    def load(self, text):\n        return text\n\n\ndef apply(anything):\n    return anything.unknown()\n",
    "shop/cli.py": '"""Command line."""\nfrom shop import Engine\n\n\ndef main():\n    Engine().run()\n',
    "tests/test_core.py": "from shop.core import Engine\n\n\ndef test_run():\n    Engine().run()\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "shop", dict(FILES))


@pytest.fixture
def git_shop(shop: Path) -> Path:
    commit_tree(shop, "Open the shop")
    return shop


@pytest.fixture
def settings() -> IngestSettings:
    return IngestSettings(workers=1)


Rows = Callable[[str], list[tuple[object, ...]]]


@pytest.fixture
def rows(store: Store) -> Rows:
    from repoquarry.graphstore.graph_engine import QueryLimits

    return lambda text: list(store.engine.run(text, {}, QueryLimits()).rows)
