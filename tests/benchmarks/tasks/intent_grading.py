"""Grading of the questions that are answered without a model: fifteen intents in five wordings over the repositories of a store.

An answer is right if its intent, its subject and the form of its first sentence are those that the question was made
from. A list of candidates or of matching places is not right, but not wrong either.
`python -m tests.benchmarks.tasks.intent_grading STORE [REPOSITORY...]` prints the counts of each file of wordings.
`... STORE first` grades a set of `placed_wordings.toml` instead: an answer is right if its text or places name the expected ones, and
one to a question of no intent if one of the first five places is the expected one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from repoquarry.agent.decisions import Answer
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.reading.evidence_pack import EvidenceRequest, build_evidence_pack
from repoquarry.graphstore.reading.records import DefinitionRecord
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store

_QUESTIONS = Path(__file__).parent / "questions"
_FIRST = 5
_WORDINGS = ("intent_wordings", "independent_wordings")


def list_subjects(reader: CodeReader, repository: str) -> dict[str, list[str]]:
    """Choose what the questions of one repository are about: unambiguous names, most called first."""
    modules = [item for item in reader.modules([repository], limit=2_000) if not item.is_test]
    inside = [item for module in modules for item in reader.inside(repository, module.path)]
    names = Counter(item.name for item in inside)
    own = [item for item in inside if names[item.name] == 1 and not item.is_test and len(item.name) > 3]
    called = sorted((item for item in own if item.label == "Function"), key=lambda item: (-item.calls_in, item.id))
    classes = [item for item in own if item.label == "Class"]
    bases = [item for item in classes if reader.subclasses([item.id])]
    errors = [
        item for item in classes if item.name.endswith(("Error", "Exception", "Warning", "Exit", "Abort", "Timeout"))
    ]
    return {
        "x": [item.name for item in called[:3]] + [f"{item.qualname}()" for item in called[3:5]],
        "c": _names(bases),
        "e": _names(errors) or ["ValueError"],
        "v": _constants(reader, modules),
        "m": [item.path for item in modules[:5]],
    }


def _names(items: list[DefinitionRecord]) -> list[str]:
    return [item.name for item in items[:5]]


def _constants(reader: CodeReader, modules: list[DefinitionRecord]) -> list[str]:
    """Choose names in capitals that are assigned once."""
    found: Counter[str] = Counter()
    for module in modules:
        for line in reader.text(module.repository, module.path).split("\n"):
            name, separator, value = line.partition(" = ")
            if separator and name.isidentifier() and name.isupper() and value[:1] in "\"'0123456789[{(":
                found[name] += 1
    return [name for name, count in found.items() if count == 1][:5]


def grade(reader: CodeReader, repository: str, wordings: str) -> Iterator[tuple[str, str, str]]:
    """Yield (intent, question, grade) of every question; intents without a subject in the repository are skipped."""
    subjects = list_subjects(reader, repository)
    leads = {intent: entry["lead"] for intent, entry in _load("intent_wordings").items()}
    for intent, entry in _load(wordings).items():
        for number, wording in enumerate(entry["wordings"]):
            kind = next((one for one in subjects if f"{{{one}}}" in wording), "")
            if kind and not subjects[kind]:
                continue
            name = subjects[kind][number % len(subjects[kind])] if kind else ""
            question = QuestionReader(wording.replace(f"{{{kind}}}", name), (repository,), reader, lambda: None)
            plan, answer = question.plan(), question.answer()
            if not is_answered(question, answer):
                yield intent, question.plan().question + ": " + wording.replace(f"{{{kind}}}", name), "not answered"
            elif (
                plan.question != intent
                or not re.search(leads[intent], answer.text.split("\n")[0])
                or (name and plan.subjects[0].rstrip("()") != name.rstrip("()"))
            ):
                yield intent, f"{plan.question}: {wording} {name}", "wrong"
            else:
                yield intent, wording, "right"


def grade_placed(reader: CodeReader, group: str) -> Iterator[tuple[str, str, str]]:
    """Yield (intent, question, grade) of a set of questions with places, for repositories that are stored."""
    wordings = _load("placed_wordings")
    stored = set(reader.store.repositories())
    for intent, entry in wordings[group].items():
        for repository, (name, *expected) in entry["subjects"].items():
            for wording in entry["wordings"] if repository in stored else ():
                text = wording.replace("{s}", name)
                question = QuestionReader(text, (repository,), reader, lambda: None)
                answer = question.answer()
                if not is_answered(question, answer):
                    grade_ = "not answered"
                else:
                    named = "\n".join([answer.text, *(f"{one.path} {one.qualname}" for one in answer.places)])
                    grade_ = "right" if all(re.search(one, named) for one in expected) else "wrong"
                yield intent, f"{repository}: {question.plan().question}: {text}", grade_
    for repository, questions in wordings["other"].items():
        for text, path in questions.items() if repository in stored else ():
            pack = build_evidence_pack(reader, EvidenceRequest(text, (repository,)))
            found = any(re.search(path, place.path) for place in pack.places[:_FIRST])
            yield "other", f"{repository}: {text}", "right" if found else "not among the first"


def is_answered(question: QuestionReader, answer: Answer) -> bool:
    """Return whether an answer claims anything: neither evidence, nor candidates, nor an unknown name."""
    return not (
        question.plan().question == "evidence"
        or "is ambiguous" in answer.text
        or answer.text.startswith(("Not in the index", "Without a model", "Unknown:"))
    )


def _load(wordings: str) -> dict[str, Any]:
    return tomllib.loads((_QUESTIONS / f"{wordings}.toml").read_text())


def main() -> None:
    """Print the counts, and the questions that were not answered right."""
    with Store.open(StoreSettings(Path(sys.argv[1]))) as store:
        reader = CodeReader(store)
        if sys.argv[2:] in (["first"], ["second"]):
            graded = list(grade_placed(reader, sys.argv[2]))
            _print("questions", [one for one in graded if one[0] != "other"])
            _print("other wordings", [one for one in graded if one[0] == "other"])
            return
        for wordings in _WORDINGS:
            repositories = sys.argv[2:] or store.repositories()
            _print(wordings, [one for repository in repositories for one in grade(reader, repository, wordings)])


def _print(title: str, graded: list[tuple[str, str, str]]) -> None:
    for intent, question, result in graded:
        if result != "right":
            print(f"{intent}: {result}: {question}")
    counts = Counter(result for _, _, result in graded)
    shares = (f"{name} {count} ({count / len(graded):.1%})" for name, count in counts.most_common())
    print(f"{title}: {', '.join(shares)} of {len(graded)}")


if __name__ == "__main__":
    main()
