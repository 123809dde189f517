"""Manifests of Maven and Gradle: one ecosystem, in which a package is `group:artifact`.

A `pom.xml` is read with declarations of entities refused. A Gradle script is a program: only dependencies written as one text or as named
parts are seen, and a project is called by its folder unless `settings.gradle` says otherwise. Of `gradle.lockfile` a package that two
configurations have in different versions is passed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from repoquarry.languages.manifests.locks import take_single
from repoquarry.languages.packages import Manifest, Packages

if TYPE_CHECKING:
    from xml.etree import ElementTree

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
_ROOT_NAME: Final = re.compile(r"rootProject\.name\s*=\s*[\"']([\w.-]+)[\"']")
_MOST: Final = 2_000_000


def _pom(path: str, text: str, found: Packages) -> None:
    if "<!ENTITY" in text or "<!DOCTYPE" in text or len(text) > _MOST:
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

    found.provide("maven", f"{group.strip()}:{artifact}" if group and artifact else None)
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
        found.provide("maven", f"{group[1]}:{folder}")
    for pattern in (_COORDINATE, _NAMED):
        for one in pattern.finditer(text[:_MOST]):
            found.require("maven", f"{one[1]}:{one[2]}", one[3] or "")


def _properties(path: str, text: str, found: Packages) -> None:
    """The name of a Gradle build, which settings give."""
    if name := _ROOT_NAME.search(text):
        found.provide("maven", name[1])


_LOCKED: Final = re.compile(r"^([\w.-]+:[\w.-]+):([^:=\s]+)(?:=\S*)?[ \t]*\r?$", re.MULTILINE)


def _gradle_lock(path: str, text: str, found: Packages) -> None:
    take_single(found, "maven", _LOCKED.findall(text))


MANIFESTS = (
    Manifest(r"pom\.xml", _pom, anywhere=True),
    Manifest(r"settings\.gradle(?:\.kts)?", _properties),
    Manifest(r"(?:gradle\.lockfile|gradle/dependency-locks/[\w.-]+\.lockfile)", _gradle_lock, anywhere=True),
    Manifest(r"build\.gradle(?:\.kts)?", _gradle, anywhere=True),
)
