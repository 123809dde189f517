"""Imports by the time at which they run: properties of IMPORTS, and the queries of cycles that leave out harmless ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.query.query_library import QueryLibrary
from repoquarry.graphstore.store import Store
from tests.indexed_trees import indexed_trees

_TREES = {
    "python": {
        "a.py": (
            "import importlib\nfrom typing import TYPE_CHECKING\nimport load\nif TYPE_CHECKING:\n    import types_only\n    import both\n"
            "try:\n    import tried\nexcept ImportError:\n    pass\nclass C:\n    import in_class\n"
            "def f():\n    import late\n    import both\n    importlib.import_module('named')\n    class D:\n        import nested\n"
            "def g():\n    import load\n"
        ),
        **{f"{name}.py": "X = 1\n" for name in ("types_only", "tried", "in_class", "late", "both", "named", "nested")},
        "load.py": "import a\n",
        "ring.py": "from typing import TYPE_CHECKING\nimport ring_late\nif TYPE_CHECKING:\n    from ring_types import T\n",
        "ring_late.py": "def f():\n    import ring\n",
        "ring_types.py": "import ring\nclass T: ...\n",
        # The ring of three is behind two shorter ones that do not load.
        "one.py": "import two\ndef f():\n    import three\n",
        "two.py": "import three\ndef f():\n    import one\n",
        "three.py": "import one\ndef f():\n    import two\n",
    },
    "typescript": {
        "a.ts": (
            "import { x } from './load';\nimport type { T } from './types';\nimport { type U } from './inline';\n"
            "import type * as N from './namespace';\nimport { type V, v } from './mixed';\nexport type { W } from './exported';\n"
            "export type * from './star';\nexport async function f() { await import('./lazy'); }\n"
            "export const g = () => require('./required');\n"
        ),
        **{
            f"{name}.ts": "export const x = 1, v = 2; export type T = 1; export type U = 1; export type V = 1; export type W = 1;\n"
            for name in ("load", "types", "inline", "namespace", "mixed", "exported", "star", "lazy", "required")
        },
    },
    "ruby": {
        "a.rb": "require_relative 'load'\nautoload :X, './auto'\ndef f\n  require_relative 'late'\nend\n",
        **{f"{name}.rb": "X = 1\n" for name in ("load", "late", "auto")},
    },
    "php": {
        "a.php": "<?php\nrequire 'load.php';\nfunction f() {\n  require 'late.php';\n}\n",
        **{f"{name}.php": "<?php\n$x = 1;\n" for name in ("load", "late")},
    },
    "go": {
        "go.mod": "module example.com/m\n",
        "main.go": "package main\nimport \"example.com/m/sub\"\nfunc main() { sub.F() }\n",
        "sub/sub.go": "package sub\nfunc F() {}\n",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with indexed_trees(tmp_path_factory.mktemp("imports"), _TREES) as opened:
        yield opened


_LOADING = (False, False)
_TYPES = (True, False)
_LATE = (False, True)


@pytest.mark.parametrize(
    ("repository", "source", "expected"),
    [
        (
            "python",
            "a.py",
            {
                "load.py": _LOADING, "tried.py": _LOADING, "in_class.py": _LOADING, "types_only.py": _TYPES,
                "late.py": _LATE, "both.py": _LATE, "named.py": _LATE, "nested.py": _LATE,
            },
        ),
        (
            "typescript",
            "a.ts",
            {
                "load.ts": _LOADING, "mixed.ts": _LOADING, "types.ts": _TYPES, "inline.ts": _TYPES, "namespace.ts": _TYPES,
                "exported.ts": _TYPES, "star.ts": _TYPES, "lazy.ts": _LATE, "required.ts": _LATE,
            },
        ),
        ("ruby", "a.rb", {"load.rb": _LOADING, "late.rb": _LATE, "auto.rb": _LATE}),
        ("php", "a.php", {"load.php": _LOADING, "late.php": _LATE}),
        ("go", "main.go", {"sub/sub.go": _LOADING}),
    ],
)  # fmt: skip
def test_imports_say_when_they_run(
    store: Store, repository: str, source: str, expected: dict[str, tuple[bool, bool]]
) -> None:
    text = (
        "MATCH (a:Module {repository: $repository, path: $path})-[i:IMPORTS]->(b:Module)"
        " RETURN b.path, i.type_only, i.deferred"
    )
    rows = store.query(text, {"repository": repository, "path": source}).rows
    assert {path: (type_only, deferred) for path, type_only, deferred in rows} == expected


def _named(store: Store, name: str) -> list[list[object]]:
    query = QueryLibrary().require(name)
    return [list(row) for row in store.query(query.text, query.bind({"repository": "python"})).rows]


def test_rule_of_import_cycles_takes_imports_that_run_while_loading(store: Store) -> None:
    assert _named(store, "import-cycles") == [["a.py", ["load.py"], 2], ["one.py", ["two.py", "three.py"], 3]]


def test_modules_of_a_large_ring_are_one_group(tmp_path: Path) -> None:
    """Also where imports for type checkers shorten the ring."""
    names = ["a", "b", "c", "d", "e"]
    tree = {f"{one}.py": f"import {other}\n" for one, other in zip(names, [*names[1:], "a"], strict=True)}
    tree["c.py"] += "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n"
    tree["alone.py"] = "import a\n"
    with indexed_trees(tmp_path, {"python": tree}) as store:
        assert _named(store, "import-cycles") == [["a.py", ["b.py", "c.py", "d.py", "e.py"], 5]]
        rows = store.query("MATCH (m:Module) RETURN m.path, m.import_ring ORDER BY m.path").rows
        assert [tuple(row) for row in rows] == [("a.py", "a.py"), ("alone.py", None)] + [
            (f"{name}.py", "a.py") for name in names[1:]
        ]


def test_query_of_import_cycles_tells_harmless_ones_apart(store: Store) -> None:
    assert _named(store, "import-cycles-of-two") == [
        ["a.py", "load.py", True],
        ["one.py", "three.py", False],
        ["one.py", "two.py", False],
        ["ring.py", "ring_late.py", False],
        ["ring.py", "ring_types.py", False],
        ["three.py", "two.py", False],
    ]
