"""RepoMaster's table 3 on commits: does a reader reach the place of a fix without structure, exploration or selection?

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.tasks.ablation OUT [--limit N] [--seeds 3]

OUT holds `instances.jsonl` and `trees`, as `polybench_commits` or `repoquarry evaluate polybench --collect` write them. Each instance
becomes a task in GitTaskBench's layout: its text is the message of the commit, and the output has to begin with a file of the fix.
`repoquarry evaluate gittaskbench --ablation` runs the tasks from OUT/ablation, which also other models can do.

The scripted reader works with what it is offered. It ranks files by `search`, otherwise by the words of the task that `grep` finds in
them; and by the blocks of the instructions, whose lines name files and show source, rare words of the task counting more. Both orders
are joined by reciprocal ranks, with noise by the seed, as a model would choose. The blocks also tell it names to ask for: the subject
of a view is the title with the names that the blocks show of this file and that contain a word of the task. It views at most five
files, until it has seen all old lines of one change of the fix, maybe in the blocks already, and names that file; otherwise the first.
"""

import argparse
import json
import os
import random
import re
import shlex
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation.gittaskbench_service import ablate
from repoquarry.evaluation.polybench_instances import Instance, read_instances
from repoquarry.server.cli.program import run
from tests.benchmarks.__main__ import SKIPPED
from tests.benchmarks.retrieval.commit_cases import Mirror
from tests.benchmarks.tasks.polybench_commits import SUFFIXES, TESTS, find_sources
from tests.scripted_chat import Reply, scripted_chat

_PATH: Final = re.compile(rf"[\w./-]+(?:{'|'.join(map(re.escape, SUFFIXES))})\b")
_WORD: Final = re.compile(r"[A-Za-z_]\w{3,}")
_VIEWED: Final = 5
_NAMES: Final = 12
"""Names of the blocks in the subject of a view."""
_RANK_OFFSET: Final = 3
_NOISE: Final = 0.03
"""Deviation of the noise: the gap between the second and the third place of one order."""
_UNSEEN: Final = 99
_MAX_REQUESTS: Final = 5_000
_SCRIPT: Final = """\
import argparse, json
parser = argparse.ArgumentParser()
for name in ("output", "result", "groundtruth"):
    parser.add_argument(f"--{name}")
given = parser.parse_args()
first = open(given.output).readline().strip()
right = first in open(given.groundtruth).read().splitlines()
open(given.result, "a").write(json.dumps({"Process": True, "Result": right, "comments": first}) + "\\n")
"""


def repository_name(instance: Instance) -> str:
    """Return the id under which the base of an instance is indexed."""
    return instance.instance_id.rpartition("__")[2].replace(".", "-").lower()


def read_changes(instance: Instance) -> list[list[str]]:
    """List the old lines of each change in the sources of the fix, without margins and empty lines."""
    found = []
    for part in re.split(r"^diff --git ", instance.patch, flags=re.MULTILINE)[1:]:
        if part.split()[0].removeprefix("a/") in find_sources(instance):
            hunks = re.split(r"^@@.*\n", part, flags=re.MULTILINE)[1:]
            found += [[line[1:].strip() for line in hunk.split("\n") if line[:1] in (" ", "-")] for hunk in hunks]
    return [kept for lines in found if (kept := [line for line in lines if line])]


def write_tasks(instances: list[Instance], root: Path) -> None:
    """Write the instances in GitTaskBench's layout."""
    for instance in instances:
        name = repository_name(instance)
        text = (
            f"{instance.problem_statement}\n\nWhich file has to change? Write its path as the first line of the result."
        )
        documents = {
            f"queries/{name}/query.json": {"repositories": [{"name": name}], "task_description": text},
            f"config/{name}/task_info.yaml": {
                "taskid": name,
                "test_script": "test_script.py",
                "groundtruth": f"truth/{name}.txt",
                "multi_output": False,
            },
        }
        texts = {path: json.dumps(document) for path, document in documents.items()}  # JSON is YAML
        texts |= {f"truth/{name}.txt": "\n".join(find_sources(instance)), "test_script.py": _SCRIPT}
        for path, content in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content, encoding="utf-8")


