"""Requirements in manifests, read without running them."""

from pathlib import Path

import pytest

from repoquarry.languages.manifests.python_repository import read_manifests
from repoquarry.languages.manifests.python_requirements import Certainty, specifier_of


def wanted(root: Path, files: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Package -> its requirement and group."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return {item.name: (item.text, item.group) for item in read_manifests(root).wanted}


def test_requirement_files(tmp_path: Path) -> None:
    found = wanted(
        tmp_path,
        {
            "requirements.txt": "-r base.txt\nrequests >= 2 ; python_version > '3'  # why\n-e git+https://host/x/Tool.git#egg=tool\n"
            "torch==1.0 \\\n  --hash=sha256:00\nhttps://host/a/thing-1.0.tar.gz\n"
            "https://host/own/site/archive/refs/heads/main.tar.gz\nhttps://host/main.zip\n--index-url https://host\n./local\n",
            "base.txt": "numpy==1.19.*\n",
            "requirements-dev.txt": "pytest\n",
        },
    )
    assert found == {
        "requests": ('requests>=2; python_version > "3"', ""),
        "tool": ("tool", ""),
        "torch": ("torch==1.0", ""),
        "thing": ("thing", ""),
        "site": ("site", ""),
        "numpy": ("numpy==1.19.*", ""),
        "pytest": ("pytest", "tests"),
    }


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


def test_poetry_and_its_lock(tmp_path: Path) -> None:
    found = wanted(
        tmp_path,
        {
            "pyproject.toml": """
[tool.poetry]
name = "shop"
[tool.poetry.dependencies]
python = "^3.8"
click = "^8.1.2"
flask = {version = "~2.0", extras = ["async"], optional = false}
old = {version = "*", optional = true}
[tool.poetry.group.dev.dependencies]
pytest = "*"
""",
            "poetry.lock": '[[package]]\nname = "Click"\nversion = "8.1.3"\n',
        },
    )
    assert found == {
        "click": ("click<9,>=8.1.2", ""),
        "flask": ("flask[async]<2.1,>=2.0", ""),
        "pytest": ("pytest", "tests"),
    }
    assert read_manifests(tmp_path).locked == (("click", "8.1.3"),)


def test_conda_says_it_by_other_names(tmp_path: Path) -> None:
    found = wanted(
        tmp_path,
        {
            "environment.yml": "dependencies:\n  - python=3.7.6\n  - pip\n  - cudatoolkit=10\n  - conda-forge::pytorch==1.4.0\n  - matplotlib=3.1\n"
            "  - pip:\n    - opencv-python==4.2.0.32\n"
        },
    )
    assert found == {
        "torch": ("torch==1.4.0", ""),
        "matplotlib": ("matplotlib==3.1.*", ""),
        "opencv-python": ("opencv-python==4.2.0.32", ""),
    }
    manifests = read_manifests(tmp_path)
    assert manifests.python[0].certainty is Certainty.CHOSEN


def test_weaker_manifests_stand_back(tmp_path: Path) -> None:
    found = wanted(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["click"]\n',
            "environment.yml": "dependencies:\n  - numpy=1.0\n",
            "requirements-docs.txt": "sphinx\n",
        },
    )
    assert found == {"click": ("click", "")}


def test_hints(tmp_path: Path) -> None:
    wanted(
        tmp_path,
        {
            "Dockerfile": "FROM python:3.8-slim\nRUN true\n",
            ".travis.yml": "language: python\npython:\n  - '2.7'\n  - '3.6'\n",
            ".github/workflows/ci.yml": "matrix:\n  python-version: ['3.9', '3.10']\n",
            ".python-version": "3.9.1\n",
        },
    )
    manifests = read_manifests(tmp_path)
    named = {(one.specifier, one.certainty) for one in manifests.python}
    hints = {(f"=={version}.*", Certainty.HINT) for version in ("3.8", "2.7", "3.6", "3.9", "3.10")}
    assert named == hints | {("==3.9.*", Certainty.CHOSEN)}


def test_what_cannot_be_read_is_noted(tmp_path: Path) -> None:
    wanted(
        tmp_path, {"pyproject.toml": "[project", "setup.py": "print 'two'", "environment.yml": "a: [", "setup.cfg": "x"}
    )
    notes = read_manifests(tmp_path).notes
    assert len(notes) == 4, notes


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


def test_tox_says_what_tests_need(tmp_path: Path) -> None:
    tox = (
        "[tox]\nenvlist = py36,py37-django{1,2},lint\n[testenv]\ndeps =\n    pytest>=3  # newer\n    -rtest-requirements.txt\n"
        "    py27: mock\n    !lint: freezegun\n    {[base]deps}\n    django1: Django<2\n[testenv:docs]\ndeps = sphinx\n"
    )
    setup = "from setuptools import setup\nsetup(name='shop', install_requires=['flask'])\n"
    found = wanted(tmp_path, {"tox.ini": tox, "setup.py": setup})
    assert {name: group for name, (_, group) in found.items()} == {"flask": "", "pytest": "tests", "freezegun": "tests"}


def test_requirement_files_for_python_3_stand_in_place_of_those_for_python_2(tmp_path: Path) -> None:
    found = wanted(
        tmp_path,
        {
            "requirements.txt": "twisted>=13\n",
            "requirements-py3.txt": "twisted>=17.9\n",
            "tests/requirements.txt": "mitmproxy==0.10.1\n",
            "tests/requirements-py3.txt": "pytest==3.1\n",
            "requirements_py27.txt": "enum34\n",
            "dev-requirements.txt": "tox\n",
            "dev-requirements-python3.txt": "-r dev-requirements.txt\n",
        },
    )
    assert found == {"twisted": ("twisted>=17.9", ""), "pytest": ("pytest==3.1", "tests"), "tox": ("tox", "tests")}
