"""GitTaskBench through the whole system, with a chat model that plays back sensible steps instead of thinking.

    REPOQUARRY_TEST_GITTASKBENCH=CHECKOUT REPOQUARRY_STORE=DIR python -m tests.benchmarks.tasks.gittaskbench_scripted OUTPUT [ID ...] [--ablation]

The store holds the repositories of `CHECKOUT/code_base`. For each task the model asks for an environment, writes the program of
`gittaskbench_steps.toml`, runs it, and ends; everything else is the product: the service, the isolation, provisioning, the test scripts.
"""

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask, read_tasks
from repoquarry.server.cli.program import run
from tests.scripted_chat import Reply, scripted_chat

_MAX_REQUESTS = 2_000


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
        arguments = ["evaluate", "gittaskbench", "--data", root, "--output", sys.argv[1], "--policy", "chat"]
        return run([*arguments, *options, *(part for id_ in chosen for part in ("--task", id_))])


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
