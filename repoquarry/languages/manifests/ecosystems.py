"""Readers of manifests and lock files of Cargo, Composer, Go, Maven and Gradle, NuGet and RubyGems.

The versions of `go.mod` are those of the build, by minimal version selection (since Go 1.17, where the list is complete). `go.sum` adds
modules with a checksum of one version only; its lines `…/go.mod` are candidates that were not used.

A `pom.xml` with a DTD is refused. A Gradle script is a program: only dependencies written as a string literal or as named arguments are
read, and a project has the name of its folder unless `settings.gradle` states another. In `gradle.lockfile` a package that two
configurations lock in different versions is skipped.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from repoquarry.languages.manifests.packages import ManifestFormat, Packages, beside, table, take_single
from repoquarry.languages.structured_text import load_toml

if TYPE_CHECKING:
    from xml.etree import ElementTree


def _cargo(path: str, text: str, found: Packages) -> None:
    data = load_toml(text)
    package = table(data.get("package"))
    found.provide("crates", package.get("name"), package.get("version"))
    if "/" not in path:
        found.describe(package.get("description"))
    tables = [data.get(key) for key in ("dependencies", "dev-dependencies", "build-dependencies")]
    tables.append(table(data.get("workspace")).get("dependencies"))
    for name, wanted in [item for one in tables for item in table(one).items()]:
        crate = table(wanted).get("package", name)
        found.require("crates", crate, wanted if isinstance(wanted, str) else table(wanted).get("version", ""))
    for program in data.get("bin", ()) if isinstance(data.get("bin"), list) else ():
        target = table(program).get("path")
        if isinstance(target, str) and (file := beside(path, target)):
            found.programs.setdefault(("console_script", str(table(program).get("name", ""))), file)


CARGO_MANIFESTS = (ManifestFormat(r"Cargo\.toml", _cargo, anywhere=True),)


def _composer(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    found.provide("composer", data.get("name"))
    if "/" not in path:
        found.describe(data.get("description"))
    for key in ("require", "require-dev"):
        for name, wanted in table(data.get(key)).items():
            if "/" in name:  # the others are PHP itself and its extensions
                found.require("composer", name, wanted)


def _composer_lock(path: str, text: str, found: Packages) -> None:
    data = table(json.loads(text))
    listed = [data.get(key) for key in ("packages", "packages-dev")]
    packages = [table(one) for part in listed if isinstance(part, list) for one in part]
    # branches, `dev-main`, are not versions
    take_single(
        found, "composer", ((one.get("name"), str(one.get("version", "")).removeprefix("v")) for one in packages)
    )


COMPOSER_MANIFESTS = (
    ManifestFormat(r"composer\.json", _composer, anywhere=True),
    ManifestFormat(r"composer\.lock", _composer_lock, anywhere=True),
)


_MODULE: Final = re.compile(r'^module\s+"?([^\s"]+)', re.MULTILINE)
_BLOCK: Final = re.compile(r"^require\s*\(([^)]*)\)", re.MULTILINE)
_LINE: Final = re.compile(r'^\s*(?:require\s+)?"?([\w.~-]+\.[\w.~-]+/[^\s"]+)"?\s+(v[^\s/]+)', re.MULTILINE)
_REPLACED: Final = re.compile(
    r"^\s*(?:replace\s+)?([^\s\"()]+)(?:\s+v\S+)?\s+=>\s+([^\s\"]+)(?:\s+(v\S+))?", re.MULTILINE
)
_SUM: Final = re.compile(r"^(\S+) (v[^\s/]+) h1:", re.MULTILINE)
_SINGLE: Final = re.compile(r"^require\s+[^(\s].*$", re.MULTILINE)


def _go_mod(path: str, text: str, found: Packages) -> None:
    for module in _MODULE.findall(text):
        found.provide("go", module)
    replaced = {name: (target, version) for name, target, version in _REPLACED.findall(re.sub(r"//[^\n]*", "", text))}
    for block in (*_BLOCK.findall(text), *_SINGLE.findall(text)):
        for name, version in _LINE.findall(block):
            found.require("go", name, version)
            if name not in replaced:
                found.lock("go", name, _bare(version))
    for name, (target, version) in replaced.items():
        found.lock("go", name, _bare(version) if target == name else None)


def _go_sum(path: str, text: str, found: Packages) -> None:
    take_single(found, "go", ((name, _bare(version)) for name, version in _SUM.findall(text)))


def _bare(version: str) -> str:
    """Return a version without Go's `v`, and without what marks a module from before modules."""
    return version.removeprefix("v").removesuffix("+incompatible")


