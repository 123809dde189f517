"""Java: facts by tree-sitter, calls by type attribution."""

from __future__ import annotations

import re
from pathlib import Path

from repoquarry.languages.family import AttributionConfig, LanguageFamily, load_rules
from repoquarry.languages.java.entry_points import INSTALLING, entry_points, is_test
from repoquarry.languages.java.extraction import external_origins, extract, find_modules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions

_FRAME = re.compile(
    r"^\s*at (?:[\w.$@-]*/)*(?P<function>[\w.$<>]+)\((?P<path>[\w$-]+\.java):(?P<line>\d+)\)", re.MULTILINE
)

FAMILY = LanguageFamily(
    name="java",
    modules=find_modules,
    method=AttributionConfig("repoquarry.languages.java.attribution"),
    rules=load_rules(Path(__file__).parent).rules,
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
