"""Java: facts by tree-sitter, calls by type attribution."""

from __future__ import annotations

import re
from pathlib import Path

from repoquarry.languages.family import Attribution, Family
from repoquarry.languages.java.entry_points import INSTALLING, entry_points, is_test
from repoquarry.languages.java.extraction import extract, find_modules
from repoquarry.languages.java.reduced_tree import RULES
from repoquarry.languages.language import Comments, Frames, Language, Tests

_FRAME = re.compile(
    r"^\s*at (?:[\w.$@-]*/)*(?P<function>[\w.$<>]+)\((?P<path>[\w$-]+\.java):(?P<line>\d+)\)", re.MULTILINE
)

JAVA = Language(
    name="java",
    extract=extract,
    family=Family(
        name="java",
        modules=find_modules,
        method=Attribution("repoquarry.languages.java.attribution"),
        rules=RULES,
        stubs=str(Path(__file__).parent / "stubs"),
    ),
    comments=Comments(line=("//",), block=(("/*", "*/"),), documentation=("/**",)),
    tests=Tests(
        files=("*Test.java", "*Tests.java", "*TestCase.java", "Test*.java", "*IT.java"),
        folders=("src/test/**", "**/src/test/**", "**/src/integrationTest/**", "test/**", "tests/**"),
        is_test=is_test,
    ),
    entry_points=entry_points,
    installing=INSTALLING,
    frames=(Frames(_FRAME),),
    ecosystem="maven",
)

LANGUAGES = (JAVA,)
