"""RepoMaster's table 3 on commits: does a reader reach the place of a fix without structure, exploration or selection?

    BENCH_MIRROR=~/mirrors python -m tests.benchmarks.tasks.ablation OUT

OUT is the output of `polybench_commits`. Each instance becomes a task in GitTaskBench's layout: its text is the message of the commit, and
the output has to begin with a file of the fix. `repoquarry evaluate gittaskbench --ablation` runs the tasks from OUT/ablation, which also
other models can do. The scripted reader works with the tools that it is offered: it ranks files by `search`, otherwise by the words of the
task that `grep` finds in them and that the blocks of the instructions have in their lines. It views at most five files with the title as
the subject, until a view shows all old lines of one change of the fix, and names that file; without such a view it names the first one.
"""

import argparse
import json
import os
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
    return instance.instance_id.partition("__")[2].replace(".", "-").lower()


def read_changes(instance: Instance) -> list[list[str]]:
    """List the old lines of each change in the sources of the fix, without margins and empty lines."""
    found = []
    for part in re.split(r"^diff --git ", instance.patch, flags=re.MULTILINE)[1:]:
        if part.split()[0].removeprefix("a/") in find_sources(instance):
            hunks = re.split(r"^@@.*\n", part, flags=re.MULTILINE)[1:]
            found += [[line[1:].strip() for line in hunk.split("\n") if line[:1] in (" ", "-")] for hunk in hunks]
    return [[line for line in lines if line] for lines in found]


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

    def rank(self) -> list[str]:
        """Return the candidates, the best first."""
        listed = self.results[len(self.opening) - 1]
        if "search" in self.tools:
            paths = _PATH.findall(listed.rpartition("files:")[2])
        else:
            scores: Counter[str] = Counter()
            for count, path in re.findall(r"^\s*(\d+) \./(\S+)$", listed, re.MULTILINE):
                scores[path] = int(count)
            for line in self.instructions.split("\n"):
                for path in scores.keys() & set(_PATH.findall(line)):
                    scores[path] += sum(word in line.lower() for word in self.words)
            paths = [path for path, _ in scores.most_common()]
        return [path for path in dict.fromkeys(paths) if not TESTS.search(path)][:_VIEWED]

    def find_place(self) -> int | None:
        """Return the number of the view that shows a complete change; None if there is none."""
        for number, text in enumerate(self.results[len(self.opening) :]):
            if any(all(line in text for line in lines) for lines in read_changes(self.instance)):
                return number
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
            about = {"about": self.instance.problem_statement.partition("\n")[0]}
            if "view" in self.tools:
                return Reply(calls=[("view", {"target": ranked[viewed], **about})], usage=None)
            return Reply(calls=[("read_file", {"path": f"{name}/{ranked[viewed]}", **about})], usage=None)
        lines = [*ranked[place or 0 :][:1], str(done), "0" if place is None else str(place + 1)]
        return Reply(calls=[("write_file", {"path": "outputs/output.txt", "text": "\n".join(lines)})], usage=None)


def read_request(request: dict[str, Any], instances: dict[str, Instance]) -> Conversation:
    """Read a request of the product to the scripted reader."""
    messages = request["messages"]
    task = next(str(message["content"]) for message in messages if message["role"] == "user")
    results = tuple(str(message["content"]) for message in messages if message["role"] == "tool")
    name = re.findall(r"Use the repository (\S+)\.", task)[-1]
    tools = frozenset(tool["function"]["name"] for tool in request["tools"])
    return Conversation(instances[name], str(messages[0]["content"]), results, tools)


def print_rows(output: Path, instances: dict[str, Instance]) -> None:
    print("configuration,tasks,right file named,change in the first view,change seen,steps,tokens")
    for name in ablate(AgentSettings()):
        folder = output / name.replace(" ", "_")
        rows = []
        for task in instances:
            ran = json.loads((folder / "runs" / f"{task}.json").read_text(encoding="utf-8"))
            written = folder / "output" / task / "output.txt"
            lines = [*(written.read_text(encoding="utf-8").split("\n") if written.is_file() else ()), "", "0", "0"]
            tokens = ran["ran"]["input_tokens"] + ran["ran"]["output_tokens"]
            rows.append((ran["grade"]["result"], lines[2] == "1", lines[2] != "0", int(lines[1] or 0), tokens))
        means = [fmean(values) for values in zip(*rows, strict=True)]
        print(
            name, len(rows), *(f"{100 * one:.0f} %" for one in means[:3]), f"{means[3]:.1f}", f"{means[4]:.0f}", sep=","
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    given = parser.parse_args()
    if given.folder is None:
        print("needs the output folder of polybench_commits")
        return SKIPPED
    instances = {repository_name(one): one for one in read_instances(given.folder / "instances.jsonl")}
    data, output = given.folder / "ablation", given.folder / "ablation_scripted"
    write_tasks(list(instances.values()), data)
    os.environ["REPOQUARRY_STORE"] = str(given.folder / "store")
    for name, one in instances.items():
        mirror, tree = Mirror.of(one.repo), given.folder / "sources" / name
        assert mirror is not None, f"no mirror of {one.repo}"
        mirror.lay_out(one.base_commit, tree)  # without the packages of its tests
        if code := run(["index", "--name", name, str(tree)]):
            return code
    with scripted_chat(*[lambda request: read_request(request, instances).reply()] * _MAX_REQUESTS) as chat:
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
            "--ablation",
        ]
        code = run(command)
    if not code:
        print_rows(output, instances)
    return code


if __name__ == "__main__":
    sys.exit(main())
