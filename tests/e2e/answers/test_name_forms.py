"""Every entry point that takes a name, derived from the contract, the tables of tools and of commands, with every form of a name.

The page has no entry point of its own: its routes end in these calls.
"""

import functools
import importlib
import inspect
import json
import pkgutil
import re
import typing
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf.message import Message

import repoquarry.v1
from repoquarry.client.errors import RequestError
from repoquarry.server.cli.commands import COMMANDS, load
from repoquarry.v1 import code_service_pb2, view_service_pb2
from repoquarry.v1.tool_service_pb2 import CallToolRequest, ListToolsRequest
from tests.e2e.service import Service, run_here

_ID = "web:web/context.py::Context.json"
_FITTING = {
    "exact": _ID,
    "qualified": "Context.json",
    "module and name": "web.context.Context.json",
    "path": "web/context.py::Context.json",
    "end of a path": "context.py::Context.json",
    "line": "web/context.py:4",
    "another case": "context.JSON",
    "other separator": "Context#json",
}
_MISSPELLED, _AMBIGUOUS = "Context.jsno", "close"
_CALLS: dict[str, int] = {
    "kind": code_service_pb2.RELATION_KIND_CALLS,
    "direction": code_service_pb2.DIRECTION_INCOMING,
}
_FIELDS: dict[str, dict[str, int]] = {
    "ListRelations": _CALLS,
    "ListHops": {"direction": code_service_pb2.DIRECTION_INCOMING},
}
"""Fields besides names without which a method has nothing to do."""
_OTHER_NAME = "web/start.py::start"
_NAME_HELP = re.compile(r"\b[Nn]ames?\b|SYMBOL")
_NO_CODE = re.compile(
    r"owner/name|names? of (?:(?:a|the) (?:batch|task|cached environment)|rules)|\$NAME|print (?:their|its) names?",
    re.I,
)

_RPC_FIELDS = (
    *(
        "AnalyzeImpact.symbols",
        "Explore.target",
        "FindDuplicates.symbol",
        "FindPaths.from_symbol",
        "FindPaths.to_symbol",
    ),
    *("GetSymbol.symbol", "ListHops.symbol", "ListOwners.symbol", "ListRelations.symbol", "ResolveName.symbol"),
)
_TOOL_FIELDS = ("duplicates.target", "explore.target", "impact.target", "paths.end", "paths.start", "view.target")
_COMMAND_FIELDS = (
    "ask.text",
    "duplicates.of",
    "explore.target",
    "export.around",
    "impact.symbol",
    "show.name",
    "ui.target",
)
_ENTRY_POINTS = (
    *_RPC_FIELDS,
    *(f"tool {name}" for name in (*_TOOL_FIELDS, "relations.target")),
    *(f"command {name}" for name in _COMMAND_FIELDS),
)

Call = Callable[[str], str]
"""Asks for a name and returns what was answered, as text. Raises: _NameError."""