@dataclass(frozen=True)
class Conversation:
    """Request to the scripted reader, and the instance that it is about."""

    instance: Instance
    instructions: str
    results: tuple[str, ...]
    """Results of the calls in order."""
    tools: frozenset[str]
    seed: int

    @property
    def words(self) -> set[str]:
        """Return the words of the task that may be names."""
        return {word.lower() for word in _WORD.findall(self.instance.problem_statement)}

    @property
    def opening(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the calls that find candidates."""
        if "search" in self.tools:
            return [("search", {"text": self.instance.problem_statement, "mode": "task"})]
        names = " ".join(f"--include=*{suffix}" for suffix in SUFFIXES)
        words = shlex.quote("|".join(sorted(self.words)))
        grep = f"grep -rioE {names} {words} . "
        grep += """| awk -F: '{print $1":"tolower($2)}' | sort -u | cut -d: -f1 | uniq -c | sort -rn | head -50"""
        name = repository_name(self.instance)
        return [("checkout", {"repository": name}), ("run_command", {"command": grep, "folder": name})]

    def read_blocks(self) -> dict[str, list[str]]:
        """Map the files that the blocks name to their lines: the one with the path, and source below it."""
        lines: dict[str, list[str]] = {}
        path = ""
        for line in "\n".join(re.findall(r"<repository .*?</repository>", self.instructions, re.DOTALL)).split("\n"):
            for found in _PATH.findall(line):
                path = found
                lines.setdefault(path, [])
            if path:
                lines[path].append(line)
        return lines

    def _rank_blocks(self) -> list[str]:
        """Rank the files of the blocks by the words of the task in their lines, by inverse frequency."""
        held = {
            path: self.words & {word.lower() for word in _WORD.findall(" ".join(lines))}
            for path, lines in self.read_blocks().items()
        }
        frequency = Counter(word for words in held.values() for word in words)
        scores = {path: sum(1 / frequency[word] for word in words) for path, words in held.items() if words}
        return sorted(scores, key=lambda path: (-scores[path], path))

    def rank(self) -> list[str]:
        """Return the candidates, the best first."""
        listed = self.results[len(self.opening) - 1]
        if "search" in self.tools:
            found = list(dict.fromkeys(_PATH.findall(listed.rpartition("files:")[2])))
        else:
            found = re.findall(r"^\s*\d+ \./(\S+)$", listed, re.MULTILINE)
        scores: dict[str, float] = {}
        for order in (found, self._rank_blocks()):
            for rank, path in enumerate(path for path in order if not TESTS.search(path)):
                scores[path] = scores.get(path, 0.0) + 1 / (_RANK_OFFSET + rank)
        for path in scores:
            scores[path] += _NOISE * random.Random(f"{self.seed} {self.instance.instance_id} {path}").gauss()
        return sorted(scores, key=lambda path: -scores[path])[:_VIEWED]

    def subject(self, path: str) -> str:
        """Return what a view of a file is about: the title, and names that the blocks show."""
        names = _WORD.findall(" ".join(self.read_blocks().get(path, ())))
        known = [name for name in dict.fromkeys(names) if any(word in name.lower() for word in self.words)]
        return " ".join([self.instance.problem_statement.partition("\n")[0], *known[:_NAMES]])

    def find_place(self) -> tuple[int, str] | None:
        """Return the number of the view that shows a complete change and its file; 0 for the blocks; None if there is none."""
        changes = read_changes(self.instance)
        for path, shown in self.read_blocks().items():
            if any(all(line in "\n".join(shown) for line in lines) for lines in changes):
                return 0, path
        for number, text in enumerate(self.results[len(self.opening) :], 1):
            if any(all(line in text for line in lines) for lines in changes):
                return number, self.rank()[number - 1]
        return None

    def reply(self) -> Reply:
        done = len(self.results)
        if done < len(self.opening):
            return Reply(calls=[self.opening[done]], usage=None)
        ranked, viewed, place = self.rank(), done - len(self.opening), self.find_place()
        name = repository_name(self.instance)
        if "output.txt" in self.results[-1].split("\n")[0]:
            return Reply(calls=[("finish", {"text": "outputs/output.txt names the file."})], usage=None)
        if place is None and viewed < len(ranked):
            about = {"about": self.subject(ranked[viewed])}
            if "view" in self.tools:
                return Reply(calls=[("view", {"target": ranked[viewed], **about})], usage=None)
            return Reply(calls=[("read_file", {"path": f"{name}/{ranked[viewed]}", **about})], usage=None)
        number, path = place if place is not None else (_UNSEEN, ranked[0] if ranked else "")
        text = "\n".join((path, str(done), str(number)))
        return Reply(calls=[("write_file", {"path": "outputs/output.txt", "text": text})], usage=None)


def read_request(request: dict[str, Any], instances: dict[str, Instance], seed: int) -> Conversation:
    """Read a request of the product to the scripted reader."""
    messages = request["messages"]
    task = next(str(message["content"]) for message in messages if message["role"] == "user")
    results = tuple(str(message["content"]) for message in messages if message["role"] == "tool")
    name = re.findall(r"Use the repository (\S+)\.", task)[-1]
    tools = frozenset(tool["function"]["name"] for tool in request["tools"])
    return Conversation(instances[name], str(messages[0]["content"]), results, tools, seed)


def measure(output: Path, name: str, instances: dict[str, Instance]) -> list[float]:
    """Return the means of a configuration: named, seen in the first view or the blocks, seen, steps, tokens."""
    folder = output / name.replace(" ", "_")
    rows = []
    for task in instances:
        ran = json.loads((folder / "runs" / f"{task}.json").read_text(encoding="utf-8"))
        written = folder / "output" / task / "output.txt"
        lines = written.read_text(encoding="utf-8").split("\n") if written.is_file() else ["", "0", str(_UNSEEN)]
        tokens = ran["ran"]["input_tokens"] + ran["ran"]["output_tokens"]
        rows.append((ran["grade"]["result"], int(lines[2]) <= 1, int(lines[2]) < _UNSEEN, int(lines[1]), tokens))
    return [fmean(values) for values in zip(*rows, strict=True)]


def print_rows(outputs: list[Path], instances: dict[str, Instance]) -> None:
    """Print the means over the seeds, and the least and the largest of the shares."""
    print("configuration,tasks,right file named,change in the blocks or the first view,change seen,steps,tokens")
    for name in ablate(AgentSettings()):
        seeds = list(zip(*(measure(output, name, instances) for output in outputs), strict=True))
        shares = [f"{100 * fmean(one):.0f} % ({100 * min(one):.0f}-{100 * max(one):.0f})" for one in seeds[:3]]
        print(name, len(instances), *shares, f"{fmean(seeds[3]):.1f}", f"{fmean(seeds[4]):.0f}", sep=",")


def index_trees(folder: Path, instances: dict[str, Instance]) -> int:
    """Index the base of each instance: of the mirror, without the packages of its tests, otherwise of the collected trees."""
    for name, one in instances.items():
        tree = folder / "trees" / one.instance_id
        if (mirror := Mirror.of(one.repo) if "BENCH_MIRROR" in os.environ else None) is not None:
            tree = folder / "sources" / name
            mirror.lay_out(one.base_commit, tree)
        if code := run(["index", "--name", name, str(tree)]):
            return code
    return 0


def run_seed(data: Path, output: Path, instances: dict[str, Instance], seed: int) -> int:
    """Run the ablation with one seed of the reader."""
    replies = [lambda request: read_request(request, instances, seed).reply()] * _MAX_REQUESTS
    with scripted_chat(*replies) as chat:
        os.environ["REPOQUARRY_AGENT_MODEL_NAME"] = "openai:scripted"
        options = {"base_url": chat.base_url, "api_key": "none"}
        os.environ["REPOQUARRY_AGENT_MODEL_OPTIONS"] = json.dumps(options)
        command = [
            "evaluate",
            "gittaskbench",
            "--data",
            str(data),
            "--output",
            str(output),
            "--runs",
            "1",
            "--parallel",
            "2",
            "--ablation",
        ]
        return run(command)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    if given.folder is None:
        print("needs a folder with instances and their trees")
        return SKIPPED
    known = [one for one in read_instances(given.folder / "instances.jsonl") if find_sources(one)]
    instances = {repository_name(one): one for one in known[: given.limit]}
    data = given.folder / "ablation"
    write_tasks(list(instances.values()), data)
    os.environ["REPOQUARRY_STORE"] = str(given.folder / "store")
    if code := index_trees(given.folder, instances):
        return code
    outputs = [given.folder / f"ablation_seed_{seed}" for seed in range(1, given.seeds + 1)]
    for seed, output in enumerate(outputs, 1):
        if code := run_seed(data, output, instances, seed):
            return code
    print_rows(outputs, instances)
    return 0


if __name__ == "__main__":
    sys.exit(main())
