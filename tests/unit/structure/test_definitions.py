"""Annotated sources: behind a name stands what it defines (`//= method/constructor Outer.name`), and there is nothing else."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.registry import language_for

SOURCES = sorted(path for path in (Path(__file__).parent / "sources").iterdir() if path.is_file())
ANNOTATION = re.compile(r"(?://|#)= (.+)$")


def read(name: str) -> FileFacts:
    path = Path(__file__).parent / "sources" / name
    return language_for(name).extract(name, path.read_bytes())


def definition(facts: FileFacts, key: str) -> Definition:
    return next(one for one in facts.definitions if one.key == key)


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


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_definition_comes_after_the_one_around_it_and_ends_where_it_should(path: Path) -> None:
    facts = read(path.name)
    seen = {""}
    for one in facts.definitions:
        assert one.parent in seen
        assert one.start_line <= one.name_line <= one.end_line <= facts.loc
        seen.add(one.key)
    assert len(seen) == len(facts.definitions) + 1


SIGNATURES = {
    "server.go": {
        "Server.Early": "(a int, b string) (int, error)",
        "Map": "(xs []T, f func(T) U) []U",
        "Pair": "[K comparable, V any]",
    },
    "queue.c": {"find": "(queue_t *q, int id) -> struct job *", "handler": "(int signal) -> void", "MAX": "(a, b)"},
    "shapes.cpp": {
        "geo.plane.Shape": ": public Base<T>, private detail::Hidden",
        "geo.plane.Shape.area": "(int unit) const -> double",
        "other.Far.away": "(int n) noexcept -> int *",
    },
    "cache.rs": {"Entry.load": "(&self, from: &str) -> io::Result<T>", "Store": ": Send + Sync"},
    "Orders.cs": {
        "Shop.Orders.Order.Save": "(string to, int times = 1) -> Task<int>",
        "Shop.Orders.Person": "(string Name)",
    },
    "mailer.rb": {"Post.Office.Mailer.initialize": "(to, retries: 3)", "Post.setup": "(now)"},
    "Kernel.php": {
        "Kernel.handle": "(Request $r, ?string $to = null): ?array",
        "Kernel": "extends Base implements Runs, Stops",
    },
    "Users.kt": {"User.greet": "(to: String): String?", "User.constructor": "(age: Int)"},
}


@pytest.mark.parametrize(("name", "expected"), SIGNATURES.items(), ids=list(SIGNATURES))
def test_signatures_are_as_written(name: str, expected: dict[str, str]) -> None:
    facts = read(name)
    assert {key: definition(facts, key).signature for key in expected} == expected


DOCUMENTED = {
    "server.go": ("Package web serves things.", "Server", "Server answers requests.\nIt has two lines."),
    "queue.c": ("A queue of jobs.", "find", "Finds a job.\n\nMore of it."),
    "shapes.cpp": ("", "geo.plane.Shape", "A shape."),
    "cache.rs": ("A cache of things.", "Entry", "An entry."),
    "Orders.cs": ("", "Shop.Orders.Order", "An order."),
    "mailer.rb": ("Sends mail.", "Post.Office.Mailer.initialize", "Makes one."),
    "Kernel.php": ("", "Kernel", "The kernel.\n\n@author someone"),
    "Users.kt": ("", "User.greet", "Says hello."),
}


@pytest.mark.parametrize(("name", "said"), DOCUMENTED.items(), ids=list(DOCUMENTED))
def test_comments_above_document(name: str, said: tuple[str, str, str]) -> None:
    facts = read(name)
    assert (facts.docstring, said[1], definition(facts, said[1]).docstring) == said


IMPORTED = {
    "server.go": [
        ("fmt", "", ""),
        ("encoding/json", "", "js"),
        ("example.com/dsl", "*", ""),
        ("example.com/driver", "", ""),
    ],
    "queue.c": [("<stdio.h>", "", ""), ("util/list.h", "", "")],
    "shapes.cpp": [("<vector>", "", ""), ("shapes.hpp", "", "")],
    "cache.rs": [
        *(("std::collections", "HashMap", ""), ("std", "io", ""), ("std::io", "Read", "R")),
        *(("crate::store", "*", ""), ("self::disk", "", "")),
    ],
    "Orders.cs": [("System", "*", ""), ("Newtonsoft.Json", "", "Json"), ("System.Math", "*", "")],
    "mailer.rb": [("net/smtp", "", ""), ("./templates/base", "", "")],
    "Kernel.php": [
        *(("Vendor\\Lib", "Client", "C"), ("Vendor\\Lib", "Server", ""), ("Vendor", "Log", "")),
        *(("Vendor\\Lib", "helper", ""), ("./boot.php", "", "")),
    ],
    "Users.kt": [("java.util", "UUID", ""), ("kotlin.collections", "*", ""), ("org.example", "Base", "B")],
}


@pytest.mark.parametrize(("name", "expected"), IMPORTED.items(), ids=list(IMPORTED))
def test_imports_are_as_written(name: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(one.module, one.name, one.alias) for one in read(name).imports] == expected


def test_attributes_are_decorators_and_begin_the_definition() -> None:
    entry = definition(read("cache.rs"), "Entry")
    assert [decorator.text for decorator in entry.decorators] == ["derive(Debug, Clone)", "serde(default)"]
    assert (entry.start_line, entry.name_line) == (8, 10)
    assert definition(read("Orders.cs"), "Shop.Orders.Order.Save").decorators[0].name == "Test"
    assert definition(read("Kernel.php"), "Kernel").decorators[0].arguments == "'/x'"


def test_a_method_apart_from_its_class_is_below_it_where_the_file_has_the_class() -> None:
    assert definition(read("server.go"), "Server.Early").parent == "Server"
    assert definition(read("cache.rs"), "Entry.fmt").parent == "Entry"
    assert definition(read("shapes.cpp"), "geo.plane.Shape.declared").parent == "geo.plane.Shape"
    assert definition(read("server.go"), "Elsewhere.Far").parent == ""


def test_a_header_that_speaks_cpp_is_read_as_that() -> None:
    plain = language_for("a.h").extract("a.h", b"struct s { int a; };\nstatic inline int f(void) { return 1; }\n")
    spoken = language_for("a.h").extract("a.h", b"namespace n {\nclass C { void f() {} };\n}\n")
    assert (plain.language, [one.key for one in plain.definitions]) == ("c", ["s", "f"])
    assert (spoken.language, [one.key for one in spoken.definitions]) == ("cpp", ["n", "n.C", "n.C.f"])
