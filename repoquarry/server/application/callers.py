"""Whose work is: files of a task, and provisionings, are for the one who asked for them, and for administrators."""

from __future__ import annotations

from dataclasses import dataclass

from repoquarry.server.errors import refuse
from repoquarry.server.state.records import Work


@dataclass(frozen=True)
class Caller:
    """Who sent a request. `owner` is empty where the service asks for no token: then all are one."""

    owner: str = ""
    admin: bool = True

    def check(self, work: Work, name: str) -> None:
        """Raises: RequestError unless the work is this caller's; its subject is its owner."""
        if not self.admin and work.subject != self.owner:
            raise refuse(
                "NOT_OWNER", f"{name} and what belongs to it are those of the token that created it", name=name
            )


LOCAL = Caller()
"""Whoever works on the store in this process."""
