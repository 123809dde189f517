"""Java support: definitions extracted with tree-sitter, calls resolved by static types; entry points, tests and install commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from repoquarry.languages.facts import Decorator, Definition, FileFacts
from repoquarry.languages.family import AttributionConfig, LanguageFamily, load_rules
from repoquarry.languages.java.extraction import external_origins, extract, find_modules
from repoquarry.languages.language import (
    CommentSyntax,
    InstallRequest,
    InstallStep,
    Language,
    NotInstallableError,
    PackageInstaller,
    StackFrameSyntax,
    TestConventions,
)
from repoquarry.languages.model_files import entry_point_kinds, load_models

#: package, including the packages inside it -> name of an annotation -> kind of entry point
_ANNOTATIONS = entry_point_kinds(load_models("maven"))

#: base classes of JUnit 3, which runs their methods `test…`
TEST_CASES = frozenset(
    (
        "junit.framework.TestCase",
        "android.test.AndroidTestCase",
        "android.test.InstrumentationTestCase",
        "groovy.util.GroovyTestCase",
    )
)
_SERVLET_BASES = frozenset(
    f"{root}.servlet.{name}" for root in ("javax", "jakarta") for name in ("http.HttpServlet", "GenericServlet")
)
_SERVED = frozenset(["doGet", "doPost", "doPut", "doDelete", "doHead", "doOptions", "doTrace", "doPatch", "service"])


def full_names(facts: FileFacts, name: str) -> Iterator[str]:
    """Possible full names of a name in a file: as it is imported, of the same package, or of a package that is imported completely."""
    head, dot, rest = name.partition(".")
    single = [f"{one.module}.{one.name}" for one in facts.imports if one.how == "import" and one.name == head]
    if single:
        yield single[0] + dot + rest
        return
    if dot and head.islower():
        yield name
        return
    yield f"{facts.namespace}.{name}"
    if any(one.name == head and one.kind == "class" for one in facts.definitions):
        return
    yield from (f"{one.module.removesuffix('.*')}.{name}" for one in facts.imports if one.how == "star")


def kind_of(full: str) -> str:
    """Return the kind of entry point that an annotation makes by its full name, empty for none."""
    package, _, name = full.rpartition(".")
    for known, kinds in _ANNOTATIONS.items():
        if name in kinds and (package == known or package.startswith(f"{known}.")):
            return kinds[name]
    return ""


def is_known(name: str, kind: str) -> bool:
    """Return whether some framework's annotation of that simple name makes entry points of the kind."""
    return any(kinds.get(name) == kind for kinds in _ANNOTATIONS.values())


def is_served(facts: FileFacts, parent: str, method: str) -> bool:
    """Return whether a method of the class with that key answers requests to a servlet."""
    if method not in _SERVED:
        return False
    bases = next((one.bases for one in facts.definitions if one.key == parent), ())
    return any(full in _SERVLET_BASES for base in bases for full in full_names(facts, base))


_MAIN = re.compile(r"\((?:final )?(?:java\.lang\.)?String ?(?:\[\] ?\w+|\.\.\. ?\w+|\w+ ?\[\])\) -> void")
NAMED_KINDS = frozenset(("test", "fixture"))
"""Kinds of entry points that have the name of the definition, not the text of the annotation."""


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool, /) -> Iterator[tuple[str, str]]:
    """As `repoquarry.languages.family.EntryPoints`."""
    if definition.kind == "method" and definition.name == "main" and _MAIN.fullmatch(definition.signature):
        yield "main", "main"
    kinds = [(annotation_kind(facts, one), one) for one in definition.decorators]
    for kind, decorator in kinds:
        if kind:
            yield kind, definition.name if kind in NAMED_KINDS else decorator.text
    if definition.kind != "method":
        return
    if in_test_class and definition.name.startswith("test") and not any(kind == "test" for kind, _ in kinds):
        yield "test", definition.name
    if is_served(facts, definition.parent, definition.name):
        yield "route", definition.name


def is_test(definition: Definition) -> bool:
    """Return whether a method is a test by its annotations or, before there were such, by its name."""
    return definition.name.startswith("test") or any(
        kind_of(one.dotted) == "test" if "." in one.dotted else is_known(one.dotted, "test")
        for one in definition.decorators
    )


def annotation_kind(facts: FileFacts, decorator: Decorator) -> str:
    """Return the kind of entry point that an annotation makes by itself, empty for none."""
    return next((kind for full in full_names(facts, decorator.dotted) if (kind := kind_of(full))), "")


_MAVEN = "pom.xml"
_GRADLE = frozenset(("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"))
_RESOLVE = ("mvn", "--batch-mode", "--no-transfer-progress")


def steps(asked: InstallRequest) -> tuple[InstallStep, ...]:
    """As `PackageInstaller.steps`."""
    found = [_build(folder, asked.files.get(folder, frozenset())) for folder in asked.folders]
    for package in asked.packages:
        if package.count(":") not in (2, 3, 4):
            raise NotInstallableError(f"{package!r} is not an artifact; Maven knows them as group:artifact:version")
        found.append(InstallStep((*_RESOLVE, "dependency:get", f"-Dartifact={package}"), asked.place))
    return tuple(found)


def _build(folder: str, files: frozenset[str]) -> InstallStep:
    if _MAVEN in files:
        return InstallStep((*_RESOLVE, "dependency:resolve"), folder)
    if files & _GRADLE:  # compiling is what makes Gradle fetch libraries
        return InstallStep(("gradle", "--no-daemon", "--console=plain", "testClasses"), folder)
    raise NotInstallableError(
        f"{folder} has neither {_MAVEN} nor build.gradle: name artifacts, or a folder with one of these"
    )


INSTALLING = PackageInstaller(
    manifests=frozenset({_MAVEN}) | _GRADLE,
    steps=steps,
    proxied={"JAVA_TOOL_OPTIONS": "-Dhttps.proxyHost={host} -Dhttps.proxyPort={port}"},
)


_FRAME = re.compile(
    r"^\s*at (?:[\w.$@-]*/)*(?P<function>[\w.$<>]+)\((?P<path>[\w$-]+\.java):(?P<line>\d+)\)", re.MULTILINE
)

TABLES = load_rules(Path(__file__).parent)

FAMILY = LanguageFamily(
    name="java",
    modules=find_modules,
    method=AttributionConfig("repoquarry.languages.java.attribution", has_models=True),
    rules=TABLES.rules,
    shown=TABLES.shown,
    stubs=str(Path(__file__).parent / "stubs.zip"),
    origins=external_origins,
)

JAVA = Language(
    name="java",
    extract=extract,
    family=FAMILY,
    comments=CommentSyntax(line=("//",), block=(("/*", "*/"),), documentation=("/**",)),
    tests=TestConventions(
        files=("*Test.java", "*Tests.java", "*TestCase.java", "Test*.java", "*IT.java"),
        folders=(
            "src/test/**",
            "**/src/test/**",
            "**/src/integrationTest/**",
            "test/**",
            "tests/**",
            "testing/**",
            "spec/**",
        ),
        is_test=is_test,
    ),
    entry_points=entry_points,
    installing=INSTALLING,
    frames=(StackFrameSyntax(_FRAME),),
    ecosystem="maven",
)

LANGUAGES = (JAVA,)
