"""How Java's libraries are installed: by Maven into the workspace's own repository, by Gradle into its cache, for what a build file names."""

from __future__ import annotations

from repoquarry.languages.installing import Asked, Installing, NotInstallableError, Step

_MAVEN = "pom.xml"
_GRADLE = frozenset(("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"))
_RESOLVE = ("mvn", "--batch-mode", "--no-transfer-progress")


def steps(asked: Asked) -> tuple[Step, ...]:
    """As `Installing.steps`."""
    found = [_build(folder, asked.files.get(folder, frozenset())) for folder in asked.folders]
    for package in asked.packages:
        if package.count(":") not in (2, 3, 4):
            raise NotInstallableError(f"{package!r} is no artifact; Maven knows them as group:artifact:version")
        found.append(Step((*_RESOLVE, "dependency:get", f"-Dartifact={package}"), asked.place))
    return tuple(found)


def _build(folder: str, files: frozenset[str]) -> Step:
    if _MAVEN in files:
        return Step((*_RESOLVE, "dependency:resolve"), folder)
    if files & _GRADLE:  # compiling is what makes Gradle fetch libraries
        return Step(("gradle", "--no-daemon", "--console=plain", "testClasses"), folder)
    raise NotInstallableError(
        f"{folder} has neither {_MAVEN} nor build.gradle: name artifacts, or a folder with one of these"
    )


INSTALLING = Installing(
    manifests=frozenset({_MAVEN}) | _GRADLE,
    steps=steps,
    proxied={"JAVA_TOOL_OPTIONS": "-Dhttps.proxyHost={host} -Dhttps.proxyPort={port}"},
)
