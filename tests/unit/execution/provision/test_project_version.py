"""The version of a repository without tags, by its own files."""

from pathlib import Path

import pytest

from repoquarry.languages.manifests.python_projects import read_project_version
from tests.source_trees import write_tree


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
