"""Grading of evidence packs: whether a pack has the right place among its first five, how long packs are, and how long they take.

`python -m tests.benchmarks.tasks.evidence_grading STORE [WORDINGS]` asks the questions of `questions/unknown_wordings.toml`, or of another
file of that form, for packs of the default length.
"""

import statistics
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.code.excerpts.evidence_pack import EvidencePack, EvidenceRequest, build_evidence_pack
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store

_QUESTIONS = Path(__file__).parent / "questions"
_FIRST = 5


@dataclass(frozen=True)
class GradedPack:
    """A question, the pack that answers it, and whether one of its first places is right."""

    repository: str
    question: str
    pack: EvidencePack
    is_right: bool
    seconds: float


def is_wanted(place: DefinitionRecord, wanted: Sequence[str]) -> bool:
    """Return whether a place is one of some wanted ones: the end of a qualified name, `path::qualname`, or a path for all of a file."""
    full = f"{place.path}::{place.qualname}"
    return any(
        one in (place.path, place.qualname, full) or place.qualname.endswith((f".{one}", f"::{one}")) for one in wanted
    )


def grade_packs(reader: CodeReader, wordings: str = "unknown_wordings") -> Iterator[GradedPack]:
    """Build the pack of every question of a file."""
    stored = reader.store.repositories()
    for name, questions in tomllib.loads((_QUESTIONS / f"{wordings}.toml").read_text()).items():
        repository = next(id_ for id_ in stored if id_ == name or id_.startswith(f"{name}-"))
        for question, wanted in questions.items():
            begin = time.perf_counter()
            pack = build_evidence_pack(reader, EvidenceRequest(question, (repository,)))
            seconds = time.perf_counter() - begin
            is_right = any(is_wanted(place, wanted) for place in pack.places[:_FIRST])
            yield GradedPack(repository, question, pack, is_right, seconds)


def main() -> None:
    with Store.open(StoreSettings(Path(sys.argv[1]))) as store:
        graded = list(grade_packs(CodeReader(store), *sys.argv[2:3]))
    for one in graded:
        if not one.is_right:
            first = ", ".join(place.title for place in one.pack.places[:_FIRST])
            print(f"{one.repository}: {one.question} -> {first}")
    right = sum(one.is_right for one in graded)
    sizes = [len(one.pack.text) for one in graded]
    times = sorted(one.seconds for one in graded)
    print(
        f"{right} of {len(graded)} right ({right / len(graded):.0%}); {max(sizes):,} characters at most, median "
        f"{statistics.median(sizes):,.0f}; {times[len(times) * 95 // 100] * 1_000:.0f} ms at p95"
    )


if __name__ == "__main__":
    main()
