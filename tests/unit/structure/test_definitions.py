"""Definitions of languages that are read by structure, also of files that no program would write."""

import re
import time
from collections import defaultdict
from pathlib import Path

import pytest

from repoquarry.languages.facts import FileFacts
from repoquarry.languages.registry import language_for
from repoquarry.languages.structural.extraction import MAX_NESTING
from tests.golden import GoldenFiles
from tests.resolution_export import list_facts
from tests.steps import steps

SOURCES = sorted(path for path in (Path(__file__).parent / "sources").iterdir() if path.is_file())
ANNOTATION = re.compile(r"(?://|#)= (.+)$")


def read(name: str) -> FileFacts:
    path = Path(__file__).parent / "sources" / name
    return language_for(name).extract(name, path.read_bytes())


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_definition_is_found_and_nothing_else(path: Path) -> None:
    text = path.read_text()
    expected: dict[int, set[str]] = defaultdict(set)
    for number, line in enumerate(text.splitlines(), 1):
        if match := ANNOTATION.search(line):
            expected[number] = {one.strip() for one in match[1].split(";")}
    found: dict[int, set[str]] = defaultdict(set)
    facts = read(path.name)
    for one in facts.definitions:
        found[one.name_line].add(f"{one.kind}{'/' if one.form else ''}{one.form} {one.key}")
    assert dict(found) == dict(expected)
    assert facts.parse_errors == ()


def test_a_header_that_speaks_cpp_is_read_as_that() -> None:
    plain = language_for("a.h").extract("a.h", b"struct s { int a; };\nstatic inline int f(void) { return 1; }\n")
    spoken = language_for("a.h").extract("a.h", b"namespace n {\nclass C { void f() {} };\n}\n")
    assert (plain.language, [one.key for one in plain.definitions]) == ("c", ["s", "f"])
    assert (spoken.language, [one.key for one in spoken.definitions]) == ("cpp", ["n", "n.C", "n.C.f"])


def test_facts_of_annotated_sources_equal_the_golden_file(golden_files: GoldenFiles) -> None:
    lines = (line.rstrip() for path in SOURCES for line in list_facts(read(path.name)))
    golden_files.check(Path(__file__).parent / "facts.txt", "\n".join(lines) + "\n")


LEVELS = 5_000
NESTED = {
    "deep.go": ("func f() {" + "if x {" * LEVELS + "}" * LEVELS + "}\nfunc g() {}\n", "package p\n"),
    "deep.c": ("void f(void) {" + "{" * LEVELS + "}" * LEVELS + "}\nvoid g(void) {}\n", ""),
    "deep.cpp": ("void f() {" + "if (x) {" * LEVELS + "}" * LEVELS + "}\nvoid g() {}\n", ""),
    "deep.rs": ("fn f() {" + "{" * LEVELS + "}" * LEVELS + "}\nfn g() {}\n", ""),
    "deep.cs": ("class f { void m() {" + "{" * LEVELS + "}" * LEVELS + "} }\nclass g {}\n", ""),
    "deep.rb": ("def f\n" + "[" * LEVELS + "]" * LEVELS + "\nend\ndef g\nend\n", ""),
    "deep.php": ("function f() {" + "{" * LEVELS + "}" * LEVELS + "}\nfunction g() {}\n", "<?php\n"),
    "deep.kt": ("fun f() {\n" + "if (x) {\n" * LEVELS + "}\n" * LEVELS + "}\nfun g() {}\n", ""),
}
BROKEN = {
    "broken.go": b"package p\nfunc a() {}\nfunc ((( {\nfunc b() {}\n",
    "broken.c": b"int a(void) { return 0; }\nint ]]] (;\nint b(void) { return 0; }\n",
    "broken.cpp": b"class A { void a() {} };\ntemplate <<< ;\nvoid b() {}\n",
    "broken.rs": b"fn a() {}\nfn ((( ;\nfn b() {}\n",
    "broken.cs": b"class A { void a() {} }\nclass }}} (\nclass B { void b() {} }\n",
    "broken.rb": b"def a\nend\ndef ((( ]]\nend\ndef b\nend\n",
    "broken.php": b"<?php\nfunction a() {}\nfunction ((( ;\nfunction b() {}\n",
    "broken.kt": b"fun a() {}\nfun ((( ]]\nfun b() {}\n",
}


def extract_source(name: str, source: bytes) -> FileFacts:
    return language_for(name).extract(name, source)


@pytest.mark.parametrize("name", NESTED)
def test_five_thousand_levels_of_nesting(name: str) -> None:
    body, head = NESTED[name]
    began = time.process_time()
    found = {one.name for one in extract_source(name, (head + body).encode()).definitions}
    assert found >= {"f", "g"}
    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", BROKEN)
def test_readable_part_of_a_broken_file_is_kept_with_a_note(name: str) -> None:
    facts = extract_source(name, BROKEN[name])
    assert "a" in {one.name for one in facts.definitions}
    assert facts.parse_errors


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(
    "source", [b"", b"\xff\xfe", b"\x00" * 100, b"\xef\xbb\xbf", "ä".encode("latin-1") * 50, b"\r\n" * 10]
)
def test_bytes_that_are_no_source_do_not_raise(name: str, source: bytes) -> None:
    assert extract_source(name, source).path == name


def test_definitions_beyond_the_nesting_limit_are_skipped_and_reported() -> None:
    levels = MAX_NESTING + 50
    facts = extract_source("deep.cs", b"class C {" * levels + b"}" * levels)
    assert len(facts.definitions) == MAX_NESTING
    assert [error.message for error in facts.parse_errors] == [
        f"definitions nested deeper than {MAX_NESTING} levels were skipped"
    ]


def test_steps_grow_with_the_length_of_a_file_and_no_faster() -> None:
    line = b"// says what f%d is for\nint f%d(int a) { if (a) { return g(a); } return 0; }\n"

    def count(functions: int) -> int:
        source = b"".join(line % (at, at) for at in range(functions))
        assert len(extract_source("long.c", source).definitions) == functions
        return steps(lambda: extract_source("long.c", source))

    assert count(4_000) < 11 * count(400)


def test_a_file_in_another_encoding_is_decoded() -> None:
    facts = extract_source("a.cs", "\ufeffclass Größe {}".encode("utf-16"))
    assert ([one.name for one in facts.definitions], facts.encoding) == (["Größe"], "utf-16")
