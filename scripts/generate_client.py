"""Generator of the Python client: services from the contract, and the blocking client from the asynchronous one.

    python scripts/generate_client.py            write repoquarry/client/_async/services.py and repoquarry/client/_sync/
    python scripts/generate_client.py --check    exit 1 and list the files that differ

Every method of the contract becomes a method whose docstring is the comment in its `.proto` file. The blocking client is the asynchronous
one without `async` and `await`, token by token, so that both stay equal.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from proto_descriptors import (  # noqa: E402 - after the path is set
    format_source,
    leading_comments,
    module_name,
    report_stale_files,
    service_files,
    short_name,
    snake_case,
)

CLIENT = ROOT / "repoquarry" / "client"
SERVICES = CLIENT / "_async" / "services.py"
WORDS: Mapping[str, str] = {
    "asyncio": "time",
    "AsyncIterator": "Iterator",
    "AsyncCodeClient": "CodeClient",
    "AsyncIndexClient": "IndexClient",
    "AsyncBatchClient": "BatchClient",
    "AsyncChannel": "Channel",
    "AsyncEnvironmentClient": "EnvironmentClient",
    "AsyncQueryClient": "QueryClient",
    "AsyncRepositoryClient": "RepositoryClient",
    "AsyncTaskClient": "TaskClient",
    "AsyncToolClient": "ToolClient",
    "AsyncViewClient": "ViewClient",
    "AsyncClient": "Client",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "_async": "_sync",
}
"""Names that differ in the blocking client."""

_SPACED = (("Awaitable[_Given]", "_Given"), ("Awaitable, ", ""), ("grpc.aio.", "grpc."), ("import grpc.aio\n", ""))
"""Strings that are replaced before the names."""


def services() -> str:
    """Return the source of the asynchronous services."""
    files = service_files()
    lines = ['"""The services of the contract, a method for each of theirs."""', ""]
    lines += ["from __future__ import annotations", "", "from collections.abc import AsyncIterator", ""]
    lines += ["from repoquarry.client._async.channel import AsyncChannel"]
    for file in files:
        module, short = module_name(file), short_name(file)
        lines += [f"from repoquarry.v1 import {module} as {short}_pb"]
        lines += [f"from repoquarry.v1 import {module}_grpc as {short}_grpc"]
    for file in files:
        lines += _service(file, leading_comments(file))
    return format_source("\n".join(lines) + "\n", SERVICES)


def _service(file: descriptor_pb2.FileDescriptorProto, comments: Mapping[tuple[int, ...], str]) -> Iterator[str]:
    (service,) = file.service
    short = short_name(file)
    messages = {message.name: message for message in file.message_type}
    yield from ("", "", f"class Async{service.name.removesuffix('Service')}Client:")
    yield from (f'    """{comments[6, 0]}"""', "", "    def __init__(self, link: AsyncChannel) -> None:")
    yield from ("        self.link = link", f"        self.stub = {short}_grpc.{service.name}Stub(link.channel)")
    for number, method in enumerate(service.method):
        yield ""
        yield from _method(short, method, messages, comments[6, 0, 2, number])


def _method(
    short: str,
    method: descriptor_pb2.MethodDescriptorProto,
    messages: Mapping[str, descriptor_pb2.DescriptorProto],
    comment: str,
) -> Iterator[str]:
    name = snake_case(method.name)
    asked, given = method.input_type.rpartition(".")[2], method.output_type.rpartition(".")[2]
    request, response, stub = f"{short}_pb.{asked}", f"{short}_pb.{given}", f"self.stub.{method.name}"
    docstring = [f"        {line}".rstrip() for line in f'"""{comment}"""'.split("\n")]
    if method.client_streaming:
        yield f"    async def {name}(self, requests: AsyncIterator[{request}], *, timeout: float | None = None) -> {response}:"
        yield from docstring
        yield f"        return await self.link.upload({stub}, requests, timeout)"
    elif not method.server_streaming:
        yield f"    async def {name}(self, request: {request}, *, timeout: float | None = None) -> {response}:"
        yield from docstring
        yield f"        return await self.link.unary({stub}, request, timeout)"
    elif "after_sequence" in {field.name for field in messages[asked].field}:
        yield f"    def {name}(self, request: {request}) -> AsyncIterator[{response}]:"
        yield from docstring
        yield f"        return self.link.events({stub}, request)"
    else:
        yield f"    def {name}(self, request: {request}, *, timeout: float | None = None) -> AsyncIterator[{response}]:"
        yield from docstring
        yield f"        return self.link.stream({stub}, request, timeout)"


def blocking(source: str) -> str:
    """Return the blocking version of an asynchronous module."""
    for before, after in _SPACED:
        source = source.replace(before, after)
    lines = source.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        if token.type not in (tokenize.NAME, tokenize.STRING):
            continue
        new = _words(token.string) if token.type == tokenize.STRING else WORDS.get(token.string, token.string)
        if token.string in ("async", "await"):
            new = ""
        (first, start), (last, end) = token.start, token.end
        tail = lines[last - 1][end:]
        if not new:
            tail = tail.lstrip(" ")
        lines[first - 1 : last] = [lines[first - 1][:start] + new + tail]
    return format_source("".join(lines), SERVICES)


def _words(text: str) -> str:
    for before, after in WORDS.items():
        text = re.sub(rf"\b{before}\b", after, text)
    return text


def generated() -> dict[Path, str]:
    """Return the text of every generated file."""
    asynchronous = {path: path.read_text(encoding="utf-8") for path in sorted((CLIENT / "_async").glob("*.py"))}
    asynchronous[SERVICES] = services()
    files = {SERVICES: asynchronous[SERVICES]}
    for path, text in asynchronous.items():
        files[CLIENT / "_sync" / path.name] = blocking(text)
    files[CLIENT / "_sync" / "__init__.py"] = '"""The blocking client, generated from `_async`: change that."""\n'
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the committed code differs")
    committed = {path: path.read_text(encoding="utf-8") for path in (CLIENT / "_sync").glob("*.py")}
    committed[SERVICES] = SERVICES.read_text(encoding="utf-8")
    return report_stale_files(generated(), check=parser.parse_args().check, committed=committed)


if __name__ == "__main__":
    raise SystemExit(main())
