"""Sources in git: refs, addresses, redirects, and the network policy of fetches."""

import logging
import os
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import acquire, parse_source
from repoquarry.ingest.sources.checkout import UnreadableGit, read_head
from repoquarry.ingest.sources.git import GitFailedError, run_git
from repoquarry.ingest.sources.network_policy import parse_network_policy, pin_addresses
from repoquarry.ingest.sources.source import hide_credentials, parse_address
from tests.http_server import answering, served
from tests.process_checks import is_gone
from tests.source_trees import commit_tree, git, write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")


def never() -> bool:
    return False


@pytest.mark.parametrize(
    ("source", "shown", "name"),
    [
        ("https://user:s3cret@example.org/team/Tool.git", "https://example.org/team/Tool.git", "tool"),
        ("https://token@example.org/team/tool?private_token=s3cret#v1", "https://example.org/team/tool", "tool"),
        ("git@example.org:team/tool.git", "example.org:team/tool.git", "tool"),
        ("ssh://git@example.org:2222/team/tool", "ssh://example.org:2222/team/tool", "tool"),
        ("file:///srv/git/tool.git/", "file:///srv/git/tool.git/", "tool"),
    ],
)
def test_addresses_are_shown_without_credentials(source: str, shown: str, name: str) -> None:
    address, _ = parse_address(source)
    assert (address.shown, address.name) == (shown, name)


@pytest.mark.parametrize("source", ["ext::sh -c 'touch /tmp/pwned'", "ftp://example.org/a", "fd::17", "rsync://h/x"])
def test_other_transports_are_refused(source: str, settings: IngestSettings) -> None:
    with pytest.raises(SourceRejectedError, match="not allowed"), acquire(parse_source(source), settings, never):
        pass


def test_an_option_in_disguise_is_refused(settings: IngestSettings) -> None:
    with (
        pytest.raises(SourceRejectedError),
        acquire(parse_source("https://example.org/a#--upload-pack=touch"), settings, never),
    ):
        pass


def test_a_git_address_is_cloned_and_cleaned_up(git_shop: Path, settings: IngestSettings) -> None:
    with acquire(parse_source(f"file://{git_shop}"), settings, never) as checkout:
        root = checkout.root
        assert (root / "shop" / "core.py").is_file()
        assert checkout.commit == git(git_shop, "rev-parse", "HEAD")
        assert (checkout.kind, checkout.name, checkout.branch) == ("git", "shop", "main")
    assert not root.exists()


def test_a_bare_repository_is_cloned(git_shop: Path, tmp_path: Path, settings: IngestSettings) -> None:
    bare = tmp_path / "bare.git"
    git(git_shop, "clone", "-q", "--bare", ".", str(bare))
    with acquire(parse_source(str(bare)), settings, never) as checkout:
        assert (checkout.root / "shop" / "core.py").is_file()
        assert checkout.name == "bare"


def test_a_branch_is_chosen_behind_the_hash(git_shop: Path, settings: IngestSettings) -> None:
    git(git_shop, "checkout", "-q", "-b", "next")
    write_tree(git_shop, {"shop/next.py": "x = 1\n"})
    git(git_shop, "add", "-A")
    git(git_shop, "commit", "-q", "-m", "Next")
    git(git_shop, "checkout", "-q", "main")
    with acquire(parse_source(f"file://{git_shop}#next"), settings, never) as checkout:
        assert (checkout.root / "shop" / "next.py").is_file()
        assert checkout.branch == "next"


def test_the_depth_is_bounded(git_shop: Path) -> None:
    for number in range(4):
        write_tree(git_shop, {"shop/cli.py": f"x = {number}\n"})
        git(git_shop, "commit", "-q", "-a", "-m", f"Change {number}")
    with acquire(parse_source(f"file://{git_shop}"), IngestSettings(git_depth=2), never) as checkout:
        assert git(checkout.root, "rev-list", "--count", "HEAD") == "2"


