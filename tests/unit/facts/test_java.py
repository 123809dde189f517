"""Facts of the Java extractor about a file."""

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.java.extraction import extract
from repoquarry.languages.registry import load

SOURCE = b"""package com.acme;

import java.util.List;
import static java.util.Map.entry;
import org.junit.jupiter.api.Test;

/**
 * Keeps coins.
 *
 * And counts them.
 */
@Deprecated
public class Till<T extends Coin> extends Base<T> implements Counter, AutoCloseable {
    private final List<T> coins = List.of();

    /** Opens it. */
    public Till(int size, String... names) {
        if (size > 0 && names.length > 1) { check(size); }
    }

    @Override
    public <R> R count(java.util.function.Function<? super T, R> by) throws Exception {
        Runnable go = () -> check(1);
        new Thread() { public void run() { go.run(); } }.start();
        for (T coin : coins) { switch (coin.kind()) { case 1 -> check(2); default -> {} } }
        return null;
    }

    abstract static class Drawer { abstract void pull(); }

    interface Slot { int size(); default int twice() { return 2 * size(); } }

    enum Metal { GOLD { int weight() { return 2; } }, TIN; int weight() { return 1; } }

    record Pair(String left, int right) {}

    @Test void counts() {}
}
"""


def facts(source: bytes = SOURCE, path: str = "src/main/java/com/acme/Till.java") -> FileFacts:
    return extract(path, source)


def resolved(*files: tuple[str, bytes]) -> Resolution:
    return resolve([extract(path, source) for path, source in files])


def test_definitions_are_named_and_sorted_by_kind() -> None:
    found = {one.qualname: (one.kind, one.form) for one in facts().definitions}
    assert found == {
        "Till": ("class", ""),
        "Till.Till": ("method", "constructor"),
        "Till.count": ("method", ""),
        "Till.count.<lambda1>": ("lambda", ""),
        "Till.count.<anonymous1>": ("class", "anonymous class"),
        "Till.count.<anonymous1>.run": ("method", ""),
        "Till.Drawer": ("class", ""),
        "Till.Drawer.pull": ("method", ""),
        "Till.Slot": ("class", "interface"),
        "Till.Slot.size": ("method", ""),
        "Till.Slot.twice": ("method", ""),
        "Till.Metal": ("class", "enum"),
        "Till.Metal.<anonymous1>": ("class", "anonymous class"),
        "Till.Metal.<anonymous1>.weight": ("method", ""),
        "Till.Metal.weight": ("method", ""),
        "Till.Pair": ("class", "record"),
        "Till.counts": ("method", ""),
    }


def test_a_definition_carries_what_stands_at_it() -> None:
    found = {one.qualname: one for one in facts().definitions}
    till, constructor, count = found["Till"], found["Till.Till"], found["Till.count"]
    assert till.docstring == "Keeps coins.\n\nAnd counts them."
    assert (till.start_line, till.name_line, till.end_line) == (12, 13, 38)
    assert till.bases == ("Base<T>", "Counter", "AutoCloseable")
    assert [decorator.dotted for decorator in till.decorators] == ["Deprecated"]
    assert constructor.signature == "(int size, String... names)"
    assert constructor.docstring == "Opens it."
    assert (constructor.branches, constructor.calls) == (1, 1)
    assert count.signature == "(java.util.function.Function<? super T, R> by) -> R"
    assert (count.branches, count.calls) == (3, 6)
    assert found["Till.Drawer.pull"].is_abstract
    assert found["Till.Slot.size"].is_abstract
    assert not found["Till.Slot.twice"].is_abstract
    assert [decorator.dotted for decorator in found["Till.counts"].decorators] == ["org.junit.jupiter.api.Test"]


def test_a_file_says_its_package_and_imports() -> None:
    found = facts()
    assert (found.namespace, found.module_name, found.language) == ("com.acme", "Till", "java")
    assert [(one.module, one.name, one.how) for one in found.imports] == [
        ("java.util", "List", "import"),
        ("java.util.Map", "entry", "static"),
        ("org.junit.jupiter.api", "Test", "import"),
    ]


