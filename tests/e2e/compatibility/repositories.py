"""Git repositories of the committed sources, served under addresses that name no path and no port of a machine."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

from tests.http_server import served

HOST = "http://sources.example"
ADDRESSES = {name: f"{HOST}/{name}.git" for name in ("inventory", "storefront")}
"""Git address by repository id."""
_SOURCES = Path(__file__).parent / "sources"
_IGNORED = shutil.ignore_patterns("__pycache__")  # Written by whoever imports a source by accident.


@dataclass(frozen=True)
class ServedRepositories:
    """Git repositories that a local server answers for."""

    folder: Path
    """Folder of the working trees, by repository id."""
    variables: dict[str, str]
    """Environment variables that lead git from `HOST` to the server."""

    def commit_file(self, name: str, path: str, text: str) -> None:
        (self.folder / name / path).write_text(text, encoding="utf-8")
        _commit(self.folder / name, "Ada", "2024-05-06T07:08:09+00:00", f"Change {path}", (path,))


@contextmanager
def serve_repositories(folder: Path) -> Iterator[ServedRepositories]:
    """Create the repositories in `folder`, two commits each, and serve them. Their commit hashes are the same everywhere."""
    for name in ADDRESSES:
        tree = Path(shutil.copytree(_SOURCES / name, folder / name, ignore=_IGNORED))
        layout = ("--template=", "--initial-branch=main", "--object-format=sha1", f"--separate-git-dir={tree}.git")
        _run_git(tree, {}, "init", "--quiet", *layout)
        _commit(tree, "Ada", "2024-01-02T03:04:05+00:00", "Describe the package", ("README.md", "pyproject.toml"))
        _commit(tree, "Grace", "2024-03-04T05:06:07+00:00", "Add the code", (".",))
    with served(partial(_Proxy, directory=str(folder))) as port:
        variables = {
            "http_proxy": f"http://127.0.0.1:{port}",
            "no_proxy": "127.0.0.1",  # gRPC would send its calls to the proxy too.
            "REPOQUARRY_INGEST_GIT_DEPTH": "0",  # A server of plain files cannot shorten a history.
            "REPOQUARRY_SERVER_SOURCE_HOSTS": HOST,
            "REPOQUARRY_SERVER_RETENTION_DAYS": "0",  # The jobs of a committed store ended long ago.
        }
        yield ServedRepositories(folder, variables)


class _Proxy(SimpleHTTPRequestHandler):
    """HTTP proxy that answers for every host from one folder."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(urlsplit(path).path)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _commit(tree: Path, author: str, date: str, message: str, paths: tuple[str, ...]) -> None:
    person = {"NAME": author, "EMAIL": f"{author.lower()}@sources.example", "DATE": date}
    identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    _run_git(tree, identity, "add", "--", *paths)
    _run_git(tree, identity, "commit", "--quiet", f"--message={message}")
    _run_git(tree, identity, "update-server-info")


def _run_git(tree: Path, variables: dict[str, str], *arguments: str) -> None:
    """Run git without the configuration of this machine, which could change the commit hashes."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    isolated = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *arguments], cwd=tree, check=True, capture_output=True, env=inherited | isolated | variables)
