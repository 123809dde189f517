"""Small programs of languages with declared types, below `tests/programs/declared_types`: exactly the calls, bases and overriding methods.

A program begins with `=== title`, each of its files with `--- path` if it has more than one. `> caller -> callees` are all its calls within
the program with a confidence of 0.5 and more, `< class -> bases` and `^ method -> overridden` all bases and overridden methods. `-` is a
file; definitions of other files than the first are named `path:key`.
"""

import random
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages import registry
from tests.resolution_export import PROGRAMS

FOLDER = PROGRAMS / "declared_types"
SUFFIXES = {"rust": ".rs", "csharp": ".cs", "kotlin": ".kt", "php": ".php", "ruby": ".rb"}
MIN_PROGRAMS = 40
LIKELY = 0.5
Pairs = dict[str, set[str]]


class Program(NamedTuple):
    title: str
    texts: dict[str, str]
    expected: dict[str, Pairs]
    """Sign -> targets by source."""


def load(language: str) -> list[Program]:
    """Load the programs of a language."""
    programs = []
    text = (FOLDER / f"{language}.txt").read_text(encoding="utf-8")
    for section in text.removeprefix("=== ").split("\n=== "):
        title, _, body = section.partition("\n")
        expected: dict[str, Pairs] = {sign: defaultdict(set) for sign in "><^"}
        texts: dict[str, str] = {}
        path = f"main{SUFFIXES[language]}"
        for line in body.splitlines():
            sign, _, rest = line.partition(" ")
            if sign in expected and " -> " in rest:
                source, _, targets = rest.partition(" -> ")
                expected[sign][source] |= set(targets.split(", "))
            elif line.startswith("--- "):
                path = rest.removeprefix("-- ").strip()
            else:
                texts[path] = texts.get(path, "") + line + "\n"
        programs.append(Program(title, texts, expected))
    return programs


def find(program: Program) -> dict[str, Pairs]:
    """Return what resolution finds in a program, as the program states it."""
    files = [
        registry.language_for(path).extract(path, text.encode())
        for path, text in sorted(program.texts.items())
        if registry.is_source(path)
    ]
    assert [(facts.path, facts.parse_errors) for facts in files if facts.parse_errors] == []
    configuration = {path: text.encode() for path, text in program.texts.items() if registry.is_configuration(path)}
    found = resolve(files, configuration=configuration)
    result: dict[str, Pairs] = {sign: defaultdict(set) for sign in "><^"}
    for edge in found.calls:
        if edge.callee >= 0 and edge.confidence >= LIKELY:
            result[">"][name(found, edge.caller, len(files))].add(name(found, edge.callee, len(files)))
    for base in found.inherits:
        if base.base >= 0:
            result["<"][name(found, base.cls, len(files))].add(name(found, base.base, len(files)))
    for override in found.overrides:
        result["^"][name(found, override.method, len(files))].add(name(found, override.overridden, len(files)))
    return result


def name(found: Resolution, number: int, file_count: int) -> str:
    """Return the key of a definition without its number, with the file where a program has several."""
    symbol = found.symbols[number]
    key = re.sub(r"#\d+$", "", symbol.key) or "-"
    return key if file_count == 1 else f"{symbol.path}:{key}"


CASES = [
    pytest.param(one, id=f"{path.stem}: {one.title}")
    for path in sorted(FOLDER.glob("*.txt"))
    for one in load(path.stem)
]


@pytest.mark.parametrize("program", CASES)
def test_a_program_has_exactly_its_edges(program: Program) -> None:
    assert find(program) == program.expected


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: Path(path).stem)
def test_every_language_has_its_programs(path: Path) -> None:
    programs = load(path.stem)
    assert len(programs) >= MIN_PROGRAMS
    assert len({one.title for one in programs}) == len(programs)


def damaged(rng: random.Random, text: str) -> str:
    """Return the text with parts deleted, repeated and moved."""
    for _ in range(rng.choice((1, 3, 10))):
        at, size = rng.randrange(len(text) + 1), rng.randrange(1, 12)
        other = rng.randrange(len(text) + 1)
        cut = text[at : at + size]
        text = text[:at] + (text[at + size :] if rng.random() < 0.5 else cut + text[at:])
        text = text[:other] + cut + text[other:] if rng.random() < 0.5 else text
    return text


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))])
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: Path(path).stem)
def test_damaged_programs_raise_nothing_and_have_calls_between_definitions(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for program in load(path.stem):
        files = [
            registry.language_for(name).extract(name, damaged(rng, text).encode())
            for name, text in sorted(program.texts.items())
            if registry.is_source(name)
        ]
        found = resolve(files)
        assert all(call.callee < len(found.symbols) and min(call.lines) > 0 for call in found.calls)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.rs", "type A = B; type B = A; fn f(a: A) { a.go() }"),
        ("a.rs", "trait A: B {} trait B: A {} fn f<T: A>(t: T) { t.go() }"),
        ("a.rs", "impl<T: Go> Go for T { fn go(&self) { self.other() } } trait Go { fn go(&self); }"),
        ("a.rs", "use a::b; use b::a; fn f() { a::go(); b() }"),
        ("a.rs", "impl Deref for A { type Target = A; } struct A; fn f(a: A) { a.go() }"),
        ("a.rs", "trait T { type I: T<I = Self::I>; fn g(&self) -> Self::I; } fn f<X: T>(x: X) { x.g().g().h() }"),
        ("a.cs", "class A : B {} class B : A { void M(A a) { a.Go(); } }"),
        ("a.cs", "class A<T> where T : A<T> { T t; void M() { t.t.Go(); } }"),
        ("a.cs", "using A = B; using B = A; class C { A a; void M() { a.Go(); } }"),
        ("a.kt", "class A : B()\nopen class B : A()\nfun f(a: A) { a.go() }\n"),
        ("a.kt", "fun f() = g()\nfun g() = f()\nfun h() { f().go() }\n"),
        ("a.kt", "typealias A = B\ntypealias B = A\nfun f(a: A) { a.go() }\n"),
    ],
)
def test_declarations_in_terms_of_themselves_end(path: str, text: str) -> None:
    found = resolve([registry.language_for(path).extract(path, text.encode())])
    targets = {found.symbols[one.callee].key for one in found.calls if one.callee >= 0 and one.confidence >= LIKELY}
    assert targets <= {"f", "g", "A", "B", "Go.go", "T.g"}
