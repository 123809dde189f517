"""JavaScript and TypeScript: one source file -> its facts, by tree-sitter.

Both are one family: their files import each other and are resolved together.
"""

from __future__ import annotations

import re
from dataclasses import replace

from repoquarry.languages.javascript.extraction import extract
from repoquarry.languages.javascript.family import FAMILY
from repoquarry.languages.javascript.installing import INSTALLING
from repoquarry.languages.language import Comments, Frames, Language, Tests

_FRAME = re.compile(
    r"^\s*at (?:async |new )?(?:(?P<function>[\w$.<>]+) (?:\[as \w+\] )?)?\(?(?:file://)?(?P<path>[^\s()]{1,300}\.[cm]?[jt]sx?):(?P<line>\d+)(?::\d+)?\)?"
)

_COMMENTS = Comments(line=("//",), block=(("/*", "*/"),), documentation=("/**",))

_TESTS = Tests(
    files=("*.test.*", "*.spec.*", "*_test.*", "*-test.*", "*.stories.*"),
    folders=(
        *("__tests__/**", "**/__tests__/**", "__mocks__/**", "**/__mocks__/**", "cypress/**", "e2e/**"),
        *("test/**", "tests/**", "spec/**", "**/test/**", "**/tests/**"),
    ),
)
_FRAMES = (Frames(_FRAME),)
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

_MARKUP = Comments(line=("//",), block=(("<!--", "-->"), ("/*", "*/")), documentation=("/**",))
VUE = replace(JAVASCRIPT, name="vue", comments=_MARKUP)
SVELTE = replace(JAVASCRIPT, name="svelte", comments=_MARKUP)

LANGUAGES = (JAVASCRIPT, TYPESCRIPT, VUE, SVELTE)
