"""Bounds of everything that is computed from callers' values: the places are read from the contract and from the code."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.search.index.places import glob_pattern
from repoquarry.server.services.interceptors import find_oversized_field
from tests.unit.server.test_documented import METHODS

_ROOT = Path(__file__).resolve().parents[3] / "repoquarry"
_CONVERTED_BY_COUNT = {"repoquarry.v1.Value"}
"""Messages whose parts `parameters_from_proto` counts before it converts them."""

_SEARCHES = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
_OWN_PATTERNS = {
    "execution/provision/python/installer.py": "a pattern of the module around an escaped name",
    "execution/provision/python/install_plan.py": "a table of the package, and patterns of the repairs",
    "execution/provision/python/version_repairs.py": "a pattern of the module around an escaped name",
    "graphstore/query/cypher/rewrites/regex_match.py": "a translated pattern, after find_backtracking_risk has bounded it",
    "graphstore/query/cypher/syntax/tokenizer.py": "patterns of the module, over a bounded part of the query",
    "graphstore/query/sql/scalar_functions.py": "a pattern of a query, which the rule on backtracking has bounded",
    "code/constants.py": "escaped words of the request",
    "graphstore/search/index/places.py": "an escaped glob whose stars do not backtrack",
    "graphstore/search/text_scan.py": "the escaped text of the request",
    "agent/questions/answers.py": "the escaped name of the question",
    "agent/questions/code_answers.py": "the escaped name of the question",
    "code/text_receivers.py": "an escaped name of a call",
    "server/scip_export.py": "an escaped name of a definition",
    "languages/c/reading.py": "patterns of the module over the source",
    "languages/javascript/grammar.py": "patterns of the module around syntax that the grammar does not read",
    "languages/manifests/__init__.py": "patterns of the languages",
    "languages/source_text.py": "patterns of the languages' comments",
    "agent/model/provider_errors.py": "names of options of the module",
    "evaluation/gittaskbench_failures.py": "patterns of a table of the package",
    "agent/questions/intents.py": "patterns of the intents",
    "agent/questions/value_answers.py": "a pattern of the module around an escaped name",
    "ingest/files/ignore_rules.py": "translated globs, of a bounded file in the bounded worker, that do not backtrack",
    "agent/questions/relation_answers.py": "a pattern of the module around an escaped name",
    "processes/regex_search.py": "the bounded child for callers' expressions",
}
"""Modules that compile patterns other than literals, and why these come from no caller or are bounded."""


def _fields(kind: Descriptor, passed: tuple[str, ...] = ()) -> Iterator[tuple[FieldDescriptor, ...]]:
    """Every path to a field that can hold any amount of data."""
    for field in kind.fields:
        inner = field.message_type
        if field.is_repeated or field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
            yield (field,)
        if inner is None or inner.full_name in {*passed, *_CONVERTED_BY_COUNT} or inner.GetOptions().map_entry:
            continue
        for path in _fields(inner, (*passed, inner.full_name)):
            yield (field, *path)


_PATHS = [
    (
        f"{method.containing_service.name}.{method.name}: {'.'.join(field.name for field in path)}",
        method.input_type,
        path,
    )
    for method in METHODS
    for path in _fields(method.input_type)
]


def _fill(message: Message, path: tuple[FieldDescriptor, ...]) -> None:
    field, *rest = path
    if rest:
        inner = getattr(message, field.name)
        _fill(inner.add() if field.is_repeated else inner, tuple(rest))
        return
    is_text = field.type == FieldDescriptor.TYPE_STRING
    if not field.is_repeated:
        setattr(message, field.name, "x" * (2**24 + 1) if is_text else b"x" * (2**24 + 1))
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        for number in range(100_001):
            getattr(message, field.name)[str(number)].Clear()
    elif field.message_type is not None:
        for _ in range(100_001):
            getattr(message, field.name).add()
    else:
        getattr(message, field.name).extend(["x" if is_text else 1] * 100_001)


@pytest.mark.parametrize(("name", "kind", "path"), _PATHS, ids=[name for name, _, _ in _PATHS])
def test_every_field_of_every_request_has_a_bound(
    name: str, kind: Descriptor, path: tuple[FieldDescriptor, ...]
) -> None:
    message = GetMessageClass(kind)()
    _fill(message, path)
    found = find_oversized_field(message)
    assert found is not None
    assert found[0].endswith(path[-1].name)


def _computed_patterns(tree: ast.AST, in_function: bool = False) -> Iterator[ast.Call]:
    """Calls in functions that compile a pattern which is not written out; those of modules are constants."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("re" | "regex"), attr=name)) if name in _SEARCHES:
                pattern = node.args[0] if node.args else node.keywords[0].value
                if in_function and not isinstance(pattern, ast.Constant):
                    yield node
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _computed_patterns(node, in_function or is_function)


def test_no_other_module_compiles_patterns_that_callers_could_give() -> None:
    found = {
        file.relative_to(_ROOT).as_posix()
        for file in _ROOT.rglob("*.py")
        if any(_computed_patterns(ast.parse(file.read_text("utf-8"))))
    }
    assert found == set(_OWN_PATTERNS), "use processes.regex_search for callers' patterns"


def test_the_stars_of_a_glob_do_not_backtrack() -> None:
    assert glob_pattern("*e" * 60 + "z").fullmatch("e" * 400) is None
    assert glob_pattern("*a*b?/**/*.py").fullmatch("xaxbx/y/z/b.py")
    with pytest.raises(QueryRefusedError, match="path glob"):
        glob_pattern("**/a/**/b/**/c/**")
