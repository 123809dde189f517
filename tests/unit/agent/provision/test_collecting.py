"""What pytest of any version prints when it collects becomes imports that failed."""

from __future__ import annotations

from repoquarry.agent.provision.collecting import START, read_collection

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
