"""`install` and `uninstall`: documented formats, idempotence, foreign content byte for byte, broken and read-only files."""

import json
import os
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from repoquarry.client.errors import RequestError
from repoquarry.graphstore.store import Store
from repoquarry.ingest.freshness import check_freshness
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.server.cli.commands.install import HOOKS, HOSTS, install_command, uninstall_command
from tests.command_line import COMMAND
from tests.source_trees import commit_tree, write_tree

_STDIO = {"command": "repoquarry", "args": ["mcp"]}
_FOREIGN_JSON = (
    b"{}",
    b"{\n}\n",
    b'{"mcpServers": {}, "servers": {}}',
    b'{\r\n\t"servers": {"a": {"command": "x"}},\r\n\t"mcpServers": {"b": {"command": "y", "args": ["{"]}}\r\n}\r\n',
    b'// mine\n{\n  /* {"mcpServers": {} } */\n  "theme": "a\\"{b",\n  "inputs": [{"servers": 1}],\n}\n',
    b'\xef\xbb\xbf{"x": "mcpServers", "y": {"mcpServers": {}}}',
)
_FOREIGN_TEXT = (b"", b"x", b"# Mine\n", b"# Mine\r\n\r\nText", b"[a]\nb = 1\n")


def _snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _entry(host: str, folder: Path) -> Any:
    (name,) = [name for name in HOSTS[host] if name.endswith((".json", ".toml"))]
    text = (folder / name).read_text("utf-8-sig")
    if name.endswith(".toml"):
        return tomllib.loads(text)["mcp_servers"]["repoquarry"]
    return json.loads(text)["servers" if host == "vscode" else "mcpServers"]["repoquarry"]


@pytest.mark.parametrize("host", HOSTS)
def test_the_entry_has_the_documented_form_and_goes_without_a_trace(tmp_path: Path, host: str) -> None:
    install_command(host, tmp_path)
    entry = _entry(host, tmp_path)
    assert entry.pop("type", "stdio") == "stdio"
    assert entry == _STDIO
    installed = _snapshot(tmp_path)
    (rules,) = [text.decode() for name, text in installed.items() if not name.endswith((".json", ".toml"))]
    assert "`explore`" in rules
    assert "repoquarry explore" in rules, "hosts that defer MCP tools use the command line"
    install_command(host, tmp_path)
    assert _snapshot(tmp_path) == installed
    uninstall_command(host, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("host", "name", "content"),
    [
        (host, name, content)
        for host, files in HOSTS.items()
        for name in files
        for content in (_FOREIGN_JSON if name.endswith(".json") else _FOREIGN_TEXT)
        if name.endswith((".json", ".toml", "S.md", "GEMINI.md")) and not (name.endswith(".toml") and content == b"x")
        if not (name.endswith(".toml") and b"Text" in content)
    ],
)
def test_foreign_content_is_kept_byte_for_byte(tmp_path: Path, host: str, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o640)
    install_command(host, tmp_path)
    changed = path.read_bytes()
    assert b"repoquarry" in changed
    assert path.stat().st_mode & 0o777 == 0o640
    install_command(host, tmp_path)
    assert path.read_bytes() == changed
    uninstall_command(host, tmp_path)
    assert (path.read_bytes() if content else path.exists()) == (content or False)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"mcpServers": 1, "servers": 1}', b'{"a": nonsense}', b"\xff\xfe"])
@pytest.mark.parametrize("host", ["claude", "cursor", "vscode", "gemini"])
def test_a_broken_file_is_reported_and_nothing_is_written(tmp_path: Path, host: str, content: bytes) -> None:
    (name,) = [name for name in HOSTS[host] if name.endswith(".json")]
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(content)
    before = _snapshot(tmp_path)
    with pytest.raises(RequestError, match="cannot be"):
        install_command(host, tmp_path)
    assert _snapshot(tmp_path) == before


def test_a_broken_toml_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text("a = ")
    with pytest.raises(RequestError, match="cannot be parsed"):
        install_command("codex", tmp_path)
    assert not (tmp_path / "AGENTS.md").exists()


def test_a_read_only_file_stops_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "GEMINI.md").write_text("# Mine\n")
    # The superuser may write everything, so the answer of the system is given here.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "GEMINI.md")
    with pytest.raises(RequestError, match="read-only; nothing was written"):
        install_command("gemini", tmp_path)
    assert set(_snapshot(tmp_path)) == {"GEMINI.md"}