def test_overloads_have_keys_of_their_own() -> None:
    found = facts(b"class A { void f() {} void f(int a) {} }")
    assert [one.key for one in found.definitions] == ["A", "A.f", "A.f#2"]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (b"class A { void f() { x(" + b"(" * 5000 + b"1" + b")" * 5000 + b"); g(); } void g() {} }", "nested deeper than 400"),
        (b"class A { void f() { " + b"{" * 5000 + b" g(); " + b"}" * 5000 + b" } void g() {} }", "nested deeper than 400"),
        (b"class A { A a() { return this; } void f() { a()" + b".a()" * 5000 + b"; } }", "nested deeper than 400"),
        (b"class A {" * 3000 + b"}" * 3000, "nested deeper than 400"),
        (b"class A { Object o = " + b"new A() { void f() { x(" * 2000 + b")}}" * 2000 + b"; }", "nested deeper than 400"),
        (b'class A { String f() { return ""' + b" + f()" * 5000 + b"; } }", ""),
        (b"class A { <T> T id(T t) { return t; } void f() { " + b"id(" * 60 + b"java.util.List.of()" + b")" * 60 + b"; } }", ""),
        (b"class A extends B { void f() { g(); } } class B extends C {} class C extends A { void g() {} }", ""),
        (b"class A { void f( { g(; } } } class class { int = ; void h() { f(1 2 3) }", "syntax error"),
        (bytes(range(256)) * 200, "syntax error"),
        (b"\xef\xbb\xbfclass A { String s = \"\xe4\"; }", ""),
        (b"", ""),
    ],
)  # fmt: skip
def test_nothing_stops_extraction_or_resolution(source: bytes, complaint: str) -> None:
    found = facts(source)
    assert complaint in "".join(error.message for error in found.parse_errors)
    assert bool(found.parse_errors) == bool(complaint)
    assert len(resolve([found]).symbols) == 1 + len(found.definitions)


def test_entry_points_are_found_by_annotation_and_name() -> None:
    source = (
        b"import org.springframework.web.bind.annotation.*; import org.junit.Test;"
        b'class A { public static void main(String[] args) {} @Test public void works() {} @GetMapping("/a") void list() {} }'
    )
    found = resolved(("A.java", source))
    keys = {found.symbols[one.target].key: (one.kind, one.name) for one in found.entry_points}
    assert keys == {"A.main": ("main", "main"), "A.works": ("test", "works"), "A.list": ("route", 'GetMapping("/a")')}


def test_bases_overriding_and_imports_are_edges() -> None:
    found = resolved(
        ("core/src/main/java/a/Shape.java", b"package a; public interface Shape { double area(); }"),
        ("app/src/main/java/b/Round.java", b"package b; import a.Shape; class Round implements Shape { public double area() { return 1; } }"),
    )  # fmt: skip
    names = {number: f"{symbol.path.rpartition('/')[2]}:{symbol.key}" for number, symbol in enumerate(found.symbols)}
    assert [(names[one.cls], names[one.base]) for one in found.inherits] == [("Round.java:Round", "Shape.java:Shape")]
    assert [(names[one.method], names[one.overridden]) for one in found.overrides] == [
        ("Round.java:Round.area", "Shape.java:Shape.area")
    ]
    assert [(names[one.source], names[one.target]) for one in found.imports] == [("Round.java:", "Shape.java:")]
    assert [(module.name, module.root) for module in found.modules] == [
        ("b.Round", "app/src/main/java"),
        ("a.Shape", "core/src/main/java"),
    ]


def test_of_equal_names_the_nearest_file_is_meant() -> None:
    tool = b"package lib; public class Tool { void use() {} }"
    found = resolved(
        ("core/src/main/java/lib/Tool.java", tool),
        ("core/src/test/java/lib/ToolTest.java", b"package lib; class ToolTest { void t() { new Tool().use(); } }"),
        ("other/src/main/java/lib/Tool.java", tool),
        ("other/src/main/java/lib/Caller.java", b"package lib; class Caller { void c(Tool tool) { tool.use(); } }"),
    )
    pairs = {(found.symbols[one.caller].key, found.symbols[one.callee].path) for one in found.calls}
    assert pairs == {
        ("ToolTest.t", "core/src/main/java/lib/Tool.java"),
        ("Caller.c", "other/src/main/java/lib/Tool.java"),
    }


def test_frames_of_a_trace_are_read() -> None:
    (frames,) = load("java").frames
    match = frames.pattern.search("Exception: x\n\tat app//com.acme.Till.count(Till.java:23)\n")
    assert match is not None
    assert (match["path"], match["line"], match["function"]) == ("Till.java", "23", "com.acme.Till.count")


