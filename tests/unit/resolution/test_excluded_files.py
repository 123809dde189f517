"""Excluded source files: calls into them and imports of them are unresolved, not external."""

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.registry import language_for

PYTHON = "from proto import shop_pb2\nfrom proto.shop_pb2 import Item\nimport json\n"
PYTHON += "def f():\n    shop_pb2.Cart().add()\n    Item()\n    json.dumps({})\n"
JAVASCRIPT = "import { item } from './shop';\nconst shop = require('./shop');\nimport json from 'json';\n"
JAVASCRIPT += "function f() { item(); shop.cart(); json.dumps(); }\n"
TYPESCRIPT = "import * as shop from './shop';\nimport json from 'json';\n"
TYPESCRIPT += "function f(): void { shop.item(); new shop.Cart().add(); json.dumps(); }\n"
JAVA = "package app;\nimport gen.Shop;\nimport json.Json;\n"
JAVA += "class Main { void f(Shop shop) { shop.item(); new Shop(); Near.cart(); Json.dumps(); } }\n"


@pytest.mark.parametrize(
    ("path", "text", "excluded", "names"),
    [
        ("main.py", PYTHON, ("proto/shop_pb2.py",), {"Cart", "add", "Item", "shop_pb2"}),
        ("src/main.js", JAVASCRIPT, ("src/shop.js",), {"item", "cart", "shop"}),
        ("src/main.ts", TYPESCRIPT, ("src/shop.ts",), {"item", "Cart", "add", "shop"}),
        ("src/app/Main.java", JAVA, ("src/gen/Shop.java",), {"item", "Shop"}),
    ],
)
def test_calls_into_excluded_files_are_unresolved(
    path: str, text: str, excluded: tuple[str, ...], names: set[str]
) -> None:
    found = _resolve({path: text}, excluded)
    assert {site.name for site in found.unresolved if site.reason == "excluded: generated"} == names
    assert [found.external(edge.callee) for edge in found.calls if "json" in str(found.external(edge.callee)).lower()]
    assert not [edge for edge in found.imports if "shop" in str(found.external(edge.target)).lower()]


def test_a_file_that_is_read_takes_precedence_over_an_excluded_one() -> None:
    sources = {
        "src/main.ts": "import { item } from './shop.js';\nitem();\n",
        "src/shop.ts": "export function item() {}\n",
    }
    found = _resolve(sources, ("src/shop.js",))
    assert not found.unresolved
    assert [found.path_key(edge.callee) for edge in found.calls] == [("src/shop.ts", "item")]


def test_an_excluded_file_changes_nothing_for_files_that_do_not_import_it() -> None:
    sources = {"a.py": "import b\nb.f()\n", "b.py": "def f():\n    print()\n"}
    assert _resolve(sources, ("lib/c.py", "lib/d.py")) == _resolve(sources, ())


def _resolve(sources: dict[str, str], excluded: tuple[str, ...]) -> Resolution:
    files = [language_for(path).extract(path, text.encode()) for path, text in sources.items()]
    return resolve(files, excluded=dict.fromkeys(excluded, "generated"))
