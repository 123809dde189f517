"""Scopes of tokens per RPC.

Written down method by method rather than derived from names, so that whoever adds a method decides.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence


class Scope(enum.StrEnum):
    """A kind of request. `ADMIN` takes in all others; otherwise a token has just the scopes that are listed for it."""

    READ = "read"
    """Look at what is indexed: search, queries, sources, relations, repositories."""
    TASK = "task"
    """Give the agent tasks, follow, approve and cancel them; provision environments."""
    INDEX = "index"
    """Create, follow and cancel index jobs and batches."""
    ADMIN = "admin"
    """Everything, deleting repositories included."""


ALL = frozenset(Scope)
_SERVICES: Mapping[str, Mapping[str, Scope]] = {
    "repoquarry.v1.CodeService": {
        "Search": Scope.READ,
        "Locate": Scope.READ,
        "ResolveName": Scope.READ,
        "ReadSource": Scope.READ,
        "GetTree": Scope.READ,
        "ListRelations": Scope.READ,
        "FindPaths": Scope.READ,
        "BuildContext": Scope.READ,
        "ListOwners": Scope.READ,
        "CompareRepositories": Scope.READ,
        "AnalyzeImpact": Scope.READ,
        "FindDuplicates": Scope.READ,
    },
    "repoquarry.v1.EnvironmentService": {
        "CreateProvisioning": Scope.TASK,
        "GetProvisioning": Scope.TASK,
        "ListProvisionings": Scope.TASK,
        "CancelProvisioning": Scope.TASK,
        "StreamProvisioningEvents": Scope.TASK,
        "ListEnvironments": Scope.TASK,
        "DeleteEnvironment": Scope.TASK,
    },
    "repoquarry.v1.IndexService": {
        "CreateIndexJob": Scope.INDEX,
        "GetIndexJob": Scope.INDEX,
        "ListIndexJobs": Scope.INDEX,
        "CancelIndexJob": Scope.INDEX,
        "StreamIndexEvents": Scope.INDEX,
    },
    "repoquarry.v1.BatchService": {
        "CreateBatch": Scope.INDEX,
        "GetBatch": Scope.INDEX,
        "ListBatches": Scope.INDEX,
        "ListBatchOutcomes": Scope.INDEX,
        "CancelBatch": Scope.INDEX,
        "StreamBatchEvents": Scope.INDEX,
    },
    "repoquarry.v1.QueryService": {"ExecuteCypher": Scope.READ, "GetSchema": Scope.READ},
    "repoquarry.v1.RepositoryService": {
        "GetRepository": Scope.READ,
        "ListRepositories": Scope.READ,
        "FindRepositories": Scope.READ,
        "DeleteRepository": Scope.ADMIN,
    },
    "repoquarry.v1.ToolService": {"ListTools": Scope.READ, "CallTool": Scope.READ},
    "repoquarry.v1.TaskService": {
        "CreateTask": Scope.TASK,
        "GetTask": Scope.TASK,
        "ListTasks": Scope.TASK,
        "CancelTask": Scope.TASK,
        "ApproveTaskAction": Scope.TASK,
        "StreamTaskEvents": Scope.TASK,
        "UploadTaskInput": Scope.TASK,
        "ListTaskFiles": Scope.TASK,
        "ReadTaskFile": Scope.TASK,
        "DeleteTaskFiles": Scope.TASK,
    },
}
METHODS: Mapping[str, Scope] = {
    f"/{service}/{method}": scope for service, methods in _SERVICES.items() for method, scope in methods.items()
}
"""Scope of each method by its full name on the wire."""
ANY_TOKEN = ("/grpc.reflection.",)
"""Prefixes of methods that every token may call: what they tell is public."""


def read_token(entry: str) -> tuple[str, frozenset[Scope]]:
    """A token and its scopes from an entry of `server.tokens`: `TOKEN` has all, `read+task:TOKEN` just these.

    Raises: ValueError, which does not repeat the token.
    """
    names, separator, token = entry.rpartition(":")
    if not separator:
        return entry, ALL
    known = {str(scope): scope for scope in Scope}
    if not token or not names or any(name not in known for name in names.split("+")):
        raise ValueError(f"an entry is TOKEN or SCOPE+SCOPE:TOKEN with the scopes {', '.join(known)}")
    return token, frozenset(known[name] for name in names.split("+"))


def missing_scope(method: str, scopes: frozenset[Scope]) -> Scope | None:
    """The scope that a call of `method` lacks; None when it may be made."""
    if Scope.ADMIN in scopes or method.startswith(ANY_TOKEN):
        return None
    needed = METHODS.get(method, Scope.ADMIN)
    return None if needed in scopes else needed


def scopes_by_token(entries: Sequence[str]) -> Mapping[str, frozenset[Scope]]:
    """Scopes by token; one that is listed several times has all that are listed. Raises: ValueError."""
    found: dict[str, frozenset[Scope]] = {}
    for entry in entries:
        token, scopes = read_token(entry)
        found[token] = found.get(token, frozenset()) | scopes
    return found
