"""Grading of the questions that are answered without a model: fifteen intents in five wordings over ten repositories.

`python -m tests.benchmarks.tasks.intent_grading STORE first|second` grades a set of `questions/placed_wordings.toml`. An answer is
right if its text or places name the expected ones; evidence, candidates and unknown names answer nothing. A question of no intent is
right if one of the first five places is the expected one.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from repoquarry.agent.decisions import Answer
from repoquarry.agent.questions.answers import QuestionReader
from repoquarry.code.excerpts.evidence_pack import EvidenceRequest, build_evidence_pack
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store

_WORDINGS = Path(__file__).parent / "questions" / "placed_wordings.toml"
_FIRST = 5


def grade_placed(reader: CodeReader, group: str) -> Iterator[tuple[str, str, str]]:
    """Yield (intent, question, grade) of a set of questions with places, for repositories that are stored."""
    wordings = tomllib.loads(_WORDINGS.read_text())
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
                yield intent, f"{repository}: {question.plan()['question']}: {text}", grade_
    for repository, questions in wordings["other"].items():
        for text, path in questions.items() if repository in stored else ():
            pack = build_evidence_pack(reader, EvidenceRequest(text, (repository,)))
            found = any(re.search(path, place.path) for place in pack.places[:_FIRST])
            yield "other", f"{repository}: {text}", "right" if found else "not among the first"


def is_answered(question: QuestionReader, answer: Answer) -> bool:
    """Return whether an answer claims anything: neither evidence, nor candidates, nor an unknown name."""
    return not (
        question.plan()["question"] == "evidence"
        or "is ambiguous" in answer.text
        or answer.text.startswith(("Not in the index", "Without a model", "Unknown:"))
    )


def main() -> None:
    """Print the counts, and the questions that were not answered right."""
    with Store.open(StoreSettings(Path(sys.argv[1]))) as store:
        graded = list(grade_placed(CodeReader(store), sys.argv[2]))
    _print("questions", [one for one in graded if one[0] != "other"])
    _print("other wordings", [one for one in graded if one[0] == "other"])


def _print(title: str, graded: list[tuple[str, str, str]]) -> None:
    for intent, question, result in graded:
        if result != "right":
            print(f"{intent}: {result}: {question}")
    counts = Counter(result for _, _, result in graded)
    shares = (f"{name} {count} ({count / len(graded):.1%})" for name, count in counts.most_common())
    print(f"{title}: {', '.join(shares)} of {len(graded)}")


if __name__ == "__main__":
    main()
