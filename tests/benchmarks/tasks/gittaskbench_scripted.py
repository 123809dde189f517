"""GitTaskBench through the whole system, with a chat model that plays back sensible steps instead of thinking.

    REPOQUARRY_TEST_GITTASKBENCH=CHECKOUT REPOQUARRY_STORE=DIR \\
        python -m tests.benchmarks.tasks.gittaskbench_scripted OUTPUT [ID ...] [--ablation | --sweep]

The store holds the repositories of `CHECKOUT/code_base`. For each task the model asks for an environment, writes the program of
`gittaskbench_steps.toml`, runs it, and ends; everything else is the product: the service, the isolation, provisioning, the test scripts.
`--sweep` repeats the tasks under the limits of table 7 (a command's seconds, tool calls of a task) and under smaller ones, in
OUTPUT/LIMIT, and prints a row of each. The steps are four, so that only limits below them or below the time of a program can bite.
"""

import io
import json
import os
import sys
import time
import tomllib
from contextlib import redirect_stdout
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask, read_tasks
from repoquarry.server.cli.program import run
from tests.scripted_chat import Reply, scripted_chat

_MAX_REQUESTS = 2_000
_LIMITS: Final = [
    *((f"command-seconds-{seconds}", seconds, 100) for seconds in (0.2, 120, 600, 1_200, 1_800)),
    *((f"steps-{steps}", 600, steps) for steps in (1, 2, 3, 30, 70)),
]
"""Names of table 7's settings and of smaller ones, with seconds of a command and tool calls of a task."""


def main() -> int:
    root = os.environ.get("REPOQUARRY_TEST_GITTASKBENCH")
    if not root or len(sys.argv) < 2:
        sys.exit("set REPOQUARRY_TEST_GITTASKBENCH to a checkout of the benchmark, and name a folder for the results")
    steps = tomllib.loads(Path(__file__).with_name("gittaskbench_steps.toml").read_text(encoding="utf-8"))
    options = [argument for argument in sys.argv[2:] if argument.startswith("--")]
    chosen = [argument for argument in sys.argv[2:] if argument not in options] or list(steps)
    tasks = {task.text: task for task in read_tasks(Path(root), chosen)}

    def reply(request: dict[str, Any]) -> Reply:
        said = json.dumps([message.get("content") for message in request["messages"]], ensure_ascii=False)
        task = next(task for text, task in tasks.items() if json.dumps(text, ensure_ascii=False)[1:-1] in said)
        done = sum(message["role"] == "tool" for message in request["messages"])
        return _reply(task, steps[task.id]["script"], done)

    with scripted_chat(*[reply] * _MAX_REQUESTS) as chat:
        os.environ["REPOQUARRY_AGENT_MODEL_NAME"] = "openai:scripted"
        os.environ["REPOQUARRY_AGENT_MODEL_OPTIONS"] = json.dumps({"base_url": chat.base_url, "api_key": "none"})
        arguments = ["evaluate", "gittaskbench", "--data", root, "--policy", "chat"]
        arguments += [part for id_ in chosen for part in ("--task", id_)]
        if "--sweep" in options:
            return _sweep(arguments, Path(sys.argv[1]))
        return run([*arguments, "--output", sys.argv[1], *options])


def _sweep(arguments: list[str], output: Path) -> int:
    """Run the tasks once under each limit, and print the rows of the table."""
    print("limit,tasks,ECR %,TPR %,input tokens,output tokens,minutes")
    for name, seconds, steps in _LIMITS:
        begun = time.monotonic()
        limits = ["--command-seconds", str(seconds), "--steps", str(steps), "--runs", "1", "--parallel", "2"]
        with redirect_stdout(io.StringIO()):
            code = run([*arguments, *limits, "--output", str(output / name)])
        if code:
            return code
        rows = [
            json.loads(path.read_text(encoding="utf-8")) for path in sorted((output / name / "runs").glob("*.json"))
        ]
        rates = [f"{100 * fmean(row['grade'][key] for row in rows):.2f}" for key in ("process", "result")]
        tokens = [f"{fmean(row['ran'][key] for row in rows):.0f}" for key in ("input_tokens", "output_tokens")]
        print(name, len(rows), *rates, *tokens, f"{(time.monotonic() - begun) / 60:.1f}", sep=",", flush=True)
    return 0


def _reply(task: BenchmarkTask, script: str, done: int) -> Reply:
    """The next step, by how many have been made."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("provision", {"repository": task.repository.lower()}),
        ("write_file", {"path": "solve.py", "text": script}),
        ("run_command", {"command": "python solve.py"}),
        ("finish", {"text": "The result is in outputs/."}),
    ]
    return Reply(calls=[calls[min(done, len(calls) - 1)]])


if __name__ == "__main__":
    sys.exit(main())
