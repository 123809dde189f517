"""Write the comment of a pull request or merge request, or update the one of an earlier run.

    python comment.py review/comment.md LINK

An empty file deletes the comment of an earlier run. On GitHub the job passes GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN and
PULL_REQUEST; on GitLab it passes CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID and GITLAB_TOKEN.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

MARK = "<!-- repoquarry review -->"
PAGE_SIZE = 100


class CommentApi:
    """Comments of one request: GitHub's where its variables are set, GitLab's otherwise."""

    def __init__(self, environment: dict[str, str]) -> None:
        if "GITHUB_REPOSITORY" in environment:
            issues = f"{environment['GITHUB_API_URL']}/repos/{environment['GITHUB_REPOSITORY']}/issues"
            self.comments, self.single = f"{issues}/{environment['PULL_REQUEST']}/comments", f"{issues}/comments"
            self.headers, self.update = {"Authorization": f"Bearer {environment['GITHUB_TOKEN']}"}, "PATCH"
        else:
            project = f"{environment['CI_API_V4_URL']}/projects/{environment['CI_PROJECT_ID']}"
            self.comments = f"{project}/merge_requests/{environment['CI_MERGE_REQUEST_IID']}/notes"
            self.single = self.comments
            self.headers, self.update = {"PRIVATE-TOKEN": environment["GITLAB_TOKEN"]}, "PUT"

    def find(self) -> int | None:
        """Find the comment that an earlier run wrote."""
        page = 1
        while comments := self._call("GET", f"{self.comments}?per_page={PAGE_SIZE}&page={page}"):
            for comment in comments:
                if comment["body"].startswith(MARK):
                    return int(comment["id"])
            page += 1
        return None

    def save(self, known: int | None, body: str) -> None:
        """Write or update the comment."""
        if known is None:
            self._call("POST", self.comments, {"body": body})
        else:
            self._call(self.update, f"{self.single}/{known}", {"body": body})

    def delete(self, known: int) -> None:
        self._call("DELETE", f"{self.single}/{known}")

    def _call(self, method: str, url: str, value: object = None) -> Any:
        data = None if value is None else json.dumps(value).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:  # noqa: S310 - the host's own address
            return json.loads(answer.read() or b"null")


def main(path: str, link: str) -> None:
    api, text = CommentApi(dict(os.environ)), Path(path).read_text(encoding="utf-8").strip()
    known = api.find()
    if text:
        api.save(known, f"{MARK}\n{text}\n\n[The change as a page]({link})\n")
    elif known is not None:
        api.delete(known)


if __name__ == "__main__":
    main(*sys.argv[1:])
