"""Requirements, imports and versions of projects, read without running them or following links."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from repoquarry.execution.provision.python.code_imports import read_imports
from repoquarry.languages.manifests.python_projects import read_head, read_project_version
from repoquarry.languages.manifests.python_repository import read_manifests
from repoquarry.languages.manifests.python_requirements import Certainty, specifier_of
from tests.golden import GoldenFiles
from tests.resolution_export import PROGRAMS, format_programs
from tests.source_trees import write_tree


def wanted(root: Path, files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Package -> its requirement and group."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return {item.name: (item.text, item.group) for item in read_manifests(root).wanted}


def find(root: Path, texts: dict[str, str]) -> Iterator[str]:
    """Yield what the manifests want and what the code imports, each time in a folder of its own."""
    folder = write_tree(root / str(len(list(root.iterdir()))), dict(texts))
    manifests = read_manifests(folder)
    yield f"name {manifests.name}{' installable' * manifests.installable}"
    yield from (f"wants {item.text} by {item.origin} {item.group}" for item in manifests.wanted)
    yield from (f"python {item.specifier} by {item.origin} {item.certainty.name}" for item in manifests.python)
    yield from (f"locked {name} {version}" for name, version in manifests.locked)
    yield from (f"note on {note.partition(':')[0]}" for note in manifests.notes)
    for packaged, tests in ((True, False), (True, True), (False, False)):
        code = read_imports(folder, packaged=packaged, tests=tests)
        yield f"code{' packaged' * packaged}{' tests' * tests}: own {','.join(code.own)} roots {','.join(code.roots)}"
        for item in code.imported:
            yield f"  {item.module} {item.need.name} {item.where} {','.join(item.names)}"


def test_every_project_needs_what_is_found_below_it(tmp_path: Path, golden_files: GoldenFiles) -> None:
    path = PROGRAMS / "requirements" / "python.txt"
    golden_files.check(path, format_programs(path, partial(find, tmp_path)))


def test_modules_of_older_standard_libraries_are_dated(tmp_path: Path) -> None:
    write_tree(tmp_path, {"run.py": "import imp\n"})
    assert "imp" in read_imports(tmp_path, packaged=False).dated


def test_setup_py_is_parsed_and_not_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    found = wanted(
        tmp_path,
        {
            "setup.py": f"""
import setuptools
open({str(marker)!r}, "w")
BASE = ["six>=1", "attrs"]
extra = {{"test": ["mock"], "docs": ["sphinx"]}}
def needs():
    with open("needs.txt") as file:
        return file.read().splitlines()
options = dict(name="shop", install_requires=BASE + ["click"] + needs(), extras_require=extra, python_requires=">=3.7")
setuptools.setup(**options)
""",
            "needs.txt": "jinja2<3\n",
        },
    )
    assert not marker.exists()
    assert found == {
        "six": ("six>=1", ""),
        "attrs": ("attrs", ""),
        "click": ("click", ""),
        "mock": ("mock", "tests"),
        "jinja2": ("jinja2<3", ""),
    }
    manifests = read_manifests(tmp_path)
    assert manifests.name == "shop"
    assert manifests.installable
    assert [(one.specifier, one.certainty) for one in manifests.python] == [(">=3.7", Certainty.REQUIRED)]


@pytest.mark.parametrize(
    ("text", "specifier"),
    [
        ("^1.2.3", "<2,>=1.2.3"),
        ("^0.2", "<0.3,>=0.2"),
        ("~1.4", "<1.5,>=1.4"),
        ("*", ""),
        ("1.2", "==1.2"),
        (">=1 <2", "<2,>=1"),
        ("^2|^3.1", "<4,>=3.1"),
    ],
)
def test_other_notations(text: str, specifier: str) -> None:
    assert specifier_of(text) == specifier


def test_the_beginning_of_a_file_is_read_and_nothing_through_a_link(tmp_path: Path) -> None:
    file = tmp_path / "tox.ini"
    file.write_bytes(b"[tox]\xff\n" + b"x" * 300_000)
    (tmp_path / "link").symlink_to(file)
    assert read_head(file).startswith("[tox]\ufffd\n")
    assert len(read_head(file)) == 256 * 1024
    assert [read_head(tmp_path / name) for name in ("link", "missing", ".")] == ["", "", ""]


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({"PKG-INFO": "Metadata-Version: 1.0\nVersion: 2.5.1\n", "shop/__init__.py": "__version__ = '9'\n"}, "2.5.1"),
        ({".git_archival.txt": "ref-names: HEAD -> main, tag: v1.4.0\n"}, "1.4.0"),
        ({".git_archival.txt": "ref-names: $Format:%D$\n", "HISTORY.md": "## 0.3 (2020-01-01)\n"}, "0.3"),
        ({"src/shop/__init__.py": "", "src/shop/_version.py": "__version__: str = 'v1.2.dev3'\n"}, "1.2.dev3"),
        ({"shop/__init__.py": "from ._x import __version__\n", "CHANGES.txt": "1.1 (unreleased)\n----\n1.0 (2012)\n"}, "1.1"),
        ({"CHANGELOG.rst": "====\nChanges\n====\n\nSince 2.0 all is new, and 1.9 (2011-01-01) is old\n\nshop 4.6.3 (2019-06-11)\n=====\n"}, "4.6.3"),
        ({"docs/changelog.rst": "Python 3.8 is needed.\n\nVersion 5.0b1\n-------------\n"}, "5.0b1"),
        ({"NEWS": "In 3.1 we said so\n", "shop/__init__.py": "version = '1.0'  # of the file format\n", "x.py": ""}, "1.0"),
        ({"README.md": "# 3.0\n", "CHANGES": "nothing yet\n"}, ""),
    ],
)  # fmt: skip
def test_what_the_files_say(tmp_path: Path, files: dict[str, str], version: str) -> None:
    assert read_project_version(write_tree(tmp_path, files)) == version


def test_links_are_not_followed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside": "Version: 6.6\n", "tree/x": ""})
    (tmp_path / "tree" / "PKG-INFO").symlink_to(tmp_path / "outside")
    assert read_project_version(tmp_path / "tree") == ""
