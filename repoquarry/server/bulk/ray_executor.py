"""Executor of index orders (one repository of a batch each) on a Ray cluster.

A Ray task indexes one repository on a node with a free core and returns the compressed small store; the process that runs the batch
unpacks it, for its caller to merge. The caller limits the number of tasks, and so the results in the memory of the cluster. Ray's own
retries are off: the batch run repeats the tasks of a failed node.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import shutil
import tarfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import zstandard

from repoquarry.processes.scratch import ScratchFolder
from repoquarry.server.bulk.executor import RESULT, IndexOrder, OrderEvent, OrderResult
from repoquarry.server.errors import request_error

SCRATCH = "ray"
"""Prefix of the temporary folder of a cluster that this process starts; its tasks work in the same folder."""
_OWN = "repoquarry"
_SOCKET_CHARACTERS = 107
"""Maximum length of the path of a socket."""
_SOCKET_BELOW = len("/session_2026-01-01_00-00-00_000000_0000000/sockets/plasma_store")
"""Length of Ray's suffix of the path of its folder."""


class RayExecutor:
    """Executor on Ray. `address` names a cluster, or `auto`; an empty address starts a local cluster with `cores` cores.

    Raises: RequestError when Ray is not installed or the cluster cannot be reached.
    """

    def __init__(self, address: str = "", cores: int = 0) -> None:
        self._ray = _ray()
        self._started = not address
        self._scratch = ScratchFolder(SCRATCH) if self._started else None
        try:
            with contextlib.chdir(os.sep):  # Ray puts the current directory on the module search path of its workers.
                self._ray.init(
                    address=address or "local",
                    num_cpus=(cores or None) if self._started else None,
                    include_dashboard=False if self._started else None,
                    _temp_dir=_folder_of_ray(self._scratch),
                    log_to_driver=False,
                    logging_level="error",
                    ignore_reinit_error=True,
                )
        except Exception as exc:  # Ray has no common class for these errors.
            self._end()
            raise request_error(
                "CLUSTER_UNAVAILABLE", f"the Ray cluster at {address or 'local'!r} cannot be used: {exc}"
            ) from exc
        self._index = self._ray.remote(num_cpus=1, max_retries=0)(_index)
        self._tasks: dict[Any, tuple[int, IndexOrder]] = {}

    @property
    def cores(self) -> int:
        """Number of cores of the cluster."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def start(self, ticket: int, order: IndexOrder) -> None:
        scratch = str(self._scratch.path) if self._scratch is not None else None
        target = replace(order.target, folder=order.target.folder.resolve())  # the worker has another current directory
        task = self._index.remote(pickle.dumps(replace(order, target=target)), version(_OWN), scratch)
        self._tasks[task] = (ticket, order)

    def events(self, seconds: float) -> list[OrderEvent]:
        if not self._tasks:
            return []
        done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        ended = [(task, *self._tasks.pop(task)) for task in done]
        return [(ticket, self._result(task, order)) for task, ticket, order in ended]

    def memory(self) -> dict[int, int]:
        """Return no local memory: orders run on the nodes."""
        return {}

    def end(self, ticket: int) -> None:
        for task in [task for task, (of, _) in self._tasks.items() if of == ticket]:
            del self._tasks[task]
            self._ray.cancel(task, force=True)

    def close(self) -> None:
        for task in self._tasks:
            self._ray.cancel(task, force=True)
        self._tasks.clear()
        self._end()

    def _end(self) -> None:
        """Stop a cluster that this process started, and remove its logs and sockets."""
        if self._scratch is not None:
            self._ray.shutdown()
            self._scratch.close()

    def _result(self, task: Any, order: IndexOrder) -> OrderResult:
        try:
            ended, packed = self._ray.get(task)
        except self._ray.exceptions.RayTaskError as exc:
            return OrderResult("INTERNAL", str(exc).strip().splitlines()[-1])
        except self._ray.exceptions.RayError as exc:
            return OrderResult("WORKER_LOST", f"the worker was lost: {type(exc).__name__}")
        if packed:
            _unpack(packed, order.folder)
        result: OrderResult = ended
        return result


def _index(order: bytes, wanted: str, scratch: str | None) -> tuple[OrderResult, bytes]:
    """Run an order on a node in a temporary folder below `scratch`. Returns the result and the compressed store."""
    from repoquarry.server.bulk.executor import work

    here = version(_OWN)
    if here != wanted:
        return OrderResult(
            "CLUSTER_UNAVAILABLE", f"the node runs RepoQuarry {here}, the batch process runs {wanted}"
        ), b""
    asked: IndexOrder = pickle.loads(order)  # noqa: S301 - from the process that works through the list
    with ScratchFolder("node", Path(scratch) if scratch else None) as folder:
        ended = work(replace(asked, folder=folder / "work"), lambda progress: None)
        made = folder / "work" / RESULT
        return ended, _pack(made) if not ended.reason and not ended.unchanged else b""


def _folder_of_ray(scratch: ScratchFolder | None) -> str | None:
    """Return the folder for Ray's logs and sockets; None if its path is too long for a socket, so that Ray chooses a folder."""
    if scratch is None or len(os.fsencode(scratch.path)) + _SOCKET_BELOW > _SOCKET_CHARACTERS:
        return None
    return str(scratch.path)


def _pack(folder: Path) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.add(folder, arcname=RESULT)
    return zstandard.ZstdCompressor(level=1).compress(held.getvalue())


def _unpack(packed: bytes, folder: Path) -> None:
    data = zstandard.ZstdDecompressor().decompress(packed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(data), mode="r") as archive:
        archive.extractall(folder, filter="data")


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError as exc:
        raise request_error("CLUSTER_UNAVAILABLE", "Ray is not installed: pip install 'repoquarry[ray]'") from exc
    return ray
