"""The course of one provisioning, whatever the language: what was asked, what was tried, what is left of time and attempts, what is told."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from repoquarry.agent.errors import TaskCancelledError
from repoquarry.agent.isolation.confinement import Isolation
from repoquarry.agent.provision.cache import EnvironmentCache, Stored
from repoquarry.agent.provision.report import Progress, State
from repoquarry.agent.provision.request import Request
from repoquarry.agent.provision.running import Runner
from repoquarry.agent.provision.trial import Repair
from repoquarry.agent.settings import AgentSettings, EnvironmentSettings

_UNREACHED: Final = re.compile(
    r"dns error|name resolution|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EPERM|EACCES|Operation not permitted|Permission denied|"
    r"[Cc]onnection (?:refused|failed)|client error \(Connect\)"
)


@dataclass
class Course:
    """One provisioning from its start to its end."""

    request: Request
    cache: EnvironmentCache
    agent: AgentSettings
    isolation: Isolation
    report: Callable[[Progress], None]
    cancelled: Callable[[], bool]
    started: float = field(default_factory=time.monotonic)
    attempts: int = 0
    _seen: set[str] = field(default_factory=set)

    @property
    def settings(self) -> EnvironmentSettings:
        return self.agent.environment

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def left(self) -> bool:
        """Whether time and attempts are left for another try."""
        in_time = not self.settings.seconds or self.seconds < self.settings.seconds
        return in_time and self.attempts <= self.settings.attempts

    def runner(self) -> Runner:
        """Runs the commands, isolated."""
        left = (lambda: self.settings.seconds - self.seconds) if self.settings.seconds else None
        return Runner(self.request.workspace, self.agent.workspace, self.settings, self.isolation, self.cancelled, left)

    def choice(self, *further: object) -> tuple[object, ...]:
        """What of the request decides which environment it gets, for the key of the cache."""
        return (*further, self.request.tests, str(self.request.date))

    def attempt(self, plan: object) -> None:
        """Count an attempt at a plan. Raises: TaskCancelledError."""
        if self.cancelled():
            raise TaskCancelledError("the provisioning was cancelled")
        self.attempts += 1
        self.mark(plan)

    def mark(self, plan: object) -> None:
        """Remember a plan as tried."""
        self._seen.add(repr(plan))

    def was_seen(self, plan: object) -> bool:
        return repr(plan) in self._seen

    def say(self, stage: str, text: str, *repairs: Repair) -> None:
        self.report(Progress(stage, text, repairs))

    def finish(self, folder: Path, record: Mapping[str, Any]) -> Stored:
        """Keep what was made."""
        return self.cache.finish(folder, {**record, "repository": self.request.tree.name})

    def explained(self, problems: tuple[str, ...]) -> tuple[str, ...]:
        """Problems, with the remedy where they are that the isolation keeps installations from the network."""
        shut = self.isolation.holds and not self.isolation.grants_network
        if not shut or not any(_UNREACHED.search(problem) for problem in problems):
            return problems
        remedy = (
            f"commands are isolated by {self.isolation.name} here, which lets no installation reach the package index: install bubblewrap, "
            "or set agent.environment.index and find_links to folders of this machine"
        )
        return (remedy, *problems)

    def ended(self, stored: Stored | None, missing: Sequence[str], repairs: Sequence[Repair]) -> State:
        """How far it came, which is told."""
        state = State.FAILED if stored is None else State.PARTIAL if missing else State.READY
        self.say("done", f"{state} after {self.seconds:.1f} s, {len(repairs)} repairs")
        return state


def digest_of(files: Iterable[Path]) -> str:
    """Digest of the files that decide and repair: with other rules the same request may get a better environment."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()