class _NameError(Exception):
    """A name that was refused."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(f"{reason}: {text}")
        self.reason, self.text = reason, text


def _list_methods() -> list[tuple[str, str, str]]:
    """List (names_service, method, field) of every field of a request that is a name in code."""
    modules = [one.name for one in pkgutil.iter_modules(repoquarry.v1.__path__) if one.name.endswith("_service_pb2")]
    found = []
    for module in modules:
        for service in importlib.import_module(f"repoquarry.v1.{module}").DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                names = [field.name for field in method.input_type.fields]
                fields = [name for name in names if re.fullmatch(r"target|symbols?|\w+_symbols?", name)]
                found += [(service.name, method.name, name) for name in fields]
    return found


def _list_parameters() -> list[tuple[str, str]]:
    """List (command, parameter) of every argument and option that is a name in code."""
    found = []
    for command in COMMANDS:
        for name, parameter in inspect.signature(inspect.unwrap(load(command))).parameters.items():
            text = f"{getattr(parameter.default, 'help', '')} {getattr(parameter.default, 'metavar', '')}"
            if "str" in str(parameter.annotation) and _NAME_HELP.search(text) and not _NO_CODE.search(text):
                found.append((command, name))
    return found


_METHODS, _PARAMETERS = _list_methods(), _list_parameters()


def _call_method(names_service: Service, service_name: str, method: str, field: str, name: str) -> str:
    """Ask a method, with a valid name in every other field that takes one."""
    module = {"CodeService": code_service_pb2, "ViewService": view_service_pb2}[service_name]
    request: Message = getattr(module, f"{method}Request")(**_FIELDS.get(method, {}))
    values = {other: _OTHER_NAME for _, one, other in _METHODS if one == method} | {field: name}
    for key, value in values.items():
        is_list = isinstance(getattr(request, key), typing.Sequence) and not isinstance(getattr(request, key), str)
        setattr(request, key, value) if not is_list else getattr(request, key).append(value)
    if "repository" in request.DESCRIPTOR.fields_by_name:
        setattr(request, "repository", "repositories/web")  # noqa: B010 - the type of the request is not known here
    client = names_service.client()
    stub = client.code if service_name == "CodeService" else client.views
    try:
        answer = getattr(stub, re.sub(r"(?<!^)(?=[A-Z])", "_", method).lower())(request)
    except RequestError as error:
        raise _NameError(error.failure.reason, f"{error.failure.message} {error.failure.metadata}") from error
    if candidates := list(getattr(answer, "candidates", ())):
        raise _NameError("SYMBOL_AMBIGUOUS", str(candidates))
    if getattr(answer, "text", "").startswith("Not in the index"):
        raise _NameError("SYMBOL_NOT_FOUND", str(list(answer.nearest)))
    meanings = [one.entity.id for one in getattr(answer, "meanings", ())]
    if len(meanings) > 1:
        raise _NameError("SYMBOL_AMBIGUOUS", str(meanings))
    return str(answer)


def _call_tool(names_service: Service, tool: str, field: str, name: str) -> str:
    arguments = {field: name} | {"start": {"end": _OTHER_NAME}, "end": {"start": _OTHER_NAME}}.get(field, {})
    if tool == "relations":
        arguments["kind"] = "callers"
    request = CallToolRequest(tool=tool, arguments=json.dumps(arguments), repositories=["repositories/web"])
    try:
        return _read_text(names_service.client().tools.call_tool(request).text)
    except RequestError as error:
        return _read_text(error.failure.message)


def _read_text(text: str) -> str:
    """Return an answer for people; raise the error that it reports."""
    if re.search(r"fits \d+ definitions|is ambiguous|`close` is defined in 2 places", text):
        raise _NameError("SYMBOL_AMBIGUOUS", text)
    if re.search(r"[Nn]othing is called", text):
        raise _NameError("SYMBOL_NOT_FOUND", text)
    return text


def _call_command(names_store: Path, command: str, parameter: str, name: str) -> str:
    file = names_store.parent / "shown.html"
    arguments = {
        ("impact", "symbol"): ["web", "--symbol", name],
        ("duplicates", "of"): ["web", "--of", name],
        ("export", "around"): ["web", "--format", "dot", "--around", name],
        ("ui", "target"): [name, "-r", "web", "--export", str(file)],
        ("ask", "text"): [f"where is `{name}` defined?", "-r", "web"],
    }.get((command, parameter), [name, "-r", "web"])
    done = run_here(names_store, command, *arguments)
    if done.returncode:
        reason = {10: "SYMBOL_AMBIGUOUS", 3: "SYMBOL_NOT_FOUND"}.get(done.returncode, str(done.returncode))
        raise _NameError(reason, done.stdout + done.stderr)
    return _read_text(done.stdout) + (file.read_text() if command == "ui" else "")


@pytest.fixture(scope="module")
def entry_points(names_store: Path, names_service: Service) -> dict[str, Call]:
    found: dict[str, Call] = {}
    for service_name, method, field in _METHODS:
        found[f"{method}.{field}"] = functools.partial(_call_method, names_service, service_name, method, field)
    for tool in names_service.client().tools.list_tools(ListToolsRequest()).tools:
        for field, schema in json.loads(tool.arguments_schema).get("properties", {}).items():
            if re.search(r"\bname, path\b|as in `view`|in the same forms", schema.get("description", "")):
                found[f"tool {tool.name}.{field}"] = functools.partial(_call_tool, names_service, tool.name, field)
    for command, parameter in [*_PARAMETERS, ("ask", "text")]:
        found[f"command {command}.{parameter}"] = functools.partial(_call_command, names_store, command, parameter)
    return found


def test_entry_points_are_those_of_the_product(entry_points: dict[str, Call]) -> None:
    """A new entry point has to be looked at once: whether it finds names as the others do."""
    assert sorted(entry_points) == sorted(_ENTRY_POINTS)


def _collect(entry_points: dict[str, Call], name: str) -> dict[str, str | _NameError]:
    found: dict[str, str | _NameError] = {}
    for title, call in entry_points.items():
        try:
            found[title] = call(name)
        except _NameError as error:
            found[title] = error
    return found


@pytest.mark.parametrize("form", _FITTING)
def test_every_form_finds_the_definition_and_no_other(entry_points: dict[str, Call], form: str) -> None:
    wrong = {}
    for title, answer in _collect(entry_points, _FITTING[form]).items():
        shown = str(answer)
        is_found = not isinstance(answer, _NameError) and ("Context.json" in shown or "web/context.py:2" in shown)
        if not is_found or re.search(r"\b(?:Answer|Stream)\.(?:json|close)", shown):
            wrong[title] = shown[:300]
    assert not wrong, json.dumps(wrong, indent=1)


def test_a_misspelled_name_is_refused_with_the_nearest_names(entry_points: dict[str, Call]) -> None:
    wrong = {}
    for title, answer in _collect(entry_points, _MISSPELLED).items():
        if not isinstance(answer, _NameError) or "NOT_FOUND" not in answer.reason or "Context.json" not in answer.text:
            wrong[title] = str(answer)[:300]
    assert not wrong, json.dumps(wrong, indent=1)


def test_an_ambiguous_name_is_answered_with_its_candidates(entry_points: dict[str, Call]) -> None:
    wrong = {}
    for title, answer in _collect(entry_points, _AMBIGUOUS).items():
        named = {one for one in ("Answer.close", "Stream.close") if one in str(answer)}
        if not isinstance(answer, _NameError) or answer.reason != "SYMBOL_AMBIGUOUS" or len(named) < 2:
            wrong[title] = str(answer)[:300]
    assert not wrong, json.dumps(wrong, indent=1)


def test_a_name_that_looks_like_a_missing_file_is_not_found(entry_points: dict[str, Call]) -> None:
    wrong = {}
    for title, answer in _collect(entry_points, "web/settings.json").items():
        if not isinstance(answer, _NameError) or "NOT_FOUND" not in answer.reason:
            wrong[title] = str(answer)[:300]
    assert not wrong, json.dumps(wrong, indent=1)
