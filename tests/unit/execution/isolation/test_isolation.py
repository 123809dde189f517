"""The choice of an isolation, the filter of system calls, the proxy's rules and its relay."""

import platform
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from repoquarry.execution.errors import IsolationUnavailableError, TaskRejectedError, UnknownNameError
from repoquarry.execution.isolation import registry
from repoquarry.execution.isolation.commands import folder_bytes
from repoquarry.execution.isolation.launch import syscalls
from repoquarry.execution.isolation.launch.entry import relay
from repoquarry.execution.isolation.proxy import open_proxy, parse_host, reachable_address
from repoquarry.execution.isolation.registry import check_workspaces
from repoquarry.execution.settings import WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace
from repoquarry.processes.programs import ProgramResult
from repoquarry.server.cli.commands import serve
from repoquarry.server.errors import SettingsError
from tests.descriptors import many_descriptors


@pytest.fixture(autouse=True)
def chosen_anew() -> Iterator[None]:
    registry.choose_isolation.cache_clear()
    yield
    registry.choose_isolation.cache_clear()


def test_without_a_working_variant_all_failures_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(registry, "version", lambda: 3)
    with pytest.raises(IsolationUnavailableError) as caught:
        registry.choose_isolation("auto")
    message = str(caught.value)
    for part in ("bubblewrap: the program bwrap is not on PATH", "landlock: the kernel's Landlock has version 3"):
        assert part in message
    assert "container: no image is named" in message
    assert "agent.workspace.isolation to none" in message
    assert registry.choose_isolation("none").holds is False


def test_a_service_with_workspaces_does_not_start_unisolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    settings = WorkspaceSettings(tmp_path, isolation="bubblewrap")
    with pytest.raises(IsolationUnavailableError):
        check_workspaces(settings)
    with pytest.raises(IsolationUnavailableError):
        Workspace.create(settings, lambda: False)
    assert list(tmp_path.iterdir()) == []
    check_workspaces(WorkspaceSettings(None, isolation="bubblewrap"))
    check_workspaces(WorkspaceSettings(tmp_path, isolation="none"))


def test_settings_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="auto, bubblewrap"):
        check_workspaces(WorkspaceSettings(tmp_path, isolation="chroot"))
    with pytest.raises(TaskRejectedError, match="readable"):
        check_workspaces(WorkspaceSettings(tmp_path, isolation="none", readable=("relative",)))
    with pytest.raises(TaskRejectedError, match="install_hosts"):
        check_workspaces(WorkspaceSettings(tmp_path, isolation="none", install_hosts=("host:port",)))


def test_container_says_why_it_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "container_image" in registry.Container("").unavailable()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "neither docker nor podman" in registry.Container("image").unavailable()
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/docker")
    refused = ProgramResult(1, b"", b"Cannot connect to the daemon")
    monkeypatch.setattr(registry, "run_program", lambda *_, **__: refused)
    assert "Cannot connect to the daemon" in registry.Container("image").unavailable()


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("shared", [True, False])
def test_filter_jumps_stay_inside_and_every_path_ends(
    monkeypatch: pytest.MonkeyPatch, machine: str, *, shared: bool
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program = syscalls.build(syscalls.FilterRules((1, 2), shared_processes=shared))
    for place, (code, if_true, if_false, _) in enumerate(program):
        if code & 7 == 5:
            assert place + 1 + max(if_true, if_false) < len(program)
    assert program[-1][0] == 0x06
    assert len(program) < 4096


def test_an_unknown_machine_gets_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(OSError, match="unknown system calls of the machine riscv64"):
        syscalls.build(syscalls.FilterRules((), shared_processes=False))
    with pytest.raises(OSError, match="known: x86_64"):
        syscalls.syscall_number("socket")


def test_folder_bytes_counts_hard_links_once_and_follows_no_link(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "big").write_bytes(b"x" * 1_000_000)
    once = folder_bytes(tmp_path)
    assert 1_000_000 <= once < 1_100_000
    (tmp_path / "again").hardlink_to(inner / "big")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert folder_bytes(tmp_path) - once < 50_000


def test_hosts_of_the_proxy() -> None:
    assert parse_host("PyPI.org") == ("pypi.org", 443)
    assert parse_host("host:8443") == ("host", 8443)
    with pytest.raises(ValueError, match="invalid host"):
        parse_host("host:https")


@pytest.mark.parametrize("address", ["169.254.169.254", "127.0.0.1", "fd00:ec2::254", "::ffff:127.0.0.1"])
def test_a_name_that_leads_to_this_machine_or_metadata_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    def resolve(host: str, port: int, **_: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(OSError, match="no address that"):
        reachable_address("metadata.example", 443)
    assert reachable_address("127.0.0.1", 1) == ("127.0.0.1", 1)


def ask(path: Path, request: str, *, is_complete: bool = False) -> bytes:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(path))
        client.sendall(request.encode())
        if is_complete:
            client.shutdown(socket.SHUT_WR)
        answer = b""
        while data := client.recv(4096):
            answer += data
        return answer


def test_proxy_serves_listed_hosts_alone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def serve() -> None:
            connection, _ = listener.accept()
            connection.sendall(b"hello")
            connection.close()

        threading.Thread(target=serve, daemon=True).start()
        with open_proxy([f"127.0.0.1:{port}"]) as path:
            target = f"127.0.0.1:{port}"
            assert b"403" in ask(path, "CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
            assert b"405" in ask(path, f"GET http://{target}/ HTTP/1.1\r\n\r\n")
            assert b"400" in ask(path, "CONNECT host:x HTTP/1.1\r\n\r\n")
            answer = ask(path, f"CONNECT {target} HTTP/1.1\r\n\r\n", is_complete=True)
            assert answer == b"HTTP/1.1 200 Connection established\r\n\r\nhello"


def test_serve_refuses_to_start_with_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPOQUARRY_AGENT_WORKSPACE_ROOT", str(tmp_path / "work"))
    monkeypatch.setenv("REPOQUARRY_AGENT_WORKSPACE_ISOLATION", "container")
    with pytest.raises(SettingsError, match=r"container: no image is named .* agent.workspace.isolation to none"):
        serve.serve_command("127.0.0.1:0", allow_unauthenticated=False, store=tmp_path / "store", config=None)
    assert not (tmp_path / "store").exists()


def test_a_process_with_many_descriptors_can_relay() -> None:
    with many_descriptors():
        near, one = socket.socketpair()
        other, far = socket.socketpair()
        with near, one, other, far:
            thread = threading.Thread(target=relay, args=(one, other), daemon=True)
            thread.start()
            far.sendall(b"hello")
            far.shutdown(socket.SHUT_WR)
            assert near.recv(100) == b"hello"
            assert near.recv(100) == b""
            near.sendall(b"and back")
            near.shutdown(socket.SHUT_WR)
            assert far.recv(100) == b"and back"
            thread.join(300)
            assert not thread.is_alive()
