"""Package registries (PyPI, npm, Maven): addresses from the configuration of the usual clients, and parsers of version lists.

Archives are read as files. Nothing of a package is built, installed or executed.
"""

from __future__ import annotations

import base64
import configparser
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urljoin
from xml.etree import ElementTree

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)

from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.sources.downloads import Credentials, split_credentials


@dataclass(frozen=True)
class Release:
    """Source archive of one version."""

    url: str
    filename: str
    """Name of the archive; its suffix tells the format."""
    algorithm: str = ""
    """Algorithm of `digest`; empty where the registry names no digest."""
    digest: str = ""
    """Digest in hexadecimal digits."""
    is_withdrawn: bool = False
    """True for a version that is read only if it is named exactly."""


@dataclass(frozen=True)
class Listing:
    """Versions of one package."""

    releases: Mapping[str, Release]
    tags: Mapping[str, str] = field(default_factory=dict)
    """Version by name; `latest` is read if no version is requested."""


@dataclass(frozen=True)
class Endpoint:
    """Address of a registry, without final slash, and the credentials for it."""

    url: str
    credentials: Credentials = field(default_factory=Credentials)

    @classmethod
    def parse(cls, written: str) -> Endpoint:
        """Read an address with optional credentials. Raises: SourceRejectedError."""
        url, credentials = split_credentials(written)
        return cls(url.rstrip("/"), credentials)


@dataclass(frozen=True)
class Page:
    """Answer of a registry."""

    url: str
    content: bytes
    media_type: str


INVALID_PAGE = (KeyError, TypeError, AttributeError, ValueError, RecursionError)


@dataclass(frozen=True)
class Registry:
    """Registry of packages."""

    find_endpoint: Callable[[str], Endpoint]
    """Function from the name of a package to the address that the user's configuration names."""
    page_url: Callable[[str, str], str]
    """Function from address and name to the page that lists the versions."""
    parse_page: Callable[[Page, str], Listing]
    """Function from page and name to the versions; an invalid page raises any of `INVALID_PAGE`."""
    accept: str = "*/*"
    """Media types of the page, as in the header `Accept`."""


def _below_home(name: str) -> Iterator[Path]:
    """Yield a file of the user, nothing without a home directory."""
    try:
        yield Path.home() / name
    except RuntimeError:
        return


def _find_pypi(_: str) -> Endpoint:
    for variable in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        if url := os.environ.get(variable):
            return Endpoint.parse(url)
    config_home = os.environ.get("XDG_CONFIG_HOME")
    named = os.environ.get("PIP_CONFIG_FILE")
    places = [Path(named)] if named else []
    places += [*_below_home(".pip/pip.conf")]
    places += [Path(config_home, "pip/pip.conf")] if config_home else [*_below_home(".config/pip/pip.conf")]
    for path in (*places, Path("/etc/pip.conf")):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError) as exc:
            raise SourceRejectedError(f"the configuration {path} of pip cannot be read: {exc}") from exc
        if url := parser.get("global", "index-url", fallback=""):
            return Endpoint.parse(url)
    return Endpoint("https://pypi.org/simple")


class _Anchors(HTMLParser):
    """Collector of the links of an index page as (attributes, text)."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found and not self.found[-1][1]:
            self.found[-1] = (self.found[-1][0], data.strip())


def _parse_pypi(page: Page, package: str) -> Listing:
    is_json = page.media_type.endswith("json")
    releases: dict[str, Release] = {}
    for release in _read_json_files(page.content) if is_json else _read_anchors(page.content):
        version, is_preferred = _parse_filename(release.filename, package)
        # A source archive goes before a wheel, and a wheel for every platform before others.
        if version and (is_preferred or version not in releases):
            releases[version] = replace(release, url=urljoin(page.url, release.url))
    return Listing(releases)


def _read_json_files(page: bytes) -> Iterator[Release]:
    files = sorted(json.loads(page).get("files", []), key=lambda file: "-none-any" not in str(file.get("filename")))
    for file in files:
        digest = str(file.get("hashes", {}).get("sha256", ""))
        yield Release(
            str(file["url"]), str(file["filename"]), "sha256" if digest else "", digest, bool(file.get("yanked"))
        )


def _read_anchors(page: bytes) -> Iterator[Release]:
    anchors = _Anchors(page.decode("utf-8", "replace")).found
    for attributes, filename in sorted(anchors, key=lambda anchor: "-none-any" not in anchor[1]):
        url, _, fragment = (attributes.get("href") or "").partition("#")
        algorithm, _, digest = fragment.partition("=")
        if algorithm not in ("sha256", "sha384", "sha512"):
            algorithm = digest = ""
        yield Release(url, filename, algorithm, digest, "data-yanked" in attributes)


def _parse_filename(filename: str, package: str) -> tuple[str, bool]:
    """Return the version of a file, and whether the file is a source archive; an empty version for other files."""
    is_wheel = filename.endswith(".whl")
    try:
        name, version = parse_wheel_filename(filename)[:2] if is_wheel else parse_sdist_filename(filename)
    except (InvalidSdistFilename, InvalidWheelFilename):
        return "", False
    return (str(version) if name == canonicalize_name(package) else ""), not is_wheel


def _find_npm(package: str) -> Endpoint:
    settings = _read_npmrc()
    scope = package.partition("/")[0] if package.startswith("@") else ""
    own = settings.get(f"{scope}:registry") if scope else None
    endpoint = Endpoint.parse(own or settings.get("registry") or "https://registry.npmjs.org")
    address = endpoint.url.partition(":")[2]
    for key in (f"{address}/:", f"{address}:"):
        if token := settings.get(f"{key}_authToken"):
            return Endpoint(endpoint.url, Credentials(endpoint.credentials.host, f"Bearer {token}"))
        if basic := settings.get(f"{key}_auth"):
            return Endpoint(endpoint.url, Credentials(endpoint.credentials.host, f"Basic {basic}"))
    return endpoint


def _read_npmrc() -> dict[str, str]:
    """Read the settings of npm: the user's file, then variables such as `NPM_CONFIG_REGISTRY`."""
    named = os.environ.get("NPM_CONFIG_USERCONFIG")
    path = Path(named) if named else next(_below_home(".npmrc"), Path("/etc/npmrc"))
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeDecodeError) as exc:
        raise SourceRejectedError(f"the configuration {path} of npm cannot be read: {exc}") from exc
    settings: dict[str, str] = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and not key.lstrip().startswith(("#", ";")):
            named = re.sub(r"\$\{(\w+)\}", lambda match: os.environ.get(match[1], match[0]), value.strip())
            settings[key.strip()] = named.strip("\"'")
    for variable in ("npm_config_registry", "NPM_CONFIG_REGISTRY"):
        if url := os.environ.get(variable):
            settings["registry"] = url
    return settings


