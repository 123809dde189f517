"""JavaScript and TypeScript support: definitions extracted with tree-sitter, calls resolved by points-to analysis.

Both are one family: their files import each other and are resolved together.
"""

from __future__ import annotations

import re
from dataclasses import replace

from repoquarry.languages.javascript.extractor import extract
from repoquarry.languages.javascript.family import FAMILY
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

MANIFEST = "package.json"
_LOCKS = frozenset(("package-lock.json", "npm-shrinkwrap.json"))
_QUIET = ("--ignore-scripts", "--no-audit", "--no-fund")


def steps(asked: InstallRequest) -> tuple[InstallStep, ...]:
    """As `PackageInstaller.steps`: a folder that is named gets what its manifest needs, its lock file left as it is."""
    found = []
    for folder in asked.folders:
        files = asked.files.get(folder, frozenset())
        if MANIFEST not in files:
            raise NotInstallableError(f"{folder} has no {MANIFEST}: name packages, or a folder that has one")
        found.append(InstallStep(("npm", "ci" if files & _LOCKS else "install", *_QUIET), folder))
    if asked.packages:
        found.append(InstallStep(("npm", "install", *_QUIET, *asked.packages), asked.place))
    return tuple(found)


INSTALLING = PackageInstaller(manifests=frozenset({MANIFEST}), steps=steps)


_FRAME = re.compile(
    r"^\s*at (?:async |new )?(?:(?P<function>[\w$.<>]+) (?:\[as \w+\] )?)?\(?(?:file://)?(?P<path>[^\s()]{1,300}\.[cm]?[jt]sx?):(?P<line>\d+)(?::\d+)?\)?"
)

_COMMENTS = CommentSyntax(line=("//",), block=(("/*", "*/"),), documentation=("/**",))

_TESTS = TestConventions(
    files=("*.test.*", "*.spec.*", "*_test.*", "*-test.*", "*.stories.*"),
    folders=(
        *("__tests__/**", "**/__tests__/**", "__mocks__/**", "**/__mocks__/**", "cypress/**", "e2e/**"),
        *(
            "test/**",
            "tests/**",
            "t/**",
            "testing/**",
            "spec/**",
            "test-helpers/**",
            "**/test/**",
            "**/tests/**",
            "**/spec/**",
        ),
    ),
)
_FRAMES = (StackFrameSyntax(_FRAME),)
_KNOWN = frozenset({"index", "main", "server", "app"})

JAVASCRIPT = Language(
    name="javascript",
    extract=extract,
    family=FAMILY,
    comments=_COMMENTS,
    tests=_TESTS,
    installing=INSTALLING,
    frames=_FRAMES,
    ecosystem="npm",
    known_files=_KNOWN,
)
TYPESCRIPT = replace(JAVASCRIPT, name="typescript")

_MARKUP = CommentSyntax(line=("//",), block=(("<!--", "-->"), ("/*", "*/")), documentation=("/**",))
VUE = replace(JAVASCRIPT, name="vue", comments=_MARKUP)
SVELTE = replace(JAVASCRIPT, name="svelte", comments=_MARKUP)

LANGUAGES = (JAVASCRIPT, TYPESCRIPT, VUE, SVELTE)
