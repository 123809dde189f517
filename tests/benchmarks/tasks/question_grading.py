"""Asks a running service the questions of `questions/*.toml` and grades what the agent without a model answers.

An answer is right when everything that its question needs is named in its text or in its first five places, in part when
some of it is. The list of places that ends the text is omitted, so that only the first five count.

    python -m tests.benchmarks.tasks.question_grading --store STORE [--set asked]

The store must hold the repositories; their ids may carry a version (`django-5.2.8` for `django`).
"""

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from repoquarry.client import Client
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
from repoquarry.v1.task_service_pb2 import (
    CreateTaskRequest,
    GetTaskRequest,
    StreamTaskEventsRequest,
    TaskAnswer,
    TaskSpec,
)
from tests.benchmarks.__main__ import SKIPPED
from tests.e2e.service import launch

_QUESTIONS = Path(__file__).parent / "questions"
_FIRST = 5
_PLACES = "Places, best first:"


@dataclass(frozen=True)
class GradedQuestion:
    """A question with the names that a right answer contains; each of `needs` lists alternatives."""

    repository: str
    text: str
    needs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class GradedAnswer:
    """A question, the grade of its answer (`right`, `in part`, `wrong`) and what that lacks."""

    question: GradedQuestion
    grade: str
    missing: tuple[str, ...]
    seconds: float


def read_questions(name: str) -> list[GradedQuestion]:
    """The questions of one set."""
    table = tomllib.loads((_QUESTIONS / f"{name}.toml").read_text(encoding="utf-8"))
    return [
        GradedQuestion(item["repository"], item["text"], tuple(tuple(need.split("|")) for need in item["needs"]))
        for item in table["question"]
    ]


def grade(question: GradedQuestion, answer: TaskAnswer) -> tuple[str, tuple[str, ...]]:
    """The grade of an answer and what it lacks."""
    shown = answer.text.partition(_PLACES)[0]
    places = [" ".join((place.path, place.qualname, place.why, *place.reasons)) for place in answer.places[:_FIRST]]
    told = "\n".join((shown, *places))
    missing = tuple(need[0] for need in question.needs if not any(_names(told, one) for one in need))
    return ("wrong" if len(missing) == len(question.needs) else "in part") if missing else "right", missing


def _names(told: str, wanted: str) -> bool:
    """Return whether a text contains a name as a complete word: `fetchall` does not name `fetch`."""
    before, after = (r"(?<!\w)" if wanted[0].isalnum() else ""), (r"(?!\w)" if wanted[-1].isalnum() else "")
    return re.search(before + re.escape(wanted) + after, told) is not None


def ask(client: Client, repository: str, text: str) -> tuple[TaskAnswer, float]:
    """The answer to a question and the seconds until it was there."""
    started = time.perf_counter()
    spec = TaskSpec(text=text, repositories=[f"repositories/{repository}"], policy="deterministic")
    name = client.tasks.create_task(CreateTaskRequest(spec=spec)).task.name
    for _ in client.tasks.stream_task_events(StreamTaskEventsRequest(name=name)):
        pass
    seconds = time.perf_counter() - started
    return client.tasks.get_task(GetTaskRequest(name=name)).task.answer, seconds


def _stored(client: Client, wanted: set[str]) -> dict[str, str]:
    """Id of the stored repository for each name that questions use."""
    listed = client.repositories.list_repositories(ListRepositoriesRequest()).repositories
    ids = [repository.name.partition("/")[2] for repository in listed]
    return {name: found[0] for name in wanted if (found := [i for i in ids if re.fullmatch(rf"{name}(-[\d.]+)?", i)])}


def run(store: Path, questions: list[GradedQuestion]) -> list[GradedAnswer]:
    """Ask all that the store has the repository for, one after the other, and grade them."""
    with tempfile.TemporaryDirectory() as folder:
        service = launch(store, Path(folder) / "log")
        try:
            client = service.client()
            ids = _stored(client, {question.repository for question in questions})
            for id_ in ids.values():
                ask(client, id_, "warm up")  # the first question opens the index
            graded = []
            for question in questions:
                if question.repository in ids:
                    answer, seconds = ask(client, ids[question.repository], question.text)
                    graded.append(GradedAnswer(question, *grade(question, answer), seconds))
            client.close()
            return graded
        finally:
            service.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=os.environ.get("REPOQUARRY_QUESTIONS_STORE"))
    parser.add_argument("--set", default="asked", choices=[path.stem for path in sorted(_QUESTIONS.glob("*.toml"))])
    options = parser.parse_args()
    if options.store is None:
        print("REPOQUARRY_QUESTIONS_STORE or --store names the store that holds the indexed repositories")
        return SKIPPED
    graded = run(options.store.resolve(), read_questions(options.set))
    for item in graded:
        missing = f"  lacks {', '.join(item.missing)}" if item.missing else ""
        print(f"{item.grade:<8} {item.seconds:5.2f} s  {item.question.repository}: {item.question.text}{missing}")
    counts = Counter(item.grade for item in graded)
    times = [item.seconds for item in graded]
    told = ", ".join(f"{counts[name]} {name}" for name in ("right", "in part", "wrong"))
    print(f"{len(graded)} asked: {told}; answer time p50 {statistics.median(times):.2f} s, max {max(times):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
