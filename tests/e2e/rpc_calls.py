"""Calls of a running service that many tests make: index jobs to their end, rows of a query, and failures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from repoquarry.client import Client
from repoquarry.client.errors import RequestError, RequestFailure
from repoquarry.v1.index_service_pb2 import (
    CreateIndexJobRequest,
    GetIndexJobRequest,
    IndexEvent,
    IndexJob,
    IndexSource,
    StreamIndexEventsRequest,
)
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest


def failure(call: Callable[..., object], *arguments: object, **options: Any) -> RequestFailure:
    """Return the failure of a call; a stream is read to its end."""
    with pytest.raises(RequestError) as caught:
        _read(call(*arguments, **options))
    return caught.value.failure


def _read(answer: object) -> None:
    if isinstance(answer, Iterator):
        list(answer)


def create_jobs(client: Client, *sources: IndexSource | Path, request_id: str = "") -> list[IndexJob]:
    wanted = [source if isinstance(source, IndexSource) else IndexSource(location=str(source)) for source in sources]
    request = CreateIndexJobRequest(sources=wanted, request_id=request_id)
    return list(client.index.create_index_job(request).index_jobs)


def create_job(client: Client, source: IndexSource | Path) -> IndexJob:
    return create_jobs(client, source)[0]


def get_job(client: Client, job: IndexJob) -> IndexJob:
    return client.index.get_index_job(GetIndexJobRequest(name=job.name)).index_job


def stream_job(client: Client, job: IndexJob) -> Iterator[IndexEvent]:
    for part in client.index.stream_index_events(StreamIndexEventsRequest(name=job.name)):
        yield part.event


def finish_job(client: Client, job: IndexJob) -> IndexJob:
    for _ in stream_job(client, job):
        pass
    return get_job(client, job)


def query_rows(client: Client, query: str) -> list[str]:
    parts = client.queries.execute_cypher(ExecuteCypherRequest(query=query))
    return [str(row) for part in parts for row in part.rows.rows]
