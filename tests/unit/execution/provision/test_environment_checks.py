"""Checks of an environment: imports in a process of their own, and the tests that pytest of any version collects."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from repoquarry.execution.isolation.commands import CommandOutcome
from repoquarry.execution.provision.command_runner import CommandRunner
from repoquarry.execution.provision.python.code_imports import CodeImports, ExternalImport
from repoquarry.execution.provision.python.environment_checks import (
    START,
    CollectedTests,
    check_imports,
    collect_tests,
    read_collection,
    read_test_paths,
)
from tests.source_trees import write_tree


class _RecordingRunner:
    """Runs commands as they are, in a folder whose modules can be imported."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.asked: list[str] = []

    def run(self, command: Sequence[str], *_: Any) -> CommandOutcome:
        self.asked.append(Path(command[2]).read_text(encoding="utf-8"))
        environment = {"PYTHONPATH": str(self.workspace / "modules")}
        ended = subprocess.run(command, env=environment, capture_output=True, check=False)
        return CommandOutcome(ended.returncode, (ended.stdout + ended.stderr).decode(), 0.1)


def test_what_fails_in_company_alone_is_tried_alone(tmp_path: Path) -> None:
    modules = {
        "a_spoils.py": "import sys\nsys.spoilt = True\n",
        "b_shy.py": "import sys\nif hasattr(sys, 'spoilt'): raise RuntimeError('dictionary changed size during iteration')\n",
        "c_broken.py": "raise ValueError('always')\n",
        "d_lacks.py": "import absent_module\n",
    }
    write_tree(tmp_path / "modules", modules)
    runner = _RecordingRunner(tmp_path)
    code = CodeImports(tuple(ExternalImport(name[:-3], where="run.py") for name in modules), (), (".",), 1)
    tried = check_imports(cast("CommandRunner", runner), Path(sys.executable), code, (), ())
    assert [(one.module, one.error.partition(":")[0]) for one in tried] == [
        ("a_spoils", ""),
        ("b_shy", ""),
        ("c_broken", "ValueError"),
        ("d_lacks", "ModuleNotFoundError"),
    ]
    assert len(runner.asked) == 3, "together, and those alone that the others may have spoilt"


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


def test_pytest_configuration_wins_over_tox_and_absence_is_empty(tmp_path: Path) -> None:
    assert read_test_paths(write_tree(tmp_path, TREE)) == ()
    write_tree(
        tmp_path, {"tox.ini": "[testenv]\ncommands = pytest tests\n", "setup.cfg": "[tool:pytest]\ntestpaths = shop\n"}
    )
    assert read_test_paths(tmp_path) == ()
    write_tree(tmp_path, {"setup.cfg": "[tool:pytest]\n", "tox.ini": "not = a file of tox\n"})
    assert read_test_paths(tmp_path) == ()


SECTIONS = """
==================================== ERRORS ====================================
_____________________ ERROR collecting tests/test_cart.py ______________________
ImportError while importing test module '/w/shop/tests/test_cart.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.8/importlib/__init__.py:127: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
tests/test_cart.py:3: in <module>
    import nose
E   ModuleNotFoundError: No module named 'nose'
_______________ ERROR collecting tests/unit/test_old.py _______________
tests/unit/test_old.py:1: in <module>
    import old
E     File "/e/env/lib/python3.8/site-packages/old/core.py", line 143
E       print "%s" % 1
E                ^
E   SyntaxError: invalid syntax
=========================== short test summary info ============================
ERROR tests/test_cart.py
E   AssertionError: belongs to nobody
!!!!!!!!!!!!!!!!!!! Interrupted: 2 errors during collection !!!!!!!!!!!!!!!!!!!!
12 tests collected, 2 errors in 0.51s
"""


def test_each_file_that_fails_with_its_own_error() -> None:
    found = read_collection(SECTIONS, 2)
    assert found.tests == 12
    assert [(one.module, one.error) for one in found.failing] == [
        ("tests/test_cart.py", "ModuleNotFoundError: No module named 'nose'"),
        ("tests/unit/test_old.py", "SyntaxError: invalid syntax"),
    ]
    assert all(one.test and not one.own and not one.needed for one in found.failing)
    assert "old/core.py" in found.failing[1].trace
    assert "old/core.py" not in found.failing[0].trace


def test_a_configuration_that_asks_for_unknown_options() -> None:
    output = (
        "ERROR: usage: __main__.py [options] [file_or_dir]\n__main__.py: error: unrecognized arguments: --cov=shop -n4\n"
        "  inifile: /w/shop/setup.cfg\n  rootdir: /w/shop\n"
    )
    found = read_collection(output, 4)
    assert [one.module for one in found.failing] == [START]
    assert "unrecognized arguments: --cov=shop" in found.failing[0].error


def test_a_conftest_that_cannot_be_imported() -> None:
    output = (
        "ImportError while loading conftest '/w/tests/conftest.py'.\ntests/conftest.py:3: in <module>\n    import mock\n"
        "E   ModuleNotFoundError: No module named 'mock'\n"
    )
    (failing,) = read_collection(output, 4).failing
    assert failing.error == "ModuleNotFoundError: No module named 'mock'"


