"""The meaning of a location is decided once, and clearly when it has none."""

from pathlib import Path

import pytest

from repoquarry.ingest.errors import IngestError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.sources import NetworkPolicy, parse_source
from repoquarry.ingest.sources.network_policy import HostPattern


def test_the_three_kinds(tmp_path: Path) -> None:
    (tmp_path / "My Shop").mkdir()
    (tmp_path / "tool-1.0.TAR.GZ").write_bytes(b"")
    folder = parse_source(f"{tmp_path}/My Shop/../My Shop/")
    archive = parse_source(f"{tmp_path}/tool-1.0.TAR.GZ")
    address = parse_source("https://user:s3cret@Example.org/team/Tool.git?token=s3cret#v1")
    assert (folder.kind, folder.location, folder.id) == ("folder", f"{tmp_path}/My Shop", "my-shop")
    assert (archive.kind, archive.path, archive.id) == ("archive", tmp_path / "tool-1.0.TAR.GZ", "tool-1.0")
    assert (address.kind, address.shown, address.ref, address.id) == (
        "git", "https://example.org/team/Tool.git", "v1", "tool",
    )  # fmt: skip
    assert address.path is None
    assert "s3cret" not in repr(address)


def test_the_path_of_a_file_address_is_the_one_that_git_reads(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "inner")
    for written in ("link", "inner/%2e%2e/inner", "%69nner", "inner/../link"):
        source = parse_source(f"file://{tmp_path}/{written}")
        assert (source.path, source.location) == (tmp_path / "inner", f"file://{tmp_path}/inner")


def test_a_ref_of_a_folder_is_one_of_its_git_repository(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "work" / ".git").mkdir(parents=True)
    with pytest.raises(SourceRejectedError, match="not the root of a git repository, so it has no 'v1'"):
        parse_source(str(tmp_path / "plain"), "v1")
    source = parse_source(str(tmp_path / "work"), "v1")
    assert (source.kind, source.path, source.ref) == ("git", tmp_path / "work", "v1")
    assert parse_source(str(tmp_path / "work")).kind == "folder"


@pytest.mark.parametrize(
    ("location", "ref", "error", "said"),
    [
        ("/no/such/place", "", SourceNotFoundError, "no such folder or archive"),
        ("file:///no/such/place", "", SourceNotFoundError, "no such repository"),
        ("file://other/srv/a", "", SourceRejectedError, "names 'other'"),
        ("https://example.org/a.tar.gz", "", SourceRejectedError, "download it"),
        ("https://example.org/a#v1", "v2", SourceRejectedError, "two refs"),
        ("https://example.org/a", "--upload-pack=x", SourceRejectedError, "not a branch"),
        ("https://example.org/a b", "", SourceRejectedError, "no spaces"),
        ("https://good.example\\@evil.example/a", "", SourceRejectedError, "backslashes"),
        ("https://exämple.org/a", "", SourceRejectedError, "not a host name"),
        ("https://example.org:99999/a", "", SourceRejectedError, "cannot be read"),
        ("https:///a", "", SourceRejectedError, "not a host name"),
        ("a\0b", "", SourceNotFoundError, "no such folder"),
    ],
)
def test_what_cannot_be_indexed(location: str, ref: str, error: type[IngestError], said: str) -> None:
    with pytest.raises(error, match=said):
        parse_source(location, ref)


def test_short_name_is_a_repository_on_github_unless_a_folder_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain, tagged = parse_source("django/django"), parse_source("psf/requests.js@v2.32.0")
    assert (plain.kind, plain.shown, plain.ref, plain.id) == ("git", "https://github.com/django/django", "", "django")
    assert (tagged.shown, tagged.ref, tagged.id) == ("https://github.com/psf/requests.js", "v2.32.0", "requests.js")
    (tmp_path / "django" / "django").mkdir(parents=True)
    assert parse_source("django/django").kind == "folder"
    for path in ("django/absent", "./a/b", "a/b/c", "a/..", "../a"):
        with pytest.raises(SourceNotFoundError, match="no such folder"):
            parse_source(path)


def test_short_name_is_subject_to_the_source_policy() -> None:
    address = parse_source("django/django").address
    assert address is not None
    NetworkPolicy((HostPattern.read("github.com"),)).admit(address)
    with pytest.raises(SourceRejectedError, match="not among the hosts"):
        NetworkPolicy((HostPattern.read("git.example.org"),)).admit(address)
