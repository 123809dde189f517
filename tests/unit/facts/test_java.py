"""Facts of the Java extractor about a file."""

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.java.extraction import extract


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
    found = extract("src/main/java/com/acme/Till.java", source)
    assert complaint in "".join(error.message for error in found.parse_errors)
    assert bool(found.parse_errors) == bool(complaint)
    assert len(resolve([found]).symbols) == 1 + len(found.definitions)
