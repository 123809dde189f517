"""The ready CI jobs: their steps run on a real repository, against hosts that record comments."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import COMMAND
from tests.e2e.service import ROOT, SHOP, environment, write_tree

_EXAMPLES = ROOT / "examples" / "ci"


class _CommentHost(ThreadingHTTPServer):
    """Comments of one request, at the paths of GitHub and of GitLab."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _CommentHandler)
        self.comments: dict[int, str] = {1: "an older comment of a person"}
        self.calls: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _CommentHandler(BaseHTTPRequestHandler):
    server: _CommentHost

    def _handle(self) -> None:
        self.server.calls.append(self.command)
        assert self.headers["Authorization"] == "Bearer secret" or self.headers["PRIVATE-TOKEN"] == "secret"
        content = self.rfile.read(int(self.headers["Content-Length"] or 0))
        comments, number = self.server.comments, re.search(r"/(?:comments|notes)/(\d+)$", self.path)
        answer: object = {}
        if self.command == "GET":
            listed = [{"id": id_, "body": body} for id_, body in comments.items()]
            answer = listed if self.path.endswith("page=1") else []
        elif self.command == "DELETE":
            del comments[int(number[1] if number else 0)]
        else:
            comments[int(number[1]) if number else max(comments) + 1] = json.loads(content)["body"]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _handle

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@dataclass
class _Checkout:
    """Repository with a base commit, as a job has it."""

    folder: Path
    store: Path
    variables: dict[str, str] = field(default_factory=dict)

    def git(self, *arguments: str) -> str:
        author = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
        command = ["git", *author, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def change(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))
        self.git("commit", "-qam", "Change it")

    def run(self, command: str) -> None:
        variables = {**environment(self.store), **self.variables}
        done = subprocess.run(
            ["sh", "-e", "-c", command], cwd=self.folder, env=variables, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def host() -> Iterator[_CommentHost]:
    with _CommentHost() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def checkout(tmp_path: Path) -> _Checkout:
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "repoquarry"
    quoted = " ".join(f"'{part}'" for part in COMMAND)
    program.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    program.chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    found = _Checkout(write_tree(tmp_path / "shop", SHOP), tmp_path / "store")
    found.variables["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    found.git("init", "-q", "-b", "main")
    found.git("add", "-A")
    found.git("commit", "-qm", "Open the shop")
    found.git("checkout", "-q", "-b", "topic")
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


@pytest.mark.parametrize("prepare", [_github_steps, _gitlab_steps])
def test_the_job_is_silent_when_nothing_is_concerned(prepare: Any, checkout: _Checkout, host: _CommentHost) -> None:
    steps = prepare(checkout, host)
    host.comments[2] = "<!-- repoquarry review -->\nof an earlier state"
    (checkout.folder / "NEWS.md").write_text("# News\n")
    checkout.git("add", "NEWS.md")
    checkout.git("commit", "-qm", "Tell the news")
    for step in steps:
        checkout.run(step)
    assert list(host.comments) == [1]
    assert host.calls[-1] == "DELETE"
    assert not (checkout.folder / "review" / "change.html").exists()
