"""Base classes are used where they are written, also in heads of several lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.service import run_json, succeed
from tests.source_trees import write_tree

SOURCES = {
    "forms.py": (
        "import abc\nfrom typing import Generic, TypeVar\nT = TypeVar('T')\n\nclass Field:\n    pass\nclass Mixin(Generic[T]):\n    pass\n\n"
        "@abc.abstractmethod\nclass Choice(\n    Mixin[int],\n    Field,\n    metaclass=abc.ABCMeta,\n):\n    pass\n"
    ),
    "views.ts": (
        "export class View {}\nexport interface Closable { close(): void }\n\n/** A window. */\nexport class Window\n  extends View\n"
        "  implements\n    Closable {\n  close() {}\n}\nexport interface Door extends\n  Closable {}\n"
    ),
    "src/Store.java": (
        "import java.io.Serializable;\nclass Store {}\ninterface Named {}\n\n@Deprecated\nclass Shop\n    extends Store\n"
        "    implements Unknown,\n      Named,\n      Serializable {\n  Named of = new\n    Named() {};\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("name", "lines"),
    [("Field", [13]), ("Mixin", [12]), ("View", [6]), ("Closable", [8, 12]), ("Store", [7]), ("Named", [9, 11, 12])],
)
def test_a_base_class_is_used_on_the_line_that_writes_it(tmp_path: Path, name: str, lines: list[int]) -> None:
    succeed(tmp_path / "store", "index", str(write_tree(tmp_path / "shop", SOURCES)))
    found = run_json(tmp_path / "store", "show", name, "--references")
    assert sorted({use["line"] for use in found["references"]}) == lines
    path = found["definitions"][0]["path"]
    column = (tmp_path / "shop" / path).read_text().splitlines()[lines[0] - 1].index(name) + 1
    meant = run_json(tmp_path / "store", "show", f"{path}:{lines[0]}:{column}")["meanings"]
    assert [one["entity"]["name"] for one in meant] == [name]
