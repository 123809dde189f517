"""Executor on a Ray cluster.

A task indexes one repository on whatever node has a free core and sends back the small store that it made, packed; the process that
works through the list unpacks and adopts it. At most as many tasks are started as it was told, so that no more results than that wait
in the cluster's memory. Ray's own retries are off: what a lost node was doing is started again by the list's rule.
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
from repoquarry.server.bulk.executor import RESULT, IndexOrder, OrderProgress, OrderResult
from repoquarry.server.errors import request_error

SCRATCH = "ray"
"""Beginning of the name of the folder, among the temporary ones, of a cluster that is started here; its tasks work in it, too."""

_OWN = "repoquarry"
_SOCKET_CHARACTERS = 107
"""How long the path of a socket may be."""

_SOCKET_BELOW = len("/session_2026-01-01_00-00-00_000000_0000000/sockets/plasma_store")
"""What Ray puts behind the path of its folder."""


class RayExecutor:
    """An executor on Ray. `address` is that of a cluster, or `auto`; empty starts one on this machine with `cores` cores.

    Raises: RequestError when Ray is not installed or the cluster cannot be reached.
    """

    def __init__(self, address: str = "", cores: int = 0) -> None:
        self._ray = _ray()
        self._started = not address
        self._scratch = ScratchFolder(SCRATCH) if self._started else None
        try:
            with contextlib.chdir(os.sep):  # Ray puts the current directory on the search path of its workers
                self._ray.init(
                    address=address or "local",
                    num_cpus=(cores or None) if self._started else None,
                    include_dashboard=False if self._started else None,
                    _temp_dir=_folder_of_ray(self._scratch),
                    log_to_driver=False,
                    logging_level="error",
                    ignore_reinit_error=True,
                )
        except Exception as exc:  # Ray has no common class for these
            self._end()
            raise request_error(
                "CLUSTER_UNAVAILABLE", f"the Ray cluster at {address or 'local'!r} cannot be used: {exc}"
            ) from exc
        self._index = self._ray.remote(num_cpus=1, max_retries=0)(_index)
        self._tasks: dict[Any, tuple[int, IndexOrder]] = {}

    @property
    def cores(self) -> int:
        """Cores of the whole cluster."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def start(self, ticket: int, order: IndexOrder) -> None:
        scratch = str(self._scratch.path) if self._scratch is not None else None
        target = replace(order.target, folder=order.target.folder.resolve())  # its worker has another current directory
        task = self._index.remote(pickle.dumps(replace(order, target=target)), version(_OWN), scratch)
        self._tasks[task] = (ticket, order)

    def events(self, seconds: float) -> list[tuple[int, OrderProgress | OrderResult]]:
        if not self._tasks:
            return []
        done, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=seconds)
        found: list[tuple[int, OrderProgress | OrderResult]] = []
        for task in done:
            ticket, order = self._tasks.pop(task)
            found.append((ticket, self._result(task, order)))
        return found

    def memory(self) -> dict[int, int]:
        """What runs elsewhere takes nothing here."""
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
        """End a cluster that was started here, and remove its logs and sockets."""
        if self._scratch is not None:
            self._ray.shutdown()
            self._scratch.close()

    def _result(self, task: Any, order: IndexOrder) -> OrderResult:
        try:
            ended, packed = self._ray.get(task)
        except self._ray.exceptions.RayTaskError as exc:
            return OrderResult("INTERNAL", str(exc).strip().splitlines()[-1])
        except self._ray.exceptions.RayError as exc:
            return OrderResult("WORKER_LOST", f"its worker was lost: {type(exc).__name__}")
        if packed:
            _unpack(packed, order.folder)
        result: OrderResult = ended
        return result


def _index(order: bytes, wanted: str, scratch: str | None) -> tuple[OrderResult, bytes]:
    """On a node: index into a folder of this node, in `scratch` or among the temporary ones, and give what was made."""
    from repoquarry.server.bulk.worker_main import work

    here = version(_OWN)
    if here != wanted:
        return OrderResult(
            "CLUSTER_UNAVAILABLE", f"the node has RepoQuarry {here}, the list is worked through by {wanted}"
        ), b""
    asked: IndexOrder = pickle.loads(order)  # noqa: S301 - from the process that works through the list
    with ScratchFolder("node", Path(scratch) if scratch else None) as folder:
        ended = work(replace(asked, folder=folder / "work"), lambda progress: None)
        made = folder / "work" / RESULT
        return ended, _pack(made) if not ended.reason and not ended.unchanged else b""


def _folder_of_ray(scratch: ScratchFolder | None) -> str | None:
    """The folder for Ray's logs and sockets; None, where it is too deep for a socket, for its own, which stays."""
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
