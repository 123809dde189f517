"""Does impact name the test files that run a function? Functions of an indexed repository against coverage with a context per test.

The truth of a function are the files of the tests that run a line of its body below its header; functions that no test runs are left
out. The prediction are the test files of `impact` for the function. Macro means over a sample of functions; "first" is the share of
functions whose first file is right, "tests" the recall and precision by single tests. Run the suite first:

    pytest --cov=PACKAGE --cov-context=test --cov-report=
    REPOQUARRY_STORE=... python -m tests.benchmarks.retrieval.coverage_contexts REPOSITORY FOLDER [--count N] [--worst N]
"""

import argparse
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from repoquarry.code.impact import CodeChange, analyze_impact
from repoquarry.code.reader import CodeReader
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore.store import Store
from repoquarry.server.settings.loading import load_settings
from tests.benchmarks.__main__ import SKIPPED

_SEED = 5


def read_contexts(folder: Path) -> Mapping[str, Mapping[int, set[str]]]:
    """Return the tests that run each line, by path in the folder; a test is `path::Class::name` without its parameters."""
    from coverage import CoverageData

    data = CoverageData(str(folder / ".coverage"))
    data.read()
    found: dict[str, dict[int, set[str]]] = {}
    for file in data.measured_files():
        path = (folder / file).resolve()  # relative with `relative_files`
        if not path.is_relative_to(folder):
            continue
        lines = found[path.relative_to(folder).as_posix()] = {}
        for line, contexts in data.contexts_by_lineno(file).items():
            names = {context.partition("|")[0].partition("[")[0] for context in contexts if "::" in context}
            if names:
                lines[line] = names
    return found


def list_truths(
    reader: CodeReader, repository: str, contexts: Mapping[str, Mapping[int, set[str]]]
) -> list[tuple[DefinitionRecord, set[str]]]:
    """Return the functions outside tests that tests run, each with its tests."""
    truths = []
    for path, lines in sorted(contexts.items()):
        for item in reader.inside(repository, path):
            if item.label != "Function" or item.is_test:
                continue
            body = range(item.start_line + 1, item.end_line + 1)
            if tests := {test for line in body for test in lines.get(line, ())}:
                truths.append((item, tests))
    return truths


def _shares(truth: set[str], found: set[str]) -> tuple[float, float]:
    """Return recall and precision; the precision of nothing found is 0."""
    right = len(truth & found)
    return right / len(truth), right / len(found) if found else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", help="id of the indexed repository")
    parser.add_argument("folder", type=Path, help="its folder, with the file .coverage")
    parser.add_argument("--count", type=int, default=60, help="functions")
    parser.add_argument(
        "--worst", type=int, default=5, help="functions with the least recall and precision that are printed"
    )
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if not (folder / ".coverage").exists():
        print(f"{folder} has no .coverage", file=sys.stderr)
        return SKIPPED
    figures: defaultdict[str, list[float]] = defaultdict(list)
    rows = []
    with Store.open(load_settings().store) as store:
        reader = CodeReader(store)
        truths = list_truths(reader, arguments.repository, read_contexts(folder))
        chosen = random.Random(_SEED).sample(truths, min(arguments.count, len(truths)))
        for item, tests in chosen:
            change = CodeChange((arguments.repository,), (item,))
            ranked = analyze_impact(reader, change, [arguments.repository]).test_files
            files = [file.entity.path for file in ranked]
            named = {
                "::".join([test.entity.path, *test.entity.qualname.split(".")])
                for file in ranked
                for test in file.tests
            }
            right = {test.partition("::")[0] for test in tests}
            recall, precision = _shares(right, set(files))
            rows.append((recall, precision, item.qualname, len(right), len(files)))
            test_recall, test_precision = _shares(tests, named)
            values = {"recall": recall, "precision": precision, "first": float(bool(files) and files[0] in right)}
            values |= {"tests: recall": test_recall, "tests: precision": test_precision}
            for name, value in values.items():
                figures[name].append(value)
    print(f"{arguments.repository}: {len(chosen)} of {len(truths)} functions that tests run")
    print(", ".join(f"{name} {statistics.fmean(values):.2f}" for name, values in figures.items()))
    for recall, precision, name, right_count, named_count in sorted(rows)[: arguments.worst]:
        print(f"  {name}: recall {recall:.2f}, precision {precision:.2f}; {right_count} right, {named_count} named")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
