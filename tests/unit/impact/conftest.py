"""One indexed tree for the tests of dependency graphs and word overlap."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from tests.indexed_trees import indexed_trees

_FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/shapes.py": 'class Shape:\n    """Form."""\n\n    def area(self):\n        return 0\n\n\n'
    "class Square(Shape):\n    def area(self):\n        return 1\n",
    "shop/use.py": "from shop.shapes import Shape, Square\n\n\ndef total(shape: Shape):\n    return shape.area()\n\n\n"
    "def build(kind=Square):\n    return total(Square())\n\n\nHANDLERS = [build]\n",
    "tests/test_use.py": "from shop.use import build\n\n\ndef test_build():\n    assert build()\n",
    "shop/till.py": "def total(prices):\n    return sum(prices)\n",
    "tests/test_one.py": "def test_one():\n    assert 'surcharge' and 'prices'\n",
    "tests/test_two.py": "def test_two():\n    assert 'prices'\n",
    "tests/test_three.py": "def test_three():\n    assert True\n",
}


@pytest.fixture
def impact_store(tmp_path: Path, thread_workers: None) -> Iterator[Store]:
    with indexed_trees(tmp_path, {"shop": _FILES}) as store:
        yield store
