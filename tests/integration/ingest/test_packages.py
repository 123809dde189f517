"""Packages of registries that a server of this process serves by the protocols of PyPI, npm and Maven."""

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import IngestCancelledError, IngestError, SourceNotFoundError, SourceRejectedError
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, NetworkPolicy, acquire, parse_source
from repoquarry.ingest.sources.network_policy import HostPattern, parse_network_policy
from repoquarry.ingest.sources.revision_trees import TreeCache
from repoquarry.server.application.application import Application
from repoquarry.server.bulk.repository_list import read_list
from repoquarry.server.settings.sections import ServerSettings, Settings
from repoquarry.v1.index_service_pb2 import CreateIndexJobRequest, IndexSource
from tests.http_server import answering
from tests.source_trees import pack_tar

pytestmark = pytest.mark.usefixtures("thread_workers")


def never() -> bool:
    return False


def pack_zip(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return out.getvalue()


@dataclass
class LocalRegistry:
    """Pages by path, and what was requested."""

    address: str = ""
    pages: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    """Status, media type (for a redirect: its target) and body by path."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Path and `Authorization` of each request."""

    def serve(self, path: str, body: bytes, media_type: str = "application/octet-stream", status: int = 200) -> None:
        self.pages[path] = (status, media_type, body)

    def serve_pypi(self, name: str, files: Mapping[str, bytes], **more: object) -> None:
        entries = []
        for filename, body in files.items():
            self.serve(f"/files/{filename}", body)
            digest = hashlib.sha256(body).hexdigest()
            entries.append(
                {"filename": filename, "url": f"../../files/{filename}", "hashes": {"sha256": digest}, **more}
            )
        page = json.dumps({"name": name, "files": entries}).encode()
        self.serve(f"/simple/{name}/", page, "application/vnd.pypi.simple.v1+json")

    def serve_npm(self, name: str, versions: Mapping[str, bytes], latest: str = "") -> None:
        listed = {}
        for version, body in versions.items():
            path = f"/{name}/-/{version}.tgz"
            self.serve(path, body)
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(body).digest()).decode()
            listed[version] = {"dist": {"tarball": self.address + path, "integrity": integrity}}
        document = {"versions": listed, "dist-tags": {"latest": latest} if latest else {}}
        self.serve("/" + name.replace("/", "%2F"), json.dumps(document).encode(), "application/json")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalRegistry]:
    made = LocalRegistry()

    def answer(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        made.requests.append((request.path, request.headers.get("Authorization", "")))
        status, media_type, body = made.pages.get(request.path, (404, "text/plain", b""))
        return status, {"Location" if 300 <= status < 400 else "Content-Type": media_type}, body

    for variable in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "npm_config_registry", "NPM_CONFIG_USERCONFIG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home/.m2").mkdir(parents=True)
    with answering(answer) as made.address:
        monkeypatch.setenv("PIP_INDEX_URL", f"{made.address}/simple")
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", made.address)
        mirror = f"<mirror><id>own</id><mirrorOf>central</mirrorOf><url>{made.address}/maven</url></mirror>"
        (tmp_path / "home/.m2/settings.xml").write_text(f"<settings><mirrors>{mirror}</mirrors></settings>")
        yield made


def read(location: str, reach: NetworkPolicy = EVERYWHERE, archive_bytes: int = 0) -> tuple[str, dict[str, str]]:
    with acquire(parse_source(location), IngestSettings(archive_bytes=archive_bytes), never, reach) as checkout:
        files = {
            path.relative_to(checkout.root).as_posix(): path.read_text()
            for path in checkout.root.rglob("*")
            if path.is_file()
        }
        assert (checkout.kind, checkout.commit) == ("package", None)
        return checkout.ref, files


SDIST = {"coins.py": "def count():\n    return 1\n"}