JAVA_STARTS = {
    "import org.junit.jupiter.api.Test; class A { @Test void f() {} }": ("A.f", "test", "f"),
    "import org.junit.*; class A { @Before public void f() {} }": ("A.f", "fixture", "f"),
    "import org.testng.annotations.DataProvider; class A { @DataProvider Object f() {} }": ("A.f", "fixture", "f"),
    "class A { @org.junit.Test public void f() {} }": ("A.f", "test", "f"),
    "package org.junit; class A { @Test void f() {} }": ("A.f", "test", "f"),
    "import junit.framework.*; import java.util.*; class A extends TestCase { public void testF() {} void g() {} }": (
        *("A.testF", "test", "testF"),
    ),
    "class B extends junit.framework.TestCase {} class A extends B { public void testF() {} }": (
        "A.testF",
        "test",
        "testF",
    ),
    "import jakarta.ws.rs.*; class A { @GET void f() {} }": ("A.f", "route", "GET"),
    "import javax.servlet.http.HttpServlet; class A extends HttpServlet { void doGet(Q q, R r) {} void g() {} }": (
        *("A.doGet", "route", "doGet"),
    ),
    "import org.springframework.web.bind.annotation.RestController; @RestController class A {}": (
        "A",
        "route",
        "RestController",
    ),
    "import org.springframework.scheduling.annotation.Scheduled; class A { @Scheduled void f() {} }": (
        "A.f",
        "hook",
        "Scheduled",
    ),
    "import org.springframework.context.annotation.*; class A { @Bean Object f() {} }": ("A.f", "hook", "Bean"),
    "class A { public static void main(final String... args) {} }": ("A.main", "main", "main"),
}


COMPOSED_STARTS = {
    "import org.testng.annotations.*; @Test public class A { public void f() {} void g() {} public static void h() {}"
    " @BeforeClass public void b() {} }": {("A", "test", "A"), ("A.f", "test", "f"), ("A.b", "fixture", "b")},
    "@org.testng.annotations.Test abstract class B {} class A extends B { public void f() {} }": {
        *(("B", "test", "B"), ("A.f", "test", "f"))
    },
    "@org.junit.jupiter.api.Test class A { public void f() {} }": {("A", "test", "A")},
    "import org.junit.jupiter.params.*; import org.junit.jupiter.params.provider.*; class A { @ParameterizedTest"
    ' @MethodSource("words") void f(String w) {} static Object words() {} static Object f() {} }': {
        *(("A.f", "test", "f"), ("A.words", "fixture", "words"))
    },
    "import org.junit.jupiter.params.provider.MethodSource; class A { @MethodSource void f(int i) {} static Object f() {} }": {
        ("A.f#2", "fixture", "f")
    },
    'class A { @org.junit.jupiter.params.provider.MethodSource({"B#more"}) void f(int i) {} } class B { static Object more() {} }': {
        ("B.more", "fixture", "more")
    },
    "import org.springframework.web.bind.annotation.*; @Api class A {} @RestController @interface Api {}": {
        *(("A", "route", "Api"), ("Api", "route", "RestController"))
    },
    "class A { @Quick void f() {} } @Slow @interface Quick {} @Quick @org.junit.jupiter.api.Test @interface Slow {}": {
        *(("A.f", "test", "f"), ("Quick", "test", "Quick"), ("Slow", "test", "Slow"))
    },
    "class A { @Mine void f() {} } @interface Mine {}": set(),
}


@pytest.mark.parametrize("source", COMPOSED_STARTS)
def test_annotations_of_classes_methods_and_annotations_make_entry_points(source: str) -> None:
    assert starts(source) == COMPOSED_STARTS[source]


@pytest.mark.parametrize("source", JAVA_STARTS)
def test_entry_points_go_by_the_package_of_an_annotation_or_base(source: str) -> None:
    assert starts(source) == {JAVA_STARTS[source]}


@pytest.mark.parametrize(
    "source",
    [
        "class TestCase {} class A extends TestCase { public void testF() {} }",
        'import retrofit2.http.*; interface A { @GET("/x") Call f(); }',
        "import com.acme.Test; class A { @Test void f() {} }",
        "class HttpServlet {} class A extends HttpServlet { void doGet(Q q, R r) {} }",
        "class A { int main(String word) { return 1; } }",
    ],
)
def test_a_simple_name_makes_no_entry_point(source: str) -> None:
    assert starts(source) == set()


def starts(source: str) -> set[tuple[str, str, str]]:
    """(key, kind, text) of the entry points of a file."""
    found = resolved(("A.java", source.encode()))
    return {(found.symbols[one.target].key, one.kind, one.name) for one in found.entry_points}
