"""C and C++ by structure.

The two share headers, so they share this folder: a header that speaks C++ is read as that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from repoquarry.languages.c.rules import CPP, C
from repoquarry.languages.facts import Definition, FileFacts, Import
from repoquarry.languages.family import Configuration, LanguageFamily, ModuleMap, Place
from repoquarry.languages.language import CommentSyntax, Language, StackFrameSyntax, TestConventions
from repoquarry.languages.structural import extract_structure
from repoquarry.languages.structural.module_resolution import PathResolver, build_module_map

_SPEAKS_CPP = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace\b[\w: \t]*\{?|template[ \t]*<|class[ \t]+\w[^;\n]*$"
    rb"|(?:public|private|protected)[ \t]*:|using[ \t]+\w+)",
    re.MULTILINE,
)
_FRAME = re.compile(
    r"^\s*#\d+\s+(?:0x[0-9a-fA-F]+ in )?(?P<function>[\w:~]+)[^\n]*?(?:\bat |\s)(?P<path>[^\s():]+\.[ch]\w{0,2}):(?P<line>\d+)"
)
_MAINS = frozenset({"main", "wmain", "WinMain", "wWinMain"})
_TESTS = re.compile(r"(?:TYPED_)?TEST(?:_F|_P)?|TEST_CASE(?:_METHOD)?|SCENARIO|BOOST_\w*TEST_CASE")
"""Macros of test frameworks in place of a function's name."""
_TEST_FOLDERS = ("test/**", "tests/**", "**/test/**", "**/tests/**", "**/unittests/**")
_COMMENTS = CommentSyntax(line=("//",), block=(("/*", "*/"),))


def extract(path: str, source: bytes) -> FileFacts:
    """Extract the facts of one file. Bad input is recorded in `FileFacts.parse_errors` and raises nothing."""
    is_cpp = not path.endswith((".c", ".h")) or (path.endswith(".h") and _SPEAKS_CPP.search(source) is not None)
    return extract_structure(CPP if is_cpp else C, path, source)


def entry_points(facts: FileFacts, definition: Definition, in_test_class: bool) -> Iterator[tuple[str, str]]:
    """Where a program starts, what a test framework's macro makes a test, and what a fuzzer calls."""
    if definition.kind != "function":
        return
    if definition.name in _MAINS and not definition.parent:
        yield "main", definition.name
    elif _is_made_a_test(definition):
        yield "test", definition.signature.strip("()")
    elif definition.name == "LLVMFuzzerTestOneInput":
        yield "hook", definition.name


def is_test(definition: Definition) -> bool:
    """Return whether a function is one test: by the macro that writes its head, or by its name."""
    return _is_made_a_test(definition) or definition.name.lower().startswith("test")


def _is_made_a_test(definition: Definition) -> bool:
    """Return whether a macro takes the place of the result and the name of a function."""
    return "->" not in definition.signature and _TESTS.fullmatch(definition.name) is not None


def find_modules(files: Sequence[FileFacts], configuration: Configuration, roots: Sequence[str] | None) -> ModuleMap:
    """Includes by their paths: next to the including file, otherwise the nearest file whose path ends so."""
    paths = PathResolver(files)

    def lead(importer: int, entry: Import) -> Place | None:
        return paths.lead(importer, entry.module.strip("<>"))

    return build_module_map(files, [facts.path for facts in files], lead)


C_FAMILY = LanguageFamily(name="c", modules=find_modules)

LANGUAGES = (
    Language(
        name="c",
        extract=extract,
        family=C_FAMILY,
        comments=_COMMENTS,
        tests=TestConventions(files=("test_*.c", "*_test.c", "*_tests.c"), folders=_TEST_FOLDERS, is_test=is_test),
        entry_points=entry_points,
        frames=(StackFrameSyntax(_FRAME),),
        known_files=frozenset({"main", "config"}),
    ),
    Language(
        name="cpp",
        extract=extract,
        family=C_FAMILY,
        comments=_COMMENTS,
        tests=TestConventions(
            files=("test_*.cc", "test_*.cpp", "*_test.cc", "*_test.cpp", "*_unittest.cc", "*_tests.cpp", "*Test.cpp"),
            folders=_TEST_FOLDERS,
            is_test=is_test,
        ),
        entry_points=entry_points,
        known_files=frozenset({"main", "config"}),
    ),
)
