"""Client that indexes a folder, queries the graph, submits a task and follows its events.

    python task_client.py 127.0.0.1:50151 FOLDER QUESTION

FOLDER is a path on the machine of the service. A broken connection resumes behind the last event; the task is not affected.
"""

import sys

from repoquarry.client import Client, ClientError, ClientSettings
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource, StreamIndexEventsRequest
from repoquarry.v1.task_service_pb2 import CreateTaskRequest, StreamTaskEventsRequest, TaskSpec


def index_folder(client: Client, folder: str) -> str:
    """Index a folder. Returns the name of the repository."""
    request = CreateIndexJobRequest(sources=[IndexSource(location=folder)])
    (job,) = client.index.create_index_job(request).index_jobs
    repository = ""
    for part in client.index.stream_index_events(StreamIndexEventsRequest(name=job.name)):
        if part.event.HasField("report"):
            repository = part.event.report.repository
            print("indexed", part.event.report.lines, "lines of", repository)
    if not repository:
        sys.exit("the folder was not indexed: `repoquarry list --jobs` shows the reason")
    return repository


def print_most_called(client: Client, repository: str) -> None:
    """Print the functions with the most call sites."""
    query = (
        "MATCH (f:Function {repository: $repository}) WHERE f.calls_in > 0 "
        "RETURN f.qualname AS name, f.calls_in AS calls ORDER BY calls DESC, name LIMIT 3"
    )
    for row in client.rows(query, {"repository": repository.removeprefix("repositories/")}):
        print(row["name"], "has", row["calls"], "call sites")


def ask(client: Client, repository: str, question: str) -> None:
    """Submit a task and print its answer."""
    spec = TaskSpec(text=question, repositories=[repository])
    task = client.tasks.create_task(CreateTaskRequest(spec=spec)).task
    for part in client.tasks.stream_task_events(StreamTaskEventsRequest(name=task.name)):
        if part.event.HasField("answer"):
            print(part.event.answer.text.strip())
        elif part.event.HasField("state_changed") and part.event.state_changed.HasField("error"):
            sys.exit(f"the task failed: {part.event.state_changed.error.message}")


def main(server: str, folder: str, question: str) -> None:
    with Client(ClientSettings(server)) as client:
        repository = index_folder(client, folder)
        print_most_called(client, repository)
        ask(client, repository, question)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except ClientError as exc:
        sys.exit(str(exc))
