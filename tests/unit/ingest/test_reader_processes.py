"""Where a repository's own files are read: the list of parsers comes from the code, and no parser of theirs runs in the indexing process."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from repoquarry.code.impact import run_steps
from repoquarry.code.reader import CodeReader
from repoquarry.code.views.change_view import view_change
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import WorkerLostError
from repoquarry.ingest.files import documents, ignore_rules, imported_paths
from repoquarry.ingest.freshness import check_freshness
from repoquarry.ingest.interfaces.own_tables import add_from_environment, list_known
from repoquarry.ingest.model_check import check_bounded_models
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.source_changes import read_working_tree
from repoquarry.languages import notebook, setting_files, structured_text
from repoquarry.languages.manifests import MANIFESTS
from repoquarry.languages.registry import known_languages, load
from tests.source_trees import git, write_tree

_ROOT = Path(__file__).parents[3] / "repoquarry"
_PARSERS = {
    "json": {"load", "loads"},
    "tomllib": {"load", "loads"},
    "yaml": {"load", "load_all", "safe_load", "safe_load_all"},
    "ElementTree": {"XMLParser", "fromstring", "iterparse", "parse"},
    "configparser": {"ConfigParser", "RawConfigParser"},
    "ast": {"parse"},
    "csv": {"DictReader", "reader"},
    "msgspec.json": {"Decoder", "decode"},
    "msgspec.toml": {"decode"},
    "msgspec.yaml": {"decode"},
}
_CLASSES = {"BytesParser", "GitIgnoreSpec", "HeaderParser", "Parser"}

IN_WORKERS = {
    "execution/provision": "provisioning reads manifests by `call_bounded`; the other files are those of its own tools",
    "ingest/interfaces": "interfaces of installed packages, and the folder's own tables, in the resolver",
    "languages": "extraction workers, the resolver, `manifest_reader` and `read_bounded`",
}
"""Packages whose parsers read a repository's own files, and the processes with limits in which they run."""
OF_THE_PRODUCT = {
    "agent/model": "replies of the chat model",
    "agent/questions": "intents of questions, data of the product",
    "code/excerpts": "outputs of commands, cut to the size of a view",
    "code/views": "stored texts of limited size: extraction has parsed them in a worker",
    "execution/isolation": "messages between the service and its launcher",
    "execution/workspaces": "the record of a workspace that the service wrote",
    "graphstore/query": "values, scopes and dialects of the product",
    "graphstore/search": "the header of its own weights",
    "graphstore/storage": "records of the store",
    "ingest/resolution": "the table of common members, data of the product",
    "ingest/sources": "settings of the user, and pages of registries with a limit of bytes",
    "server": "requests, settings, lists of repositories, and records of the service",
}
"""Packages whose parsers read other data."""


def list_parsers() -> Iterator[str]:
    """Yield the modules that call a parser of text, by their path."""
    for path in sorted(_ROOT.rglob("*.py")):
        name = path.relative_to(_ROOT).as_posix()
        if name.startswith("evaluation/"):  # It reads files of benchmarks.
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                module, _, function = ast.unparse(node.func).rpartition(".")
                known = _PARSERS.get(module) or _PARSERS.get(module.rpartition(".")[2], set())
                if function in known | _CLASSES:
                    yield name


def test_every_parser_is_of_a_package_whose_files_are_known() -> None:
    packages = (*IN_WORKERS, *OF_THE_PRODUCT)
    found = set(list_parsers())
    assert {name for name in found if not name.startswith(tuple(f"{one}/" for one in packages))} == set()
    assert {one for one in packages if not any(name.startswith(f"{one}/") for name in found)} == set()


def list_codes() -> Iterator[CodeType]:
    """Yield the code of all readers of a repository's own files, by the tables in which the product finds them."""
    functions: list[Callable[..., object]] = [manifest.read for manifest in MANIFESTS]
    functions += [setting_files.mask_setting_file, notebook.read_notebook, documents.read_document]
    functions += [ignore_rules.parse_ignore_file, imported_paths.list_imported_paths, *vars(structured_text).values()]
    for name in known_languages():
        language = load(name)
        functions.append(language.extract)
        if language.family is not None:
            functions.append(language.family.modules)
    for function in functions:
        code = getattr(function, "__code__", None)
        if code is not None:
            yield code


