"""Latency of `explore` on an index of Django: questions and names through one service, and as commands of their own.

`python -m tests.benchmarks.tasks.explore_latency STORE` prints median, 95th percentile and maximum of each, in milliseconds. A command is
cold in that its process starts and loads everything; files of the store stay in the page cache. Run it on a quiet machine.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from repoquarry.v1 import code_service_pb2 as pb
from tests.e2e.service import end, launch, repoquarry

_ROUNDS = 3
_COMMANDS = 6
_QUESTIONS = (
    "how are migrations applied to the database",
    "where is the csrf token checked",
    "rendering a template with context",
    "how does the admin decide which fields are read only",
    "hashing of passwords",
    "parse a multipart upload",
    "how are database connections closed after a request",
    "translate a string lazily",
    "send an email with attachments",
    "which middleware sets the session cookie",
    "prefetch related objects",
    "validate a model before saving",
    "url reverse with namespaces",
    "generate sql for a join",
    "cache key of a view",
    "run the development server and reload on changes",
    "serialize objects to json",
    "timezone aware datetime conversion",
    "sanitize html in templates",
    "why is a query evaluated twice in a template loop",
)
_NAMES = (
    "QuerySet.filter",
    "Model.save",
    "reverse",
    "HttpResponse",
    "CsrfViewMiddleware",
    "django/core/handlers/base.py",
    "Field",
)


def _measure(ask: Callable[[str], None], targets: Sequence[str]) -> list[float]:
    times = []
    for target in targets:
        begin = time.perf_counter()
        ask(target)
        times.append((time.perf_counter() - begin) * 1_000)
    return sorted(times)


def _print(title: str, times: Sequence[float]) -> None:
    median, high = times[len(times) // 2], times[len(times) * 95 // 100]
    print(f"{title}: {len(times)} answers, median {median:.0f} ms, p95 {high:.0f} ms, maximum {times[-1]:.0f} ms")


def main() -> None:
    store = Path(sys.argv[1]).resolve()

    def run_command(target: str) -> None:
        result = repoquarry(store, "explore", target)
        assert result.stdout, result.stderr

    with tempfile.TemporaryDirectory() as folder:
        service = launch(store, Path(folder) / "log")
        try:
            code = service.client().code

            def request(target: str) -> None:
                assert code.explore(pb.ExploreRequest(target=target)).text

            _print("first question of a service", _measure(request, _QUESTIONS[:1]))
            _print("questions through a service", _measure(request, _QUESTIONS * _ROUNDS))
            _print("names through a service", _measure(request, _NAMES * _ROUNDS))
        finally:
            end(service)
    _print("questions as commands", _measure(run_command, _QUESTIONS[:_COMMANDS]))
    _print("names as commands", _measure(run_command, _NAMES[:_COMMANDS]))


if __name__ == "__main__":
    main()
