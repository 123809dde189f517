"""Resource names: `repositories/{repository}`, `indexJobs/{index_job}`, `tasks/{task}`, `uploads/{upload}`,
`provisionings/{provisioning}`, `environments/{environment}`, `batches/{batch}`."""

from __future__ import annotations

import re

from repoquarry.server.errors import invalid

REPOSITORIES, INDEX_JOBS, TASKS, UPLOADS = "repositories", "indexJobs", "tasks", "uploads"
PROVISIONINGS, ENVIRONMENTS, BATCHES = "provisionings", "environments", "batches"
_REPOSITORY_ID = re.compile(r"[a-z0-9_][a-z0-9._@-]{0,199}")


def repository_name(repository: str) -> str:
    """The resource name of a repository; empty for none."""
    return f"{REPOSITORIES}/{repository}" if repository else ""


def repository_of(name: str, field: str = "name") -> str:
    """The id in a repository's resource name; a bare id is taken as one. Raises: RequestError."""
    prefix, _, id_ = name.rpartition("/")
    if prefix not in ("", REPOSITORIES) or not id_:
        raise invalid(field, f"{name!r} is not of the form {REPOSITORIES}/{{repository}}")
    return id_


def checked_repository_id(id_: str, field: str) -> str:
    """An id that a caller chose. Raises: RequestError when it cannot be one."""
    if not _REPOSITORY_ID.fullmatch(id_):
        raise invalid(
            field, f"{id_!r} cannot name a repository: lower-case letters, digits, `.`, `_`, `-` and `@`, at most 200"
        )
    return id_


def repositories_of(names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The ids in a request's list of repositories. Raises: RequestError."""
    return tuple(dict.fromkeys(repository_of(name, "repositories") for name in names))


def upload_of(name: str) -> str:
    """The id in the name of an upload. Raises: RequestError."""
    prefix, _, id_ = name.partition("/")
    if prefix != UPLOADS or not id_:
        raise invalid("upload", f"{name!r} is not of the form {UPLOADS}/{{upload}}")
    return id_


def work_of(collection: str, name: str) -> str:
    """The id in the name of a job, task or provisioning. Raises: RequestError."""
    prefix, _, id_ = name.partition("/")
    if prefix != collection or not id_:
        raise invalid("name", f"{name!r} is not of the form {collection}/{{id}}")
    return id_