def is_of_store(frame: FrameType | None) -> bool:
    """Return whether the store decodes a text: a worker has read the same text before it was stored."""
    while frame is not None:
        if frame.f_code.co_filename.endswith("source_store.py"):
            return True
        frame = frame.f_back
    return False


class Recorder:
    """Recorder of the readers that run in this process on files that are not stored."""

    def __init__(self) -> None:
        self._codes = set(list_codes())
        self.found: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in self._codes and not is_of_store(frame):
            self.found.add(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}")


_CELLS = json.dumps({"cells": [{"cell_type": "code", "source": "def counted():\n    return 1"}], "metadata": {}})
_FILES = {
    "README.md": "# Shop\n\nSells things.\n",
    "docs/guide.rst": "Guide\n=====\n\nHow to sell.\n",
    ".gitignore": "ignored.py\n*.log\n",
    "part/.gitignore": "/local.py\n",
    "part/local.py": "x = 1\n",
    "ignored.py": "x = 1\n",
    "shop.py": "def sell():\n    return 1\n",
    "generated.py": "# @generated\nx = 1\n",
    "importer.py": "from generated import x\n",
    "book.ipynb": _CELLS,
    "settings.yaml": "database:\n  password: hunter2\n",
    ".env": "API_KEY=hunter2\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "web/package.json": '{"name": "web", "dependencies": {"react": "1"}}',
    "web/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}',
    "web/a.ts": "export function a(): number { return 1 }\n",
    "go.mod": "module example.org/shop\n",
    "a.go": "package shop\nfunc A() int { return 1 }\n",
    "Cargo.toml": '[package]\nname = "till"\n',
    "src/lib.rs": "pub fn a() -> i32 { 1 }\n",
    "pom.xml": "<project><artifactId>a</artifactId></project>",
    "A.java": "class A { int a() { return 1; } }\n",
}


def read_everything(root: Path, store: Store) -> set[str]:
    """Index a folder twice, compare it, and view its change; return the paths of the changed files."""
    settings = IngestSettings(workers=1)
    index_repository(str(root), store, settings, name="shop")
    changed = {
        "README.md": "# Shop\n\nBuys things.\n",
        "new.md": "# New\n",
        ".gitignore": "*.log\nnothing.py\n",
        "book.ipynb": _CELLS.replace("counted", "recounted"),
        "second.ipynb": _CELLS,
        "settings.yaml": "database:\n  password: hunter3\n  host: db\n",
        "shop.py": "def sell():\n    return 2\n",
        "package.json": '{"name": "root"}',
    }
    write_tree(root, changed)
    indexed = store.repository("shop")
    assert check_freshness(indexed, store.sources, settings).files_changed
    texts = read_working_tree(indexed, store.sources, settings)
    run_steps(view_change(CodeReader(store), "shop", texts.files, is_new_indexed=False, repositories=["shop"]))
    index_repository(str(root), store, settings, name="shop")
    assert all("hunter" not in store.source_text("shop", path) for path in ("settings.yaml", ".env"))
    assert "local.py" not in " ".join(store.sources.files("shop"))
    return {file.path for file in texts.files}