GO_MANIFESTS = (ManifestFormat(r"go\.mod", _go_mod, anywhere=True), ManifestFormat(r"go\.sum", _go_sum, anywhere=True))


_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")
_PROPERTY: Final = re.compile(r"\$\{([^}]+)\}")
_COORDINATE: Final = re.compile(
    r"\b(?:\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[aA]nnotationProcessor)|compile|runtime|testCompile|kapt|ksp)\b"
    r"\s*\(?\s*(?:platform\s*\(\s*)?[\"']([\w.-]+):([\w.-]+)(?::([^\"'@:]+))?[^\"']*[\"']"
)
_NAMED: Final = re.compile(
    r"group\s*[:=]\s*[\"']([\w.-]+)[\"']\s*,\s*name\s*[:=]\s*[\"']([\w.-]+)[\"'](?:\s*,\s*version\s*[:=]\s*[\"']([^\"']+)[\"'])?"
)
_GROUP: Final = re.compile(r"^\s*group\s*=?\s*[\"']([\w.-]+)[\"']", re.MULTILINE)
_GRADLE_VERSION: Final = re.compile(r"^\s*version\s*=?\s*[\"']([\w.+-]+)[\"']", re.MULTILINE)
_ROOT_NAME: Final = re.compile(r"rootProject\.name\s*=\s*[\"']([\w.-]+)[\"']")
_MAX_POM_CHARACTERS: Final = 2_000_000


def _pom(path: str, text: str, found: Packages) -> None:
    if "<!ENTITY" in text or "<!DOCTYPE" in text or len(text) > _MAX_POM_CHARACTERS:
        raise ValueError("a pom.xml with declarations of its own is not read")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - declarations, by which entities grow, are refused above
    except ElementTree.ParseError as exc:
        raise ValueError(str(exc)) from exc
    for element in root.iter():
        element.tag = _NAMESPACE.sub("", str(element.tag))
    group = root.findtext("groupId") or root.findtext("parent/groupId") or ""
    artifact = (root.findtext("artifactId") or "").strip()
    version = root.findtext("version") or root.findtext("parent/version") or ""
    known = {"project.groupId": group, "project.version": version, "groupId": group, "version": version}
    properties = root.find("properties")
    known |= {one.tag: (one.text or "").strip() for one in (properties if properties is not None else ())}

    def said(element: ElementTree.Element, name: str) -> str:
        return _PROPERTY.sub(lambda one: known.get(one[1], one[0]), (element.findtext(name) or "").strip())

    own_version = _PROPERTY.sub(lambda one: known.get(one[1], one[0]), version.strip())
    found.provide("maven", f"{group.strip()}:{artifact}" if group and artifact else None, own_version)
    if "/" not in path:
        found.describe(root.findtext("description") or root.findtext("name"))
    for dependency in (
        *root.iterfind("dependencies/dependency"),
        *root.iterfind("dependencyManagement/dependencies/dependency"),
    ):
        found.require(
            "maven", f"{said(dependency, 'groupId')}:{said(dependency, 'artifactId')}", said(dependency, "version")
        )


def _gradle(path: str, text: str, found: Packages) -> None:
    folder = path.rpartition("/")[0].rpartition("/")[2]
    if (group := _GROUP.search(text)) and folder:
        own_version = _GRADLE_VERSION.search(text)
        found.provide("maven", f"{group[1]}:{folder}", own_version[1] if own_version else None)
    for pattern in (_COORDINATE, _NAMED):
        for one in pattern.finditer(text[:_MAX_POM_CHARACTERS]):
            found.require("maven", f"{one[1]}:{one[2]}", one[3] or "")


def _properties(path: str, text: str, found: Packages) -> None:
    """Read the name of a Gradle build from its settings."""
    if name := _ROOT_NAME.search(text):
        found.provide("maven", name[1])


_MAVEN_LOCKED: Final = re.compile(r"^([\w.-]+:[\w.-]+):([^:=\s]+)(?:=\S*)?[ \t]*\r?$", re.MULTILINE)


def _gradle_lock(path: str, text: str, found: Packages) -> None:
    take_single(found, "maven", _MAVEN_LOCKED.findall(text))


