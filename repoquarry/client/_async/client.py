"""`AsyncClient`: every service of the contract on one connection."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeVar

from repoquarry.client._async import services
from repoquarry.client._async.channel import AsyncChannel
from repoquarry.client.errors import RequestError, RequestFailure
from repoquarry.client.files import OUTPUTS, FileSink, upload_parts
from repoquarry.client.settings import ClientSettings
from repoquarry.client.values import from_message, to_message
from repoquarry.v1 import task_service_pb2 as pb
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, QueryLimits


class _PageRequest(Protocol):
    page_token: str


class _Page(Protocol):
    @property
    def next_page_token(self) -> str: ...


_Asked = TypeVar("_Asked", bound=_PageRequest)
_Given = TypeVar("_Given", bound=_Page)


class AsyncClient:
    """Client of all services of one server. Methods raise `RequestError`. Close it, or use it in a `with` statement.

    The server is an address or settings. Examples are those of the blocking client; `AsyncClient` has the same methods as coroutines.

        >>> from repoquarry.client import Client, ClientSettings
        >>> client = Client(ClientSettings("127.0.0.1:50151", seconds=60))  # or Client("127.0.0.1:50151")
    """

    def __init__(self, server: str | ClientSettings) -> None:
        self._link = AsyncChannel(ClientSettings(server) if isinstance(server, str) else server)
        self.index = services.AsyncIndexClient(self._link)
        self.batches = services.AsyncBatchClient(self._link)
        self.repositories = services.AsyncRepositoryClient(self._link)
        self.queries = services.AsyncQueryClient(self._link)
        self.code = services.AsyncCodeClient(self._link)
        self.tasks = services.AsyncTaskClient(self._link)
        self.environments = services.AsyncEnvironmentClient(self._link)
        self.tools = services.AsyncToolClient(self._link)
        self.views = services.AsyncViewClient(self._link)

    async def rows(
        self,
        query: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = 0,
        timeout: float | None = None,
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield the rows of a Cypher query as they arrive, by column, with values as in `from_message`.

        `limit` truncates the result without an error; 0 requests all rows. `timeout` is in seconds.
        Raises: RequestError; with the reason QUERY_LIMIT after the last row if a server limit truncated the result, so that a partial
        result is never mistaken for a complete one.

            >>> query = "MATCH (f:Function) WHERE f.name STARTS WITH $start RETURN f.qualname AS name ORDER BY name"
            >>> for row in client.rows(query, {"start": "pri"}, limit=1):
            ...     print(row["name"])
            price
        """
        request = ExecuteCypherRequest(
            query=query,
            parameters={name: to_message(value) for name, value in (parameters or {}).items()},
            limits=QueryLimits(rows=limit),
        )
        columns: list[str] = []
        count = 0
        async for part in self.queries.execute_cypher(request, timeout=timeout):
            kind = part.WhichOneof("part")
            if kind == "header":
                columns = list(part.header.columns)
            elif kind == "rows":
                for row in part.rows.rows:
                    count += 1
                    yield dict(zip(columns, (from_message(value) for value in row.values), strict=True))
            elif part.summary.truncated and not (part.summary.truncated_by == "rows" and 0 < limit <= count):
                raise _cut(part.summary.truncated_by, count)

    async def ask(
        self, question: str, repositories: Sequence[str] = (), *, timeout: float | None = None
    ) -> pb.TaskAnswer:
        """Submit a question as a task and return its answer: text, places and basis. No repositories means all of the server.

        `timeout` is that of the creation, in seconds; the events are read until the task ends.
        Raises: RequestError; with the reason of the task's error if the task fails.

            >>> answer = client.ask("Who calls price?", ["shop"])
            >>> sorted({place.path for place in answer.places})
            ['shop/till.py', 'tests/test_shop.py']
        """
        spec = pb.TaskSpec(text=question, repositories=repositories)
        task = (await self.tasks.create_task(pb.CreateTaskRequest(spec=spec), timeout=timeout)).task
        async for part in self.tasks.stream_task_events(pb.StreamTaskEventsRequest(name=task.name)):
            if part.event.HasField("answer"):
                return part.event.answer
            if part.event.HasField("state_changed") and part.event.state_changed.HasField("error"):
                error = part.event.state_changed.error
                raise RequestError(RequestFailure(error.reason, error.message, dict(error.metadata)))
        raise RequestError(RequestFailure("CANCELLED", f"{task.name} was cancelled", status="CANCELLED"))

    async def pages(self, method: Callable[[_Asked], Awaitable[_Given]], request: _Asked) -> AsyncIterator[_Given]:
        """Yield every page of a list method, such as `client.repositories.list_repositories`. Raises: RequestError.

        >>> from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
        >>> for page in client.pages(client.repositories.list_repositories, ListRepositoriesRequest(page_size=50)):
        ...     print([repository.name for repository in page.repositories])
        ['repositories/shop']
        """
        asked: Any = type(request)()
        asked.CopyFrom(request)
        while True:
            page = await method(asked)
            yield page
            if not page.next_page_token:
                return
            asked.page_token = page.next_page_token

    async def upload(self, path: Path, file_name: str = "", *, timeout: float | None = None) -> pb.TaskInput:
        """Upload a file for a future task: add the returned value to `TaskSpec.inputs`. Raises: RequestError.

        The file is found in `inputs/` of the workspace, by `file_name` or its own name.

            >>> from pathlib import Path
            >>> from repoquarry.v1.task_service_pb2 import TaskSpec
            >>> _ = Path("order.txt").write_text("tea")
            >>> spec = TaskSpec(text="What does charge do?", workspace=True, inputs=[client.upload(Path("order.txt"))])
            >>> spec.inputs[0].path
            'order.txt'
        """
        parts = upload_parts(path, file_name)
        first = next(parts)  # Report an unreadable file here and not inside the call.

        async def requests() -> AsyncIterator[pb.UploadTaskInputRequest]:
            yield first
            for part in parts:
                yield part

        sent = await self.tasks.upload_task_input(requests(), timeout=timeout)
        return pb.TaskInput(upload=sent.upload, path=sent.file_name)

    async def download(
        self, task: str, folder: Path, *, within: str = OUTPUTS, timeout: float | None = None
    ) -> list[Path]:
        """Download the files of a task (`tasks/…`) from a folder of its workspace to `folder`; return their local paths.

        The checksum of each file is verified. `timeout` applies to each file. Raises: RequestError.

            >>> from repoquarry.client import RequestError
            >>> try:
            ...     paths = client.download("tasks/unknown", Path("results"))
            ... except RequestError as error:
            ...     print(error.failure.reason)
            TASK_NOT_FOUND
        """
        request = pb.ListTaskFilesRequest(name=task, folder=within, max_files=10_000, without_checksums=True)
        listed = await self.tasks.list_task_files(request)
        fetched = [await self._fetch(task, file.path, folder, within, timeout) for file in listed.files]
        if listed.truncated:
            message = f"only the first {len(fetched)} files were downloaded; download folder by folder"
            raise RequestError(RequestFailure("FILE_LIMIT", message, {}, "RESOURCE_EXHAUSTED"))
        return fetched

    async def _fetch(self, task: str, path: str, folder: Path, within: str, timeout: float | None) -> Path:
        sink: FileSink | None = None
        try:
            async for part in self.tasks.read_task_file(pb.ReadTaskFileRequest(name=task, path=path), timeout=timeout):
                if sink is None:
                    sink = FileSink(folder, part.file, within)
                else:
                    sink.take(part.data)
            assert sink is not None  # noqa: S101  the first part is always there
            return sink.finish()
        finally:
            if sink is not None:
                sink.close()

    async def close(self) -> None:
        """Close the connection; a `with` statement does it at its end.

        >>> client.close()
        """
        await self._link.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _cut(limit: str, rows: int) -> RequestError:
    message = (
        f"the server's limit on {limit} truncated the result after {rows} rows; narrow the query or request it in parts"
    )
    return RequestError(
        RequestFailure("QUERY_LIMIT", message, {"limit": limit, "rows": str(rows)}, "RESOURCE_EXHAUSTED")
    )
