"""Calls of functions on untrusted files in a subprocess, with limits of memory and time: parsers have no limits of their own.

Arguments and results are data that msgspec encodes, folders included; the function is found by the name of its module.
"""

from __future__ import annotations

import importlib
import inspect
import time
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from repoquarry.processes.workers import FramedChild, StoppedError, open_worker_pipes, read_frame, write_frame

_Result = TypeVar("_Result")
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
    worker = FramedChild(f"{__name__}:serve", memory_bytes=memory_bytes, inherit=True)
    try:
        deadline = time.monotonic() + (seconds or float("inf"))
        worker.send(msgspec.msgpack.encode((name, arguments), enc_hook=str), deadline, stopped)
        answer = worker.receive(deadline, stopped)
    except TimeoutError as error:  # An OSError, too.
        raise BoundedCallError(f"reading it takes more than {seconds:g} seconds") from error
    except StoppedError:
        raise
    except (EOFError, OSError) as error:
        raise BoundedCallError(f"its reader {worker.await_exit().describe()}") from error
    finally:
        worker.end()
    failure, found = msgspec.msgpack.decode(answer, type=tuple[str, msgspec.Raw])
    if failure:
        raise BoundedCallError(failure)
    result = typing.get_type_hints(function)["return"]
    return typing.cast("_Result", msgspec.msgpack.decode(found, type=result, dec_hook=_decode_path))


def serve() -> None:
    """Answer one call."""
    incoming, outgoing = open_worker_pipes()
    frame = read_frame(incoming)
    if frame is None:
        return
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
        answer: tuple[str, object] = ("", function(**known))
    except (MemoryError, RecursionError) as error:
        answer = (f"reading it fails: {type(error).__name__}", None)
    write_frame(outgoing, msgspec.msgpack.encode(answer, enc_hook=str))


def _decode_path(kind: type, value: Any) -> Any:
    if issubclass(kind, Path):
        return kind(value)
    raise NotImplementedError(f"{kind.__name__} is no type of data")
