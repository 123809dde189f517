"""GitTaskBench: its files read as published, outputs chosen and graded by its rules, failures classified, figures computed."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.settings import AgentSettings, ModelSettings
from repoquarry.agent.tools.base import available_tools
from repoquarry.evaluation.gittaskbench_failures import FailureClass, RecordedCommand, RunRecord, classify
from repoquarry.evaluation.gittaskbench_grading import Grade, Grader, choose_output, wanted_by
from repoquarry.evaluation.gittaskbench_metrics import Market, Prices, ScoredTask, published, summarize_by, summary
from repoquarry.evaluation.gittaskbench_runner import TaskRun, run_tasks
from repoquarry.evaluation.gittaskbench_service import (
    RunOptions,
    ablate,
    describe_agent,
    find_weights,
    gittaskbench_report,
)
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask, read_tasks
from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.token_counting import count_tokens
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.network_policy import HostPattern, NetworkPolicy
from repoquarry.operations.table import OPERATIONS
from repoquarry.server.cli.program import run
from repoquarry.server.cli.session import CliSession
from repoquarry.server.settings.sections import Settings
from tests.e2e.service import run_here
from tests.http_server import answering
from tests.scripted_chat import Reply, scripted_chat
from tests.source_trees import write_tree

SCRIPT = """
import argparse, json
parser = argparse.ArgumentParser()
for name in ("--output", "--result", "--groundtruth", "--factor"):
    parser.add_argument(name)
given = parser.parse_args()
text = open(given.output).read()
if "crash" in text:
    raise SystemExit(3)
right = open(given.groundtruth).read()
line = {"Process": text.strip().isdigit(), "Results": str(text.strip() == right.strip()), "TimePoint": "x", "comments": given.factor}
with open(given.result, "a") as file:
    file.write(json.dumps(line) + "\\n")