def test_no_reader_of_a_repository_runs_in_the_indexing_process(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    write_tree(root, _FILES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    recorder = Recorder()
    with Store.open(StoreSettings(tmp_path / "store", embedding=None), writable=True) as store:
        sys.setprofile(recorder)
        try:
            changed = read_everything(root, store)
        finally:
            sys.setprofile(None)
    assert {"README.md", "book.ipynb", "second.ipynb", "settings.yaml", "shop.py"} <= changed
    assert recorder.found == set()


def _read_for_commands(root: Path, settings: IngestSettings) -> None:
    assert [one.package for one in list_known(root, settings)] == ["tinylib", "tinyjs"]
    assert len(add_from_environment(root, settings)) == 2
    assert check_bounded_models(root, settings) == (1, [])


def _write_installed(root: Path) -> None:
    write_tree(root, _FILES)
    installed = {
        "shop.py": "import tinylib\n\n\ndef sell():\n    return tinylib.connect()\n",
        "web/a.ts": 'import { open } from "tinyjs";\nexport function a() { return open(); }\n',
        ".venv/lib/python3.11/site-packages/tinylib/__init__.py": "def connect() -> int: ...\n",
        "node_modules/tinyjs/package.json": '{"name": "tinyjs", "version": "3.0.0", "types": "index.d.ts"}',
        "node_modules/tinyjs/index.d.ts": "export function open(): number;\n",
        ".repoquarry/models/own.toml": '[[function]]\nof = "tinylib.connect"\ngives = "argument[0]"\n',
    }
    write_tree(root, installed)


def test_no_reader_of_a_repository_runs_in_the_process_of_a_command(tmp_path: Path) -> None:
    _write_installed(tmp_path)
    recorder = Recorder()
    sys.setprofile(recorder)
    try:
        _read_for_commands(tmp_path, IngestSettings())
    finally:
        sys.setprofile(None)
    assert recorder.found == set()


@pytest.mark.parametrize("read", [list_known, add_from_environment, check_bounded_models])
def test_command_whose_reader_reaches_its_limit_says_so(
    tmp_path: Path, read: Callable[[Path, IngestSettings], object]
) -> None:
    """Never as if the folder had nothing."""
    _write_installed(tmp_path)
    (tmp_path / "shop.py").write_text("import tinylib\n" + "x = [1, 2, 3]\n" * 120_000)
    with pytest.raises(WorkerLostError, match=r"cannot be read: .*memory"):
        read(tmp_path, IngestSettings(worker_memory_bytes=120 << 20))
    read(tmp_path, IngestSettings())


def test_recorder_notices_a_reader() -> None:
    recorder = Recorder()
    sys.setprofile(recorder)
    try:
        notebook.read_notebook(b"{}")
    finally:
        sys.setprofile(None)
    assert recorder.found == {"notebook.py:read_notebook"}


@pytest.mark.parametrize("pattern", ["*a*a*a*a*a*a*a*a*a*b", "**/*a*a*a*a*/**/*a*a*a*a*/b", "?*" * 60 + "b"])
def test_patterns_of_many_stars_take_no_time(tmp_path: Path, pattern: str) -> None:
    """Each took minutes to centuries with a backtracking matcher and one file with a long name."""
    write_tree(tmp_path, {".gitignore": pattern, "a" * 200: "", f"{'a' * 100}/{'a' * 200}": "", "a.py": "x = 1\n"})
    command = "from pathlib import Path; from repoquarry.ingest.files.selection import select_files; "
    command += "from repoquarry.ingest.settings import IngestSettings; import sys; "
    command += "print([file.path for file in select_files(Path(sys.argv[1]), IngestSettings()).files])"
    done = subprocess.run(
        [sys.executable, "-c", command, str(tmp_path)],
        cwd=_ROOT.parent,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "['a.py']\n"


def test_ignore_file_beyond_a_limit_costs_itself_alone(tmp_path: Path) -> None:
    from repoquarry.ingest.files.selection import select_files

    write_tree(
        tmp_path, {"a/.gitignore": "x\n" * 3_000, "a/x.py": "x = 1\n", ".gitignore": "y.py\n", "a/y.py": "y = 1\n"}
    )
    selection = select_files(tmp_path, IngestSettings())
    assert [file.path for file in selection.files] == ["a/x.py"]
    assert ("a/.gitignore", "too many: 3,001 lines, limit 2,000") in [
        (entry.path, entry.reason) for entry in selection.left_out
    ]


def test_only_tracked_files_are_selected_below_an_ignore_file_beyond_a_limit(tmp_path: Path) -> None:
    """What it names may be secret."""
    from repoquarry.ingest.files.selection import select_files

    tree = {"a/.gitignore": "secret.py\n" * 3_000, "a/x.py": "", "a/secret.py": "", "a/b/y.py": "", "c.py": ""}
    write_tree(tmp_path, tree)
    selection = select_files(tmp_path, IngestSettings(), tracked=["a/x.py"])
    assert [file.path for file in selection.files] == ["a/x.py", "c.py"]
    left_out = {entry.path: entry.reason for entry in selection.left_out}
    assert left_out["a/secret.py"] == "ignored by .gitignore"
    assert left_out["a/.gitignore"].startswith("too many")
