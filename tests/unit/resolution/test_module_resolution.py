"""Resolution of JavaScript's specifiers to modules."""

import json
from typing import Any

import pytest

from repoquarry.languages.javascript.module_resolution import SpecifierResolver


def find(paths: list[str], importer: str, specifier: str, **configuration: Any) -> str | None:
    texts = {
        path: content if isinstance(content, bytes) else json.dumps(content).encode()
        for path, content in configuration.get("files", {}).items()
    }
    return SpecifierResolver(paths, texts).find(importer, specifier)


@pytest.mark.parametrize(
    ("paths", "specifier", "found"),
    [
        (["src/b.js"], "./b", "src/b.js"),
        (["src/b.js"], "./b.js", "src/b.js"),
        (["src/b.ts"], "./b.js", "src/b.ts"),
        (["src/b.tsx"], "./b.jsx", "src/b.tsx"),
        (["src/b.mts"], "./b.mjs", "src/b.mts"),
        (["src/b.ts", "src/b.js"], "./b", "src/b.ts"),
        (["src/b.ts", "src/b.js"], "./b.js", "src/b.js"),
        (["src/b.d.ts"], "./b", "src/b.d.ts"),
        (["src/b/index.ts"], "./b", "src/b/index.ts"),
        (["src/b/index.ts", "src/b.ts"], "./b", "src/b.ts"),
        (["b.js"], "../b", "b.js"),
        (["src/index.js"], ".", "src/index.js"),
        (["index.js"], "..", "index.js"),
        (["src/b.vue"], "./b.vue", "src/b.vue"),
        (["src/b.js"], "./b.js?raw", "src/b.js"),
        (["src/b.js"], "../../outside", None),
        (["src/b.js"], "react", None),
        (["src/x.config.js"], "./x.config", "src/x.config.js"),
    ],
)
def test_paths_are_tried_as_node_and_typescript_try_them(paths: list[str], specifier: str, found: str | None) -> None:
    assert find(paths, "src/a.ts", specifier) == found


@pytest.mark.parametrize(
    ("manifest", "specifier", "found"),
    [
        ({"main": "src/index.js"}, "lib", "packages/lib/src/index.js"),
        ({"main": "dist/index.js"}, "lib", "packages/lib/src/index.js"),
        ({"exports": "./dist/index.mjs"}, "lib", "packages/lib/src/index.js"),
        ({"exports": {".": {"import": {"types": "./dist/index.d.ts"}}}}, "lib", "packages/lib/src/index.js"),
        ({"exports": {"./*": "./dist/*.js"}}, "lib/deep/part", "packages/lib/src/deep/part.ts"),
        ({"exports": {"./feature": "./src/deep/part.ts"}}, "lib/feature", "packages/lib/src/deep/part.ts"),
        ({}, "lib", "packages/lib/src/index.js"),
        ({}, "lib/src/deep/part", "packages/lib/src/deep/part.ts"),
        ({}, "library", None),
    ],
)
def test_packages_of_the_repository_lead_to_their_sources(manifest: Any, specifier: str, found: str | None) -> None:
    paths = ["packages/lib/src/index.js", "packages/lib/src/deep/part.ts", "app/a.js"]
    files = {"packages/lib/package.json": {"name": "lib", **manifest}}
    assert find(paths, "app/a.js", specifier, files=files) == found


def test_imports_of_a_manifest_begin_with_a_number_sign() -> None:
    files = {"package.json": {"imports": {"#lib/*": "./src/lib/*.js", "#one": {"default": "./src/one.js"}}}}
    paths = ["src/lib/x.js", "src/one.js"]
    assert find(paths, "src/deep/a.js", "#lib/x", files=files) == "src/lib/x.js"
    assert find(paths, "src/deep/a.js", "#one", files=files) == "src/one.js"


def test_a_folder_is_what_its_manifest_says() -> None:
    files = {"src/part/package.json": {"main": "./lib/main.js"}}
    assert find(["src/part/lib/main.js"], "src/a.js", "./part", files=files) == "src/part/lib/main.js"


@pytest.mark.parametrize(
    ("paths", "found"), [(["lib.js", "lib.d.ts"], "lib.js"), (["lib.d.ts"], "lib.d.ts"), (["lib.js"], "lib.js")]
)
def test_the_entry_of_a_package_is_its_code_rather_than_its_declarations(paths: list[str], found: str) -> None:
    files = {"package.json": {"main": "lib.js", "types": "lib.d.ts"}}
    assert find([*paths, "test/a.js"], "test/a.js", "..", files=files) == found


def test_the_longest_pattern_of_paths_counts_and_configurations_extend_each_other() -> None:
    files = {
        "base.json": {},
        "tsconfig.base.json": b'{"compilerOptions": {"paths": {"@/*": ["src/*"], "@/ui/*": ["ui/*"], /* one */ "exact": ["src/x"],}}}',
        "app/tsconfig.json": {"extends": "../tsconfig.base.json"},
    }
    paths = ["src/a.ts", "ui/b.ts", "src/x.ts", "src/ui/b.ts"]
    assert find(paths, "app/m.ts", "@/a", files=files) == "src/a.ts"
    assert find(paths, "app/m.ts", "@/ui/b", files=files) == "ui/b.ts"
    assert find(paths, "app/m.ts", "exact", files=files) == "src/x.ts"


def test_broken_configuration_is_done_without() -> None:
    files = {
        "package.json": b"{",
        "tsconfig.json": b"[1",
        "a/package.json": b"[]",
        "a/tsconfig.json": {"extends": "./tsconfig.json"},
    }
    assert find(["a/b.ts"], "a/a.ts", "./b", files=files) == "a/b.ts"