"""


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    """A checkout with two tasks, of which one names an input that is not there."""
    root = tmp_path / "benchmark"
    for id_, named in (
        ("Adder_01", "/X/queries/Adder_01/input/numbers"),
        ("Adder_02", "/X/queries/Adder_02/input/absent.mp4"),
    ):
        for folder in ("config", "queries", "groundtruth", "test_scripts"):
            (root / folder / id_).mkdir(parents=True)
        (root / "config" / id_ / "task_info.yaml").write_text(
            f"taskid: {id_}\nresult: r\noutput_dir: o\ngroundtruth: groundtruth/{id_}/gt.txt\ntest_script: test_scripts/{id_}/test.py\n"
            "multi_output: false\nparameters:\n  factor: 7\n"
        )
        query = {
            "task_description": "Add the numbers.",
            "understanding_guidelines": ["The function add takes two numbers."],
            "repositories": [{"name": "Adder"}],
            "file_paths": {"input_files": [{"path": named, "description": "numbers"}, {"path": "", "description": ""}]},
        }
        (root / "queries" / id_ / "query.json").write_text(json.dumps(query))
        (root / "groundtruth" / id_ / "gt.txt").write_text("42\n")
        (root / "test_scripts" / id_ / "test.py").write_text(SCRIPT)
    numbers = root / "queries" / "Adder_01" / "input" / "numbers"
    numbers.mkdir(parents=True)
    (numbers / "a.txt").write_text("40")
    return root


@pytest.fixture
def grader(benchmark: Path, tmp_path: Path) -> Grader:
    settings = AgentSettings(
        workspace=WorkspaceSettings(install_hosts=()), environment=EnvironmentSettings(root=tmp_path / "environments")
    )
    return Grader(benchmark, tmp_path / "grading", settings)


def test_tasks_as_published(benchmark: Path) -> None:
    first, second = read_tasks(benchmark)
    assert [item.path for item in first.inputs] == ["numbers/a.txt"]
    assert first.parameters == (("factor", "7"),)
    assert "inputs/numbers/a.txt: numbers" in first.text
    assert "outputs/output" in first.text
    assert second.missing == ("/X/queries/Adder_02/input/absent.mp4",)
    with pytest.raises(EvaluationError, match="unknown task: Adder_9"):
        read_tasks(benchmark, ["Adder_9"])
    with pytest.raises(EvaluationError, match="task_info"):
        read_tasks(benchmark / "config")


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({}, None),
        ({"result.txt": "x"}, None),
        ({"output.txt": "x", "output_2.txt": "y"}, "output.txt"),
        ({"output_2.txt": "y"}, "output_2.txt"),
        ({"output/a.csv": "y"}, "output/a.csv"),
        ({"output.py": "x", "output.txt": "y"}, "output.txt"),
        ({"output.txt": ""}, None),
    ],
)
def test_the_output_that_is_graded(tmp_path: Path, files: dict[str, str], chosen: str | None) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    found = choose_output(tmp_path, several=False)
    assert (found.relative_to(tmp_path).as_posix() if found else None) == chosen


def test_right_wrong_empty_and_missing_outputs(benchmark: Path, grader: Grader, tmp_path: Path) -> None:
    task = read_tasks(benchmark)[0]

    def grade(name: str, **files: str) -> Grade:
        folder = tmp_path / name
        folder.mkdir()
        for stem, text in files.items():
            (folder / f"{stem}.txt").write_text(text)
        return grader.grade(task, folder, tmp_path / "results.jsonl")

    right, wrong, form = grade("right", output="42"), grade("wrong", output="41"), grade("form", output="forty")
    crash, empty, other, missing = (
        grade("crash", output="crash"),
        grade("empty", output=""),
        grade("other", notes="42"),
        grade("missing"),
    )
    assert (right.process, right.result, right.comments) == (True, True, "7")
    assert (wrong.process, wrong.result) == (True, False)
    assert (form.process, form.result) == (False, False)
    assert "return code: 3" in crash.comments
    assert crash.grader is not None
    assert empty.comments == other.comments == "No valid output found."
    assert missing.comments.startswith("No files found")
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [line["Result"] for line in lines] == [True] + [False] * 6
    assert all({"Process", "Result", "TimePoint", "comments"} == set(line) for line in lines)


class Scripted:
    """A service that writes an answer and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def run(self, task: BenchmarkTask, outputs: Path) -> TaskRun:
        self.asked.append(task.id)
        (outputs / "output.txt").write_text("42")
        return TaskRun(
            RunRecord("answered", commands=(RecordedCommand("x", 0, "", ""),), produced=("output.txt",)),
            1_000_000,
            500_000,
        )


def test_grading_script_needs_optional_imports_that_the_benchmark_pins(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import json\nimport numpy\ndef alike(a, b):\n    try:\n        import Levenshtein\n    except ImportError:\n        import rare_thing\n"
    )
    pins = {"levenshtein": "Levenshtein==0.27.1", "pandas": "pandas==2.0"}
    assert wanted_by(tmp_path, pins) == ("Levenshtein==0.27.1", "numpy")
    assert wanted_by(tmp_path, {}) == ("numpy",)


def test_a_run_goes_on_where_it_was(benchmark: Path, grader: Grader, tmp_path: Path) -> None:
    tasks, service = read_tasks(benchmark), Scripted()
    market = Market(Prices(2.0, 4.0), {"Adder": 10.0}, {"Adder_01": (0.5, 0.5, 0.5, 1.0, 0.0)})
    rows = run_tasks(tasks, service, grader, tmp_path / "run", market, parallel=2)
    assert service.asked == ["Adder_01"], "the input of the other is missing"
    assert rows[0].gain == pytest.approx(10 * 0.5 - 4.0)
    assert rows[1].failure is FailureClass.UNKNOWN, "its input is missing, so it was not run"
    assert run_tasks(tasks, service, grader, tmp_path / "run", market, parallel=1) == rows
    assert service.asked == ["Adder_01"]
    again = run_tasks(tasks, service, grader, tmp_path / "run", market, parallel=1, runs=2)
    assert service.asked == ["Adder_01", "Adder_01"], "the second run has its own folder"
    assert (len(again), summary(again).tasks, summary(again).ecr) == (4, 2, 0.5)


