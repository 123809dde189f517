"""The numbers that the query `statistics` sums, each definition at its corners."""

import pytest

from repoquarry.ingest.graph.outline import count_module_statistics
from repoquarry.languages.python import extract


def counts(source: str) -> dict[str, int]:
    return dict(count_module_statistics(extract("m.py", source.encode())))


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        ("f()", 0),
        ("def f(): g(); a.b(); h()()", 3),
        ("def f():\n    def g(): h()\n    g()", 3),
        ("async def f(): g()", 0),
        ("async def f():\n    def g(): h()", 1),
        ("@deco(1)\ndef f(x=d()): pass", 2),
        ("def f(x: Param(str, make())) -> Out(): pass", 3),
        ("def f(x: 'Param(str)'): pass", 0),
        ("def f(x):\n    y: Union(str, int) = g()", 2),
        ("def f(x): return (int)(x)", 1),
        ("def f(x):\n    d[g()] += 1", 1),
        ("def f(x):\n    return x if isinstance(x, (int, type(None))) else str(x)", 3),
        ("def f(x):\n    type(x).name = make(x)", 2),
    ],
)
def test_calls_are_those_inside_functions(source: str, calls: int) -> None:
    assert counts(source + "\n")["call_count"] == calls


def test_one_name_counts_once_and_its_calls_are_of_the_deepest_then_last() -> None:
    last = "def f(): a()\ndef f(): a(); b()\n"
    deepest = "def g():\n    def f(): a(); b(); c()\ndef f(): a()\n"
    assert (counts(last)["function_count"], counts(last)["call_count"]) == (1, 2)
    assert (counts(deepest)["function_count"], counts(deepest)["call_count"]) == (2, 6)


def test_methods_differ_by_class_and_classes_by_name() -> None:
    found = counts(
        "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\n    class A: pass\ndef m(): pass\n"
    )
    assert (found["class_count"], found["function_count"]) == (2, 3)


def test_imports_are_names_directly_at_module_level() -> None:
    found = counts("import a, b.c\nfrom d import e, f\nfrom g import *\nif x:\n    import h\ndef k():\n    import i\n")
    assert found["import_count"] == 5


def test_an_assignment_to_type_of_something_parses_and_a_path_does_not() -> None:
    assert not extract("m.py", b"type(x).name = 1\n").parse_errors
    assert extract("m.py", b"../../shared/prepare.py\n").parse_errors
