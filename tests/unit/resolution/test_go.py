"""Go beyond call sites: implemented interfaces, methods that code outside calls, build constraints, names of packages."""

import random
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.go.builds import find_constraint, find_system, is_in_build
from repoquarry.languages.registry import language_for
from tests.resolution_export import damaged, keys


def resolved(**texts: str) -> Resolution:
    """Resolve Go files by name, all in package `p`."""
    files = [
        language_for(f"{name}.go").extract(f"{name}.go", f"package p\n{text}".encode()) for name, text in texts.items()
    ]
    return resolve(files)


def pairs(found: Resolution) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """Return bases and overridden methods."""
    bases = {keys(found, one.cls, one.base) for one in found.inherits}
    return bases, {keys(found, one.method, one.overridden) for one in found.overrides}


SHAPE = "type Shape interface { Area(scale int) (float64, error) }\n"


@pytest.mark.parametrize(
    ("method", "implements"),
    [
        ("func (s *Square) Area(scale int) (float64, error) { return 0, nil }", True),
        ("func (s Square) Area(int) (area float64, err error) { return 0, nil }", True),
        ("func (s Square) Area(scale int) float64 { return 0 }", False),
        ("func (s Square) Area(scale string) (float64, error) { return 0, nil }", False),
        ("func (s Square) Area(scale ...int) (float64, error) { return 0, nil }", False),
        ("func (s Square) Area() (float64, error) { return 0, nil }", False),
        ("func (s Square) Size(scale int) (float64, error) { return 0, nil }", False),
    ],
)
def test_a_type_implements_an_interface_only_with_its_methods_and_their_types(method: str, implements: bool) -> None:
    bases, overrides = pairs(resolved(a=f"{SHAPE}type Square struct{{}}\n", b=method))
    assert bases == ({("Square", "Shape")} if implements else set())
    assert overrides == ({("Square.Area", "Shape.Area")} if implements else set())


def test_a_promoted_method_implements_an_interface_for_the_type_around() -> None:
    bases, overrides = pairs(
        resolved(
            a='type Namer interface { Name() string }\ntype Base struct{}\nfunc (Base) Name() string { return "" }\n'
            "type Outer struct { Base }\n"
        )
    )
    assert bases == {("Base", "Namer"), ("Outer", "Base"), ("Outer", "Namer")}
    assert overrides == {("Base.Name", "Namer.Name")}


def test_unions_of_types_and_empty_interfaces_are_no_bases() -> None:
    bases, _ = pairs(
        resolved(
            a="type N interface { ~int | string }\ntype E interface {}\ntype T struct{}\nfunc (T) F() {}\ntype I int\n"
        )
    )
    assert bases == set()


def test_methods_of_interfaces_of_the_standard_library_are_entry_points() -> None:
    found = resolved(
        a='type E struct{}\nfunc (e *E) Error() string { return "" }\nfunc (e *E) String() string { return "" }\n'
        "func (e *E) Unwrap() error { return nil }\nfunc (e *E) Is(other int) bool { return true }\n"
    )
    hooks = {(*keys(found, one.target), one.name) for one in found.entry_points if one.kind == "hook"}
    assert hooks == {
        ("E.Error", "builtin.Error"),
        ("E.String", "fmt.Stringer"),
        ("E.Unwrap", "errors.Unwrap"),
    }


@pytest.mark.parametrize(
    ("path", "source", "system"),
    [
        ("a.go", "", "linux"),
        ("a_windows.go", "", "windows"),
        ("a_windows_test.go", "", "windows"),
        ("a_darwin_amd64.go", "", "darwin"),
        ("windows.go", "", "linux"),
        ("a_unix.go", "//go:build unix\n\npackage a\n", "linux"),
        ("a.go", "//go:build !linux\n\npackage a\n", "darwin"),
        ("a.go", "//go:build !linux && !darwin && !(windows || aix)\n\npackage a\n", "android"),
        ("a.go", "// +build windows,amd64 plan9\n\npackage a\n", "windows"),
        ("a.go", "//go:build go1.18 && gc\n\npackage a\n", "linux"),
        ("a.go", "//go:build ((windows\n\npackage a\n", "windows"),
        ("a.go", "package a\n//go:build windows\n", "linux"),
    ],
)
def test_a_file_is_of_the_first_system_whose_build_compiles_it(path: str, source: str, system: str) -> None:
    assert find_system(path, find_constraint(source.encode())) == system


def test_a_file_of_another_processor_is_in_no_usual_build() -> None:
    assert not is_in_build("a_arm64.go", "", "linux")
    assert not is_in_build("a.go", "ignore", "linux")


def test_deep_nesting_costs_the_calls_of_the_file_and_says_so() -> None:
    source = "package p\nfunc f() { _ = " + "(" * 30_000 + "1" + ")" * 30_000 + " }\nfunc g() { f() }\n"
    facts = language_for("a.go").extract("a.go", source.encode())
    assert [one.key for one in facts.definitions] == ["f", "g"]
    assert any("nested too deeply" in error.message for error in facts.parse_errors)
    assert not resolve([facts]).calls


SOURCES = sorted((Path(__file__).parent / "sources" / "go").rglob("*.go"))
BROKEN = (
    b"{",
    b"}",
    b"(",
    b")",
    b"[T]",
    b".",
    b":=",
    b"func ",
    b"type ",
    b"*",
    b"interface{",
    b"struct{",
    b",",
    b"case ",
    b"<-",
)


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 9))])
def test_damaged_sources_raise_nothing_and_keep_calls_between_definitions(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        texts = [damaged(rng, path.read_bytes(), BROKEN) for path in rng.sample(SOURCES, 4)]
        files = [language_for("a.go").extract(f"{number}.go", text) for number, text in enumerate(texts)]
        found = resolve(files)
        assert found.symbols == resolve(files[::-1]).symbols
        assert all(call.callee < len(found.symbols) and min(call.lines) > 0 for call in found.calls)


@pytest.mark.parametrize(
    "text",
    [
        "type T T\nfunc f(t T) { t.x.Go() }\n",
        "type A B\ntype B A\nfunc f(a A) { a.Go(); a[0].Go(); for _, b := range a { b.Go() } }\n",
        "type A = B\ntype B = A\nfunc f(a A) { a.Go() }\n",
        "type A struct { B }\ntype B struct { *A }\nfunc f(a A) { a.Go() }\n",
        "type I interface { J }\ntype J interface { I }\ntype T struct{}\nfunc f(i I) { i.Go() }\n",
        "type L[T any] struct { next *L[L[T]] }\nfunc f(l L[int]) { l.next.next.next.Go() }\n",
        "func f[T T](t T) { t.Go() }\n",
        "var a = b\nvar b = a\nfunc f() { a.Go(); b().Go() }\n",
        "var a = func() { a.Go() }\nfunc f() { a.Go() }\n",
        "type S []struct { S }\nfunc f(s S) { s[0].Go(); s.Go() }\n",
    ],
)
def test_declarations_in_terms_of_themselves_end(text: str) -> None:
    found = resolved(a=text)
    assert not found.calls
    assert found.unresolved
