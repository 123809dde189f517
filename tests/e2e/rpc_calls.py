"""Calls of a running service that many tests make: index jobs to their end, rows of a query, and failures; and work that is never run."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from repoquarry.client import Client
from repoquarry.client.errors import RequestError, RequestFailure
from repoquarry.server.jobs.database import BATCH, INDEX, PROVISION, TASK, NewWork, StateDatabase
from repoquarry.server.jobs.runner import this_process
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


_COLLECTIONS = {INDEX: "indexJobs", BATCH: "batches", TASK: "tasks", PROVISION: "provisionings"}


def queue_work(store: Path, works: Mapping[str, NewWork]) -> dict[str, str]:
    """Queue a piece of work of each kind that belongs to this living process and so is never run, and return the names."""
    state = StateDatabase(store / "state.db")
    made = {kind: state.create(kind, [work], owner=this_process()) for kind, work in works.items()}
    state.close()
    return {kind: f"{_COLLECTIONS[kind]}/{work.id}" for kind, (work,) in made.items()}
