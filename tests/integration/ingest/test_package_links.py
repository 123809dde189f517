"""Links between packages of several ecosystems, on every engine: what a package offers, under which names, in which version."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")

LINKS = (
    "MATCH (e:External)-[:PROVIDES]->(d) WHERE e.repository = 'user' "
    "RETURN e.qualname, labels(d)[0], d.id ORDER BY e.qualname"
)
Tree = dict[str, str | bytes]


@pytest.fixture
def store(engine_settings: StoreSettings) -> Iterator[Store]:
    with Store.open(engine_settings, writable=True) as opened:
        yield opened


def _manifest(name: str, **fields: object) -> str:
    return json.dumps({"name": name, "version": "1.0.0", **fields})


def _links(tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, **trees: Tree) -> dict[str, str]:
    for name, tree in trees.items():
        index_repository(str(write_tree(tmp_path / name, tree)), store, settings, name=name)
    return {str(qualname): f"{label} {node}" for qualname, label, node in rows(LINKS)}


def test_commonjs_packages_link_what_they_are_and_what_they_have(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    library: Tree = {
        "package.json": _manifest("saw.js", main="./lib"),
        "lib/index.js": "module.exports = cut\nmodule.exports.plane = require('./plane')\nexports.lost = function lost() {}\n"
        "function cut() {}\nfunction hidden() {}\nfunction deep() {}\ncut.deep = deep\n",
        "lib/bundle.min.js": "// @generated\nexports.bundled = function bundled() {}\n",
        "lib/plane.js": "exports.flat = function flat() {}\nmodule.exports.Bench = class Bench { lock() {} }\n",
    }
    user: Tree = {
        "package.json": _manifest("user", dependencies={"saw.js": "^1.0.0"}),
        "main.js": "const cut = require('saw.js')\nconst plane = require('saw.js/lib/plane')\n"
        "cut(); cut.deep(); cut.hidden(); plane.flat(); new plane.Bench().lock()\n",
    }
    assert _links(tmp_path, store, settings, rows, library=library, user=user) == {
        "saw.js": "Function library:lib/index.js::cut",
        "saw.js.deep": "Function library:lib/index.js::deep",
        "saw.js/lib/plane": "Module library:lib/plane.js",
        "saw.js/lib/plane.flat": "Function library:lib/plane.js::flat",
        "saw.js/lib/plane.Bench": "Class library:lib/plane.js::Bench",
        "saw.js/lib/plane.Bench.lock": "Function library:lib/plane.js::Bench.lock",
    }
    assert rows("MATCH (e:External {repository: 'user', qualname: 'saw.js/lib/plane'}) RETURN e.package") == [
        ("saw.js",)
    ]


def test_es_modules_link_through_the_exports_map_to_sources(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    exports = {".": {"types": "./dist/index.d.ts", "import": "./dist/index.js"}, "./tools/*": "./dist/tools/*.js"}
    library: Tree = {
        "package.json": _manifest("@shop/saw", exports=exports),
        "src/index.ts": "export { bend as fold } from './tools/bend'\nexport default class Saw {}\n"
        "export interface Blade { sharp(): void }\nfunction hidden() {}\n",
        "src/tools/bend.ts": "export function bend() {}\nexport const straighten = () => 1\n",
        "src/closed.ts": "export function closed() {}\n",
    }
    user: Tree = {
        "package.json": _manifest("user"),
        "main.ts": "import Saw, { fold, type Blade } from '@shop/saw'\nimport { straighten } from '@shop/saw/tools/bend'\n"
        "import { closed } from '@shop/saw/closed'\n"
        "export function main(blade: Blade) { fold(); straighten(); closed(); new Saw(); blade.sharp() }\n",
    }
    found = _links(tmp_path, store, settings, rows, user=user, library=library)
    assert (
        found.items()
        >= {
            "@shop/saw": "Class library:src/index.ts::Saw",
            "@shop/saw.fold": "Function library:src/tools/bend.ts::bend",
            "@shop/saw.Blade": "Class library:src/index.ts::Blade",
            "@shop/saw.Blade.sharp": "Function library:src/index.ts::Blade.sharp",
            "@shop/saw/tools/bend.straighten": "Function library:src/tools/bend.ts::straighten",
        }.items()
    )
    assert not any("closed" in name for name in found)


def test_declaration_files_add_types_and_stand_in_for_missing_code(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    built: Tree = {
        "package.json": _manifest("saw", main="index.js", types="index.d.ts"),
        "index.js": "exports.cut = function cut() {}\n",
        "index.d.ts": "export declare function cut(): void\nexport interface Blade { sharp(): void }\n",
    }
    types: Tree = {"package.json": _manifest("@types/plane"), "index.d.ts": "export declare function flat(): void\n"}
    user: Tree = {
        "package.json": _manifest("user"),
        "main.ts": "import { cut, Blade } from 'saw'\nimport { flat } from 'plane'\n"
        "export function main(blade: Blade) { cut(); flat(); blade.sharp() }\n",
    }
    found = _links(tmp_path, store, settings, rows, built=built, types=types, user=user)
    assert (
        found.items()
        >= {
            "saw.cut": "Function built:index.js::cut",
            "saw.Blade": "Class built:index.d.ts::Blade",
            "saw.Blade.sharp": "Function built:index.d.ts::Blade.sharp",
            "plane.flat": "Function types:index.d.ts::flat",
        }.items()
    )


def test_a_built_in_module_is_one_package_with_and_without_its_scheme(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    source = "import { join } from 'node:path'\nconst path = require('path')\nimport left from 'left-pad'\nimport test from 'node:test'\n"
    tree: Tree = {"a.js": source + "export function f() { join('a'); path.join('b'); left(); test('x', f) }\n"}
    index_repository(str(write_tree(tmp_path / "user", tree)), store, settings)
    query = "MATCH (e:External) RETURN e.qualname, e.package, e.is_standard ORDER BY e.qualname"
    assert [row for row in rows(query) if row[1] != "globalThis"] == [
        ("left-pad", "left-pad", False),
        ("node:test", "node:test", True),
        ("path", "path", True),
        ("path.join", "path", True),
    ]


def test_java_packages_link_by_their_coordinates(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    def pom(artifact: str, version: str, depends_on: str = "") -> str:
        coordinate = f"<groupId>org.shop</groupId><artifactId>saw</artifactId><version>{depends_on}</version>"
        needed = f"<dependencies><dependency>{coordinate}</dependency></dependencies>" if depends_on else ""
        own = f"<groupId>org.shop</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        return f"<project>{own}{needed}</project>"

    saw = "package org.shop.saw;\npublic class Saw { public static void cut() {} }\nclass Helper { static void oil() {} }\n"
    main = (
        "package org.shop.user;\nimport org.shop.saw.Saw;\nimport java.util.List;\n"
        "class Main { void run(List<Saw> all) { Saw.cut(); all.clear(); } }\n"
    )
    libraries: dict[str, Tree] = {
        f"saw{version}": {"pom.xml": pom("saw", version), "src/main/java/org/shop/saw/Saw.java": saw}
        for version in ("1.0", "2.0")
    }
    user: Tree = {"pom.xml": pom("user", "1", depends_on="1.0"), "src/main/java/org/shop/user/Main.java": main}
    found = _links(tmp_path, store, settings, rows, **libraries, user=user)
    assert found == {
        "org.shop.saw.Saw": "Class saw1.0:src/main/java/org/shop/saw/Saw.java::Saw",
        "org.shop.saw.Saw.cut": "Function saw1.0:src/main/java/org/shop/saw/Saw.java::Saw.cut",
    }
    standard = rows("MATCH (e:External {repository: 'user'}) RETURN DISTINCT e.package, e.is_standard")
    assert set(standard) >= {("java.util", True), ("org.shop.saw", False)}


@pytest.mark.parametrize("manifest", ["PKG-INFO", "toolbox/__init__.py"])
def test_links_go_to_the_version_that_is_meant_where_the_manifest_computes_versions(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, manifest: str
) -> None:
    def library(version: str) -> Tree:
        written = {
            "PKG-INFO": f"Metadata-Version: 2.1\nName: toolbox\nVersion: {version}\n",
            "toolbox/__init__.py": f'__version__ = "{version}"\n',
        }
        project = '[project]\nname = "toolbox"\ndynamic = ["version"]\n'
        return {"pyproject.toml": project, "toolbox/hammer.py": "def hit():\n    pass\n", manifest: written[manifest]}

    user: Tree = {
        "pyproject.toml": '[project]\nname = "user"\ndependencies = ["toolbox<2"]\n',
        "user.py": "from toolbox.hammer import hit\n\nhit()\n",
    }
    found = _links(tmp_path, store, settings, rows, one=library("1.4"), user=user, two=library("2.1"))
    assert found["toolbox.hammer.hit"] == "Function one:toolbox/hammer.py::hit"


def test_go_packages_link_their_functions_and_methods_by_import_path(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    library: Tree = {
        "go.mod": "module example.com/tools\n",
        "tools.go": "package tools\n\ntype Hammer struct{}\n\nfunc New() *Hammer { return nil }\n\nfunc hidden() {}\n",
        "hit.go": "package tools\n\nfunc (h *Hammer) Hit() {}\n",
        "v2/saw.go": "package saw\n\nfunc Cut() {}\n",
        "tools_test.go": "package tools\n\nfunc Checked() {}\n",
    }
    user: Tree = {
        "go.mod": "module example.com/user\n\nrequire example.com/tools v1.0.0\n",
        "main.go": 'package main\n\nimport (\n\t"example.com/tools"\n\tsaw "example.com/tools/v2"\n)\n\n'
        "func use(h tools.Hammer) {\n\th.Hit()\n\ttools.New()\n\ttools.hidden()\n\ttools.Checked()\n\tsaw.Cut()\n}\n",
    }
    assert _links(tmp_path, store, settings, rows, library=library, user=user) == {
        "example.com/tools": "Module library:hit.go",
        "example.com/tools.Hammer.Hit": "Function library:hit.go::Hammer.Hit",
        "example.com/tools.New": "Function library:tools.go::New",
        "example.com/tools/v2": "Module library:v2/saw.go",
        "example.com/tools/v2.Cut": "Function library:v2/saw.go::Cut",
    }


def test_php_packages_link_by_namespaces(tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows) -> None:
    library: Tree = {
        "composer.json": json.dumps({"name": "acme/shop", "autoload": {"psr-4": {"Acme\\Shop\\": "src/"}}}),
        "src/Till.php": "<?php\nnamespace Acme\\Shop;\nclass Till { public function charge(int $n) {} }\nfunction open() {}\n",
    }
    user: Tree = {
        "composer.json": json.dumps({"name": "acme/user", "require": {"acme/shop": "^1.2"}}),
        "main.php": "<?php\nuse Acme\\Shop\\Till;\nfunction run() { $t = new Till(); $t->charge(1); \\Acme\\Shop\\open(); }\n",
    }
    assert _links(tmp_path, store, settings, rows, library=library, user=user) == {
        "Acme.Shop.Till": "Class library:src/Till.php::Till",
        "Acme.Shop.Till.charge": "Function library:src/Till.php::Till.charge",
        "Acme.Shop.open": "Function library:src/Till.php::open",
    }


@pytest.mark.parametrize(
    ("manifest", "path", "code", "main", "use"),
    [
        (
            "Shop.csproj",
            "Till.cs",
            "namespace Acme { public class Drawer { public static void Open() {} } }\n",
            "main.cs",
            "class P : Till { void Run() { new Till(); Acme.Drawer.Open(); } }\n",
        ),
        (
            "composer.json",
            "Till.php",
            "<?php\nnamespace Acme;\nclass Drawer { public static function Open() {} }\n",
            "main.php",
            "<?php\nclass P extends \\Acme\\Till {}\nnew \\Acme\\Till();\n\\Acme\\Drawer::Open();\n",
        ),
        (
            "shop.gemspec",
            "Till.rb",
            "module Acme\n  class Drawer\n    def self.Open\n    end\n  end\nend\n",
            "main.rb",
            "class P < Till\nend\nTill.new\nAcme::Drawer.Open()\n",
        ),
    ],
)
def test_names_of_files_are_no_names_where_names_are_global(
    tmp_path: Path,
    store: Store,
    settings: IngestSettings,
    rows: Rows,
    manifest: str,
    path: str,
    code: str,
    main: str,
    use: str,
) -> None:
    declared = {
        "Shop.csproj": "<Project/>",
        "composer.json": '{"name": "acme/shop"}',
        "shop.gemspec": "s.name = 'shop'\n",
    }
    links = _links(
        tmp_path, store, settings, rows, library={manifest: declared[manifest], path: code}, user={main: use}
    )
    assert "Function" in links["Acme.Drawer.Open"]
    assert not [name for name, target in links.items() if name.endswith("Till") or target.startswith("Module")]


def test_gems_link_by_constants(tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows) -> None:
    library: Tree = {
        "shop_rb.gemspec": "Gem::Specification.new do |s|\n  s.name = 'shop_rb'\nend\n",
        "lib/shop_rb.rb": "module ShopRb\n  def self.charge(n)\n    n\n  end\nend\n",
    }
    user: Tree = {
        "Gemfile": "gem 'shop_rb', '~> 1.2'\n",
        "main.rb": "require 'shop_rb'\ndef run\n  ShopRb.charge(1)\nend\n",
    }
    assert _links(tmp_path, store, settings, rows, library=library, user=user) == {
        "ShopRb.charge": "Function library:lib/shop_rb.rb::ShopRb.charge",
    }


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("src/main/kotlin/Main.kt", "import org.acme.shop.Till\nfun run() { Till().charge(1) }\n"),
        (
            "src/main/java/Main.java",
            "import org.acme.shop.Till;\nclass Main { void run() { new Till().charge(1); } }\n",
        ),
    ],
)
def test_kotlin_packages_link_to_kotlin_and_java(
    tmp_path: Path, store: Store, settings: IngestSettings, rows: Rows, path: str, code: str
) -> None:
    own = "<project><groupId>org.acme</groupId><artifactId>shop</artifactId><version>1.2</version></project>"
    used = "<dependency><groupId>org.acme</groupId><artifactId>shop</artifactId><version>1.2</version></dependency>"
    library: Tree = {
        "pom.xml": own,
        "src/main/kotlin/Till.kt": "package org.acme.shop\nclass Till { fun charge(n: Int): Int = n }\n",
    }
    user: Tree = {
        "pom.xml": f"<project><groupId>u</groupId><artifactId>u</artifactId><dependencies>{used}</dependencies></project>",
        path: code,
    }
    links = _links(tmp_path, store, settings, rows, library=library, user=user)
    assert links.pop("org.acme.shop.Till") == "Class library:src/main/kotlin/Till.kt::Till"
    # Kotlin does not follow what is made outside of the program.
    member = "Function library:src/main/kotlin/Till.kt::Till.charge"
    assert links == ({"org.acme.shop.Till.charge": member} if path.endswith(".java") else {})