@pytest.mark.parametrize(
    ("location", "version"),
    [
        *(("coins@1.1", "1.1"), ("pypi:Coins", "2.0"), ("pypi:coins==1", "1.1.2"), ("coins@v2", "2.0")),
        ("pypi:coins@3.0rc1", "3.0rc1"),
    ],
)
def test_pypi_version_is_exact_or_the_newest_that_begins_with_it(
    registry: LocalRegistry, location: str, version: str
) -> None:
    releases = ("1.0", "1.1", "1.1.2", "2.0", "3.0rc1")
    registry.serve_pypi(
        "coins", {f"coins-{one}.tar.gz": pack_tar({"version": one}, f"coins-{one}/") for one in releases}
    )
    assert read(location) == (version, {"version": version})


def test_pypi_source_archive_precedes_wheels_and_yanked_files_are_last(registry: LocalRegistry) -> None:
    wheel = pack_zip(SDIST)
    files = {"coins-1.0-py3-none-any.whl": wheel, "coins-1.0.tar.gz": pack_tar({"from": "sdist"}), "coins-0.9.exe": b""}
    registry.serve_pypi("coins", files)
    assert read("pypi:coins") == ("1.0", {"from": "sdist"})
    registry.serve_pypi("coins", {"coins-1.0-py3-none-any.whl": wheel})
    assert read("pypi:coins") == ("1.0", SDIST)
    registry.serve_pypi("coins", {"coins-1.0.tar.gz": pack_tar(SDIST)}, yanked="broken")
    assert read("coins@1.0") == ("1.0", SDIST)
    with pytest.raises(SourceNotFoundError, match="no version has a source archive"):
        read("pypi:coins")


def test_pypi_page_in_html(registry: LocalRegistry) -> None:
    body = pack_tar(SDIST)
    link = f'<a href="/f/coins-1.0.tar.gz#sha256={hashlib.sha256(body).hexdigest()}">coins-1.0.tar.gz</a>'
    registry.serve("/simple/coins/", f"<html><body>{link}</body></html>".encode(), "text/html")
    registry.serve("/f/coins-1.0.tar.gz", body)
    assert read("pypi:coins") == ("1.0", SDIST)
    registry.serve("/f/coins-1.0.tar.gz", pack_tar({"coins.py": "changed"}))
    with pytest.raises(SourceRejectedError, match="the registry promises"):
        read("pypi:coins")


def test_npm_tags_scopes_and_ranges(registry: LocalRegistry) -> None:
    releases = {one: pack_tar({"index.js": one}) for one in ("4.9.0", "5.0.0", "5.10.1", "5.9.0", "6.0.0-beta.1")}
    registry.serve_npm("purse", releases, latest="4.9.0")
    registry.serve_npm("@shop/purse", {"1.0.0": releases["5.0.0"]})
    assert read("npm:purse") == ("4.9.0", {"index.js": "4.9.0"})
    assert read("npm:purse@5")[0] == "5.10.1"
    assert read("npm:purse@6")[0] == "6.0.0-beta.1"
    assert read("npm:@shop/purse@1") == ("1.0.0", {"index.js": "5.0.0"})


def test_maven_source_jars(registry: LocalRegistry) -> None:
    base = "/maven/org/shop/till"
    versions = "".join(f"<version>{one}</version>" for one in ("1.0", "1.1", "2.0-SNAPSHOT"))
    registry.serve(f"{base}/maven-metadata.xml", f"<metadata>{versions}</metadata>".encode())
    registry.serve(f"{base}/1.1/till-1.1-sources.jar", pack_zip({"org/shop/Till.java": "class Till {}"}))
    assert read("maven:org.shop:till@1") == ("1.1", {"org/shop/Till.java": "class Till {}"})
    with pytest.raises(SourceNotFoundError, match=r"maven:org.shop:till@1.0 has no source archive .*; index the repo"):
        read("maven:org.shop:till:1.0")


