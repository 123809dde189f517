"""A real, small model on llama.cpp's server: `REPOQUARRY_TEST_GGUF=model.gguf`, and the package xllamacpp.

`REPOQUARRY_TEST_LLAMA_PYTHON` names another interpreter that has the package. A small model solves nothing: the tests assert what the
product does around it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import Budget, EventKind, TaskEvent, TaskState
from tests.integration.agent.conftest import Ask, Asked
from tests.neo4j_server import free_port

_GGUF = os.environ.get("REPOQUARRY_TEST_GGUF", "")
_PYTHON = os.environ.get("REPOQUARRY_TEST_LLAMA_PYTHON", sys.executable)
_HERE = Path(__file__).parent
_START_SECONDS = 120.0
pytestmark = [pytest.mark.skipif(not _GGUF, reason="needs a model: REPOQUARRY_TEST_GGUF"), pytest.mark.slow]


@contextmanager
def serving(port: int, context: int, *, tools: bool = True) -> Iterator[subprocess.Popen[bytes]]:
    """Serve the model until the block ends."""
    template = [str(_HERE / "data" / "tools.jinja")] if tools else []
    command = [_PYTHON, str(_HERE / "llama_server.py"), str(port), str(context), _GGUF, *template]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + _START_SECONDS
            while not _is_ready(port):
                assert process.poll() is None, "the server exited"
                assert time.monotonic() < deadline, "the server did not start"
                time.sleep(0.2)
            yield process
        finally:
            process.kill()


def _is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=2.0).is_success
    except httpx.HTTPError:
        return False


def settings(port: int, **changes: object) -> AgentSettings:
    options = {"base_url": f"http://127.0.0.1:{port}/v1", "api_key": "none", "temperature": 0}
    return AgentSettings(model=ModelSettings("openai:smollm2", options, output_tokens=100, **changes))  # type: ignore[arg-type]


def check_bounds(asked: Asked, context: int) -> None:
    """Check that requests fit the context, and that the answer has places or says that it rests on none."""
    assert asked.result.state in (TaskState.ANSWERED, TaskState.BUDGET_REACHED, TaskState.NO_ANSWER), asked.result.error
    assert "rejects" not in asked.result.fallback
    called = asked.of(EventKind.MODEL_CALLED)
    assert called
    for event in called:
        assert int(str(event.data["input_tokens"])) + int(str(event.data["output_tokens"])) <= context
    marked = asked.result.text.startswith(("Not grounded", "Answered without the model", "Stopped early"))
    assert marked or asked.result.places
    assert not asked.result.repositories or asked.result.places


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("context", [2_048, 8_192])
def test_requests_fit_the_context_that_the_server_reports(ask: Ask, context: int, tools: bool) -> None:
    port = free_port()
    with serving(port, context, tools=tools):
        budget = Budget(steps=3, seconds=240.0)
        asked = ask("Where is a payment retried?", "webshop", policy="chat", settings=settings(port), budget=budget)
    check_bounds(asked, context)


def test_task_continues_when_the_model_server_returns(ask: Ask) -> None:
    port = free_port()
    back, killed = threading.Event(), threading.Event()

    def restart() -> None:
        time.sleep(2.0)
        with serving(port, 2_048):
            back.wait(300.0)

    server = threading.Thread(target=restart)
    try:
        with serving(port, 2_048) as process:
            events: list[TaskEvent] = []

            def kill_at_request() -> bool:
                requested = any(event.kind is EventKind.MODEL_REQUESTED for event in events)
                if requested and not killed.is_set():
                    killed.set()
                    process.kill()
                    server.start()
                return False

            budget = Budget(steps=2, seconds=240.0)
            given = settings(port, attempts=8)
            asked = ask(
                "Where is Shop?", "webshop", policy="chat", settings=given, budget=budget, cancelled=kill_at_request,
                listen=events.append,
            )  # fmt: skip
    finally:
        back.set()
        if server.ident is not None:
            server.join()
    assert asked.of(EventKind.MODEL_RETRIED)
    check_bounds(asked, 2_048)


def test_cancelling_frees_the_server(ask: Ask) -> None:
    port = free_port()
    with serving(port, 8_192):
        started = time.monotonic()
        cancelled = lambda: time.monotonic() - started > 4.0  # noqa: E731
        asked = ask("Explain Shop.", "webshop", policy="chat", settings=settings(port), cancelled=cancelled)
        assert asked.result.state is TaskState.CANCELLED
        assert time.monotonic() - started < 15.0
        deadline = time.monotonic() + 60.0
        while any(slot["is_processing"] for slot in httpx.get(f"http://127.0.0.1:{port}/slots").json()):
            assert time.monotonic() < deadline, "the server still computes"
            time.sleep(0.2)
