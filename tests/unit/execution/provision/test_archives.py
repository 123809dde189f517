"""Source archives that the installer refuses for their names: which is taken, and what becomes of it."""

import hashlib
import io
import json
import tarfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from repoquarry.execution.isolation.registry import load_variant
from repoquarry.execution.provision.command_runner import CommandRunner
from repoquarry.execution.provision.python import archive_carrier
from repoquarry.execution.provision.python.archives import ArchiveFetcher, archive_folder, parse_archives, select_newest
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings

ADDRESS = "https://index.example/simple/twisted/"


def file(name: str, day: str, **more: object) -> dict[str, object]:
    return {"filename": name, "url": f"../../files/{name}", "upload-time": f"{day}T10:00:00.123456Z", **more}


PAGE = json.dumps(
    {
        "files": [
            file("Twisted-16.6.0.tar.bz2", "2016-11-01", hashes={"sha256": "ab"}),
            file("Twisted-17.1.0-cp27-cp27m-win_amd64.whl", "2017-02-11"),
            file("Twisted-17.1.0.tar.bz2", "2017-02-11"),
            file("Twisted-17.1.1.tar.bz2", "2017-02-12", yanked="broken"),
            file("Twisted-17.2.0rc1.tar.bz2", "2017-02-20"),
            file("Twisted-17.5.0.tar.bz2", "2017-06-11", **{"requires-python": ">=2.7, !=3.0.*"}),
            file("Twisted-18.0.0.tar.bz2", "2018-01-01", **{"requires-python": ">=3.7"}),
            file("Twisted-Other-19.0.tar.gz", "2017-02-11"),
        ]
    }
)


def chosen(page: str, allowed: str = "", until: str = "", python: str = "3.6.15") -> str:
    day = datetime.fromisoformat(until).replace(tzinfo=UTC) if until else None
    found = select_newest(parse_archives(page, ADDRESS, "twisted"), SpecifierSet(allowed), day, python)
    return found.file if found else ""


def test_the_newest_archive_that_day_specifiers_and_interpreter_allow() -> None:
    assert chosen(PAGE, until="2017-04-17") == "Twisted-17.1.0.tar.bz2"
    assert chosen(PAGE, "<17", until="2017-04-17") == "Twisted-16.6.0.tar.bz2"
    assert chosen(PAGE, "<16") == ""
    assert chosen(PAGE) == "Twisted-17.5.0.tar.bz2"
    assert chosen(PAGE, python="3.7.1") == "Twisted-18.0.0.tar.bz2"
    (first, *_) = parse_archives(PAGE, ADDRESS, "Twisted")
    assert (first.address, first.digest) == ("https://index.example/files/Twisted-16.6.0.tar.bz2", "ab")


def test_pages_in_html_and_what_is_no_page() -> None:
    page = (
        '<a href="../../files/Twisted-15.0.tar.bz2#sha256=cd" data-requires-python="&gt;=3.6">Twisted-15.0.tar.bz2</a>\n'
        '<a data-yanked="" href="x">Twisted-16.0.tar.bz2</a>'
    )
    (only,) = parse_archives(page, ADDRESS, "twisted")
    assert (only.file, only.python, only.digest, only.published) == ("Twisted-15.0.tar.bz2", ">=3.6", "cd", None)
    assert chosen(page, python="3.6.1") == "Twisted-15.0.tar.bz2"
    assert parse_archives("{broken", ADDRESS, "twisted") == parse_archives("<html>404</html>", ADDRESS, "twisted") == ()


def _tar(path: Path, entries: dict[str, str]) -> Path:
    with tarfile.open(path, "w:bz2") as out:
        for name, text in entries.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o755
            out.addfile(entry, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("Old-1.0/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        out.addfile(link)
    return path


def _packed(archive: Path, target: Path) -> dict[str, str]:
    archive_carrier.pack(str(archive), "old-1.0", str(target))
    with tarfile.open(target) as made:
        assert all(entry.isfile() for entry in made)
        return {entry.name: (made.extractfile(entry) or io.BytesIO()).read().decode() for entry in made}


def test_what_is_in_an_archive_is_carried_over_and_links_and_ways_out_are_not(tmp_path: Path) -> None:
    entries = {"Old-1.0/setup.py": "x = 1", "Old-1.0/old/__init__.py": "", "Old-1.0/../../out": "no", "alone": "no"}
    expected = {"old-1.0/setup.py": "x = 1", "old-1.0/old/__init__.py": ""}
    assert _packed(_tar(tmp_path / "Old-1.0.tar.bz2", entries), tmp_path / "a.tar.gz") == expected
    with zipfile.ZipFile(tmp_path / "Old-1.0.zip", "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    assert _packed(tmp_path / "Old-1.0.zip", tmp_path / "b.tar.gz") == expected


@pytest.mark.parametrize("right", [True, False])
def test_an_archive_is_taken_once_and_only_if_it_is_what_the_index_says(tmp_path: Path, *, right: bool) -> None:
    index = tmp_path / "index" / "old"
    index.mkdir(parents=True)
    made = _tar(index / "Old-1.0.tar.bz2", {"Old-1.0/setup.py": "x = 1"})
    digest = hashlib.sha256(made.read_bytes() if right else b"other").hexdigest()
    (index / "index.html").write_text(f'<a href="{made.name}#sha256={digest}">{made.name}</a>')
    workspace = tmp_path / "work"
    workspace.mkdir()
    settings = EnvironmentSettings(index=f"file://{tmp_path}/index")
    runner = CommandRunner(
        workspace, WorkspaceSettings(isolation="none"), settings, load_variant("none"), lambda: False
    )
    plan = InstallPlan(Interpreter(Path("/p/3.8"), (3, 8, 1), Path("/p")), ())
    taken = ArchiveFetcher(runner, settings.index)
    assert taken.fetch("Old", SpecifierSet(">=0.9"), plan) == ("1.0" if right else "")
    assert [path.name for path in archive_folder(workspace).iterdir()] == (["old-1.0.tar.gz"] if right else [])
    made.unlink()
    assert taken.fetch("Old", SpecifierSet(), plan) == ("1.0" if right else "")
    assert taken.fetch("absent", SpecifierSet(), plan) == ""
