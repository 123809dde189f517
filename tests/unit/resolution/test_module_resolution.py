"""Resolution of imports to modules: Python's packages and JavaScript's specifiers."""

import json
from typing import Any

import pytest

from repoquarry.ingest.resolution import LIKELY, Resolution, resolve
from repoquarry.languages.javascript.module_resolution import SpecifierResolver
from repoquarry.languages.python import extract


def resolved(sources: dict[str, str]) -> Resolution:
    """The resolution of a small tree."""
    return resolve([extract(path, text.encode()) for path, text in sources.items()])


def calls(resolution: Resolution, path: str) -> set[object]:
    """Calls of a file: (path, key) inside, dotted names outside."""
    return {
        resolution.path_key(edge.callee) or resolution.external(edge.callee)
        for edge in resolution.calls
        if resolution.symbols[edge.caller].path == path
    }


TARGET = "def f():\n    pass\n"


@pytest.mark.parametrize(
    ("importing", "call"),
    [
        ("import pkg.mod", "pkg.mod.f()"),
        ("import pkg.mod as m", "m.f()"),
        ("from pkg import mod", "mod.f()"),
        ("from pkg.mod import f", "f()"),
        ("from pkg.mod import f as g", "g()"),
        ("from pkg.mod import *", "f()"),
        ("from pkg import f", "f()"),
        ("from pkg.all import f", "f()"),
        ("import importlib", "importlib.import_module('pkg.mod').f()"),
        ("def load():\n    from pkg import mod\n    return mod", "load().f()"),
        ("try:\n    from pkg.mod import f\nexcept ImportError:\n    f = None", "f()"),
    ],
)
def test_every_form_of_import_reaches_the_definition(importing: str, call: str) -> None:
    sources = {
        "pkg/__init__.py": "from .mod import f\n",
        "pkg/mod.py": TARGET,
        "pkg/all.py": "from .mod import *\n",
        "main.py": f"{importing}\n{call}\n",
    }
    assert ("pkg/mod.py", "f") in calls(resolved(sources), "main.py")


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("from . import mod", "mod.f()"),
        ("from .mod import f", "f()"),
        ("from ..pkg.mod import f", "f()"),
        ("from .. import pkg", "pkg.mod.f()"),
    ],
)
def test_relative_imports(statement: str, call: str) -> None:
    sources = {
        "top/__init__.py": "",
        "top/pkg/__init__.py": "",
        "top/pkg/mod.py": TARGET,
        "top/pkg/user.py": f"{statement}\n{call}\n",
    }
    assert calls(resolved(sources), "top/pkg/user.py") == {("top/pkg/mod.py", "f")}


def test_a_source_root_is_found_and_named() -> None:
    resolution = resolved(
        {"src/pkg/__init__.py": "", "src/pkg/mod.py": TARGET, "tests/test_mod.py": "from pkg.mod import f\nf()\n"}
    )
    assert calls(resolution, "tests/test_mod.py") == {("src/pkg/mod.py", "f")}
    assert {(module.path, module.name, module.root) for module in resolution.modules if "mod.py" in module.path} == {
        ("src/pkg/mod.py", "pkg.mod", "src"),
        ("tests/test_mod.py", "tests.test_mod", ""),
    }


def test_namespace_packages_need_no_init() -> None:
    assert calls(
        resolved({"space/part/mod.py": TARGET, "main.py": "from space.part import mod\nmod.f()\n"}), "main.py"
    ) == {("space/part/mod.py", "f")}


def test_modules_that_import_each_other() -> None:
    sources = {
        "a.py": "import b\ndef f():\n    b.g()\n",
        "b.py": "import a\ndef g():\n    a.f()\n",
        "star_a.py": "from star_b import *\nx()\n",
        "star_b.py": "from star_a import *\n",
    }
    resolution = resolved(sources)
    assert calls(resolution, "a.py") == {("b.py", "g")}
    assert calls(resolution, "b.py") == {("a.py", "f")}
    assert [site.reason for site in resolution.unresolved] == ["unknown name"]


def test_private_and_unlisted_names_are_not_taken_by_a_star() -> None:
    sources = {"lib.py": "__all__ = ['f']\ndef f(): pass\ndef g(): pass\n", "main.py": "from lib import *\nf()\ng()\n"}
    resolution = resolved(sources)
    assert calls(resolution, "main.py") == {("lib.py", "f")}
    assert [(site.name, site.reason) for site in resolution.unresolved] == [("g", "unknown name")]
    assert [(export.name, resolution.path_key(export.target)) for export in resolution.exports] == [
        ("f", ("lib.py", "f"))
    ]


def test_what_lies_outside_has_its_full_dotted_name() -> None:
    source = "import os.path as p\nfrom json import dumps as d\nimport requests\np.join('a', 'b')\nd({})\nrequests.Session().get('x')\nlen('')\n"
    assert calls(resolved({"main.py": source}), "main.py") == {
        "os.path.join",
        "json.dumps",
        "requests.Session",
        "requests.Session.get",
        "builtins.len",
    }


