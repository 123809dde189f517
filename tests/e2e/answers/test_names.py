"""Names that `show` understands: those of Ruby with a mark at their end, and prose files."""

from pathlib import Path

import pytest

from tests.e2e.service import run_here
from tests.source_trees import write_tree

_FILES = {
    "lib/cart.rb": "class Cart\n  def empty?\n    true\n  end\n\n  def save!\n    1\n  end\n\n  def save\n    2\n  end\nend\n",
    "docs/guide.md": "# Guide\n\nHow to shop.\n",
}


@pytest.fixture(scope="module")
def cart_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    write_tree(folder / "cart", _FILES)
    assert run_here(folder / "store", "index", str(folder / "cart")).returncode == 0
    return folder / "store"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("empty?", "Cart.empty?"),
        ("Cart.save!", "Cart.save!"),
        ("Cart.save?", "Cart.save"),
        ("lib/cart.rb::Cart.empty?", "Cart.empty?"),
        ("docs/guide.md", "docs/guide.md"),
        ("guide.md", "docs/guide.md"),
    ],
)
def test_a_name_is_shown(cart_store: Path, name: str, shown: str) -> None:
    done = run_here(cart_store, "show", name)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout.split("\n")[0].replace("(", " ").split()


def test_the_text_of_a_prose_file_is_shown(cart_store: Path) -> None:
    done = run_here(cart_store, "show", "guide.md", "--source")
    assert (done.returncode, "How to shop." in done.stdout) == (0, True)


def test_part_of_a_file_name_is_no_path(cart_store: Path) -> None:
    assert "SYMBOL_NOT_FOUND" in run_here(cart_store, "show", "uide.md").stderr
