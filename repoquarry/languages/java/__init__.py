"""Java: facts by tree-sitter, calls by type attribution."""

from __future__ import annotations

import re
from pathlib import Path

from repoquarry.languages.family import AttributionConfig, LanguageFamily
from repoquarry.languages.java.entry_points import INSTALLING, entry_points, is_test
from repoquarry.languages.java.extraction import external_origins, extract, find_modules
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions

_FRAME = re.compile(
    r"^\s*at (?:[\w.$@-]*/)*(?P<function>[\w.$<>]+)\((?P<path>[\w$-]+\.java):(?P<line>\d+)\)", re.MULTILINE
)

#: Edge rules with their confidence, by the number of targets. Measured against the compiler by `tests/benchmarks/callgraph/javac.py`.
RULES: dict[str, tuple[float, float, float, float]] = {
    "name": (0.99, 0.6, 0.4, 0.3),  # a static method by a static import
    "class": (0.99, 0.6, 0.4, 0.3),  # a static method of a named class
    "self": (0.99, 0.6, 0.4, 0.3),  # a method of this object or of one around it
    "super": (0.99, 0.6, 0.4, 0.3),
    "receiver": (0.98, 0.6, 0.4, 0.3),  # a method of the declared or inferred type
    "constructor": (0.98, 0.6, 0.4, 0.3),
    "instance": (0.9, 0.8, 0.6, 0.4),  # what an object that was made here has for the method
    "value": (0.95, 0.8, 0.7, 0.5),  # a lambda or method that was assigned to the variable that is called
    "reflection": (0.95, 0.8, 0.7, 0.5),  # a constructor or method that a constant names
    "callback": (0.9, 0.6, 0.4, 0.1),  # one that was passed to what calls it
    "implicit": (0.9, 0.8, 0.7, 0.4),  # iteration, end of a `try` with resources
    "possible": (0.45, 0.35, 0.25, 0.2),  # an override in an instantiated class, where only a supertype is known
}

JAVA = Language(
    name="java",
    extract=extract,
    family=LanguageFamily(
        name="java",
        modules=find_modules,
        method=AttributionConfig("repoquarry.languages.java.attribution"),
        rules=RULES,
        stubs=str(Path(__file__).parent / "stubs.zip"),
        origins=external_origins,
    ),
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