def test_structure() -> None:
    sources = {
        "base.py": "import abc\nclass Base(abc.ABC):\n    def run(self):\n        raise NotImplementedError\n",
        "main.py": (
            "from base import Base\nclass One(Base):\n    def run(self): pass\nclass Two(Base):\n    def run(self): pass\n"
            "def go(base: Base):\n    base.run()\nif __name__ == '__main__':\n    go(One())\n"
        ),
    }
    resolution = resolved(sources)
    inherits = {
        (resolution.path_key(edge.cls), resolution.path_key(edge.base) or resolution.external(edge.base))
        for edge in resolution.inherits
    }
    assert inherits == {
        (("base.py", "Base"), "abc.ABC"),
        (("main.py", "One"), ("base.py", "Base")),
        (("main.py", "Two"), ("base.py", "Base")),
    }
    assert {resolution.path_key(edge.method) for edge in resolution.overrides} == {
        ("main.py", "One.run"),
        ("main.py", "Two.run"),
    }
    by_callee = {
        resolution.path_key(edge.callee): edge
        for edge in resolution.calls
        if resolution.path_key(edge.caller) == ("main.py", "go")
    }
    assert by_callee["main.py", "Two.run"].how == "possible"
    assert by_callee["main.py", "One.run"].confidence > by_callee["main.py", "Two.run"].confidence
    assert [(entry.kind, resolution.path_key(entry.target)) for entry in resolution.entry_points] == [
        ("main", ("main.py", ""))
    ]


def test_overrides_of_another_target_are_possible() -> None:
    resolution = resolved(
        {
            "main.py": (
                "class Base:\n    def run(self): pass\nclass One(Base):\n    def run(self): pass\n"
                "def go(flag):\n    one = One() if flag else Base()\n    one.run()\n"
            )
        }
    )
    by_callee = {resolution.path_key(edge.callee): edge for edge in resolution.calls}
    base, one = by_callee["main.py", "Base.run"], by_callee["main.py", "One.run"]
    assert (base.how, one.how) == ("receiver", "possible")
    assert min(base.confidence, one.confidence) >= LIKELY


SCRIPTS = {
    "src/__init__.py": "",
    "src/main.py": "import helper\nfrom config import load\nload()\nhelper.run()\n\nif __name__ == '__main__':\n    pass\n",
    "src/helper.py": "from config import load\n\n\ndef run():\n    load()\n",
    "src/config.py": "def load():\n    pass\n",
    "src/models/__init__.py": "",
    "src/models/net.py": "from config import load\nload()\n",
}


@pytest.mark.parametrize("path", ["src/main.py", "src/helper.py", "src/models/net.py"])
def test_a_script_in_a_package_finds_what_lies_beside_it(path: str) -> None:
    assert ("src/config.py", "load") in calls(resolved(SCRIPTS), path)


def test_what_lies_beside_a_script_is_imported_as_a_module_of_the_repository() -> None:
    resolution = resolved(SCRIPTS)
    imported = {resolution.path_key(edge.target) for edge in resolution.imports}
    assert {("src/config.py", ""), ("src/helper.py", "")} <= imported
    assert resolution.externals == []


def test_files_without_a_main_guard_are_scripts_where_only_a_file_beside_them_has_the_name() -> None:
    sources = {"tool/__init__.py": "", "tool/a.py": "from b import f\nf()\n", "tool/b.py": TARGET}
    assert calls(resolved(sources), "tool/a.py") == {("tool/b.py", "f")}


def test_tests_find_the_modules_of_a_source_folder_whose_files_are_scripts() -> None:
    sources = SCRIPTS | {"tests/test_config.py": "from config import load\nload()\n"}
    assert calls(resolved(sources), "tests/test_config.py") == {("src/config.py", "load")}


@pytest.mark.parametrize(
    ("name", "importing", "called"),
    [
        ("logging", "import logging\nlogging.f()\n\nif __name__ == '__main__':\n    pass\n", "logging.f"),
        ("redis", "from . import other\nimport redis\nredis.f()\n", "redis.f"),
        ("redis", "from pkg.other import g\nimport redis\nredis.f()\n", "redis.f"),
        ("redis", "from redis import Redis\nRedis()\n", "redis.Redis"),
    ],
)
def test_a_package_means_libraries_and_not_its_own_files_of_their_names(name: str, importing: str, called: str) -> None:
    sources = {
        "pkg/__init__.py": "",
        f"pkg/{name}.py": TARGET,
        "pkg/other.py": "from . import user\n\n\ndef g():\n    pass\n",
        "pkg/user.py": importing,
    }
    assert calls(resolved(sources), "pkg/user.py") == {called}


def test_a_repository_that_is_itself_a_package() -> None:
    sources = {"__init__.py": "", "nested/__init__.py": "", "nested/a.py": "import b\nb.f()\n", "nested/b.py": TARGET}
    assert calls(resolved(sources), "nested/a.py") == {("nested/b.py", "f")}


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
