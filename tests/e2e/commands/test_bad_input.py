"""Bad input, each with its clear error on one line, and never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.e2e.service import CommandResult, repoquarry, run_here, write_tree
from tests.long_query import ENDLESS


def assert_error(done: CommandResult | subprocess.CompletedProcess[str], code: int, reason: str) -> None:
    assert done.returncode == code, done
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("error: ")
    assert last.endswith(f"({reason})")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_sources_that_cannot_be_indexed(tmp_path: Path) -> None:
    store = tmp_path / "store"
    (tmp_path / "empty").mkdir()
    assert_error(run_here(store, "index", str(tmp_path / "nothing")), 3, "SOURCE_NOT_FOUND")
    assert_error(run_here(store, "index", str(tmp_path / "empty")), 5, "REPOSITORY_EMPTY")
    assert_error(run_here(store, "index", f"file://{tmp_path}/no.git"), 3, "SOURCE_NOT_FOUND")
    assert_error(run_here(store, "index", "ftp://example.org/x.git"), 2, "SOURCE_REJECTED")
    assert_error(run_here(store, "index", str(tmp_path), "--name", "No Name"), 2, "REQUEST_INVALID")
    (tmp_path / "not.zip").write_bytes(b"not a zip")
    assert_error(run_here(store, "index", str(tmp_path / "not.zip")), 2, "SOURCE_REJECTED")


def test_a_failed_job_is_told_on_one_line_beside_its_progress(tmp_path: Path) -> None:
    """In a process of its own, where Python would print the log's warnings if nothing took them."""
    (tmp_path / "empty").mkdir()
    done = repoquarry(tmp_path / "store", "index", str(tmp_path / "empty"))
    assert_error(done, 5, "REPOSITORY_EMPTY")
    assert "work_failed" not in done.stderr


def test_hostile_archives(tmp_path: Path) -> None:
    escaping = tmp_path / "escaping.tar.gz"
    with tarfile.open(escaping, "w:gz") as archive:
        entry = tarfile.TarInfo("../../outside.py")
        entry.size = 5
        archive.addfile(entry, io.BytesIO(b"x = 1"))
    done = run_here(tmp_path / "store", "index", str(escaping))
    assert_error(done, 2, "SOURCE_REJECTED")
    assert "'../../outside.py' leaves the archive" in done.stderr
    assert not (tmp_path.parent / "outside.py").exists()

    bomb = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as zipped,
        zipped.open("bomb.py", "w", force_zip64=True) as member,
    ):
        for _ in range(300):
            member.write(b"\0" * 2**20)
    limited = {"REPOQUARRY_INGEST_ARCHIVE_BYTES": str(100 * 2**20)}
    assert_error(run_here(tmp_path / "store", "index", str(bomb), **limited), 2, "SOURCE_REJECTED")


def test_odd_files_are_indexed_or_left_out_with_their_reason(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "odd", {"good.py": "def good():\n    pass\n", "bad.py": "def bad(:\n"})
    (folder / "latin.py").write_bytes("# -*- coding: latin-1 -*-\ndef latin():\n    return 'é'\n".encode("latin-1"))
    (folder / "wide.py").write_bytes("def wide():\n    pass\n".encode("utf-16"))
    os.symlink(folder, folder / "loop")
    with (folder / "huge.py").open("wb") as huge:
        huge.truncate(200 * 2**20)
    store = tmp_path / "store"
    done = run_here(store, "index", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)["jobs"][0]["report"]
    left_out = {entry["path"]: entry["reason"] for entry in report["left_out"]}
    assert "huge.py" in left_out
    assert "loop" in left_out
    assert report["parse_error_paths"] == ["bad.py"]
    names = json.loads(run_here(store, "query", "MATCH (f:Function) RETURN f.name AS n ORDER BY n", "--json").stdout)
    assert {"good", "latin", "wide"} <= {row[0] for row in names["rows"]}


