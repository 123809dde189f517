"""Files of a repository that may be anything."""

from pathlib import Path

from repoquarry.languages.manifests.python_projects import read_head


def test_the_beginning_of_a_file_is_read_and_nothing_through_a_link(tmp_path: Path) -> None:
    file = tmp_path / "tox.ini"
    file.write_bytes(b"[tox]\xff\n" + b"x" * 300_000)
    (tmp_path / "link").symlink_to(file)
    assert read_head(file).startswith("[tox]\ufffd\n")
    assert len(read_head(file)) == 256 * 1024
    assert [read_head(tmp_path / name) for name in ("link", "missing", ".")] == ["", "", ""]