def test_unknown_version_is_answered_with_the_nearest(registry: LocalRegistry) -> None:
    registry.serve_npm("purse", {f"{major}.0.0": b"" for major in range(1, 12)})
    with pytest.raises(
        SourceNotFoundError,
        match=r"npm:purse has no version '5.5'; nearest versions: 8.0.0, 7.0.0, 6.0.0, 5.0.0, 4.0.0, 3.0.0",
    ):
        read("npm:purse@5.5")
    with pytest.raises(SourceNotFoundError, match="has no package 'absent'; check the name, or name another registry"):
        read("npm:absent")


def test_credentials_go_to_the_registry_only(
    registry: LocalRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = registry.address.removeprefix("http:")
    monkeypatch.delenv("NPM_CONFIG_REGISTRY")
    monkeypatch.setenv("TOKEN", "t0ken")
    (tmp_path / "home/.npmrc").write_text(f"registry={registry.address}/\n{place}/:_authToken=${{TOKEN}}\n")
    registry.serve_npm("purse", {"1.0.0": pack_tar(SDIST)})
    # Another name of this machine is another host.
    document = registry.pages["/purse"][2].replace(b"127.0.0.1", b"localhost")
    registry.serve("/purse", document, "application/json")
    assert read("npm:purse")[0] == "1.0.0"
    registry.serve_pypi("coins", {"coins-1.0.tar.gz": pack_tar(SDIST)})
    monkeypatch.setenv("PIP_INDEX_URL", registry.address.replace("//", "//user:p%40ss@") + "/simple")
    assert read("pypi:coins")[0] == "1.0"
    basic = "Basic " + base64.b64encode(b"user:p@ss").decode()
    assert registry.requests == [
        *(("/purse", "Bearer t0ken"), ("/purse/-/1.0.0.tgz", "")),
        *(("/simple/coins/", basic), ("/files/coins-1.0.tar.gz", basic)),
    ]


def test_pip_configuration_file_names_the_index(
    registry: LocalRegistry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_INDEX_URL")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {registry.address}/simple/\n")
    registry.serve_pypi("coins", {"coins-1.0.tar.gz": pack_tar(SDIST)})
    assert read("pypi:coins")[0] == "1.0"


def test_server_reads_admitted_hosts_only(registry: LocalRegistry) -> None:
    named = parse_network_policy([registry.address])
    registry.serve_npm("purse", {"1.0.0": pack_tar(SDIST)})
    assert read("npm:purse", named)[0] == "1.0.0"
    for reach in (parse_network_policy([]), parse_network_policy(["http://registry.example:80"])):
        with pytest.raises(SourceRejectedError, match="source_hosts"):
            read("npm:purse", reach)
    elsewhere = registry.pages["/purse"][2].replace(b"127.0.0.1", b"localhost")
    registry.serve("/purse", elsewhere, "application/json")
    with pytest.raises(SourceRejectedError, match=r"http://localhost:.* \(server.source_hosts"):
        read("npm:purse", named)
    registry.serve("/purse", b"", "http://169.254.169.254/purse", status=302)
    with pytest.raises(SourceRejectedError, match=r"169\.254\.169\.254"):
        read("npm:purse", named)
    registry.serve("/purse", b"", "file:///etc/passwd", status=302)
    with pytest.raises(SourceRejectedError, match="not an address of a package registry"):
        read("npm:purse", named)
    registry.serve("/purse", b"", "/purse", status=302)
    with pytest.raises(SourceRejectedError, match="more than 5 redirects"):
        read("npm:purse")


def test_host_under_a_wildcard_is_connected_to_at_its_checked_address(
    registry: LocalRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A public address that is this machine: the name itself resolves to nothing."""
    port = int(registry.address.rpartition(":")[2])
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", f"http://registry.example.org:{port}")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    registry.serve_npm("purse", {"1.0.0": pack_tar(SDIST)})
    registry.serve(
        "/purse", registry.pages["/purse"][2].replace(b"127.0.0.1", b"registry.example.org"), "application/json"
    )
    pattern = (HostPattern.read(f"http://*.example.org:{port}"),)
    inner = NetworkPolicy(pattern, resolve=lambda host, port: ["127.0.0.1"])
    with pytest.raises(SourceRejectedError, match="not a public address"):
        read("npm:purse", inner)
    monkeypatch.setattr("repoquarry.ingest.sources.network_policy.is_public", lambda address: True)
    assert read("npm:purse", inner)[0] == "1.0.0"


@pytest.mark.parametrize(
    ("body", "limit", "error"),
    [
        (pack_tar({"../../escaped.js": ""}), 0, "leaves the archive"),
        (pack_tar({"a.js": "x" * 5_000}), 1_000, "archive_bytes"),
        (bytes(2_000), 1_000, "larger than 1,000 bytes"),
        (b"no archive", 0, "cannot be unpacked"),
    ],
    ids=["path", "unpacked size", "packed size", "damage"],
)
def test_hostile_archive_is_refused(registry: LocalRegistry, body: bytes, limit: int, error: str) -> None:
    registry.serve_npm("purse", {"1.0.0": body})
    with pytest.raises(SourceRejectedError, match=error):
        read("npm:purse", archive_bytes=limit)


@pytest.mark.parametrize(
    "page", [b"[]", b"{", b'{"versions": {"1.0.0": {}}}', b'{"versions": {"../x": {"dist": {"tarball": "x"}}}}']
)
def test_damaged_list_is_an_error(registry: LocalRegistry, page: bytes) -> None:
    registry.serve("/purse", page, "application/json")
    with pytest.raises(IngestError, match=r"is not a list of versions|no version has"):
        read("npm:purse")


def test_failing_registry_and_cancellation(registry: LocalRegistry) -> None:
    registry.serve("/purse", b"", status=503)
    with pytest.raises(SourceNotFoundError, match="HTTP 503"):
        read("npm:purse")
    registry.serve_npm("purse", {"1.0.0": pack_tar(SDIST)})
    with (
        pytest.raises(IngestCancelledError),
        acquire(parse_source("npm:purse"), IngestSettings(), lambda: True, EVERYWHERE),
    ):
        pass


def test_indexed_package_is_replaced_by_its_next_version(
    registry: LocalRegistry, store: Store, settings: IngestSettings, tmp_path: Path
) -> None:
    registry.serve_pypi(
        "coins", {f"coins-{one}.tar.gz": pack_tar({**SDIST, f"v{one[0]}.py": "x = 1\n"}) for one in ("1.0", "2.0")}
    )
    assert index_repository("coins@1", store, settings).repository == "coins"
    index_repository("pypi:coins", store, settings)
    indexed = store.repository("coins")
    assert (indexed["source"], indexed["source_kind"], indexed["ref"]) == ("pypi:coins", "package", "2.0")
    trees = TreeCache(tmp_path / "trees", store, settings, EVERYWHERE)
    with trees.open("coins", never) as tree:
        assert sorted(path.name for path in tree.root.iterdir()) == ["coins.py", "v2.py"]


def test_lists_take_packages_and_the_service_checks_them(registry: LocalRegistry, tmp_path: Path) -> None:
    (tmp_path / "here/owner").mkdir(parents=True)
    listed = tmp_path / "here/list.txt"
    listed.write_text("npm:purse@4\nnpm:purse@5\ncoins@1.0\ndjango/django\nowner/name\n")
    entries = read_list(listed)
    assert [(entry.location, entry.name) for entry in entries] == [
        *(("npm:purse@4", "purse@4"), ("npm:purse@5", "purse@5"), ("coins@1.0", ""), ("django/django", "")),
        (f"{tmp_path}/here/owner/name", ""),
    ]
    settings = Settings(StoreSettings(tmp_path / "store"), server=ServerSettings(source_hosts=()))
    request = CreateIndexJobRequest(sources=[IndexSource(location="npm:purse", ref="5")])
    with (
        closing(Application(settings, writable=True, serving=True)) as application,
        pytest.raises(SourceRejectedError, match="source_hosts"),
    ):
        application.index.create_index_job(request)