def test_pytest_that_fails_itself() -> None:
    output = "Traceback (most recent call last):\n  File \"x\", line 1, in <module>\n    import attr\nImportError: cannot import name 'attr'\n"
    (failing,) = read_collection(output, 1).failing
    assert (failing.module, failing.error) == (START, "ImportError: cannot import name 'attr'")


def test_a_repository_without_tests_and_one_with() -> None:
    assert read_collection("\nno tests ran in 0.01s\n", 5).failing == ()
    listed = read_collection(
        "tests/test_a.py::test_one\ntests/test_a.py::test_two[a b]\n\nno tests ran in 0.1 seconds\n", 0
    )
    assert (listed.tests, listed.failing) == (2, ())
    assert read_collection("tests/test_a.py: 4\ntests/my test_b.py: 12\n\n", 0).tests == 16


class _Listing:
    """Runs a pytest that finds tests under wider names alone."""

    def __init__(self, usual: str, wider: str) -> None:
        self._outputs = {False: usual, True: wider}

    def run(self, command: Sequence[str], *_: Any) -> CommandOutcome:
        output = self._outputs[any(word.startswith("python_files=") for word in command)]
        return CommandOutcome(0 if output else 5, output, 0.1)


def test_wider_names_are_looked_for_where_none_are_found(tmp_path: Path) -> None:
    def found(usual: str, wider: str) -> int:
        return collect_tests(cast("CommandRunner", _Listing(usual, wider)), tmp_path / "python", tmp_path, ()).tests

    assert found("", "site/tests/base_tests.py: 7\n") == 7
    assert found("tests/test_a.py: 2\n", "site/tests/base_tests.py: 7\n") == 2
    assert found("", "") == 0


class _Clashing:
    """Runs a pytest that takes files of the same name only one at a time."""

    def run(self, command: Sequence[str], *_: Any) -> CommandOutcome:
        if command[-1] == "b/test_x.py":
            return CommandOutcome(0, "b/test_x.py: 3\n", 0.1)
        sections = "".join(
            f"\n____ ERROR collecting {file} ____\n{said}\n"
            for file, said in (
                ("b/test_x.py", "import file mismatch:\nHINT: remove __pycache__"),
                ("c/test_y.py", "E   OSError: no"),
            )
        )
        return CommandOutcome(2, f"a/test_x.py: 2\n{sections}", 0.1)


def test_files_of_the_same_name_are_collected_one_by_one(tmp_path: Path) -> None:
    found = collect_tests(cast("CommandRunner", _Clashing()), tmp_path / "python", tmp_path, ())
    assert found.tests == 5
    assert [one.module for one in found.failing] == ["c/test_y.py"]


class _PytestRunner:
    """Runs pytest of this process's environment, without the plugins that are installed there."""

    def run(self, command: Sequence[str], access: Any, folder: Path, *_: Any) -> CommandOutcome:
        environment = {**os.environ, **access.variables, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ended = subprocess.run([*command, "-p", "quick"], cwd=folder, env=environment, capture_output=True, check=False)
        return CommandOutcome(ended.returncode, (ended.stdout + ended.stderr).decode(), 0.1)


def _collected_here(folder: Path, files: Mapping[str, str]) -> CollectedTests:
    return collect_tests(cast("CommandRunner", _PytestRunner()), Path(sys.executable), write_tree(folder, files), ())


def test_a_file_that_waits_for_ever_is_given_up_and_the_others_are_collected(tmp_path: Path) -> None:
    files = {
        "quick.py": "import repoquarry_collection\nrepoquarry_collection.SECONDS = 3\n",
        "test_a.py": "import threading\nthreading.Event().wait()\n",
        "test_b.py": "def test_one(): pass\ndef test_two(): pass\n",
    }
    found = _collected_here(tmp_path, files)
    assert [one.module for one in found.failing] == ["test_a.py"]
    assert found.failing[0].error.startswith("TimeoutError: collecting it did not end within")
    assert found.tests == 2


def test_a_file_that_catches_its_own_end_is_left_out_of_the_next_try(tmp_path: Path) -> None:
    files = {
        "quick.py": "import repoquarry_collection\nrepoquarry_collection.SECONDS = 3\n",
        "test_a.py": "import threading\nwhile True:\n    try: threading.Event().wait()\n    except BaseException: pass\n",
        "test_b.py": "def test_one(): pass\n",
        "script.py": "raise OSError('no test')\n",
        "tox.ini": "[testenv]\ncommands = pytest --doctest-modules {posargs:test_a.py test_b.py}\n[pytest]\naddopts = --doctest-modules\n",
    }
    found = _collected_here(tmp_path, files)
    assert [one.module for one in found.failing] == ["test_a.py"]
    assert "cannot be collected in time" in found.failing[0].error
    assert found.tests == 1
