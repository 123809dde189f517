"""Feeds hostile texts to the readers of a repository's own files; a process for each reader, with limits of memory and processor time.

Prints a JSON object for each reader: what went wrong, by the name of the text; nothing is right.
"""

import configparser
import json
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from packaging.markers import UndefinedEnvironmentName

from repoquarry.execution.provision.javascript import manifest as npm_project
from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.execution.provision.python.environment_checks import read_test_paths
from repoquarry.ingest.files.documents import read_document
from repoquarry.ingest.files.ignore_rules import IgnoreRules, is_ignored, parse_ignore_file
from repoquarry.ingest.files.imported_paths import list_imported_paths
from repoquarry.ingest.files.selection import read_notebook_size
from repoquarry.languages import setting_files
from repoquarry.languages.manifests import MANIFESTS, python_projects, python_repository
from repoquarry.languages.manifests.packages import ManifestFormat, Packages
from repoquarry.languages.registry import LANGUAGES, load

_SIZE = 12_000
_MEMORY_BYTES = 400 << 20
_SECONDS = 15

HOSTILE: dict[str, str] = {
    "dotted key": "a." * _SIZE + "b=1\n",
    "quoted dotted key": "'a'." * _SIZE + "b=1\n",
    "dotted header": "[" + "a." * _SIZE + "b]\n",
    "dotted key in a table": "x = {" + "a." * _SIZE + "b = 1}\n",
    "nested lists": "[" * _SIZE,
    "nested list as a value": "x = " + "[" * _SIZE + "]" * _SIZE,
    "nested objects": '{"dependencies":' * _SIZE + "1" + "}" * _SIZE,
    "nested TOML tables": "x = " + "{a=" * _SIZE,
    "alias bomb": "a0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(60)),
    "merge bomb": "a0: &a0 {x: 1}\n" + "".join(f"a{n + 1}: &a{n + 1} {{<<: [*a{n}, *a{n}]}}\n" for n in range(60)),
    "merge chain": "a0: &a0 {x: 1}\n" + "".join(f"a{n + 1}: &a{n + 1}\n  <<: *a{n}\n  k{n}: 1\n" for n in range(3_000)),
    "nested YAML": "".join("  " * n + f"k{n}:\n" for n in range(800)),
    "YAML in one line": "a: " * _SIZE,
    "entities": '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{n} "{"&a;" * 10}">' for n in range(20))
    + "]><project>&a9;</project>",
    "nested elements": "<project>" * _SIZE,
    "one word": "a" * 200_000,
    "spaces": " " * 100_000,
    "spaces behind a key": "a" + " " * 50_000 + "=" + " " * 50_000 + "\n",
    "interpolations": "${" * _SIZE,
    "nulls": "\0" * _SIZE,
    "large number": '{"version": ' + "1" * _SIZE + "}",
    "large TOML number": "version = " + "1" * _SIZE,
    "surrogates": '{"name": "\\ud800", "version": "\\udfff"}',
    "many keys": "".join(f"key{n} = {n}\n" for n in range(_SIZE)),
    "many headers": "".join(f"[h{n}]\n" for n in range(_SIZE // 4)),
    "quotes": '"' * _SIZE + "'" * _SIZE,
    "backslashes": '"' + "\\" * (2 * _SIZE),
    "parentheses": "x = " + "(" * _SIZE,
    "chained operators": "x = " + "-" * _SIZE + "1",
    "requirements": "requires('a', " * _SIZE,
    "stars": "**/" * 200 + "*" * 60 + "x\n" + "[" * 2_000 + "\n",
    "stars between letters": "*a" * 60 + "*b\n" + "**/*a*/" * 200 + "b\n",
    "classes": ("[" + "a-z" * 100 + "]") * 13 + "\n" + "[!a]" * 3_000 + "\n",
    "rules": "=" * 50_000 + "\n" + "# " * 20_000 + "\n" + "`<" * 20_000 + "\n" + ":a" * 20_000 + "\n",
    "open imports": "from a import (" * 20_000 + "\n" + "from a import (b,\n" * 20_000,
    "links": "[" * 20_000 + "](" * 20_000 + "![a](b" * 5_000,
    "tags": "<a " * 20_000 + "\n" + "<!--" * 10_000,
    "sentences": "a. " * 20_000 + "| a " * 20_000,
    "cells": '{"cells": [' + '{"cell_type": "code", "source": "%%a\\n!b = [("},' * 2_000 + "{}]}",
    "magics": '{"cells": [{"cell_type": "code", "source": "' + "a, " * 20_000 + "= !b" + "'" * 20_000 + '"}]}',
    "carriage returns": "a=1\r" * _SIZE,
    "commas": "dependencies = [" + "," * _SIZE,
    "versions": "a" + "".join(f">={n},<{n + 1}," for n in range(_SIZE // 4)),
    "digits of no decimal system": '{"version": "²", "lockfileVersion": "²"}',
}
_ALLOWED = (ValueError, TypeError, KeyError, SyntaxError, RecursionError, configparser.Error, UndefinedEnvironmentName)
"""Errors that the callers of the readers take as `cannot be understood`."""

Reader = Callable[[str], object]


def list_readers() -> Iterator[tuple[str, Reader]]:
    """Yield all readers of a repository's own files by the tables in which the product finds them."""
    for manifest in MANIFESTS:
        yield f"manifest {manifest.name}", partial(read_manifest, manifest)
    once = {reader: pattern for pattern, reader in python_repository.READERS.items()}
    for reader, pattern in once.items():
        yield f"provisioning {pattern}", partial(reader, pattern.replace("*", ""))
    for name, entry in LANGUAGES.items():
        for pattern in entry.configuration:
            yield f"configuration {name} {pattern}", partial(read_configuration, next(iter(entry.suffixes)), pattern)
    for kind in setting_files.FORMATS:
        yield f"settings {kind}", partial(setting_files.hide_secrets, f"a.{kind}")
        yield f"mask {kind}", partial(read_bytes, setting_files.mask_setting_file, f"a.{kind}")
    yield "notebook", partial(read_bytes, read_notebook_size, "a.ipynb")
    yield ".gitignore", read_ignore_file
    for tree_reader, names in _TREE_READERS.items():
        for name in names:
            yield f"{tree_reader.__name__} {name}", partial(read_tree, tree_reader, name)
    for name in ("a.py", "a.ts", "a.java", "a.c"):
        yield f"imported paths {name}", partial(read_bytes, list_imported_paths, name)
    for name in ("a.md", "a.rst", "a.txt"):
        yield f"document {name}", partial(read_bytes, read_document, name)


def read_bytes(reader: Callable[[str, bytes], object], path: str, text: str) -> None:
    reader(path, text.encode("utf-8", "replace"))


def read_packaged_imports(root: Path) -> object:
    return read_imports(root, packaged=True)


_TREE_READERS: dict[Callable[[Path], object], tuple[str, ...]] = {
    npm_project.read_project: (npm_project.PACKAGE, *npm_project.LOCKS, *npm_project.HINTS, *npm_project.VERSION_FILES),
    python_projects.read_project_version: ("PKG-INFO", ".git_archival.txt", "a/__init__.py", "CHANGELOG.md"),
    read_test_paths: ("tox.ini", "setup.cfg", "pyproject.toml", "pytest.ini"),
    read_packaged_imports: ("a.py", "a/__init__.py"),
}
"""Readers of provisioning that find their files by name."""


def read_tree(reader: Callable[[Path], object], name: str, text: str) -> None:
    """Read a folder with one hostile file; a lock file stands beside a manifest."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / npm_project.PACKAGE).write_text('{"dependencies": {"a": "1"}}', encoding="utf-8")
        path = Path(folder) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
        reader(Path(folder))


def read_manifest(manifest: ManifestFormat, text: str) -> None:
    found = Packages()
    manifest.read("folder/file", text, found)
    found.settle()


def read_configuration(language: str, pattern: str, text: str) -> None:
    family = load(language).family
    assert family is not None
    content = text.encode("utf-8", "replace")
    family.modules((), {pattern.replace("*", ""): content, f"a/{pattern.replace('*', '')}": content}, None)


def read_ignore_file(text: str) -> None:
    rules = IgnoreRules("", parse_ignore_file(text.encode("utf-8", "replace")))
    for path in ("some/folder/with/a/file.py", "a" * 255, "/".join(["a" * 100] * 40), "/".join("a" * 2_000)):
        is_ignored(path, (rules,))


def try_reader(reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield the name of each text with which something went wrong, and what."""
    for name, text in HOSTILE.items():
        try:
            reader(text)
        except _ALLOWED:
            continue
        except BaseException as error:
            yield name, "".join(traceback.format_exception_only(error)).strip()[:200]


def run_limited(reader: Reader) -> dict[str, str]:
    """Run a reader on all texts in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(dict(try_reader(reader))))
            pipe.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(said) if said else {"all": f"ended with {status}"}


def main() -> None:
    chosen = sys.argv[1:]
    for name, reader in list_readers():
        if not chosen or name in chosen:
            print(json.dumps({"reader": name, "wrong": run_limited(reader)}), flush=True)


if __name__ == "__main__":
    main()
