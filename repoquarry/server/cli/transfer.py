"""Files of tasks between this machine and the service, the same way for a server and for the local store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.client.files import OUTPUTS, FileSink, upload_parts

if TYPE_CHECKING:
    from repoquarry.server.api import Api
    from repoquarry.v1.task_service_pb2 import TaskInput


def send(api: Api, item: str) -> TaskInput:
    """Upload `FILE` or `FILE=PATH`. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import TaskInput

    name, separator, path = item.rpartition("=")
    file = Path(item if not separator or Path(item).exists() else name)
    parts = upload_parts(file)
    first = next(parts)  # a file that cannot be read is found here, and not inside the call
    sent = api.tasks.upload_task_input(part for group in ((first,), parts) for part in group)
    return TaskInput(upload=sent.upload, path=path if separator and file == Path(name) else sent.file_name)


def fetch(api: Api, task: str, folder: Path, within: str = OUTPUTS) -> list[Path]:
    """Write the files below a folder of a task's workspace below `folder`. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    request = ListTaskFilesRequest(name=task, folder=within, max_files=10_000, without_checksums=True)
    return [fetch_file(api, task, item.path, folder, within) for item in api.tasks.list_task_files(request).files]


def fetch_file(api: Api, task: str, path: str, folder: Path, within: str = "") -> Path:
    """Write one file of a task's workspace. Raises: RequestError."""
    from repoquarry.v1.task_service_pb2 import ReadTaskFileRequest

    parts = iter(api.tasks.read_task_file(ReadTaskFileRequest(name=task, path=path)))
    sink = FileSink(folder, next(parts).file, within)
    try:
        for part in parts:
            sink.take(part.data)
        return sink.finish()
    finally:
        sink.close()
