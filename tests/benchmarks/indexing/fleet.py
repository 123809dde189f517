"""A fleet in one command: releases of many repositories through `repoquarry index --from`, killed on the way, then asked across.

Needs a folder of git repositories in `BENCH_REPOSITORIES` (each a folder with a git directory, or with one named `repo`).
Some releases of each repository are taken, spread evenly over its history; every second repository's releases are versions
of one name (`click@8.1`), the others' are repositories of their own. The command is killed with SIGKILL when a fifth, two
fifths and three fifths are stored, and started again. Prints wall time, repositories per hour, lines, processor time, peak
resident memory of all its processes together, disk, failures with their reasons, what was done twice, what is left in the
temporary folder, the first ten and the last ten, and the named queries of docs/reference/cookbook.md over the whole through `repoquarry query`.

    BENCH_REPOSITORIES=... [BENCH_WORK=...] python -m tests.benchmarks.indexing.fleet [releases [jobs [executor [kills]]]]

`BENCH_WORK` names a new folder that is kept with the store in it.
"""

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from repoquarry.graphstore.query.query_library import QueryLibrary
from tests.benchmarks.queries.cookbook import named_arguments
from tests.command_line import COMMAND
from tests.process_checks import Peak, cpu_seconds

_SKIPPED = 77
_RELEASE = re.compile(r"(?:^|[^0-9])(\d+(?:[._]\d+){1,3})$")
_KILLED_AT = (0.2, 0.4, 0.6)
_LIMIT_SECONDS = "600"
_DEFAULTS = ("8", "2", "processes", str(len(_KILLED_AT)))


def main() -> int:
    folder = Path(os.environ.get("BENCH_REPOSITORIES", "/nowhere"))
    gits = [git for entry in sorted(folder.glob("*")) if (git := _git_folder(entry)) is not None]
    if not gits:
        print("BENCH_REPOSITORIES names no folder with git repositories")
        return _SKIPPED
    given = [*sys.argv[1:], *_DEFAULTS[len(sys.argv) - 1 :]]
    releases, jobs, executor, kills = int(given[0]), int(given[1]), given[2], int(given[3])
    with _work() as work:
        wanted = _wanted(gits, releases)
        (work / "list.json").write_text(json.dumps(wanted), "utf-8")
        print(f"{len(wanted)} trees of {len(gits)} repositories, {jobs} at once, {executor}, {os.cpu_count()} cores")
        command = ["index", "--from", str(work / "list.json"), "--jobs", str(jobs), "--executor", executor, "--json"]
        report = _index(command, work, [round(len(wanted) * share) for share in _KILLED_AT[:kills]])
        _print_costs(report, work / "store")
        print(
            f"  left in the temporary folder: {sorted(entry.name for entry in (work / 'tmp').iterdir()) or 'nothing'}"
        )
        _print_queries(work / "store")
    return 0


@contextmanager
def _work() -> Iterator[Path]:
    """A folder with one for temporary files in it, which is that of all that is started from here."""
    kept = os.environ.get("BENCH_WORK")
    with nullcontext(kept) if kept else tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "tmp").mkdir(parents=True)
        os.environ["TMPDIR"] = str(work / "tmp")
        yield work


def _git_folder(entry: Path) -> Path | None:
    return next((path for path in (entry / "repo", entry / ".git", entry) if (path / "HEAD").is_file()), None)


def _wanted(gits: list[Path], releases: int) -> list[dict[str, str]]:
    found = []
    for number, git in enumerate(gits):
        name = git.parent.name.rpartition("+")[2] if git.name == "repo" else git.name.removesuffix(".git")
        joint = "@" if number % 2 else "-at-"
        for tag in _spread(_tags(git), releases):
            version = tag.rpartition("/")[2].lower()
            found.append({"location": str(git), "ref": tag, "name": f"{name.lower()}{joint}{version}"})
    random.Random(0).shuffle(found)  # so that the first ten and the last ten are of the same kind
    return found


def _tags(git: Path) -> list[str]:
    """Released versions, oldest first."""
    shown = subprocess.run(
        ["git", f"--git-dir={git}", "tag", "--sort=creatordate"], capture_output=True, text=True, check=True
    )
    return [tag for tag in shown.stdout.split() if _RELEASE.search(tag)]


