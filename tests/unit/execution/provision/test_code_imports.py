"""Imports of code, and their weight."""

from pathlib import Path

from repoquarry.execution.provision.python.code_imports import CodeImports, read_imports
from repoquarry.execution.provision.report import ImportNeed


def read(root: Path, files: dict[str, str], *, packaged: bool, tests: bool = False) -> CodeImports:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return read_imports(root, packaged=packaged, tests=tests)


def read_again(root: Path) -> CodeImports:
    return read_imports(root, packaged=True)


def needs(code: CodeImports) -> dict[str, ImportNeed]:
    return {item.module: item.need for item in code.imported}


PACKAGE = {
    "shop/__init__.py": "from .till import Till\nimport os\n",
    "shop/till.py": "import yaml\nfrom numpy import array\ntry:\n    import fast\nexcept ImportError:\n    import slow\n"
    "def late():\n    import lazy\nif True:\n    import maybe\n",
    "shop/plugin.py": "import aside\n",
    "shop/tests/test_till.py": "import pytest\n",
    "tools/make.py": "import tool\n",
    "setup.py": "import setuptools\n",
}


def test_what_a_package_needs_when_it_is_imported(tmp_path: Path) -> None:
    code = read(tmp_path, PACKAGE, packaged=True)
    assert code.own == ("shop",)
    assert needs(code) == {
        "yaml": ImportNeed.NEEDED,
        "numpy": ImportNeed.NEEDED,
        "aside": ImportNeed.BESIDE,
        **dict.fromkeys(("fast", "slow", "lazy", "maybe", "pytest", "tool", "setuptools"), ImportNeed.OPTIONAL),
    }
    assert next(item.names for item in code.imported if item.module == "numpy") == ("array",)


def test_what_tests_import_counts_where_they_are_to_be_run(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "tests/test_till.py": "from nose.tools import eq_\nfrom helper import run\ntry:\n    import fast\nexcept ImportError:\n    pass\n",
        "tests/helper.py": "import mock\n",
        "tests/data/test_case.py": "import nothing_real\n",
        "examples/show.py": "import pygame\n",
    }
    assert needs(read(tmp_path, files, packaged=True, tests=True)) == {
        "nose.tools": ImportNeed.BESIDE,
        **dict.fromkeys(("fast", "mock", "nothing_real", "pygame"), ImportNeed.OPTIONAL),
    }
    assert set(needs(read_again(tmp_path)).values()) == {ImportNeed.OPTIONAL}


def test_scripts_need_what_they_reach(tmp_path: Path) -> None:
    code = read(
        tmp_path,
        {
            "run.py": "from common.model import Model\nimport imp\nif __name__ == '__main__':\n    import argcomplete\n",
            "common/model.py": "import torch\nimport loss\n",
            "common/loss.py": "import scipy.misc\n",
            "other/convert.py": "import h5py\nimport run\n",
            "old.py": "import two\nprint 'two'\n",
        },
        packaged=False,
    )
    assert needs(code) == {
        "torch": ImportNeed.NEEDED,
        "scipy.misc": ImportNeed.NEEDED,
        "argcomplete": ImportNeed.NEEDED,
        "h5py": ImportNeed.BESIDE,
    }
    assert code.dated >= {"imp"}


def test_sources_in_a_folder_of_their_own(tmp_path: Path) -> None:
    code = read(
        tmp_path,
        {"src/shop/__init__.py": "import click\nimport shop.till\n", "docs/conf.py": "import sphinx\n"},
        packaged=True,
    )
    assert code.own == ("shop",)
    assert code.roots == ("src", ".")
    assert needs(code) == {"click": ImportNeed.NEEDED, "sphinx": ImportNeed.OPTIONAL}
