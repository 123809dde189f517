"""`repoquarry files`: what lies in the workspace of a task."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repoquarry.server.cli.session import Session, with_session
from repoquarry.server.cli.transfer import fetch_file

if TYPE_CHECKING:
    from repoquarry.server.api import Api


@with_session
def command(
    session: Session,
    task: Annotated[str, typer.Argument(help="Name of the task, `tasks/ID` or `ID`.")],
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files or folders of its workspace; none: the folder `outputs`.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="The whole workspace.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the files below this folder instead of listing them.")
    ] = None,
    delete: Annotated[
        bool, typer.Option("--delete", help="Remove the workspace of the task, which has to have ended.")
    ] = False,
) -> None:
    """List the files of a task, write them to a folder, or delete its workspace."""
    from repoquarry.v1.task_service_pb2 import DeleteTaskFilesRequest

    name = task if "/" in task else f"tasks/{task}"
    with session.api() as api:
        if delete:
            api.tasks.delete_task_files(DeleteTaskFilesRequest(name=name))
            print(f"the workspace of {name} is gone", file=sys.stderr)
        elif output is not None:
            for path in _named(api, name, paths, everything=everything):
                print(f"wrote {fetch_file(api, name, path, output)}", file=sys.stderr)
        else:
            _list(session, api, name, paths or ["" if everything else "outputs"])


def _named(api: Api, name: str, paths: list[str] | None, *, everything: bool) -> list[str]:
    """The files that are meant: those below the folders, and those that are files themselves."""
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    found = []
    for path in paths or ["" if everything else "outputs"]:
        request = ListTaskFilesRequest(name=name, folder=path, max_files=10_000, without_checksums=True)
        inside = [item.path for item in api.tasks.list_task_files(request).files]
        found += inside or ([path] if paths else [])
    return found


def _list(session: Session, api: Api, name: str, folders: list[str]) -> None:
    from repoquarry.server.cli.plain import plain
    from repoquarry.server.text import columns
    from repoquarry.v1.task_service_pb2 import ListTaskFilesRequest

    pages = [api.tasks.list_task_files(ListTaskFilesRequest(name=name, folder=folder)) for folder in folders]
    files = [item for page in pages for item in page.files]
    if session.as_json:
        session.print_json(
            {"files": [plain(item) for item in files], "truncated": any(page.truncated for page in pages)}
        )
        return
    rows = [(item.path, str(item.size), item.sha256, item.modify_time.ToJsonString()[:19]) for item in files]
    print(columns(("FILE", "BYTES", "SHA-256", "CHANGED"), rows, right=(1,)) if rows else "no files")
    if any(page.truncated for page in pages):
        print("there are more files; name a folder", file=sys.stderr)