MAVEN_MANIFESTS = (
    ManifestFormat(r"pom\.xml", _pom, anywhere=True),
    ManifestFormat(r"settings\.gradle(?:\.kts)?", _properties),
    ManifestFormat(r"(?:gradle\.lockfile|gradle/dependency-locks/[\w.-]+\.lockfile)", _gradle_lock, anywhere=True),
    ManifestFormat(r"build\.gradle(?:\.kts)?", _gradle, anywhere=True),
)


_ID: Final = re.compile(r"<(?:PackageId|AssemblyName)>\s*([\w.-]+)\s*</")
_DESCRIPTION: Final = re.compile(r"<Description>\s*([^<]+?)\s*</Description>")
_OTHER_PROJECT: Final = re.compile(r"<ProjectReference\s+Include=\"([^\"]+)\.csproj\"")
_REFERENCE: Final = re.compile(r"<PackageReference\s+Include=\"([\w.-]+)\"(?:\s+Version=\"([^\"]*)\")?")


def _project(path: str, text: str, found: Packages) -> None:
    own = _ID.search(text)
    found.provide("nuget", own[1] if own else path.rpartition("/")[2].removesuffix(".csproj"))
    if description := _DESCRIPTION.search(text):
        found.describe(description[1])
    for name, version in _REFERENCE.findall(text):
        found.require("nuget", name, version)
    for project in _OTHER_PROJECT.findall(text):
        place = project.replace("\\", "/")
        if not beside(path, place):  # a project of the repository itself is no requirement
            found.require("nuget", place.rpartition("/")[2])


def _packages_lock(path: str, text: str, found: Packages) -> None:
    frameworks = table(table(json.loads(text)).get("dependencies")).values()
    packages = [item for framework in frameworks for item in table(framework).items()]
    take_single(found, "nuget", ((name, table(one).get("resolved")) for name, one in packages))


NUGET_MANIFESTS = (
    ManifestFormat(r"[\w.-]+\.csproj", _project, anywhere=True),
    ManifestFormat(r"packages\.lock\.json", _packages_lock, anywhere=True),
)


_NAME: Final = re.compile(r"^\s*\w+\.name\s*=\s*[\"']([\w.-]+)[\"']", re.MULTILINE)
_SUMMARY: Final = re.compile(r"^\s*\w+\.(?:summary|description)\s*=\s*[\"']([^\"'\n]+)[\"']", re.MULTILINE)
_DEPENDENCY: Final = re.compile(
    r"^\s*(?:\w+\.add(?:_runtime|_development)?_dependency|gem)[\s(]+[\"']([\w.-]+)[\"'](?:\s*,\s*[\"']([^\"'\n]+)[\"'])?",
    re.MULTILINE,
)


def _gemspec(path: str, text: str, found: Packages) -> None:
    for name in _NAME.findall(text):
        found.provide("rubygems", name)
    for summary in _SUMMARY.findall(text) if "/" not in path else ():
        found.describe(summary)
    for name, requirement in _DEPENDENCY.findall(text):
        found.require("rubygems", name, requirement)


_SECTION: Final = re.compile(r"^(GEM|GIT|PATH|PLUGIN SOURCE)\r?\n((?:[ \t]+[^\n]*\n?)*)", re.MULTILINE)
_LOCKED: Final = re.compile(r"^ {4}([\w.-]+) \((\d[^\s()-]*)(?:-[^()]+)?\)", re.MULTILINE)
"""A gem and its version, without the platform that it was built for."""
_OWN_PLACE: Final = re.compile(r"^  remote: (?!\.\.|/)", re.MULTILINE)


def _gemfile_lock(path: str, text: str, found: Packages) -> None:
    if not re.search(r"^(?:GEM|GIT|PATH|DEPENDENCIES)\r?$", text, re.MULTILINE):
        raise ValueError("it has no part of a Gemfile.lock")
    locked: list[tuple[str, str]] = []
    for section, body in _SECTION.findall(text):
        gems = _LOCKED.findall(body)
        if section == "PATH" and _OWN_PLACE.search(
            body
        ):  # the repository's own, whose specifications compute their version
            for name, version in gems:
                found.provide("rubygems", name, version)
        else:
            locked += gems
    take_single(found, "rubygems", locked)


RUBYGEMS_MANIFESTS = (
    ManifestFormat(r"[\w.-]+\.gemspec", _gemspec, anywhere=True),
    ManifestFormat("Gemfile", _gemspec, anywhere=True),
    ManifestFormat(r"(?:Gemfile|gems)\.(?:lock|locked)", _gemfile_lock, anywhere=True),
)
