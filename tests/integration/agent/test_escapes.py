"""Actions that a command cannot perform in each variant of isolation; the same attack without isolation shows that the test could fail."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from repoquarry.execution.isolation.commands import CommandOutcome, run_bounded
from repoquarry.execution.isolation.confinement import PROXY_PORT, Confinement
from repoquarry.execution.isolation.proxy import open_proxy
from repoquarry.execution.isolation.registry import VARIANTS, load_variant
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace

CONFINED = [name for name in VARIANTS if name != "none"]
ATTACKS = Path(__file__).with_name("attacks.py")
IMAGE = os.environ.get("REPOQUARRY_TEST_CONTAINER_IMAGE", "")

OUTSIDE = (
    *("read_outside", "read_through_symbolic_link", "read_through_hard_link", "read_environment_of_service"),
    *("list_processes", "write_outside", "write_through_symbolic_link", "remove_outside", "move_in_from_outside"),
    *("truncate_outside", "change_mode_outside", "change_mode_through_symbolic_link", "change_mode_by_descriptor"),
    *("change_times_outside", "change_owner_outside", "connect_tcp", "send_udp", "connect_abstract_socket"),
    *("connect_path_socket", "send_to_path_socket_from_pair", "kill_service", "limit_service", "slow_service"),
    *("gain_privileges_by_set_uid", "new_user_namespace"),
)
"""Attacks that succeed for any user without isolation."""

AS_ROOT = ("read_hashed_passwords", "change_kernel_setting", "trace_service", "mount_over")
"""Attacks that succeed only for root without isolation (tracing an older process is often kept to root as well)."""

ELSEWHERE = ("ask_metadata_address", "set_attribute_outside")
"""Attacks that depend on the network or the file system of the machine, so that they prove nothing without isolation."""

LIMITED = {
    "fork_bomb": ("processes", 40, "processes"),
    "fork_bomb_with_children": ("processes", 40, "processes"),
    "fill_disk": ("disk_bytes", 5_000_000, "disk limit"),
    "fill_disk_with_deleted_files": ("disk_bytes", 5_000_000, "disk limit"),
    "hold_memory_in_many_processes": ("memory_bytes", 200_000_000, "memory limit"),
    "hold_memory_in_one_process": ("memory_bytes", 200_000_000, "memory limit"),
}
"""Attack to the limit that holds it, and the words that say so."""


class Host:
    """A victim process, files and sockets outside the workspace."""

    def __init__(self, folder: Path, short: Path) -> None:
        folder.mkdir()
        self.facts: dict[str, Any] = {
            "folder": str(folder),
            "secret": str(folder / "secret"),
            "spare": str(folder / "s"),
        }
        (folder / "secret").write_text("secret")
        (folder / "s").write_text("spare")
        waiting = "import time; time.sleep(120)  # SERVICE"
        environment = {**os.environ, "SERVICE_SECRET": "token"}
        self.victim = subprocess.Popen([sys.executable, "-I", "-S", "-c", waiting], env=environment)
        self.touched: list[str] = []
        self.sockets: list[socket.socket] = []
        tcp = self._listen("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        udp = self._listen("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        abstract = f"repoquarry-test-{os.getpid()}-{time.monotonic_ns()}"
        self._listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)
        self._listen("path", socket.AF_UNIX, socket.SOCK_STREAM, str(short / "stream"))
        self._listen("datagram", socket.AF_UNIX, socket.SOCK_DGRAM, str(short / "datagram"))
        self.facts |= {
            "victim": self.victim.pid,
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "abstract": abstract,
            "path_socket": str(short / "stream"),
            "datagram_socket": str(short / "datagram"),
        }
        self.before = self.state()

    def _listen(self, name: str, family: int, kind: int, address: tuple[str, int] | str) -> socket.socket:
        listener = socket.socket(family, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        self.sockets.append(listener)
        threading.Thread(target=self._serve, args=(name, listener), daemon=True).start()
        return listener

    def _serve(self, name: str, listener: socket.socket) -> None:
        while True:
            try:
                if listener.type == socket.SOCK_STREAM:
                    listener.accept()[0].close()
                    self.touched.append(name)
                else:
                    _, sender = listener.recvfrom(10)
                    self.touched.append(name)
                    if sender:
                        listener.sendto(b"y", sender)
            except OSError:
                return

    def state(self) -> object:
        """State that an attack may have changed."""
        time.sleep(0.05)
        files = [
            (name, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            for name in sorted(os.listdir(self.facts["folder"]))
            if (status := os.stat(os.path.join(self.facts["folder"], name)))
        ]
        return files, self.victim.poll(), os.getpriority(os.PRIO_PROCESS, self.victim.pid), list(self.touched)

    def close(self) -> None:
        self.victim.kill()
        self.victim.wait()
        for listener in self.sockets:
            listener.close()


@contextmanager
def open_host(folder: Path) -> Iterator[Host]:
    with tempfile.TemporaryDirectory(prefix="rq-") as short:  # a socket's path has 108 bytes at the most
        host = Host(folder / "outside", Path(short))
        try:
            yield host
        finally:
            host.close()


@dataclass(frozen=True)
class Raid:
    """Reports of attacks by name, which ran in one sandbox, and the state of the host before and after."""

    reports: dict[str, str]
    before: object
    after: object


@pytest.fixture(params=CONFINED)
def variant(request: pytest.FixtureRequest) -> str:
    if reason := load_variant(request.param, IMAGE).unavailable():
        pytest.skip(f"{request.param}: {reason}")
    return str(request.param)


@pytest.fixture(scope="module", params=CONFINED)
def raid(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Raid:
    """All attacks on the host, in one sandbox of each variant."""
    if reason := load_variant(request.param, IMAGE).unavailable():
        pytest.skip(f"{request.param}: {reason}")
    folder = tmp_path_factory.mktemp("raid")
    with open_host(folder) as host:
        outcome, _ = attack(folder, request.param, [*OUTSIDE, *AS_ROOT, *ELSEWHERE], host.facts)
        return Raid(dict(line.split(" ", 1) for line in outcome.output.splitlines()), host.before, host.state())


def attack(
    root: Path, isolation: str, names: Sequence[str], facts: dict[str, Any], **limits: int
) -> tuple[CommandOutcome, Workspace]:
    settings = WorkspaceSettings(root / "work", isolation=isolation, container_image=IMAGE, **limits)  # type: ignore[arg-type]
    workspace = Workspace.create(settings, lambda: False)
    shutil.copy(ATTACKS, workspace.root / "attacks.py")
    interpreter = load_variant(isolation, IMAGE).interpreter
    return workspace.run(shlex.join([interpreter, "attacks.py", *names, json.dumps(facts)])), workspace


@pytest.mark.parametrize("name", [*OUTSIDE, *AS_ROOT, *ELSEWHERE])
def test_nothing_outside_is_reached(raid: Raid, name: str) -> None:
    assert raid.reports[name].startswith("HELD")


def test_host_is_as_before_all_attacks(raid: Raid) -> None:
    assert raid.after == raid.before


@pytest.mark.parametrize("name", [*OUTSIDE, *AS_ROOT])
def test_without_isolation_the_same_attacks_succeed(tmp_path: Path, name: str) -> None:
    if name in AS_ROOT and os.geteuid() != 0:
        pytest.skip("only root can do this, isolated or not")
    with open_host(tmp_path) as host:
        outcome, _ = attack(tmp_path, "none", [name], host.facts)
    if name == "new_user_namespace" and outcome.output.startswith("HELD"):
        pytest.skip("this machine gives nobody user namespaces")
    assert outcome.output == "ESCAPED\n", outcome.output


def test_programs_work_as_usual(tmp_path: Path, variant: str) -> None:
    outcome, _ = attack(tmp_path, variant, ["work_as_usual"], {})
    assert outcome.output == "ESCAPED\n", outcome.output


@pytest.mark.parametrize("name", LIMITED)
def test_limits_hold_all_processes_together(tmp_path: Path, variant: str, name: str) -> None:
    setting, limit, words = LIMITED[name]
    outcome, _ = attack(tmp_path, variant, [name], {}, **{setting: limit})
    # an ordinary user's limit of processes and a process's own memory are refused by the kernel before anybody looks
    assert words in outcome.stopped or outcome.output.startswith("HELD") or "killed" in outcome.stopped, outcome
    assert outcome.seconds < 30
    assert not left_of(tmp_path)


@pytest.mark.parametrize("name", LIMITED)
def test_without_limits_the_same_commands_end(tmp_path: Path, name: str) -> None:
    unlimited = {"processes": 0, "disk_bytes": 0, "memory_bytes": 0}
    outcome, _ = attack(tmp_path, "none", [name], {}, **unlimited)
    assert outcome.stopped == ""
    assert "ESCAPED" in outcome.output


@pytest.mark.parametrize("isolation", [*CONFINED, "none"])
def test_no_process_stays_behind(tmp_path: Path, isolation: str) -> None:
    if reason := load_variant(isolation, IMAGE).unavailable():
        pytest.skip(f"{isolation}: {reason}")
    outcome, workspace = attack(tmp_path, isolation, ["stay_behind"], {})
    assert outcome.left_running >= 1 or isolation == "container"
    written = (workspace.root / "alive").read_text()
    time.sleep(0.4)
    assert (workspace.root / "alive").read_text() == written
    assert not left_of(tmp_path)


def left_of(root: Path) -> list[int]:
    """Processes whose current folder is below."""
    found = []
    for process in os.listdir("/proc"):
        try:
            if process.isdigit() and os.readlink(f"/proc/{process}/cwd").startswith(str(root)):
                found.append(int(process))
        except OSError:
            continue
    return found


def test_the_proxy_is_the_only_way_out(tmp_path: Path) -> None:
    if reason := load_variant("bubblewrap").unavailable():
        pytest.skip(reason)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=lambda: listener.accept()[0].sendall(b"hello"), daemon=True).start()
        settings = WorkspaceSettings(tmp_path, isolation="bubblewrap")
        workspace = Workspace.create(settings, lambda: False)
        script = (
            "import socket\n"
            "def ask(target):\n"
            f"    way = socket.create_connection(('127.0.0.1', {PROXY_PORT}), 5)\n"
            "    way.sendall(f'CONNECT {target} HTTP/1.1\\r\\n\\r\\n'.encode())\n"
            "    return b''.join(iter(lambda: way.recv(100), b''))\n"
            f"print(ask('127.0.0.1:{port}')[-5:], ask('127.0.0.1:1')[:12])\n"
            f"print(socket.socket().connect_ex(('127.0.0.1', {port})) != 0)\n"
        )
        with open_proxy([f"127.0.0.1:{port}"]) as proxy:
            outcome = run_bounded(
                [load_variant("bubblewrap").interpreter, "-c", script],
                workspace.root,
                {},
                settings,
                seconds=20,
                cancelled=lambda: False,
                isolation=load_variant("bubblewrap"),
                confinement=Confinement(workspace.root, proxy=proxy),
            )
    assert outcome.output == "b'hello' b'HTTP/1.1 403'\nTrue\n"
    assert outcome.left_running == 0
