"""Steps and tokens until a chat model has seen the first right file, with and without the opening of a task.

    python -m tests.benchmarks.tasks.opening_cost STORE [--limit N] [--model NAME --base-url URL]

Asks the questions of `questions/other_wordings.toml` over the repositories of the store. A file is right if it holds a wanted definition; it is
seen when a request carries the result of a call that names it. Without `--model` a scripted model searches, views the best place and ends.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from repoquarry.agent.loop.run import run_task
from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.task import Budget, EventKind, TaskEvent, TaskRequest
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.name_resolution import find_name
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from tests.scripted_chat import Reply, scripted_chat

_QUESTIONS = Path(__file__).parent / "questions" / "other_wordings.toml"
_PLACE = re.compile(r"([\w./-]+\.py):(\d+)")
_BUDGET = Budget(steps=6, seconds=600.0)


@dataclass(frozen=True)
class Sighting:
    """First right file of one task: what was used until the model has seen it."""

    calls: int
    requests: int
    tokens: int


def read_questions(reader: CodeReader, limit: int) -> Iterator[tuple[str, str, set[str]]]:
    """Yield repository, question and right files; at most `limit` questions a repository."""
    stored = reader.store.repositories()
    for name, questions in tomllib.loads(_QUESTIONS.read_text(encoding="utf-8")).items():
        for question, wanted in list(questions.items())[:limit] if name in stored else ():
            found = [find_name(reader, one, (name,)) for one in wanted]
            nodes = (node for one in found if one is not None for node in one.nodes)
            paths = {str(node.properties["path"]) for node in nodes if "path" in node.properties}
            yield name, question, paths


def find_sighting(events: list[TaskEvent], paths: set[str]) -> Sighting | None:
    """Find the request that first carries a result with a right file; None if there is none."""
    calls, requests, is_named = 0, 0, False
    for event in events:
        if event.kind is EventKind.TOOL_RETURNED:
            calls += not is_named
            places = event.data["places"]
            named = {place.partition(":")[0].partition(" ")[0] for place in places} if isinstance(places, list) else ()
            is_named = is_named or bool(paths & set(named))
        elif event.kind is EventKind.MODEL_CALLED:
            requests += 1
            if is_named:
                return Sighting(calls, requests, event.usage.input + event.usage.output)
    return None


def ask(store: Store, settings: AgentSettings, repository: str, question: str, paths: set[str]) -> Sighting | None:
    """Run a task until the model has seen a right file."""
    events: list[TaskEvent] = []
    run_task(
        TaskRequest(question, (repository,), "chat", budget=_BUDGET),
        store,
        settings,
        emit=events.append,
        cancelled=lambda: find_sighting(events, paths) is not None,
        approve=lambda asked: False,
    )
    return find_sighting(events, paths)


def script(request: dict[str, Any]) -> Reply:
    """Reply of the scripted model: search, view the best place, end."""
    messages = request["messages"]
    results = [str(message["content"]) for message in messages if message["role"] == "tool"]
    place = _PLACE.search("\n".join(results))
    if place is None:
        text = next(message["content"] for message in messages if message["role"] == "user")
        return Reply(calls=[("search", {"text": text, "mode": "task"})], usage=None)
    if sum(message["role"] == "assistant" for message in messages) < 2:
        return Reply(calls=[("view", {"target": place[1]})], usage=None)
    return Reply(calls=[("finish", {"text": f"It is in {place[0]}.", "places": [place[0]]})], usage=None)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store", type=Path)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--model", default="")
    parser.add_argument("--base-url", default="")
    given = parser.parse_args()
    print("opening,questions,seen,calls,requests,tokens")
    with ExitStack() as opened:
        store = opened.enter_context(Store.open(StoreSettings(given.store)))
        url = given.base_url or opened.enter_context(scripted_chat(*[script] * 10_000)).base_url
        questions = list(read_questions(CodeReader(store), given.limit))
        for is_open in (True, False):
            options = {"base_url": url, "api_key": "none", "temperature": 0}
            model = ModelSettings(
                given.model or "openai:scripted",
                options,
                output_tokens=200,
                opening_blocks=is_open,
                timeout_seconds=0.0,
            )
            seen: list[Sighting] = []
            for repository, question, paths in questions:
                found = ask(store, AgentSettings(model=model), repository, question, paths)
                print(json.dumps([is_open, repository, question, found and asdict(found)]), flush=True)
                seen += [found] if found is not None else []
            means = [statistics.mean(used) for used in zip(*map(astuple, seen), strict=True)]
            print(
                "with" if is_open else "without", len(questions), len(seen), *(f"{one:.1f}" for one in means), sep=","
            )


if __name__ == "__main__":
    main()
