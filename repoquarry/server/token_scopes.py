"""Scopes of tokens by RPC.

The table lists every method, so that the author of a new method decides its scope.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from repoquarry.server.text_format import read_table


class TokenScope(enum.StrEnum):
    """Permission for a kind of request. `ADMIN` includes all others."""

    READ = "read"
    """Look at what is indexed: search, queries, sources, relations, repositories."""
    TASK = "task"
    """Give the agent tasks, follow, approve and cancel them; provision environments."""
    INDEX = "index"
    """Create, follow and cancel index jobs and batches."""
    VOUCH = "vouch"
    """Name the user of a call in the metadata key `x-repoquarry-user`, so that users of one token take turns."""
    ADMIN = "admin"
    """Everything, deleting repositories included."""


ALL = frozenset(TokenScope)
METHODS: Mapping[str, TokenScope] = {
    f"/repoquarry.v1.{service}/{method}": TokenScope(scope) for service, method, scope in read_table("token_scopes")
}
"""Scope by full method name."""
NO_TOKEN = ("/grpc.health.v1.Health/",)
"""Prefixes of methods without a token, for load balancers. Mutual TLS still requires a certificate."""
ANY_TOKEN = ("/grpc.reflection.", "/metrics")
"""Prefixes of methods and paths that every token may call, because their answers contain no indexed data."""
MIN_TOKEN_CHARACTERS = 16
"""Minimum length; shorter tokens can be guessed."""


def read_token(entry: str) -> tuple[str, frozenset[TokenScope]]:
    """Parse an entry of `server.tokens`: `TOKEN` has all scopes, `read+task:TOKEN` has two.

    Raises: ValueError, which does not repeat the token.
    """
    names, separator, token = entry.rpartition(":")
    known = {str(scope): scope for scope in TokenScope}
    if separator and (not token or not names or any(name not in known for name in names.split("+"))):
        raise ValueError(f"an entry is TOKEN or SCOPE+SCOPE:TOKEN with the scopes {', '.join(known)}")
    if len(token) < MIN_TOKEN_CHARACTERS:
        raise ValueError(
            f"a token of {len(token)} characters is too short; use at least {MIN_TOKEN_CHARACTERS}, "
            "for example the output of: openssl rand -hex 32"
        )
    return token, frozenset(known[name] for name in names.split("+")) if separator else ALL


def missing_scope(method: str, scopes: frozenset[TokenScope]) -> TokenScope | None:
    """Return the scope that a call of `method` lacks; None when the call is permitted."""
    if TokenScope.ADMIN in scopes or method.startswith(ANY_TOKEN):
        return None
    needed = METHODS.get(method, TokenScope.ADMIN)
    return None if needed in scopes else needed


def scopes_by_token(entries: Sequence[str]) -> Mapping[str, frozenset[TokenScope]]:
    """Parse the scopes by token; repeated tokens have the union of their scopes. Raises: ValueError."""
    found: dict[str, frozenset[TokenScope]] = {}
    for entry in entries:
        token, scopes = read_token(entry)
        found[token] = found.get(token, frozenset()) | scopes
    return found
