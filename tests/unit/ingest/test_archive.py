"""Archives are unpacked within limits, and hostile ones are refused with the entry and the limit named."""

import gzip
import io
import stat
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from repoquarry.ingest.errors import IngestCancelledError, SourceRejectedError
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import acquire, parse_source

TERABYTE = 1 << 40


def never() -> bool:
    return False


def tar_of(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for member, content in members:
            archive.addfile(member, io.BytesIO(content))
    return path


def member(
    name: str, content: bytes = b"x = 1\n", kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(content) if kind == tarfile.REGTYPE else 0
    info.type, info.linkname = kind, link
    return info, content if kind == tarfile.REGTYPE else b""


def zip_of(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def names(source: Path, settings: IngestSettings | None = None) -> list[str]:
    with acquire(parse_source(str(source)), settings or IngestSettings(), never) as checkout:
        return sorted(path.relative_to(checkout.root).as_posix() for path in checkout.root.rglob("*") if path.is_file())


def assert_refused(source: Path, message: str, settings: IngestSettings | None = None) -> SourceRejectedError:
    with (
        pytest.raises(SourceRejectedError, match=message) as caught,
        acquire(parse_source(str(source)), settings or IngestSettings(), never),
    ):
        pass
    return caught.value


@pytest.mark.parametrize("suffix", [".tar.gz", ".tgz", ".tar", ".zip"])
def test_common_top_folder_is_removed(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"Demo-1.2{suffix}"
    if suffix == ".zip":
        zip_of(source, {"demo-1.2/a.py": b"x = 1\n", "demo-1.2/pkg/b.py": b"y = 2\n"})
    else:
        tar_of(source, [member("demo-1.2/a.py"), member("demo-1.2/pkg/b.py")], "w" if suffix == ".tar" else "w:gz")

    with acquire(parse_source(str(source)), IngestSettings(), never) as checkout:
        root = checkout.root
        assert (root / "pkg" / "b.py").is_file()
        assert (checkout.name, checkout.kind, checkout.commit) == ("demo-1.2", "archive", None)
    assert not root.exists()


def test_the_commit_that_git_archive_leaves_in_the_header_is_kept(tmp_path: Path) -> None:
    source = tmp_path / "demo.tar"
    with tarfile.open(source, "w", pax_headers={"comment": "0123456789abcdef0123456789abcdef01234567"}) as archive:
        info, content = member("a.py")
        archive.addfile(info, io.BytesIO(content))
    with acquire(parse_source(str(source)), IngestSettings(), never) as checkout:
        assert checkout.commit == "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    "name", ["../escape.py", "a/../../escape.py", "/etc/escape.py", "C:/escape.py", "a\\..\\..\\b.py"]
)
def test_a_path_that_leaves_a_tar_is_refused(tmp_path: Path, name: str) -> None:
    source = tar_of(tmp_path / "bad.tar.gz", [member("ok.py"), member(name)])
    assert assert_refused(source, "leaves the archive").metadata["entry"] == name
    assert not (tmp_path / "escape.py").exists()


@pytest.mark.parametrize("name", ["../escape.py", "/escape.py"])
def test_a_path_that_leaves_a_zip_is_refused(tmp_path: Path, name: str) -> None:
    source = zip_of(tmp_path / "bad.zip", {"ok.py": b"", name: b""})
    assert_refused(source, "leaves the archive")


@pytest.mark.parametrize(
    ("kind", "link"), [(tarfile.SYMTYPE, "/etc/passwd"), (tarfile.SYMTYPE, "../../up"), (tarfile.LNKTYPE, "../up")]
)
def test_a_link_that_leaves_the_archive_is_refused(tmp_path: Path, kind: bytes, link: str) -> None:
    source = tar_of(tmp_path / "bad.tar.gz", [member("a/link.py", kind=kind, link=link)])
    assert_refused(source, "leaves the archive")


def test_a_link_inside_the_archive_is_left_out(tmp_path: Path) -> None:
    source = tar_of(
        tmp_path / "links.tar.gz", [member("d/a.py"), member("d/b.py", kind=tarfile.SYMTYPE, link="../d/a.py")]
    )
    with acquire(parse_source(str(source)), IngestSettings(), never) as checkout:
        assert [(entry.path, entry.reason) for entry in checkout.left_out] == [("b.py", "link")]
        assert not (checkout.root / "b.py").is_symlink()


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_a_device_is_refused(tmp_path: Path, kind: bytes) -> None:
    assert_refused(tar_of(tmp_path / "bad.tar.gz", [member("dev", kind=kind)]), "device or pipe")


def test_a_terabyte_that_a_tar_declares_is_refused_before_it_is_read(tmp_path: Path) -> None:
    info = tarfile.TarInfo("huge.py")
    info.size = TERABYTE
    source = tmp_path / "bomb.tar"
    source.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert_refused(source, r"unpacks to more than .*huge\.py")


def test_a_terabyte_header_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """Attributes are read into memory by the library, whatever size they declare."""
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, TERABYTE
    source = tmp_path / "bomb.tar"
    source.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert_refused(source, "header")


def test_an_archive_that_really_unpacks_to_more_than_the_limit_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "zeros.tar.gz"
    with gzip.open(source, "wb", compresslevel=9) as out:
        for number in range(60):
            info = tarfile.TarInfo(f"zeros{number}.txt")
            info.size = 1 << 20
            out.write(info.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20))
    settings = IngestSettings(archive_bytes=20 << 20)
    assert_refused(source, "archive_bytes", settings)


def test_a_high_ratio_is_refused(tmp_path: Path) -> None:
    source = zip_of(tmp_path / "zeros.zip", {f"{number}.txt": bytes(1 << 20) for number in range(70)})
    assert_refused(source, "archive_ratio", IngestSettings(archive_ratio=10))


def test_a_terabyte_that_a_zip_declares_is_refused(tmp_path: Path) -> None:
    source = zip_of(tmp_path / "bomb.zip", {"huge.py": b"x"})
    data = bytearray(source.read_bytes())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 24 : directory + 28] = (0xFFFFFFF0).to_bytes(4, "little")
    source.write_bytes(data)
    assert_refused(source, r"huge\.py")


def archive_of_files(path: Path, count: int) -> Path:
    if path.suffix == ".zip":
        return zip_of(path, {f"{number}.py": b"" for number in range(count)})
    return tar_of(path, [member(f"{number}.py") for number in range(count)], "w" if path.suffix == ".tar" else "w:gz")


@pytest.mark.parametrize("name", ["many.zip", "many.tar", "many.tar.gz"])
def test_too_many_entries_are_refused_before_anything_is_unpacked(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object, *_: object, **__: object) -> None:
        raise AssertionError("a file was unpacked")

    source = archive_of_files(tmp_path / name, 20)
    assert len(names(source, IngestSettings(archive_entries=20))) == 20
    monkeypatch.setattr("repoquarry.ingest.sources.archive._Unpacking.write", refuse)
    assert_refused(source, "archive_entries", IngestSettings(archive_entries=19))


def test_a_zip_that_lies_about_its_count_is_refused_before_its_directory_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = archive_of_files(tmp_path / "many.zip", 20)
    content = bytearray(source.read_bytes())
    end = content.rfind(b"PK\x05\x06")
    content[end + 8 : end + 12] = b"\x01\0\x01\0"
    source.write_bytes(content)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert_refused(source, "archive_entries", IngestSettings(archive_entries=19))


def test_entries_are_counted_in_a_zip_with_64_bit_sizes(tmp_path: Path) -> None:
    source = archive_of_files(tmp_path / "many.zip", 20)
    content = source.read_bytes()
    end = content.rfind(b"PK\x05\x06")
    length, start = (int.from_bytes(content[end + at : end + at + 4], "little") for at in (12, 16))
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 20, 20, length, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
    closing = b"PK\x05\x06" + b"\0" * 4 + b"\xff" * 12 + b"\0\0"
    source.write_bytes(content[:end] + record + locator + closing)
    assert len(names(source, IngestSettings(archive_entries=20))) == 20
    assert_refused(source, "archive_entries", IngestSettings(archive_entries=19))


def test_a_large_file_is_left_out_and_the_rest_unpacked(tmp_path: Path) -> None:
    source = zip_of(tmp_path / "mixed.zip", {"a.py": b"x = 1\n", "big.bin": bytes(3 << 20)})
    with acquire(parse_source(str(source)), IngestSettings(), never) as checkout:
        assert [entry.path for entry in checkout.left_out] == ["big.bin"]
        assert (checkout.root / "a.py").is_file()


def test_links_and_devices_in_a_zip(tmp_path: Path) -> None:
    source = tmp_path / "links.zip"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("a.py", "x = 1\n")
        link = zipfile.ZipInfo("b.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert names(source) == ["a.py"]


@pytest.mark.parametrize("name", ["broken.zip", "broken.tar.gz", "broken.tar"])
def test_a_damaged_archive_is_refused(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    source.write_bytes(b"this is no archive at all" * 100)
    assert_refused(source, "cannot be unpacked")


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    source = tar_of(tmp_path / "cut.tar.gz", [member(f"{n}.py", bytes(range(256)) * 400) for n in range(5)])
    source.write_bytes(source.read_bytes()[:600])
    assert_refused(source, "cannot be unpacked")


def test_unpacking_can_be_cancelled(tmp_path: Path) -> None:
    source = tar_of(tmp_path / "a.tar.gz", [member("a.py")])
    with pytest.raises(IngestCancelledError), acquire(parse_source(str(source)), IngestSettings(), lambda: True):
        pass


def test_a_file_that_is_no_archive(tmp_path: Path) -> None:
    source = tmp_path / "a.rar"
    source.write_bytes(b"Rar!")
    with pytest.raises(SourceRejectedError, match=r"\.tar\.gz"):
        acquire(parse_source(str(source)), IngestSettings(), never)
