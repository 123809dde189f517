"""Nothing that a user may meet is undocumented: options, settings, methods, fields, events and error reasons."""

import ast
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import pytest
import typer
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

import repoquarry.v1
from repoquarry.agent.task import EventKind
from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.program import program
from repoquarry.server.errors import REASONS
from repoquarry.server.settings.sections import setting_fields
from repoquarry.v1 import task_service_pb2

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import service_pages  # noqa: E402 - a script, not a package
from generate_docs import PAGES  # noqa: E402

SERVICE_FILES = tuple(
    importlib.import_module(f"repoquarry.v1.{module.name}")
    for module in pkgutil.iter_modules(repoquarry.v1.__path__)
    if module.name.endswith("_service_pb2")
)
METHODS: tuple[MethodDescriptor, ...] = tuple(
    method
    for file in SERVICE_FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
)
"""Every method of the contract."""


def page(name: str) -> str:
    return (ROOT / "docs/reference" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES)
def test_the_generated_page_is_current(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == PAGES[path](), "run `make generate`"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented_and_says_what_it_does(name: str) -> None:
    section = page("cli.md").split(f"\n## repoquarry {name}\n")[1].split("\n## ")[0]
    for parameter in typer.main.get_command(program(name)).params:
        assert getattr(parameter, "help", ""), f"{name}: {parameter.name} has no help"
        shown = parameter.opts[0] if parameter.param_type_name == "option" else str(parameter.name).upper()
        assert f"`{shown}`" in section or f"`{shown}`," in section


def test_every_setting_is_documented_with_what_0_means() -> None:
    text = page("settings.md")
    for item in setting_fields():
        meaning = service_pages.field_docs(item.owner)[item.name]
        assert f"`{item.key}`" in text
        assert f"`{item.variable}`" in text
        if item.kind in (int, float) and not isinstance(item.default, bool):
            says = re.search(r"\b0\b|at least|one of", meaning, re.IGNORECASE)
            assert says, f"{item.key} does not say what 0 means: {meaning}"


def test_every_method_and_field_is_documented() -> None:
    text = page("rpc.md")
    for method in METHODS:
        assert f"| `{method.name}` | `{method.input_type.name}` |" in text
    for module in SERVICE_FILES:
        for message in module.DESCRIPTOR.message_types_by_name.values():
            section = text.split(f"\n#### {message.name}\n")[1].split("\n#### ")[0]
            for field in message.fields:
                assert f"| `{field.name}` |" in section


def test_every_reason_is_documented() -> None:
    text = page("errors.md")
    for reason in (*REASONS, *(word.upper() for word in service_pages.refusal_reasons())):
        assert f"`{reason}`" in text


def test_every_reason_that_the_server_gives_is_in_the_table() -> None:
    given = set()
    for path in (ROOT / "repoquarry" / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "request_error",
                "ServerFailure",
                "_plain",
            ):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    given.add(first.value)
    assert len(given) > 15
    assert given <= REASONS.keys()


@pytest.mark.parametrize("kind", EventKind)
def test_every_event_of_the_agent_has_its_message(kind: EventKind) -> None:
    field: FieldDescriptor = task_service_pb2.TaskEvent.DESCRIPTOR.fields_by_name[kind.value]
    assert field.message_type is not None
