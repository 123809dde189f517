"""Paths that imports name, and generated files that are indexed because of them."""

from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.files.imported_paths import is_imported, list_imported_paths
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

MARK = "// @generated\n"


@pytest.mark.parametrize(
    ("importer", "text", "generated"),
    [
        ("src/main.js", "import { bad } from './errors.js';", "src/errors.js"),
        ("src/main.js", "const bad = require( '../gen/errors' );", "gen/errors.js"),
        ("src/main.ts", "export * from './errors.js';", "src/errors.ts"),
        ("src/main.ts", "const later = () => import('./gen');", "src/gen/index.ts"),
        ("src/App.svelte", "<script>import m from '$lib/gen/messages';</script>", "lib/gen/messages.js"),
        ("src/main.ts", "import './types';", "src/types.d.ts"),
        (
            "app/main.py",
            "from app.proto import (\n    a_pb2,  # messages\n    b_pb2 as b,\n)",
            "src/app/proto/b_pb2.py",
        ),
        ("app/main.py", "from .proto.a_pb2 import A", "app/proto/a_pb2.py"),
        ("app/sub/main.py", "    from .. import parser", "app/parser/__init__.py"),
        ("app/main.py", "import os, app.tables as t", "app/tables.py"),
        ("src/a/Main.java", "import static gen.Shop.sell;\nimport gen.Item;", "out/gen/Item.java"),
        ("src/main.c", '#  include "gen/tables.h"', "src/gen/tables.h"),
    ],
)
def test_a_file_is_imported_by_each_form(importer: str, text: str, generated: str) -> None:
    assert is_imported(generated, set(list_imported_paths(importer, text.encode())))


@pytest.mark.parametrize(
    ("importer", "text", "other"),
    [
        ("src/main.js", "import { bad } from './errors.js';", "lib/errors.js"),
        ("src/main.js", "import errors from 'errors';", "src/errors.js"),
        ("src/main.js", "import errors from '@scope/errors';", "src/terrors.js"),
        ("app/main.py", "from .a_pb2 import A", "lib/a_pb2.py"),
        ("app/main.py", "# import app.tables", "app/tables.py"),
        ("src/main.c", "#include <tables.h>", "src/tables.h"),
        ("main.sh", "import tables", "tables.py"),
    ],
)
def test_other_files_are_not_imported(importer: str, text: str, other: str) -> None:
    assert not is_imported(other, set(list_imported_paths(importer, text.encode())))


def test_generated_files_are_indexed_as_far_as_imports_reach(
    tmp_path: Path, store: Store, settings: IngestSettings
) -> None:
    root = write_tree(
        tmp_path / "shop",
        {
            "main.js": "import { bad } from './gen/errors.js';\nexport function go() { bad(); }\n",
            "gen/errors.js": f"{MARK}import {{ text }} from './texts.js';\nexport function bad() {{ text(); }}\n",
            "gen/texts.js": f"{MARK}export function text() {{}}\n",
            "gen/unused.js": f"{MARK}import './also.js';\n",
            "gen/also.js": f"{MARK}export const a = 1;\n",
        },
    )
    calls = "MATCH (a:Function)-[:CALLS]->(b:Function) RETURN a.qualname, b.qualname ORDER BY a.qualname"

    def index() -> list[str]:
        index_repository(str(root), store, settings)
        paths = store.repository("shop").get("left_out_paths", [])
        assert isinstance(paths, list)
        return [str(path) for path in paths]

    assert index() == ["gen/also.js", "gen/unused.js"]
    assert store.query(calls).rows == [("bad", "text"), ("go", "bad")]
    write_tree(root, {"other.js": "require('./gen/unused');\n"})
    assert index() == []
    write_tree(root, {"main.js": "export function go() {}\n"})
    assert index() == ["gen/errors.js", "gen/texts.js"]
    write_tree(root, {"gen/errors.js": "export function bad() {}\n"})
    assert index() == ["gen/texts.js"]