def record(
    *commands: RecordedCommand,
    produced: tuple[str, ...] = (),
    state: str = "answered",
    tools: tuple[tuple[str, str], ...] = (),
) -> RunRecord:
    return RunRecord(state, commands=commands, produced=produced, failed_tools=tools)


NOTHING = Grade(False, False, "No files found in output directory.")


@pytest.mark.parametrize(
    ("run", "grade", "found"),
    [
        (record(), Grade(True, True, "", "output.txt"), FailureClass.NONE),
        (record(tools=(("provision", "no environment could be made"),)), NOTHING, FailureClass.ENVIRONMENT),
        (record(), NOTHING, FailureClass.PLANNING),
        (record(RecordedCommand("ls", 0, "", "")), NOTHING, FailureClass.PLANNING),
        (record(produced=("output.txt",)), Grade(True, False, "", "output.txt"), FailureClass.COMPREHENSION),
        (record(RecordedCommand("ls", 0, "", ""), state="budget_reached"), NOTHING, FailureClass.PLANNING),
        (record(produced=("notes.txt",)), NOTHING, FailureClass.INSTRUCTIONS),
        (record(produced=("output.txt",)), Grade(False, False, "", "output.txt"), FailureClass.INSTRUCTIONS),
    ],
)
def test_failures_by_the_record(run: RunRecord, grade: Grade, found: FailureClass) -> None:
    failure = classify(run, grade)
    assert failure.primary is found
    assert bool(failure.rule) is (found is not FailureClass.NONE)


def test_figures() -> None:
    image, other = ("Image Processing", "Style Transfer"), ("other", "other")
    rows = [
        ScoredTask("A_01", "A", True, True, place=image, cost=1.0, value=10.0, quality=0.75, input_tokens=10),
        ScoredTask(
            "A_02", "A", True, False, FailureClass.COMPREHENSION, place=image, cost=3.0, value=10.0, input_tokens=30
        ),
        ScoredTask("B_01", "B", False, False, FailureClass.ENVIRONMENT, place=other, cost=50.0, input_tokens=900),
    ]
    whole = summary(rows)
    assert (whole.tasks, whole.ecr, whole.tpr, whole.valued, whole.assumed) == (3, 2 / 3, 1 / 3, 2, 1)
    # T is the completion: the wrong output of A_02 counts with the quality that is assumed for it
    assert whole.alpha == ((1 * 10 * 0.75 - 1) + (1 * 10 * 1 - 3)) / 2
    assert (whole.input_tokens, whole.cost, whole.total_cost) == (20, 2.0, 54.0)
    assert whole.failures == {"E1": 1, "E3": 1}
    unknown = ScoredTask("C_01", "C", False, False, FailureClass.UNKNOWN)
    assert summary([*rows, unknown]).failure_percent == {"E1": 50.0, "E3": 50.0}
    groups = summarize_by(rows, lambda row: row.place[0])
    assert (groups["Image Processing"].tpr, groups["other"].alpha, groups["other"].cost) == (0.5, None, None)
    assert summary([]).ecr == 0