def _spread(tags: list[str], most: int) -> list[str]:
    """`most` of the newer two thirds, evenly: the oldest releases of a project are seldom of its size."""
    newer = tags[len(tags) // 3 :]
    if len(newer) <= most:
        return newer
    return [newer[round(place * (len(newer) - 1) / (most - 1))] for place in range(most)] if most > 1 else newer[-1:]


def _index(command: list[str], work: Path, kill_at: list[int]) -> dict[str, Any]:
    """Run the command, killed and started again; returns its last report, with wall time, memory and runs of all turns."""
    started, peak, stored_before = time.perf_counter(), 0, 0
    for limit in [*kill_at, None]:
        with (work / "report.json").open("wb") as output, (work / "progress").open("ab") as progress:
            process = subprocess.Popen(
                [*COMMAND, *command, "--store", str(work / "store")],
                stdout=output, stderr=progress,
            )  # fmt: skip
            peak = max(peak, _watched(process, work / "store", limit))
        if limit is not None and process.returncode == -signal.SIGKILL:
            stored_before = len(_stored(work / "store"))
            print(f"  killed with {stored_before} stored, after {time.perf_counter() - started:.0f} s", flush=True)
    report: dict[str, Any] = json.loads((work / "report.json").read_bytes())
    return {**report, "wall": time.perf_counter() - started, "peak": peak, "before": stored_before}


def _watched(process: subprocess.Popen[bytes], store: Path, limit: int | None) -> int:
    """Wait for the process, or kill it when `limit` repositories are stored. Returns the highest resident memory."""
    with Peak(process.pid) as peak:
        while process.poll() is None:
            if limit is not None and len(_stored(store)) >= limit:
                process.kill()
            time.sleep(1)
    return peak.all


def _stored(store: Path) -> list[str]:
    """A line for each stored repository, of the list that is being worked through."""
    return [line for file in store.glob("batches/*.jsonl") for line in file.read_text("utf-8").splitlines() if line]


def _print_costs(report: dict[str, Any], store: Path) -> None:
    done = [outcome for outcome in report["outcomes"] if not outcome.get("reason")]
    lines, wall = sum(outcome.get("lines", 0) for outcome in done), report["wall"]
    disk = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
    print(f"  {len(done)} stored, {lines:,} lines in {wall:.0f} s: {len(done) / wall * 3600:.0f} an hour")
    print(f"  resumed behind {report['resumed']}, of {report['before']} stored before the last start")
    used = sum(outcome.get("cpu_seconds", 0.0) for outcome in done)
    print(f"  {used:.0f} CPU s of workers and adoption: {used / max(lines, 1) * 1e6:.0f} a million lines")
    print(f"  peak {report['peak'] / 2**20:.0f} MiB of all processes; {disk / max(lines, 1):.1f} bytes on disk a line")
    failed = Counter(outcome["reason"] for outcome in report["outcomes"] if outcome.get("reason"))
    print(f"  failed: {dict(failed) or 'none'}")
    for outcome in report["outcomes"]:
        if outcome.get("reason"):
            print(f"    {outcome['location']} {outcome.get('ref', '')}: {outcome.get('message', '')[:200]}")
    for title, part in (("first ten", done[:10]), ("last ten", done[-10:])):
        million = max(1, sum(outcome["lines"] for outcome in part)) / 1e6
        wall, used = (sum(outcome[what] for outcome in part) / million for what in ("seconds", "cpu_seconds"))
        memory = statistics.median(outcome["peak_memory_bytes"] for outcome in part) / 2**20
        print(f"  {title}: {wall:.0f} s and {used:.0f} CPU s a million lines, {memory:.0f} MiB a worker (median)")


def _print_queries(store: Path) -> None:
    """Each recipe by a command of its own; the first that asks across all pays for the joined graph."""
    recipes = list(QueryLibrary().queries)
    costs = []
    for title in recipes:
        started, before = time.perf_counter(), cpu_seconds()
        done = subprocess.run(
            [*COMMAND, "query", *named_arguments(title), "--format", "jsonl", "--store", str(store)],
            env={**os.environ, "REPOQUARRY_STORE_LIMITS_SECONDS": _LIMIT_SECONDS}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        cost = (time.perf_counter() - started, cpu_seconds() - before)
        said = f"failed: {done.stderr.strip()[:300]}" if done.returncode else f"{len(done.stdout.splitlines())} rows"
        print(f"    {cost[0]:6.1f} s {cost[1]:6.1f} CPU s  {title}: {said}", flush=True)
        if not done.returncode:
            costs.append(cost)
    if len(costs) > 1:
        cuts = [statistics.quantiles(column, n=20, method="inclusive") for column in zip(*costs, strict=True)]
        shown = ", ".join(f"p{5 * at + 5} {cuts[0][at]:.1f} s ({cuts[1][at]:.1f} CPU s)" for at in (9, 18))
        print(f"  {len(costs)} of {len(recipes)} recipes: {shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
