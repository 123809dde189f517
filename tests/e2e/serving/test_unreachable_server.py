"""Every stream, in both clients, ends in the documented time when its server is killed, stopped or ended in the middle of it."""

import asyncio
import inspect
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from repoquarry.client import AsyncClient, Client, ClientSettings, RequestError
from repoquarry.server.cli.commands import COMMANDS, load
from repoquarry.server.jobs.database import BATCH, INDEX, PROVISION, TASK, NewWork
from repoquarry.v1 import index_service_pb2, task_service_pb2, view_service_pb2
from repoquarry.v1.index_service_pb2_grpc import IndexServiceServicer, add_IndexServiceServicer_to_server
from tests.e2e.rpc_calls import queue_work
from tests.e2e.service import Service, launch, repoquarry
from tests.unit.server.test_documented import SERVICE_FILES

_METHODS = {
    f"{service.name}.{method.name}": method
    for file in SERVICE_FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
ENDING = {"ViewService.StreamChange"}
"""Streams that end by themselves within a second, so that no test can cut them for certain; the client reads all streams alike."""
STREAMS = sorted(
    name
    for name, method in _METHODS.items()
    if method.server_streaming or method.client_streaming
    if name not in ENDING
)
"""Every other method that streams, from the contract."""

SILENCE, RESUME = 1.5, 1.0
LIMIT = 2 * SILENCE + RESUME
"""Seconds in which a client must have given up, as docs/guides/client.md says."""

NOT_ASKING = {"watch", "mcp", "evaluate", "ui", "interfaces"}
"""Commands that take `--server` and ask it for nothing, or only when somebody asks them."""

SLACK = 6.0
"""Seconds for a machine that is busy with other things."""
BIG_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True)
class World:
    """A running server with work that never progresses, and a file that is too big to be sent at once."""

    service: Service
    name_by_kind: dict[str, str]

    def request(self, method: str) -> Message:
        """A request of the method whose answer does not end by itself."""
        kind = method.partition(".")[2]
        works = {"Index": INDEX, "Batch": BATCH, "Task": TASK, "Provisioning": PROVISION}
        for noun, work in works.items():
            if kind == f"Stream{noun}Events":
                return _request(method)(name=self.name_by_kind[work])
        if kind == "ExecuteCypher":
            text = f"UNWIND range(1, 1000) AS a UNWIND range(1, 300) AS b RETURN a, b, '{'long text ' * 10}' AS text"
            return _request(method)(query=text)
        if kind == "StreamChange":
            paths = (f"{'folder/' * 20}{number}.txt" for number in range(10_000))
            patch = "".join(f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+b\n" for path in paths)
            return _request(method)(change=view_service_pb2.GetChangeRequest(repository="shop", patch=patch))
        if kind == "ReadTaskFile":
            return _request(method)(name=self.name_by_kind[TASK], path="outputs/big.bin")
        raise AssertionError(f"no request for {method}: add one that holds its stream open")


def _request(method: str) -> Any:
    return getattr(_module(method), _METHODS[method].input_type.name)


def _module(method: str) -> Any:
    return next(file for file in SERVICE_FILES if method.partition(".")[0] in file.DESCRIPTOR.services_by_name)


def _attribute(client: Any, method: str) -> Any:
    """The client's method for one of the contract."""
    service, _, name = method.partition(".")
    parts = {
        "TaskService": "tasks", "QueryService": "queries", "BatchService": "batches", "IndexService": "index",
        "EnvironmentService": "environments", "ViewService": "views",
    }  # fmt: skip
    owner = getattr(client, parts[service])
    return getattr(owner, re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower())


def _start(folder: Path, template: Path) -> World:
    """A server whose store holds queued work that belongs to this living process, and so is never run."""
    store = Path(shutil.copytree(template, folder / "store"))
    spec = task_service_pb2.TaskSpec(text="hold", workspace=True).SerializeToString()
    works = {kind: NewWork("", spec if kind == TASK else b"", b"") for kind in (INDEX, BATCH, TASK, PROVISION)}
    names = queue_work(store, works)
    outputs = folder / "workspaces" / f"task-{names[TASK].partition('/')[2]}" / "outputs"
    outputs.mkdir(parents=True)
    with (outputs / "big.bin").open("wb") as big:
        big.truncate(BIG_BYTES)
    variables = {
        "REPOQUARRY_AGENT_WORKSPACE_ROOT": str(folder / "workspaces"),
        "REPOQUARRY_STORE_LIMITS_ROWS": "0",
        "REPOQUARRY_STORE_LIMITS_BYTES": "0",
        "REPOQUARRY_SERVER_SHUTDOWN_SECONDS": "1",
    }
    return World(launch(store, folder / "serve.log", 0, **variables), names)


@pytest.fixture
def world(tmp_path: Path, shop_store: Path) -> Iterator[World]:
    made = _start(tmp_path, shop_store)
    yield made
    made.service.process.send_signal(signal.SIGCONT)
    made.service.process.kill()
    made.service.process.wait(60)


def _settings(world: World) -> ClientSettings:
    return ClientSettings(world.service.address, silence_seconds=SILENCE, resume_seconds=RESUME, seconds=60)


def _upload_parts(opened: threading.Event, go_on: threading.Event) -> Iterator[Message]:
    yield task_service_pb2.UploadTaskInputRequest(
        header=task_service_pb2.UploadHeader(file_name="a.bin", size=400_000_000)
    )
    opened.set()
    go_on.wait(60)
    for _ in range(10_000):
        yield task_service_pb2.UploadTaskInputRequest(data=b"x" * 40_000)


def _blocking(world: World, method: str, opened: threading.Event, go_on: threading.Event) -> None:
    with Client(_settings(world)) as client:
        call = _attribute(client, method)
        if _METHODS[method].client_streaming:
            call(_upload_parts(opened, go_on))
            return
        for _ in call(world.request(method)):
            opened.set()
            go_on.wait(60)


def _asynchronous(world: World, method: str, opened: threading.Event, go_on: threading.Event) -> None:
    async def parts() -> Any:
        source = _upload_parts(opened, go_on)
        while (part := await asyncio.to_thread(next, source, None)) is not None:
            yield part

    async def main() -> None:
        async with AsyncClient(_settings(world)) as client:
            call = _attribute(client, method)
            if _METHODS[method].client_streaming:
                await call(parts())
                return
            async for _ in call(world.request(method)):
                opened.set()
                await asyncio.to_thread(go_on.wait, 60)

    asyncio.run(main())


def _outcome(
    run: Callable[[World, str, threading.Event, threading.Event], None],
    world: World,
    method: str,
    opened: threading.Event,
    go_on: threading.Event,
) -> tuple[str, str, float]:
    """Reason and message with which a stream ended, and when."""
    try:
        run(world, method, opened, go_on)
    except RequestError as exc:
        return exc.failure.reason, exc.failure.message, time.monotonic()
    finally:
        opened.set()
    return "no error", "", time.monotonic()


def _cut(world: World, number: signal.Signals) -> dict[str, tuple[str, str, float]]:
    """Open every stream with both clients, send the signal to the server, and read on; how each ended, by method and client."""
    go_on, open_events, running = threading.Event(), [], {}
    cases = [(method, run) for method in STREAMS for run in (_blocking, _asynchronous)]
    with ThreadPoolExecutor(len(cases)) as threads:
        for method, run in cases:
            open_events.append(threading.Event())
            name = f"{method}{run.__name__}"
            running[name] = threads.submit(_outcome, run, world, method, open_events[-1], go_on)
        for event in open_events:
            assert event.wait(60), "a stream did not begin"
        world.service.process.send_signal(number)
        begun = time.monotonic()
        go_on.set()
        ended = {name: future.result(120) for name, future in running.items()}
    return {name: (reason, message, moment - begun) for name, (reason, message, moment) in ended.items()}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_every_stream_ends_when_the_server_is_gone(world: World, number: signal.Signals) -> None:
    found = _cut(world, number)
    for name, (reason, message, seconds) in sorted(found.items()):
        print(f"{number.name} {name:<60} {reason} {seconds:.1f} s  {message[:150]}")
    for name, (reason, message, seconds) in found.items():
        assert reason == "SERVER_UNREACHABLE", (name, reason, message)
        assert "; check the address" in message, (name, message)
        assert seconds < LIMIT + SLACK, (name, seconds)
    if number is signal.SIGTERM:
        assert world.service.process.wait(60) == 0
    assert "Traceback" not in world.service.log.read_text()


def _leave(world: World, method: str) -> None:
    """Begin a stream and close the connection in the middle of it."""
    opened, never = threading.Event(), threading.Event()
    client = Client(_settings(world))
    call = _attribute(client, method)
    if _METHODS[method].client_streaming:
        thread = threading.Thread(target=_outcome, args=(_sent, world, method, opened, never), daemon=True)
        thread.start()
        assert opened.wait(60)
    else:
        next(iter(call(world.request(method))))
    client.close()


def _sent(world: World, method: str, opened: threading.Event, go_on: threading.Event) -> None:
    with Client(_settings(world)) as client:
        call = _attribute(client, method)
        threading.Timer(1.0, client.close).start()
        call(_upload_parts(opened, go_on))


def test_a_stream_that_its_client_leaves_leaves_no_traceback(world: World) -> None:
    for method in STREAMS:
        _leave(world, method)
    time.sleep(2.0)
    assert world.service.stop() == 0
    log = world.service.log.read_text()
    assert "server_stopping" in log
    assert "Traceback" not in log, log


def _remote_commands() -> list[str]:
    """Every command that takes `--server`, from the table of commands."""
    return [name for name in COMMANDS if "server" in inspect.signature(load(name)).parameters]


def _command_lines(world: World) -> dict[str, tuple[str, ...]]:
    """A command line of each, as far as it needs the server."""
    batch, task = world.name_by_kind[BATCH], world.name_by_kind[TASK]
    return {
        "index": ("https://example.org/a/b",),
        "list": (),
        "query": ("RETURN 1",),
        "queries": (),
        "check": ("dead-code", "--repository", "shop"),
        "search": ("price",),
        "locate": ("price",),
        "explore": ("price",),
        "show": ("price",),
        "batch": (batch,),
        "diff": ("shop", "shop"),
        "impact": ("shop", "--symbol", "price"),
        "duplicates": ("shop",),
        "context": ("shop",),
        "provision": ("--repository", "shop"),
        "ask": ("Who calls price?",),
        "choose": ("price",),
        "task": ("Who calls price?",),
        "files": (task,),
        "tool": ("explore", "target=price"),
        "export": ("shop", "--format", "graphml"),
        "delete": ("shop", "--yes"),
    }


def test_every_command_ends_when_its_server_is_gone(world: World, tmp_path: Path) -> None:
    """The server accepts connections and does nothing, as one that was stopped or whose machine hangs."""
    lines = _command_lines(world)
    assert set(lines) == set(_remote_commands()) - NOT_ASKING
    world.service.process.send_signal(signal.SIGSTOP)
    variables = {"REPOQUARRY_CLIENT_SILENCE_SECONDS": str(SILENCE), "REPOQUARRY_CLIENT_RESUME_SECONDS": str(RESUME)}
    server = ("--server", world.service.address)

    def run(name: str) -> tuple[subprocess.CompletedProcess[str], float]:
        begun = time.monotonic()
        done = repoquarry(tmp_path / "none", name, *lines[name], *server, stdin="", **variables)
        return done, time.monotonic() - begun

    with ThreadPoolExecutor(4) as threads:
        ended = dict(zip(lines, threads.map(run, lines), strict=True))
    for name, (done, seconds) in ended.items():
        print(f"{name:<12} exit {done.returncode}  {seconds:.1f} s  {done.stderr.strip()[:150]}")
    for name, (done, seconds) in ended.items():
        assert "(SERVER_UNREACHABLE)" in done.stderr, (name, done)
        assert "; check the address" in done.stderr, name
        assert done.returncode == 6, (name, done)
        assert seconds < LIMIT + 3 * SLACK, (name, seconds)


class QuietService(IndexServiceServicer):
    """Has its one event `seconds` after its start; `begins` says whether it answers before."""

    def __init__(self, seconds: float, *, begins: bool) -> None:
        self._at = time.monotonic() + seconds
        self._begins = begins

    def StreamIndexEvents(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        if self._begins:
            context.send_initial_metadata(())
        while time.monotonic() < self._at and context.is_active():
            time.sleep(0.05)
        yield index_service_pb2.StreamIndexEventsResponse(event=index_service_pb2.IndexEvent(sequence=1))


def _follow_quiet(seconds: float, *, begins: bool) -> list[int]:
    service = QuietService(seconds, begins=begins)  # type: ignore[abstract]  # the other methods are not called
    server = grpc.server(ThreadPoolExecutor(4))
    add_IndexServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with Client(ClientSettings(f"127.0.0.1:{port}", seconds=0.7, resume_seconds=1.0)) as client:
            request = index_service_pb2.StreamIndexEventsRequest(name="indexJobs/a")
            return [part.event.sequence for part in client.index.stream_index_events(request)]
    finally:
        server.stop(None)


def test_work_without_news_is_followed_beyond_the_deadline_of_one_call() -> None:
    assert _follow_quiet(3.0, begins=True) == [1]


def test_a_server_that_never_begins_to_answer_is_unreachable() -> None:
    """Its connection works and answers pings: its process hangs."""
    begun = time.monotonic()
    with pytest.raises(RequestError, match=r"no response within 0\.7 s; check the address") as caught:
        _follow_quiet(60.0, begins=False)
    assert caught.value.failure.reason == "SERVER_UNREACHABLE"
    assert time.monotonic() - begun < 3.0 + SLACK
