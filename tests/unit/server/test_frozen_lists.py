"""Names that users and their programs rely on, compared with the files in `frozen`.

Error reasons, the graph's schema and the meaning of every option, setting and method are frozen by the generated pages of docs.
"""

import enum
import json
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import UnionType

import pytest
import typer
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from proto_descriptors import descriptors
from starlette.testclient import TestClient

from repoquarry.agent.tools.base import TOOLS, load_tool
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.ingest.run_monitor import STAGES
from repoquarry.server.application.context import ApplicationContext
from repoquarry.server.cli.commands import COMMANDS
from repoquarry.server.cli.program import program
from repoquarry.server.jobs.database import KINDS, STATES
from repoquarry.server.settings.sections import METHODS, Settings, TokenScope, setting_fields
from repoquarry.server.telemetry import Metrics
from tests.golden import GoldenFiles

FROZEN = Path(__file__).parent / "frozen"


def _type(kind: typing.Any) -> str:
    arguments = typing.get_args(kind)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return "|".join(str(member.value) for member in kind)
    if not arguments:
        return str(getattr(kind, "__name__", kind))
    if typing.get_origin(kind) in (typing.Union, UnionType):
        return " or ".join(map(_type, arguments))
    return f"{typing.get_origin(kind).__name__}[{', '.join(map(_type, arguments))}]"


def settings() -> Iterator[str]:
    """Key, environment variable, type and default of every setting."""
    for item in setting_fields():
        default = "" if item.key == "store.folder" else f" = {item.default!r}"  # the data folder of the user
        yield f"{item.key} {item.variable}: {_type(item.kind)}{default}"


def options() -> Iterator[str]:
    """Names, type and default of every argument and option of the command line."""
    for name in COMMANDS:
        yield f"\n{name}"
        app = program(name)
        callback = app.registered_commands[0].callback
        assert callback is not None
        types = typing.get_type_hints(callback)
        for param in typer.main.get_command(app).params:
            default = "required" if param.required else repr(getattr(param.default, "value", param.default))
            names = " ".join([*param.opts, *param.secondary_opts])
            yield f"  {names}: {_type(types[param.name])} = {default}"


def contract() -> Iterator[str]:
    """Methods with the scope that each demands, and numbers and types of all fields and enum values."""
    for file in sorted(descriptors().file, key=lambda file: file.name):
        yield f"\n{file.name}"
        for service in file.service:
            for method in service.method:
                path = f"/{file.package}.{service.name}/{method.name}"
                sides = (method.client_streaming, method.input_type), (method.server_streaming, method.output_type)
                shown = " -> ".join(f"{'stream ' * stream}{name}" for stream, name in sides)
                yield f"method {path} {shown} scope {METHODS.get(path, TokenScope.ADMIN)}"
        for kind in file.enum_type:
            yield from _enum(kind, "")
        for message in file.message_type:
            yield from _message(message, "")


def _message(message: DescriptorProto, outer: str) -> Iterator[str]:
    name = f"{outer}{message.name}"
    reserved = (*message.reserved_name, *(f"{numbers.start}-{numbers.end - 1}" for numbers in message.reserved_range))
    yield f"message {name}{' reserved ' * bool(reserved)}{', '.join(reserved)}"
    for field in message.field:
        label = "repeated " * (field.label == FieldDescriptorProto.LABEL_REPEATED)
        label += "optional " * field.proto3_optional
        kind = field.type_name or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
        in_group = field.HasField("oneof_index") and not field.proto3_optional
        group = f" in {message.oneof_decl[field.oneof_index].name}" if in_group else ""
        yield f"  {field.number} {field.name}: {label}{kind}{group}"
    for inner in message.enum_type:
        yield from _enum(inner, f"{name}.")
    for nested in message.nested_type:
        yield from _message(nested, f"{name}.")


def _enum(kind: EnumDescriptorProto, outer: str) -> Iterator[str]:
    yield f"enum {outer}{kind.name}"
    yield from (f"  {value.number} {value.name}" for value in kind.value)


def events() -> Iterator[str]:
    """Kinds and states of work, and stages of indexing. Events of tasks are in the contract."""
    yield f"kinds of work: {', '.join(KINDS)}"
    yield f"states of work: {', '.join(STATES)}"
    yield f"stages of indexing: {', '.join(STAGES)}"


def tools() -> Iterator[str]:
    """Effect and arguments of every tool of the agent and of MCP, as JSON Schema without descriptions."""
    for name in TOOLS:
        tool = load_tool(name)
        schema: dict[str, typing.Any] = {**tool.schema()}
        yield f"\n{tool.name} {tool.effect.name.lower()}{' of a task' * tool.of_task}"
        for argument, kind in schema.pop("properties").items():
            kind.pop("description")
            yield f"  {argument}: {json.dumps(kind)}"
        yield f"  {json.dumps(schema)}"


LISTS = (settings, options, contract, events, tools)


@pytest.mark.parametrize("entries", LISTS, ids=lambda entries: entries.__name__)
def test_list_equals_the_frozen_file(entries: typing.Callable[[], Iterable[str]], golden_files: GoldenFiles) -> None:
    golden_files.check(FROZEN / f"{entries.__name__}.txt", "\n".join(entries()).lstrip("\n") + "\n")


def test_metrics_equal_the_frozen_file(tmp_path: Path, golden_files: GoldenFiles) -> None:
    """Names, types and labels as a scrape reports them; label values and buckets where they come from tables of the code."""
    host = ApplicationContext(Settings(store=StoreSettings(tmp_path / "store")), writable=True)
    metrics = Metrics()
    metrics.watch(host)
    metrics.call("service", "method", {})("OK")
    metrics.work("kind")("SUCCEEDED")
    try:
        answer = TestClient(metrics.application()).get("/metrics")
        families = list(text_string_to_metric_families(answer.text))
    finally:
        host.close()
    own = {
        one.name: one for one in families if one.name.startswith("repoquarry_") and not one.name.endswith("_created")
    }
    lines = [line for name in sorted(own) for line in (f"{name} {own[name].type}", *map(_sample, own[name].samples))]
    golden_files.check(FROZEN / "metrics.txt", "\n".join(lines) + "\n")


def _sample(sample: Sample) -> str:
    labels = ", ".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
    return f"  {sample.name} {labels}".rstrip()