def _parse_npm(page: Page, package: str) -> Listing:
    data = json.loads(page.content)
    releases = {}
    for version, manifest in data.get("versions", {}).items():
        dist = manifest["dist"]
        algorithm, digest = "sha1", str(dist.get("shasum", ""))
        if match := re.search(r"sha512-([A-Za-z0-9+/=]+)", str(dist.get("integrity", ""))):
            algorithm, digest = "sha512", base64.b64decode(match[1]).hex()
        filename = f"{package.rpartition('/')[2]}-{version}.tgz"
        releases[version] = Release(str(dist["tarball"]), filename, algorithm if digest else "", digest)
    return Listing(releases, data.get("dist-tags", {}))


def _find_maven(_: str) -> Endpoint:
    """Return the mirror of Maven Central that the user's settings name, by default Maven Central."""
    path = next(_below_home(".m2/settings.xml"), Path("/etc/maven/settings.xml"))
    try:
        root = ElementTree.parse(path).getroot()  # noqa: S314 - the user's own settings
    except FileNotFoundError:
        return Endpoint("https://repo1.maven.org/maven2")
    except (OSError, ElementTree.ParseError) as exc:
        raise SourceRejectedError(f"the configuration {path} of Maven cannot be read: {exc}") from exc
    # Maven writes the settings with a namespace or without.
    servers = {
        server.findtext("{*}id"): f"{server.findtext('{*}username')}:{server.findtext('{*}password')}"
        for server in root.iterfind("{*}servers/{*}server")
    }
    for mirror in root.iterfind("{*}mirrors/{*}mirror"):
        mirrored = (mirror.findtext("{*}mirrorOf") or "").split(",")
        if (url := mirror.findtext("{*}url")) and {"*", "central", "external:*"} & set(map(str.strip, mirrored)):
            endpoint = Endpoint.parse(url.strip())
            user = servers.get(mirror.findtext("{*}id"), "")
            return Endpoint(endpoint.url, Credentials.from_user(endpoint.credentials.host, user)) if user else endpoint
    return Endpoint("https://repo1.maven.org/maven2")


def _maven_folder(url: str, package: str) -> str:
    group, _, artifact = package.partition(":")
    return f"{url}/{group.replace('.', '/')}/{artifact}"


def _parse_maven(page: Page, package: str) -> Listing:
    artifact = package.partition(":")[2]
    # The page is untrusted: a search for versions expands no entities.
    versions = re.findall(r"<version>\s*([\w.+-]+)\s*</version>", page.content.decode("utf-8", "replace"))
    filenames = {version: f"{artifact}-{version}-sources.jar" for version in versions}
    return Listing(
        {version: Release(urljoin(page.url, f"{version}/{name}"), name) for version, name in filenames.items()}
    )


REGISTRIES = {
    "pypi": Registry(
        _find_pypi,
        lambda url, package: f"{url}/{canonicalize_name(package)}/",
        _parse_pypi,
        "application/vnd.pypi.simple.v1+json, text/html;q=0.2",
    ),
    "npm": Registry(
        _find_npm,
        lambda url, package: f"{url}/{quote(package, safe='@')}",
        _parse_npm,
        "application/vnd.npm.install-v1+json, application/json;q=0.5",
    ),
    "maven": Registry(
        _find_maven, lambda url, package: f"{_maven_folder(url, package)}/maven-metadata.xml", _parse_maven
    ),
}
"""Registries by the prefix of a location; `source` knows the names that each allows."""
