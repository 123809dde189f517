"""Calls of functions on untrusted files in a subprocess, with limits of memory and time: parsers have no limits of their own.

Arguments and results are data that msgspec encodes, folders included; the function is found by the name of its module. A process that
has answered serves the next call: small files come by the thousand.
"""

from __future__ import annotations

import atexit
import importlib
import inspect
import os
import threading
import time
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from repoquarry.processes.workers import FramedChild, open_worker_pipes, read_frame, write_frame

_Result = TypeVar("_Result")
_idle: dict[tuple[int, int], FramedChild] = {}
"""Processes that wait for a call, by the process that started them and their limit of memory."""
_guard = threading.Lock()
MEMORY_BYTES: Final = 1 << 30


class BoundedCallError(Exception):
    """A call ended at its limit of memory or time, or its process failed; the message says which."""


def call_bounded(
    function: Callable[..., _Result],
    arguments: Mapping[str, object],
    *,
    memory_bytes: int = MEMORY_BYTES,
    seconds: float = 0.0,
    stopped: Callable[[], bool] = lambda: False,
) -> _Result:
    """Call a function of a module by keyword arguments; its annotations describe the data. 0 seconds mean no limit.

    Raises: BoundedCallError, StoppedError; OSError if no process can be started.
    """
    name = f"{function.__module__}:{function.__qualname__}"
    worker, is_usable = _take_worker(memory_bytes), False
    try:
        deadline = time.monotonic() + (seconds or float("inf"))
        worker.send(msgspec.msgpack.encode((name, arguments), enc_hook=str), deadline, stopped)
        answer = worker.receive(deadline, stopped)
        failure, found = msgspec.msgpack.decode(answer, type=tuple[str, msgspec.Raw])
        if failure:
            raise BoundedCallError(failure)
        is_usable = True
    except TimeoutError as error:  # An OSError, too.
        raise BoundedCallError(f"reading it takes more than {seconds:g} seconds") from error
    except (EOFError, OSError) as error:
        raise BoundedCallError(f"its reader {worker.await_exit().describe()}") from error
    finally:
        if is_usable:
            _return_worker(memory_bytes, worker)
        else:
            worker.end()
    result = typing.get_type_hints(function)["return"]
    return typing.cast("_Result", msgspec.msgpack.decode(found, type=result, dec_hook=_decode_path))


def _take_worker(memory_bytes: int) -> FramedChild:
    with _guard:
        worker = _idle.pop((os.getpid(), memory_bytes), None)
    if worker is not None:
        if worker.alive():
            return worker
        worker.end()
    return FramedChild(f"{__name__}:serve", memory_bytes=memory_bytes, inherit=True)


def _return_worker(memory_bytes: int, worker: FramedChild) -> None:
    """Keep one idle process for each limit."""
    with _guard:
        surplus = _idle.setdefault((os.getpid(), memory_bytes), worker) is not worker
    if surplus:
        worker.end()


@atexit.register
def end_idle_workers() -> None:
    """End the processes that wait for a call."""
    with _guard:
        own = [key for key in _idle if key[0] == os.getpid()]
        waiting = [_idle.pop(key) for key in own]
    for worker in waiting:
        worker.end()


def serve() -> None:
    """Answer calls until the input ends, or a call reaches a limit."""
    incoming, outgoing = open_worker_pipes()
    is_usable = True
    while is_usable and (frame := read_frame(incoming)) is not None:
        failure, found = _answer(frame)
        write_frame(outgoing, msgspec.msgpack.encode((failure, found), enc_hook=str))
        is_usable = not failure


def _answer(frame: bytes) -> tuple[str, object]:
    name, arguments = msgspec.msgpack.decode(frame, type=tuple[str, dict[str, Any]])
    module, _, attribute = name.partition(":")
    function = getattr(importlib.import_module(module), attribute)
    hints = typing.get_type_hints(function)
    known = {
        key: msgspec.convert(arguments[key], hints[key], dec_hook=_decode_path)
        for key in inspect.signature(function).parameters
        if key in arguments
    }
    try:
        return "", function(**known)
    except (MemoryError, RecursionError) as error:
        return f"reading it fails: {type(error).__name__}", None


def _decode_path(kind: type, value: Any) -> Any:
    if issubclass(kind, Path):
        return kind(value)
    raise NotImplementedError(f"{kind.__name__} is no type of data")
