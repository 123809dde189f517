"""Where a repository says that its tests lie."""

from pathlib import Path

import pytest

from repoquarry.execution.provision.python.environment_checks import read_test_paths
from tests.source_trees import write_tree

TREE = {"shop/__init__.py": "", "tests/test_a.py": "", "extras/server.py": "", "setup.py": ""}


@pytest.mark.parametrize(
    ("commands", "places"),
    [
        ("py.test --cov=shop --cov-report= {posargs:shop tests}", ("shop", "tests")),
        ("python -m pytest -v --cov shop -k 'not slow' {toxinidir}/tests []", ("tests",)),
        ("coverage run -m pytest {posargs}\n    coverage report", ()),
        ("pytest --junitxml out.xml tests/test_a.py::test_one tests\n    pytest shop {posargs: -x}", ("tests/test_a.py::test_one", "tests", "shop")),
        ("pytest \\\n      -rs \\\n      tests", ("tests",)),
        ("pytest {envsitepackagesdir}/shop", ()),
        ("pytest gone tests", ()),
        ("pytest ../outside", ()),
        ("nosetests shop\n    pip install pytest", ()),
    ],
)  # fmt: skip
def test_the_arguments_of_pytest_in_tox(tmp_path: Path, commands: str, places: tuple[str, ...]) -> None:
    write_tree(tmp_path, {"outside": ""})
    tree = write_tree(tmp_path / "tree", {**TREE, "tox.ini": f"[testenv]\ncommands =\n    {commands}\n"})
    assert read_test_paths(tree) == places


def test_the_configuration_of_pytest_comes_first_and_nothing_is_nothing(tmp_path: Path) -> None:
    assert read_test_paths(write_tree(tmp_path, TREE)) == ()
    write_tree(
        tmp_path, {"tox.ini": "[testenv]\ncommands = pytest tests\n", "setup.cfg": "[tool:pytest]\ntestpaths = shop\n"}
    )
    assert read_test_paths(tmp_path) == ()
    write_tree(tmp_path, {"setup.cfg": "[tool:pytest]\n", "tox.ini": "not = a file of tox\n"})
    assert read_test_paths(tmp_path) == ()
