"""The ready CI jobs: their steps run on a real repository, against hosts that record comments."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import COMMAND
from tests.e2e.service import ROOT, SHOP, environment
from tests.http_server import answering
from tests.source_trees import commit_tree, git, write_tree

_EXAMPLES = ROOT / "examples" / "ci"


@dataclass
class _CommentHost:
    """Comments of one request, at the paths of GitHub and of GitLab."""

    address: str = ""
    comments: dict[int, str] = field(default_factory=lambda: {1: "an older comment of a person"})
    calls: list[str] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        self.calls.append(request.command)
        assert request.headers["Authorization"] == "Bearer secret" or request.headers["PRIVATE-TOKEN"] == "secret"
        content = request.rfile.read(int(request.headers["Content-Length"] or 0))
        number = re.search(r"/(?:comments|notes)/(\d+)$", request.path)
        answer: object = {}
        if request.command == "GET":
            listed = [{"id": id_, "body": body} for id_, body in self.comments.items()]
            answer = listed if request.path.endswith("page=1") else []
        elif request.command == "DELETE":
            del self.comments[int(number[1] if number else 0)]
        else:
            self.comments[int(number[1]) if number else max(self.comments) + 1] = json.loads(content)["body"]
        return 200, {}, json.dumps(answer).encode()


@dataclass
class _Checkout:
    """Repository with a base commit, as a job has it."""

    folder: Path
    store: Path
    variables: dict[str, str] = field(default_factory=dict)

    def change(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
        git(self.folder, "commit", "-qam", "Change it")

    def run(self, command: str) -> None:
        variables = {**environment(self.store), **self.variables}
        done = subprocess.run(
            ["sh", "-e", "-c", command], cwd=self.folder, env=variables, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def host() -> Iterator[_CommentHost]:
    made = _CommentHost()
    with answering(made.answer) as made.address:
        yield made


@pytest.fixture
def checkout(tmp_path: Path) -> _Checkout:
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "repoquarry"
    quoted = " ".join(f"'{part}'" for part in COMMAND)
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    found = _Checkout(commit_tree(write_tree(tmp_path / "shop", SHOP)), tmp_path / "store")
    found.variables["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    git(found.folder, "checkout", "-q", "-b", "topic")
    return found


def _github_steps(checkout: _Checkout, host: _CommentHost) -> list[str]:
    """Set the variables of the GitHub job, and return the commands of its steps."""
    shutil.copytree(_EXAMPLES, checkout.folder / ".github")
    values = {
        "github.event.pull_request.base.sha": "main",
        "github.event.pull_request.head.sha": "topic",
        "github.event.pull_request.number": "7",
        "github.token": "secret",
        "steps.page.outputs.artifact-url": "https://ci.example.org/7",
    }
    steps = yaml.safe_load((_EXAMPLES / "github.yml").read_text())["jobs"]["review"]["steps"]
    for step in steps:
        for name, value in step.get("env", {}).items():
            expression = re.fullmatch(r"\$\{\{ (.+) \}\}", value)
            checkout.variables[name] = values[expression[1]] if expression else value
    checkout.variables |= {"GITHUB_API_URL": host.address, "GITHUB_REPOSITORY": "shop/shop"}
    return [step["run"] for step in steps if "run" in step and not step["run"].startswith("pip ")]


def _gitlab_steps(checkout: _Checkout, host: _CommentHost) -> list[str]:
    """Set the variables of the GitLab job, and return the commands of its script."""
    for name in ("review.sh", "comment.py"):
        shutil.copy(_EXAMPLES / name, checkout.folder)
    job: dict[str, Any] = yaml.safe_load((_EXAMPLES / "gitlab.yml").read_text())["review"]
    values = {"$CI_MERGE_REQUEST_DIFF_BASE_SHA": "main", "$CI_COMMIT_SHA": "topic"}
    checkout.variables |= {name: values.get(str(value), str(value)) for name, value in job["variables"].items()}
    checkout.variables |= {
        "CI_API_V4_URL": host.address,
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_JOB_URL": "https://ci.example.org/7",
        "GITLAB_TOKEN": "secret",
    }
    return [command for command in job["script"] if not command.startswith("pip ")]


@pytest.mark.parametrize("prepare", [_github_steps, _gitlab_steps])
def test_the_job_writes_one_comment_and_updates_it(prepare: Any, checkout: _Checkout, host: _CommentHost) -> None:
    steps = prepare(checkout, host)
    checkout.change("shop/till.py", "def price(order):", "def price(order, currency):")
    for step in steps:
        checkout.run(step)
    review = checkout.folder / "review"
    assert 0 < (review / "change.html").stat().st_size <= 2_000_000
    assert "tests/test_shop.py::test_price" in (review / "tests.txt").read_text()
    assert json.loads((review / "diff.json").read_text())["counts"]["signature_changed"] == 1
    (mine,) = [body for id_, body in host.comments.items() if id_ != 1]
    assert "call sites outside the diff" in mine
    assert "currency is added and required" in mine
    assert "https://ci.example.org/7" in mine
    checkout.change("shop/till.py", "currency):", "currency, region):")
    for step in steps:
        checkout.run(step)
    (mine,) = [body for id_, body in host.comments.items() if id_ != 1]
    assert "region is added and required" in mine
    assert host.calls.count("POST") == 1, "the second run updates the comment"


@pytest.mark.long
@pytest.mark.parametrize("prepare", [_github_steps, _gitlab_steps])
def test_the_job_is_silent_when_nothing_is_concerned(prepare: Any, checkout: _Checkout, host: _CommentHost) -> None:
    steps = prepare(checkout, host)
    host.comments[2] = "<!-- repoquarry review -->\nof an earlier state"
    (checkout.folder / "NEWS.md").write_text("# News\n")
    git(checkout.folder, "add", "NEWS.md")
    git(checkout.folder, "commit", "-qm", "Tell the news")
    for step in steps:
        checkout.run(step)
    assert list(host.comments) == [1]
    assert host.calls[-1] == "DELETE"
    assert not (checkout.folder / "review" / "change.html").exists()