def test_no_such_repository(tmp_path: Path, settings: IngestSettings) -> None:
    with (
        pytest.raises(SourceNotFoundError, match="no such repository"),
        acquire(parse_source(f"file://{tmp_path}/no"), settings, never),
    ):
        pass


def test_unreachable_host_is_reported_without_the_password(settings: IngestSettings) -> None:
    source = "http://user:s3cret@127.0.0.1:1/team/tool.git"
    with pytest.raises(SourceNotFoundError) as caught, acquire(parse_source(source), settings, never):
        pass
    assert "cannot be cloned" in str(caught.value)
    assert "s3cret" not in f"{caught.value} {caught.value.metadata} {caught.value.__cause__}"


def test_the_password_is_in_no_argument_file_log_or_row(
    git_shop: Path, tmp_path: Path, store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `file` address with a user part goes all the way through; git itself records what it was called with."""
    caplog.set_level(logging.DEBUG)
    trace = tmp_path / "arguments"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {trace}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")

    report = index_repository(f"file://user:s3cret@{git_shop}", store, IngestSettings(workers=1))

    assert report.source == f"file://{git_shop}"
    assert "clone" in trace.read_text()
    assert "s3cret" not in trace.read_text()
    assert "s3cret" not in caplog.text
    for path in store.folder.rglob("*"):
        if path.is_file():
            assert b"s3cret" not in path.read_bytes()


def test_a_hanging_command_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _hang(tmp_path, monkeypatch)
    child = tmp_path / "child"
    with pytest.raises(IngestCancelledError):
        run_git(["fetch"], seconds=600, cancelled=child.exists)
    assert is_gone(int(child.read_text()))


def test_a_hanging_command_is_ended_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _hang(tmp_path, monkeypatch)
    with pytest.raises(SourceRejectedError, match=r"more than 0\.1 seconds"):
        run_git(["fetch"], seconds=0.1)


def _hang(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a git on PATH that writes the number of its child into the folder, and waits for it."""
    script = folder / "bin" / "git"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {folder}/new\nmv {folder}/new {folder}/child\nwait\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")


def test_nothing_that_the_repository_configures_is_run(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    ran = git_shop.parent / "ran"
    program = git_shop.parent / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o755)
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (git_shop / ".git" / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (git_shop / ".git" / "hooks" / hook).chmod(0o755)
    write_tree(git_shop, {".gitattributes": "* filter=evil diff=evil\n"})
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "diff.evil.textconv", "diff.evil.command"):
        git(git_shop, "config", key, str(program))
    git(git_shop, "config", "gpg.program", str(program))
    git(git_shop, "config", "log.showSignature", "true")
    git(git_shop, "config", "core.sshCommand", str(program))
    git(git_shop, "config", "core.pager", str(program))
    ran.unlink(missing_ok=True)

    index_repository(str(git_shop), store, settings)
    index_repository(f"file://{git_shop}", store, settings, name="cloned")

    assert not ran.exists()


def test_folder_below_a_working_tree_is_not_that_tree(git_shop: Path, settings: IngestSettings) -> None:
    write_tree(git_shop, {".gitignore": "scratch/\n", "scratch/other/a.py": "x = 1\n"})
    with acquire(parse_source(str(git_shop / "scratch" / "other")), settings, never) as checkout:
        assert checkout.commit is None
        assert not checkout.history


def test_a_folder_inside_a_working_tree_has_its_history(git_shop: Path, settings: IngestSettings) -> None:
    with acquire(parse_source(str(git_shop / "shop")), settings, never) as checkout:
        assert checkout.commit == git(git_shop, "rev-parse", "HEAD")


def test_credentials_are_hidden_everywhere() -> None:
    assert hide_credentials("fatal: https://a:b@h/x and ssh://c@h") == "fatal: https://h/x and ssh://h"


def test_git_errors_are_translated(tmp_path: Path) -> None:
    with pytest.raises(GitFailedError, match="rev-parse failed"):
        run_git(["rev-parse", "HEAD"], cwd=tmp_path, seconds=10)


def test_a_ref_of_a_folder_and_a_commit(git_shop: Path, store: Store, settings: IngestSettings) -> None:
    first = git(git_shop, "rev-parse", "HEAD")
    git(git_shop, "tag", "v1")
    write_tree(git_shop, {"shop/later.py": "x = 1\n"})
    git(git_shop, "add", "-A")
    git(git_shop, "commit", "-q", "-m", "Later")
    for ref in ("v1", first):
        with acquire(parse_source(str(git_shop), ref), settings, never) as checkout:
            assert (checkout.commit, checkout.ref) == (first, ref)
            assert not (checkout.root / "shop" / "later.py").exists()
    report = index_repository(parse_source(str(git_shop), "v1"), store, settings, name="old")
    assert report.commit == first
    assert store.repository("old")["ref"] == "v1"
    with (
        pytest.raises(SourceNotFoundError, match="a ref is a branch, a tag or a full commit hash"),
        acquire(parse_source(str(git_shop), first[:8]), settings, never),
    ):
        pass


class Quiet(SimpleHTTPRequestHandler):
    asked: list[str]

    def log_message(self, format: str, *arguments: object) -> None:
        type(self).asked.append(self.path)


@pytest.fixture
def inner(git_shop: Path, tmp_path: Path) -> Iterator[tuple[int, list[str]]]:
    """A git server as stands inside a network: its port, and what it was asked for."""
    bare = tmp_path / "served" / "shop.git"
    git(git_shop, "clone", "-q", "--bare", ".", str(bare))
    git(bare, "update-server-info")
    asked: list[str] = []
    handler = type("Inner", (Quiet,), {"asked": asked})
    with served(partial(handler, directory=str(bare.parent))) as port:
        yield port, asked


def test_a_redirect_is_not_followed(inner: tuple[int, list[str]]) -> None:
    port, asked = inner
    settings = IngestSettings(git_depth=0)  # the server here is a dumb one

    with answering(lambda asking: (302, {"Location": f"http://127.0.0.1:{port}{asking.path}"}, b"")) as front:
        reach = parse_network_policy([front])
        source = parse_source(f"{front}/shop.git")
        with acquire(source, settings, never) as checkout:  # what a person at his own machine gets
            assert (checkout.root / "shop" / "core.py").is_file()
        asked.clear()
        with (
            pytest.raises(SourceNotFoundError, match="give the address that it redirects to"),
            acquire(source, settings, never, reach),
        ):
            pass
    assert asked == []


def test_a_pinned_name_is_never_resolved_again(inner: tuple[int, list[str]], tmp_path: Path) -> None:
    """`repo.invalid` has no address at all, and the pin leads there; where it has another one, the pin wins as well."""
    port, asked = inner
    for name in ("repo.invalid", "localhost"):
        address = parse_address(f"http://{name}:{port}/shop.git")[0]
        route = {**pin_addresses(address, ["127.0.0.1"]), "http.proxy": ""}
        run_git(["ls-remote", address.shown], seconds=30, transports="http", configuration=route)
    asked.clear()
    elsewhere = {
        **pin_addresses(parse_address(f"http://localhost:{port}/shop.git")[0], ["127.0.0.2"]),
        "http.proxy": "",
    }
    with pytest.raises(GitFailedError):
        run_git(
            ["ls-remote", f"http://localhost:{port}/shop.git"], seconds=30, transports="http", configuration=elsewhere
        )
    assert asked == []


@pytest.mark.parametrize("name", ["shallow", "packed-refs", "info/grafts", "objects/info/alternates", "config"])
def test_a_pipe_among_the_files_of_git_is_named_at_once(tmp_path: Path, name: str) -> None:
    root = commit_tree(write_tree(tmp_path / "shop", {"a.py": "x = 1\n"}))
    path = root / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    head = read_head(root)
    assert isinstance(head, UnreadableGit)
    assert f"{path} is not a regular file" in head.reason
