"""SWE-PolyBench's tables 5, 6 and 8 for `locate`, on instances that are rebuilt from public histories.

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.retrieval.polybench_locate OUT COUNT [OWNER/NAME ...]

From each mirrored repository the newest COUNT changes that close an issue and change code and tests (`--collect`, without running
the tests). The message of the change is the text, since mirrors hold no issues; texts that name a changed file are counted apart. Each
base commit is indexed without history, and asked. OUT receives `instances.jsonl`, the bases in `trees`, and two predictions: the
first file and definition, and the first three. `repoquarry evaluate polybench` scores them; a run resumes where it was stopped.
"""

import argparse
import json
import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from repoquarry.evaluation.polybench_collection import collect_candidates, read_changes
from repoquarry.evaluation.polybench_instances import Instance, Prediction, parse
from repoquarry.evaluation.polybench_scoring import find_modified_nodes
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server.cli.program import run
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import Mirror
from tests.benchmarks.tasks.polybench_commits import write_lines

_CHANGES: Final = 1_500
_SIZES: Final = (1, 3)
"""Number of files and of definitions in a prediction."""
REPOSITORIES: Final = (
    "jhy/jsoup", "stleary/JSON-java", "axios/axios", "tj/commander.js", "sindresorhus/ky", "honojs/hono", "colinhacks/zod",
    "jd/tenacity", "msiemens/tinydb", "andialbrecht/sqlparse",
)  # fmt: skip


def collect(repository: str, count: int) -> list[Instance]:
    """Return the newest changes of a mirrored repository that may be instances."""
    mirror = Mirror.of(repository)
    assert mirror is not None, f"no mirror of {repository}"
    changes = read_changes(mirror.folder, _CHANGES)
    found = collect_candidates(mirror.folder, repository.replace("/", "__"), changes, None, "", Counter())
    return [msgspec.structs.replace(one, repo=repository) for one in islice(found, count)]


def ask(instance: Instance, tree: Path) -> list[Prediction]:
    """Index the base of an instance and return the first places for its text, a prediction for each size."""
    mirror = Mirror.of(instance.repo)
    assert mirror is not None
    if not tree.is_dir():
        mirror.lay_out(instance.base_commit, tree)
    with (
        tempfile.TemporaryDirectory(prefix="repoquarry-bench-") as folder,
        Store.open(StoreSettings(folder=Path(folder)), writable=True) as store,
    ):
        index_repository(str(tree), store, IngestSettings())
        answer = locate(store, LocateRequest(instance.problem_statement))
    files, nodes = [place.path for place in answer.files], [f"{one.path}:{one.qualname}" for one in answer.definitions]
    name = instance.instance_id
    return [Prediction(instance_id=name, files=tuple(files[:size]), nodes=tuple(nodes[:size])) for size in _SIZES]


def names_a_file(instance: Instance) -> bool:
    """Return whether the text names a file of the fix."""
    return any(Path(path).name in instance.problem_statement for path in parse(instance.patch).touched)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("count", type=int, nargs="?", default=8)
    parser.add_argument("repositories", nargs="*")
    given = parser.parse_args()
    if given.output is None:
        print("needs an output folder, and mirrors in BENCH_MIRROR")
        return SKIPPED
    given.output.mkdir(parents=True, exist_ok=True)
    chosen = given.repositories or REPOSITORIES
    instances = [one for repository in chosen for one in collect(repository, given.count)]
    for instance in instances:
        stored = given.output / "answers" / f"{instance.instance_id}.json"
        if not stored.is_file():
            stored.parent.mkdir(exist_ok=True)
            stored.write_bytes(msgspec.json.encode(ask(instance, given.output / "trees" / instance.instance_id)))
    trees = given.output / "trees"
    instances = [msgspec.structs.replace(one, modified_nodes=find_modified_nodes(one, trees)) for one in instances]
    write_lines(given.output / "instances.jsonl", instances)
    named = sum(map(names_a_file, instances))
    print(f"{len(instances)} instances; {named} texts name a file of the fix")
    for number, size in enumerate(_SIZES):
        predictions = given.output / f"first_{size}.jsonl"
        answers = (given.output / "answers" / f"{one.instance_id}.json" for one in instances)
        write_lines(predictions, [json.loads(answer.read_bytes())[number] for answer in answers])
        print(f"the first {size}:", flush=True)
        options = ["--instances", str(given.output / "instances.jsonl"), "--predictions", str(predictions)]
        if code := run(["evaluate", "polybench", *options, "--trees", str(given.output / "trees")]):
            return code
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