@pytest.mark.parametrize(
    ("query", "code", "reason"),
    [
        ("CREATE (n:Function) RETURN n", 2, "WRITES"),
        ("MATCH (n) DETACH DELETE n", 2, "WRITES"),
        ("MATCH (n RETURN n", 2, "SYNTAX"),
        ("MATCH (n) RETURN m", 2, "UNDEFINED_VARIABLE"),
        ("", 2, "REQUEST_INVALID"),
        ("UNWIND range(1, 1000000000) AS x RETURN x", 7, "QUERY_LIMIT"),
        ("RETURN range(1, 1000000000) AS x", 2, "TOO_MUCH_WORK"),
        ("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row", 2, "FILES"),
    ],
)
def test_queries_that_are_refused(shop_store: Path, query: str, code: int, reason: str) -> None:
    assert_error(run_here(shop_store, "query", query), code, reason)


def test_queries_without_end_or_bound(shop_store: Path) -> None:
    everything = "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN count(*) AS n"
    for query in (ENDLESS, everything):
        assert_error(run_here(shop_store, "query", query, "--seconds", "1"), 7, "QUERY_LIMIT")
    many = ("query", "UNWIND range(1, 20000) AS x RETURN x", "--rows", "10000", "--json")
    rows = json.loads(run_here(shop_store, *many).stdout)
    assert (len(rows["rows"]), rows["truncated"], rows["truncated_by"]) == (10_000, True, "rows")


def test_names_that_do_not_exist(shop_store: Path, tmp_path: Path) -> None:
    assert_error(run_here(shop_store, "context", "shoop"), 3, "REPOSITORY_NOT_FOUND")
    assert "shop" in run_here(shop_store, "context", "shoop").stderr
    assert_error(run_here(shop_store, "show", "pryce"), 3, "SYMBOL_NOT_FOUND")
    assert "nearest: price" in run_here(shop_store, "show", "pryce").stderr
    assert_error(run_here(shop_store, "search", "x", "--repository", "nope"), 3, "REPOSITORY_NOT_FOUND")
    assert_error(run_here(tmp_path / "none", "list"), 3, "STORE_NOT_FOUND")
    assert_error(run_here(shop_store, "query", "RETURN 1 AS x", "--param", "x"), 2, "REQUEST_INVALID")
    assert_error(run_here(shop_store, "query", "--file", str(tmp_path / "no")), 5, "OUTPUT_FAILED")


def test_wrong_usage(shop_store: Path) -> None:
    assert run_here(shop_store, "indexx").returncode == 2
    assert "did you mean index" in run_here(shop_store, "indexx").stderr
    done = run_here(shop_store, "query", "--nope")
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    as_json = json.loads(run_here(shop_store, "show", "pryce", "--json").stderr)
    assert as_json["error"]["reason"] == "SYMBOL_NOT_FOUND"


def test_a_server_that_is_not_there(shop_store: Path) -> None:
    assert_error(run_here(shop_store, "list", "--server", "127.0.0.1:1"), 6, "SERVER_UNREACHABLE")


def test_a_task_that_cannot_run_is_refused_when_it_is_created(own_store: Path) -> None:
    """Nothing is queued: whoever creates a task and goes away would else never learn of it."""
    for arguments, reason, said in (
        (("--policy", "oracle"), "TASK_INVALID", "known: chat, deterministic"),
        (("--policy", "chat"), "MODEL_REJECTED", "no chat model is configured"),
        (("--repository", "absent"), "REPOSITORY_NOT_FOUND", "absent"),
    ):
        done = run_here(own_store, "ask", "who calls price?", *arguments)
        assert said in done.stderr
        assert done.stderr.endswith(f"({reason})\n")
        assert done.stderr.count("\n") == 1  # no step of it was shown
    unknown = {"REPOQUARRY_AGENT_MODEL_NAME": "nobody:model"}
    assert "cannot be opened" in run_here(own_store, "ask", "q", "--policy", "chat", **unknown).stderr
    assert json.loads(run_here(own_store, "list", "--tasks", "--json").stdout)["tasks"] == []
