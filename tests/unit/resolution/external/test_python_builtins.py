"""Built-ins are those of all supported versions of Python, whichever runs the indexer."""

import builtins
import types

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.python import extract
from repoquarry.languages.python.family import attributes_of, is_builtin, is_type

SOURCE = b"""
def finish(error):
    if isinstance(error, PythonFinalizationError):
        raise PythonFinalizationError("late")
    float.from_number(1).is_integer()
    breakpoint()
    frobnicate(error)
"""


def test_the_graph_does_not_depend_on_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = extract("a.py", SOURCE)
    before = resolve([facts])
    monkeypatch.delattr(builtins, "breakpoint")
    monkeypatch.setattr(builtins, "frobnicate", len, raising=False)
    monkeypatch.setattr(builtins, "PythonFinalizationError", None, raising=False)
    assert resolve([facts]) == before
    assert {"builtins.PythonFinalizationError", "builtins.breakpoint"} <= set(before.externals)
    assert [call.name for call in before.unresolved if call.reason == "unknown name"] == ["frobnicate"]


def test_the_table_holds_all_that_this_interpreter_has() -> None:
    for name, value in vars(builtins).items():
        if name.startswith("_"):
            continue
        assert is_builtin(name), f"{name}: run scripts/generate_builtins.py with an interpreter of this version"
        assert is_type(name) == isinstance(value, type), name
        if isinstance(value, type):
            assert set(dir(value)) <= attributes_of(name) | set(dir(type)), name
    assert set(dir(types.GeneratorType)) <= attributes_of("generator")


def test_what_a_type_may_have() -> None:
    assert "removeprefix" in attributes_of("str")
    assert "bit_count" in attributes_of("bool")  # inherited
    assert "append" not in attributes_of("str")
    assert not attributes_of("ndarray")
    assert not is_builtin("reveal_type")


def test_members_of_outside_types_are_claimed_only_if_they_are_known() -> None:
    text = """import celery, flask, json
'a'.removeprefix('b')
'a'.append(1)
json.JSONDecoder().decode('')
flask.Flask('a').route('/')
celery.Array().anything()
class Book:
    publisher = celery.Field()
    def label(self, given: celery.Given, other=celery.Default()):
        self.publisher.shout()
        given.work()
        other.work()
"""
    resolution = resolve([extract("a.py", text.encode())])
    known = {"builtins.str.removeprefix", "json.JSONDecoder.decode", "flask.Flask.route"}
    assert known <= set(resolution.externals)
    invented = {"append", "anything", "shout", "work"}
    assert not invented & {name.rpartition(".")[2] for name in resolution.externals}
    assert invented <= {site.name for site in resolution.unresolved}


def test_calls_of_what_outside_decorators_return_are_not_unresolved() -> None:
    resolution = resolve([extract("a.py", b"import orm\n@orm.listens('x')\ndef handle(): pass\norm.make()()\n")])
    assert "orm.listens" in resolution.externals
    assert [site.lines for site in resolution.unresolved] == [(4,)]