def test_the_command_grades_outputs_of_several_runs(benchmark: Path, tmp_path: Path) -> None:
    for folder, text in (("run", "42"), ("run/run_2", "41")):
        (tmp_path / folder / "output" / "Adder_01").mkdir(parents=True)
        (tmp_path / folder / "output" / "Adder_01" / "output.txt").write_text(text)
    (tmp_path / "values.toml").write_text("[values]\nAdder = 10.0\n")
    (tmp_path / "ratings.toml").write_text("Adder_01 = [1, 1, 1, 0.5, 0]\n")
    done = run_here(
        tmp_path / "store", "evaluate", "gittaskbench", "--data", str(benchmark), "--output", str(tmp_path / "run"), "--grade-only",
        "--task", "Adder_01", "--values", str(tmp_path / "values.toml"), "--ratings", str(tmp_path / "ratings.toml"), "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["all"]
    assert (found["tasks"], found["runs"], found["ecr"], found["tpr"], found["alpha"]) == (1, 2, 1.0, 0.5, 10.0)
    assert json.loads(done.stdout)["agent"] == {"policy": ""}, "outputs do not tell who made them"
    assert found["failures"] == {"unknown": 1}, "only outputs are known, no run"
    assert (tmp_path / "run" / "pareto.svg").read_text().startswith("<svg")


def evaluate_adder(
    benchmark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *options: str, **model: str
) -> list[dict[str, Any]]:
    """Run the task Adder_01 by a scripted model, and return the requests to it."""
    source = {
        "adder.py": "def add(a, b):\n    return a + b\n",
        "README.md": "# Adder\n\nAdds the numbers of a file.\n\n## Usage\n\nCall add with two numbers.\n",
    }
    tree, store = write_tree(tmp_path / "adder", source), tmp_path / "store"
    assert run_here(store, "index", str(tree)).returncode == 0
    requests: list[dict[str, Any]] = []

    def reply(request: dict[str, Any]) -> Reply:
        requests.append(request)
        done = sum(message["role"] == "tool" for message in request["messages"])
        steps = [
            ("write_file", {"path": "outputs/output.txt", "text": "42\n"}),
            ("finish", {"text": "Written to outputs/output.txt, see adder.py:1."}),
        ]
        return Reply(calls=[steps[min(done, 1)]])

    with scripted_chat(*[reply] * 60) as chat:
        monkeypatch.setenv("REPOQUARRY_STORE", str(store))
        given = {
            "name": "openai:scripted",
            "options": json.dumps({"base_url": chat.base_url, "api_key": "none"}),
            **model,
        }
        for name, value in given.items():
            monkeypatch.setenv(f"REPOQUARRY_AGENT_MODEL_{name.upper()}", value)
        command = ["evaluate", "gittaskbench", "--data", str(benchmark), "--output", str(tmp_path / "out"), "--json"]
        assert run([*command, "--task", "Adder_01", "--runs", "1", *options]) == 0
    return requests


def test_the_first_request_of_a_small_context_is_short_and_names_only_offered_tools(
    benchmark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = evaluate_adder(benchmark, tmp_path, monkeypatch, context_tokens="8192")[0]
    assert json.loads(capsys.readouterr().out)["all"]["ecr"] == 1.0
    sent = json.dumps([first["messages"], first["tools"]], separators=(",", ":"))
    assert count_tokens(sent) < 2_500
    offered = {tool["function"]["name"] for tool in first["tools"]}
    assert {"checkout", "read_file", "run_command", "write_file", "finish"} <= offered
    rules = str(first["messages"][0]["content"]).partition("Repositories:")[0]
    known = [tool.name for tool in available_tools(workspace=True, exploration=True, indexing=True)]
    named = {name for name in known if re.search(rf"[(,`] ?{name}\b", rules)}
    assert {"search", "checkout"} <= named <= offered


def test_ablation_runs_each_configuration_and_prints_its_table(
    benchmark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = evaluate_adder(benchmark, tmp_path, monkeypatch, "--ablation")
    table = json.loads(capsys.readouterr().out)
    assert list(table) == list(ablate(AgentSettings()))
    assert {row["ecr"] for row in table.values()} == {1.0}
    assert all(row["tokens"] > 0 for row in table.values())
    offered = [{tool["function"]["name"] for tool in request["tools"]} for request in requests]
    assert "search" in offered[0]
    assert "search" not in offered[-1]
    assert "Call add with two numbers." in json.dumps(requests[0])
    assert "Call add with two numbers." not in json.dumps(requests[-1])
    full, plain, closed = (requests[at] for at in (0, 2, 4))
    instructions = [str(one["messages"][0]["content"]) for one in (full, plain, closed)]
    assert set(instructions[1].splitlines()) < set(instructions[0].splitlines()), "the blocks and nothing else"
    assert (plain["tools"], plain["messages"][1:]) == (full["tools"], full["messages"][1:])
    rules = instructions[2].partition("Repositories:")[0]
    assert not [name for name in OPERATIONS if re.search(rf"[(,] ?{name}\b", rules)], "no rule names a removed tool"
    assert "Call finish, alone in its message" in rules
    assert "Call add with two numbers." in instructions[2]


def test_each_configuration_of_the_ablation_switches_one_mechanism() -> None:
    found = ablate(AgentSettings())
    switches = {
        name: (one.model.opening_blocks, one.exploration, one.selection.by_relevance) for name, one in found.items()
    }
    assert list(switches.values()) == [
        (True, True, True),
        (False, True, True),
        (True, False, True),
        (True, True, False),
        (False, False, False),
    ]


def test_a_prompt_has_the_guide_of_the_task_and_the_rules_of_listing_2(benchmark: Path) -> None:
    text = read_tasks(benchmark, ["Adder_01"])[0].text
    assert "- The function add takes two numbers." in text
    for subject in ("README first", "absolute paths", "PYTHONPATH", "pip", "weights"):
        assert subject in text.partition("Rules:")[2]


def test_the_published_tasks_have_seven_modalities() -> None:
    rows = published()["subdomains"]
    assert len({row["modality"] for row in rows}) == 7
    assert sum(len(row["tasks"]) for row in rows) == 54
    found = gittaskbench_report(
        [
            ScoredTask(id_, "A", True, True, place=(row["domain"], row["name"]), modality=row["modality"])
            for row in rows
            for id_ in row["tasks"]
        ]
    )
    assert len(found["modalities"]) == 7
    # table 4
    assert {name: one["tasks"] for name, one in found["domains"].items()} == {
        name: sum(len(row["tasks"]) for row in rows if row["domain"] == name)
        for name in {row["domain"] for row in rows}
    }
    assert (len(found["domains"]), len(found["subdomains"])) == (7, 24)


def test_weights_on_hosts_of_the_run_are_requested(benchmark: Path) -> None:
    with answering(lambda request: (404 if "gone" in request.path else 200, {}, b"weights")) as address:
        text = f"Weights: {address}/w.pth\nWeights: {address}/gone.pth\nWeights: https://other.example/w.pth\n"
        write_tree(benchmark / "code_base" / "Adder", {"README.md": text})
        choice = RunOptions((), "chat", 1, 1, 0, 0.0, 0.0, ("127.0.0.1",), False, "", None, None)
        policy = NetworkPolicy((HostPattern.read(address),))
        rows = find_weights(benchmark, choice, IngestSettings(), policy)
        assert find_weights(benchmark, replace(choice, hosts=()), IngestSettings(), policy) == []
    assert [(row["repository"], row["url"], bool(row["problem"])) for row in rows] == [
        ("Adder", f"{address}/w.pth", False),
        ("Adder", f"{address}/gone.pth", True),
    ]
    assert "HTTP 404" in rows[1]["problem"]


def test_the_report_records_the_agent_and_its_sampling(tmp_path: Path) -> None:
    options = {"temperature": 0.5, "top_p": 1.0, "api_key": "hidden"}
    agent = AgentSettings(model=ModelSettings(name="openai:m", options=options))
    settings = Settings(store=StoreSettings(folder=tmp_path), agent=agent)
    choice = RunOptions((), "chat", 1, 1, 0, 0.0, 0.0, (), False, "", None, None)
    assert describe_agent(CliSession(settings, as_json=True), choice) == {
        "policy": "chat", "model": "openai:m", "temperature": 0.5, "top_p": 1.0, "output_tokens": 4096,
    }  # fmt: skip