def test_a_dry_run_prints_the_changes_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install_command("claude", tmp_path, dry_run=True)
    assert '+        "repoquarry": {' in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_an_own_file_with_other_content_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "rules" / "repoquarry.mdc"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(RequestError, match="other content"):
        install_command("cursor", tmp_path)
    uninstall_command("cursor", tmp_path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("host", HOOKS)
def test_the_hook_has_the_documented_form_and_goes_without_a_trace(tmp_path: Path, host: str) -> None:
    install_command(host, tmp_path)
    without = _snapshot(tmp_path)
    install_command(host, tmp_path, hook=True)
    installed = _snapshot(tmp_path)
    document = json.loads(installed[HOOKS[host][0]])
    command = {"command": "repoquarry index . >&2"}
    if host == "cursor":
        assert document == {"version": 1, "hooks": {"sessionStart": [command]}}
    else:
        group = {"matcher": "startup", "hooks": [{"type": "command", **command}]}
        assert document["hooks"] == {"SessionStart": [group]}
    install_command(host, tmp_path, hook=True)
    assert _snapshot(tmp_path) == installed
    assert without.items() <= installed.items() or host == "gemini"
    uninstall_command(host, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("host", HOOKS)
@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b'{"hooks": {}, "mcpServers": {}}',
        b'{\n  "hooks": {"Stop": [{"command": "x"}]}\n}\n',
        b'{"version": 1, "hooks": {"SessionStart": [], "sessionStart": []}}',
        b'{\r\n\t"hooks": {"SessionStart": [{"hooks": ["hooks"]}], "sessionStart": [{"command": "y"}]}, // mine\r\n}\r\n',
    ],
)
def test_foreign_hooks_are_kept_byte_for_byte(tmp_path: Path, host: str, content: bytes) -> None:
    path = tmp_path / HOOKS[host][0]
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    install_command(host, tmp_path, hook=True)
    assert path.read_bytes().count(b"repoquarry index . >&2") == 1
    uninstall_command(host, tmp_path)
    assert _snapshot(tmp_path) == {HOOKS[host][0]: content}


def test_a_host_without_a_hook_says_so(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="codex has no hook"):
        install_command("codex", tmp_path, hook=True)
    assert not list(tmp_path.iterdir())


def test_hooks_that_are_no_list_are_reported(tmp_path: Path) -> None:
    path = tmp_path / HOOKS["claude"][0]
    path.parent.mkdir(parents=True)
    path.write_text('{"hooks": {"SessionStart": {}}}')
    with pytest.raises(RequestError, match="is not a list"):
        install_command("claude", tmp_path, hook=True)


_PROJECT = {"shop.py": "def sell():\n    return 1\n", "README.md": "# Shop\n\nSells things.\n"}
_INSTRUCTIONS = {"AGENTS.md": "# Agents\n\nSpeak plainly.\n", "GEMINI.md": "Be brief."}


@pytest.mark.parametrize("files", [_PROJECT, {**_PROJECT, **_INSTRUCTIONS}], ids=["no instructions", "instructions"])
@pytest.mark.parametrize("is_committed", [False, True])
def test_install_never_makes_an_index_stale(
    tmp_path: Path, store: Store, files: dict[str, str], is_committed: bool
) -> None:
    """All hosts with their hooks, into the root and a folder, in and outside git."""
    root = write_tree(tmp_path / "shop", files)
    if is_committed:
        commit_tree(root)
    index_repository(str(root), store, IngestSettings(workers=1))
    (root / "part").mkdir()
    for host in HOSTS:
        install_command(host, root, hook=host in HOOKS)
        install_command(host, root / "part", hook=host in HOOKS)
    fresh = check_freshness(store.repository("shop"), store.sources, IngestSettings())
    assert (fresh.moved_on, fresh.files_changed) == (False, 0)
    assert index_repository(str(root), store, IngestSettings(workers=1)).unchanged


def test_own_words_below_installed_instructions_make_an_index_stale(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "shop", _PROJECT)
    install_command("codex", root)
    index_repository(str(root), store, IngestSettings(workers=1))
    with (root / "AGENTS.md").open("a") as file:
        file.write("# Mine\n")
    assert check_freshness(store.repository("shop"), store.sources, IngestSettings()).files_changed == 1
    index_repository(str(root), store, IngestSettings(workers=1))
    (shown,) = [line for line in store.sources.text("shop", "AGENTS.md").splitlines() if line]
    assert shown == "# Mine"


def test_committed_instructions_of_install_leave_a_commit_clean(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "shop", {**_PROJECT, **_INSTRUCTIONS})
    for host in HOSTS:
        install_command(host, root)
    commit_tree(root)
    index_repository(str(root), store, IngestSettings(workers=1))
    assert store.repository("shop")["dirty"] is False


def test_first_answer_after_index_and_install_is_up_to_date(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "shop", _PROJECT)

    def repoquarry(*arguments: str) -> str:
        environment = {**os.environ, "REPOQUARRY_STORE": str(tmp_path / "store")}
        return subprocess.run(
            [*COMMAND, *arguments], cwd=root, env=environment, check=True, capture_output=True, text=True
        ).stdout

    repoquarry("index", ".")
    repoquarry("install", "claude")
    (basis,) = json.loads(repoquarry("show", "sell", "--json"))["basis"]["repositories"]
    assert basis["freshness"]["state"] == "current"
