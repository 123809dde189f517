"""C and C++ beyond call sites: bases, overriding methods, local names of files, text that the grammar cannot read."""

import random
from pathlib import Path

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.registry import language_for
from tests.resolution_export import damaged, keys


def resolved(**texts: str) -> Resolution:
    """Resolve files by their names, with `_` for the dot before the suffix."""
    named = {name.replace("_", "."): text for name, text in texts.items()}
    return resolve([language_for(path).extract(path, text.encode()) for path, text in named.items()])


def calls(found: Resolution) -> set[tuple[str, ...]]:
    return {keys(found, one.caller, one.callee) for one in found.calls}


@pytest.mark.parametrize(
    ("method", "overrides"),
    [
        ("int area(int unit) override { return 1; }", True),
        ("int area(const int unit) { return 1; }", True),
        ("int area() { return 1; }", False),
        ("int area(Shape *unit) { return 1; }", False),
        ("int size(int unit) { return 1; }", False),
        ("static int area(int unit) { return 1; }", False),
    ],
)
def test_a_member_function_overrides_one_of_a_base_with_its_types(method: str, overrides: bool) -> None:
    base = "struct Shape { virtual int area(int unit) { return 0; } };\n"
    found = resolved(a_hpp=base, b_cpp=f'#include "a.hpp"\nstruct Square : public Shape {{ {method} }};\n')
    assert {keys(found, one.cls, one.base) for one in found.inherits} == {("Square", "Shape")}
    expected = {("Square.area", "Shape.area")} if overrides else set()
    assert {keys(found, one.method, one.overridden) for one in found.overrides} == expected


def test_bases_with_export_macros_and_bases_outside_are_bases() -> None:
    found = resolved(
        a_h="class LIB_API CA { public: virtual void m(); };\nclass LIB_API CB : public CA, private other::Far { void m() override; };\n"
    )
    assert {keys(found, one.cls, one.base) for one in found.inherits} == {("CB", "CA"), ("CB", "other.Far")}


def test_local_functions_of_other_files_are_not_called() -> None:
    one, two = "static int f(void) { return 1; }\n", "int g(void) { return f(); }\n"
    assert calls(resolved(a_c=one, b_c=two)) == {("g", "f")}
    assert resolved(a_c=one, b_c=two).externals == ["f"]
    assert calls(resolved(a_c=one + two)) == {("g", "f")}
    assert not resolved(a_c=one + two).externals
    assert not resolved(a_h=one, b_c='#include "a.h"\n' + two).externals


def test_the_included_file_decides_between_classes_of_one_name() -> None:
    first = "struct Lock { void take() {} };\n"
    second = "struct Lock { void take() {} int other; };\n"
    use = '#include "b.hpp"\nvoid run(Lock *lock) { lock->take(); }\n'
    found = resolved(a_hpp=first, b_hpp=second, c_cpp=use)
    assert {found.symbols[one.callee].path for one in found.calls} == {"b.hpp"}


def test_functions_in_a_table_are_mentioned_by_their_file() -> None:
    found = resolved(
        a_c="void get(void) {}\nvoid put(void) {}\nstruct row { void (*run)(void); };\n"
        "struct row all[] = {{get}, {.run = &put}};\n"
    )
    mentioned = {(found.symbols[one.source].key, *keys(found, one.target)) for one in found.references}
    assert {("", "get"), ("", "put")} <= mentioned


def test_a_header_with_methods_only_is_read_as_cpp() -> None:
    text = "struct Status {\n  virtual void start() = 0;\n  void stop() const;\n};\n"
    assert language_for("a.h").extract("a.h", text.encode()).language == "cpp"
    assert language_for("a.h").extract("a.h", b"struct s { int class; };\nint run(struct s *one);\n").language == "c"


SOURCES = sorted(
    path for name in ("c", "cpp") for path in (Path(__file__).parent / "sources" / name).rglob("*.*") if path.is_file()
)
BROKEN = (
    *(word.encode() for word in ["{", "}", "(", ")", "<", ">", "::", "->", "*"]),
    b"#if X\n",
    b"#else\n",
    b"#endif\n",
    b"class API ",
    b"namespace {",
    b"template <",
)


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 9))])
def test_damaged_sources_raise_nothing_and_keep_calls_between_definitions(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        chosen = rng.sample(SOURCES, 4)
        files = []
        for number, path in enumerate(chosen):
            name = f"{number}{path.suffix}"
            files.append(language_for(name).extract(name, damaged(rng, path.read_bytes(), BROKEN)))
        found = resolve(files)
        assert all(call.callee < len(found.symbols) and min(call.lines) > 0 for call in found.calls)


@pytest.mark.parametrize(
    "text",
    [
        "typedef A A; void f(A *a) { a->go(); }\n",
        "typedef A B; typedef B A; void f(A *a) { a->go(); }\n",
        "struct A : B {}; struct B : A {}; void f(A *a) { a->go(); }\n",
        "struct A { A *operator->(); }; void f(A a) { a->go(); }\n",
        "auto a = b; auto b = a; void f() { a->go(); }\n",
        "namespace a { using namespace b; } namespace b { using namespace a; } void f() { a::go(); }\n",
    ],
)
def test_declarations_in_terms_of_themselves_end(text: str) -> None:
    assert all(one.callee < 0 for one in resolved(a_cpp=text).calls)
