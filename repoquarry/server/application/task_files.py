"""Files of agent tasks: uploads of inputs, listing, download and deletion of workspaces, and removal of expired files."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp

from repoquarry.execution.errors import TaskRejectedError, ToolError
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces import files as workspace_files
from repoquarry.execution.workspaces.workspace import workspace_folder
from repoquarry.server import resource_names
from repoquarry.server.application.context import ApplicationContext, Caller
from repoquarry.server.errors import invalid_field, request_error
from repoquarry.server.jobs.database import ACTIVE, TASK, Work
from repoquarry.server.resource_names import UPLOADS, parse_name
from repoquarry.server.text_format import short
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import task_service_pb2 as pb

_log = logging.getLogger(__name__)
_HOUR_MICROSECONDS = 3_600_000_000
_UPLOADS_A_TASK = 1_000
_MIN_PART_BYTES = 16 * 1024


def open_uploads(settings: WorkspaceSettings) -> workspace_files.UploadStore:
    """Return the uploads of a service. Raises: TaskRejectedError if tasks have no workspaces."""
    return workspace_files.UploadStore(_require_root(settings), settings)


def _require_root(settings: WorkspaceSettings) -> Path:
    if settings.root is None:
        raise TaskRejectedError("workspaces are off; set agent.workspace.root")
    return settings.root.resolve()


class TaskFileStore:
    """Store of the uploads and workspaces of one service."""

    def __init__(self, host: ApplicationContext) -> None:
        self._host = host
        self._settings = host.settings.agent.workspace
        host.on_forgetting.append(self.delete_expired)

    @property
    def _root(self) -> Path:
        """Root folder of workspaces. Raises: TaskRejectedError if tasks have no workspaces."""
        return _require_root(self._settings)

    @property
    def uploads(self) -> workspace_files.UploadStore:
        """Uploads of the service. Raises: TaskRejectedError if tasks have no workspaces."""
        return open_uploads(self._settings)

    def checked_inputs(self, spec: pb.TaskSpec, caller: Caller) -> list[pb.TaskInput]:
        """Check the inputs of a task and complete their paths. Raises: RequestError, ExecutionError."""
        if len(spec.inputs) > _UPLOADS_A_TASK:
            raise invalid_field("spec.inputs", f"{len(spec.inputs)} files; at most {_UPLOADS_A_TASK}")
        checked, total = [], 0
        for item in spec.inputs:
            upload = self.uploads.get(parse_name(UPLOADS, item.upload, "upload"), caller.owner)
            total += upload.size
            checked.append(
                pb.TaskInput(upload=item.upload, path=workspace_files.checked_path(item.path or upload.name))
            )
        if total > (most := self._settings.input_bytes) > 0:
            message = f"the inputs have {total} bytes, more than {most} (agent.workspace.input_bytes)"
            raise request_error("FILE_LIMIT", message)
        return checked

    def inputs(self, spec: pb.TaskSpec, owner: str) -> Mapping[str, Path]:
        """Map the input paths of a stored task to uploaded files. Raises: UploadNotFoundError."""
        if not spec.inputs:
            return {}
        uploads = self.uploads
        return {item.path: uploads.path(uploads.get(short(item.upload), owner)) for item in spec.inputs}

    def list(self, work: Work, request: pb.ListTaskFilesRequest) -> pb.ListTaskFilesResponse:
        """List files of the workspace. Raises: RequestError, OutsideWorkspaceError."""
        most = resource_names.bounded("max_files", request.max_files, 1_000, 10_000)
        found = workspace_files.list_files(
            self._folder(work), request.folder, most=most, checksums=not request.without_checksums
        )
        skipped = [to_message(pb.SkippedTaskFile, item) for item in found.skipped]
        files = [file_message(item) for item in found.files]
        return pb.ListTaskFilesResponse(files=files, truncated=found.truncated, skipped=skipped)

    def read(self, work: Work, request: pb.ReadTaskFileRequest) -> Iterator[pb.ReadTaskFileResponse]:
        """Yield a description of a file, then its content. Raises: RequestError, OutsideWorkspaceError."""
        if request.offset < 0:
            raise invalid_field("offset", f"{request.offset} is negative")
        root = self._folder(work)
        size = min(workspace_files.CHUNK_BYTES, max(self._host.settings.server.max_message_bytes // 2, _MIN_PART_BYTES))
        try:
            yield pb.ReadTaskFileResponse(file=file_message(workspace_files.describe_file(root, request.path)))
            with workspace_files.open_regular(root, request.path) as (file, _):
                file.seek(request.offset)
                while data := file.read(size):
                    yield pb.ReadTaskFileResponse(data=data)
        except ToolError as error:
            if error.reason != ToolError.reason:
                raise
            raise request_error("FILE_NOT_FOUND", str(error), path=request.path) from error

    def delete(self, work: Work, name: str) -> None:
        """Delete the workspace of an ended task. Raises: RequestError."""
        if work.state in ACTIVE:
            raise request_error("WRONG_STATE", f"{name} has not ended: {work.state}", state=work.state)
        workspace_files.remove_tree(self._folder(work))

    def delete_expired(self) -> None:
        """Remove expired workspaces, workspaces of deleted tasks, and old uploads."""
        if self._settings.root is None:
            return
        hours = self._settings.keep_hours
        aged = self._host.state.aged(int(hours * _HOUR_MICROSECONDS)) if hours else set()
        oldest = time.time() - hours * 3_600
        for folder in self._root.glob("task-*"):
            work = folder.name.removeprefix("task-")
            forgotten = hours and self._host.state.get(TASK, work) is None
            try:
                if work in aged or (forgotten and folder.stat().st_mtime < oldest):
                    workspace_files.remove_tree(folder)
            except FileNotFoundError:  # The task deleted its workspace meanwhile.
                continue
            except OSError as error:
                _log.error("workspace_not_removed task=%s error=%s", work, error)
        specs = [pb.TaskSpec.FromString(work.spec) for work in self._host.state.active() if work.kind == TASK]
        self.uploads.delete_expired({short(item.upload) for spec in specs for item in spec.inputs})

    def _folder(self, work: Work) -> Path:
        """Return the workspace of a task. Raises: RequestError when there is none."""
        name = f"tasks/{work.id}"
        if not pb.TaskSpec.FromString(work.spec).workspace:
            raise request_error("FILES_GONE", f"{name} was created without a workspace", name=name)
        folder = workspace_folder(self._root, work.id)
        if not folder.is_dir():
            state = "does not exist yet" if work.state in ACTIVE else "was deleted"
            raise request_error("FILES_GONE", f"the workspace of {name} {state}", name=name)
        return folder


class UploadReceiver:
    """Receiver of one upload in messages; always `close` it."""

    def __init__(self, uploads: workspace_files.UploadStore, caller: Caller) -> None:
        self._uploads = uploads
        self._owner = caller.owner
        self._incoming: workspace_files.UploadWriter | None = None

    def take(self, request: pb.UploadTaskInputRequest) -> None:
        """Process the next message. Raises: RequestError, ExecutionError."""
        if request.WhichOneof("part") == "header":
            if self._incoming is not None:
                raise invalid_field("header", "repeated header; send the header once, in the first message")
            header = request.header
            size = header.size if header.HasField("size") else None
            if size is not None and size < 0:
                raise invalid_field("header.size", f"{size} is negative")
            if size is None and not header.sha256:  # a stream that breaks off looks like one that has ended
                raise invalid_field("header.size", "missing, as is header.sha256; give one of them")
            self._incoming = self._uploads.begin(header.file_name, owner=self._owner, size=size, sha256=header.sha256)
        elif self._incoming is None:
            raise invalid_field("header", "missing header; the first message must be the header")
        else:
            self._incoming.take(request.data)

    def finish(self) -> pb.UploadTaskInputResponse:
        """Complete the upload. Raises: RequestError, ExecutionError."""
        if self._incoming is None:
            raise invalid_field("header", "missing header; the upload is empty")
        upload = self._incoming.finish()
        return pb.UploadTaskInputResponse(
            upload=f"{UPLOADS}/{upload.id}", file_name=upload.name, size=upload.size, sha256=upload.sha256
        )

    def close(self) -> None:
        if self._incoming is not None:
            self._incoming.abandon()


def file_message(item: workspace_files.FileRecord) -> pb.TaskFile:
    return to_message(pb.TaskFile, item, modify_time=Timestamp(seconds=int(item.modified)))
