"""Facts of the extractor of JavaScript and TypeScript about one file."""

import time

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.facts import FileFacts
from repoquarry.languages.javascript.extractor import extract


def read(text: str, path: str = "src/main.ts") -> FileFacts:
    return extract(path, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "function (",
        "class { constructor( }",
        "import { from 'x'",
        "export default",
        "const {a, = 1",
        "type A = { b: ",
        "<div><span></div>",
        "\x00\x01\x02",
        "enum { A = }",
        "@dec",
        "interface I { m(a: }",
    ],
)
@pytest.mark.parametrize("suffix", [".js", ".ts", ".tsx"])
def test_code_before_a_syntax_error_is_read(text: str, suffix: str) -> None:
    facts = extract(f"main{suffix}", f"function before() {{}}\n{text}".encode())
    assert facts.definitions[0].key == "before"
    assert facts.parse_errors[0].line == 2
    resolve([facts])


@pytest.mark.parametrize(
    "text",
    [
        "new.target; import.meta; a?.[b]?.(c); x = <T,>(y: T) => y;",
        "using x = f(); await using y = g();",
        "import x from './x.json' with { type: 'json' };",
        "class A { accessor x = 1; static async *[Symbol.iterator]() {} }",
        "for await (const x of y()) {} label: for (;;) { continue label }",
        "export type { A } from './a'; export * as default from './b';",
        "const enum E { A = 'a' } declare global { interface Window { x: 1 } }",
        "function f<const T extends readonly unknown[]>(x: T): asserts x is T {}",
    ],
)
@pytest.mark.parametrize("suffix", [".js", ".ts", ".tsx"])
def test_newer_syntax_is_no_broken_place(text: str, suffix: str) -> None:
    facts = extract(f"main{suffix}", text.encode())
    assert facts.parse_errors == ()
    resolve([facts])


def test_bytes_that_are_no_text_are_read() -> None:
    assert extract("a.js", "const a = 'é';".encode("latin-1")).encoding == "latin-1"
    assert extract("a.js", "function f() {}".encode("utf-16")).definitions[0].name == "f"


NESTED = {
    "brackets": "(" * 5000 + "1" + ")" * 5000,
    "calls": "f(" * 5000 + ")" * 5000,
    "arrays": "[" * 5000 + "]" * 5000,
    "functions": "function f() {" * 5000 + "}" * 5000,
    "chain": "a" + ".b()" * 5000,
    "sum": "1" + " + 1" * 5000,
    "else-if": "if (a) {} " + "else if (b) {} " * 5000,
    "ternary": "x = " + "a ? b : " * 5000 + "c",
    "blocks": "{" * 5000 + "}" * 5000,
    "callbacks": "f(() => {" * 5000 + "})" * 5000,
    "objects": "x = {a: function() {" * 2500 + "}}" * 2500,
    "classes": "class A { m() {" * 2500 + "} }" * 2500,
    "assignments": "a = " * 5000 + "1",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_deep_nesting_is_followed_without_going_to_the_root_for_each_level(text: str) -> None:
    """A node of a syntax tree finds those around it from the root on: asked at each level that takes 10 to 30 s."""
    started = time.process_time()
    resolve([extract("deep.js", text.encode())])
    assert time.process_time() - started < 20


def test_a_minified_file_is_read() -> None:
    one = "function a(b,c){return b&&c.d(e=>e.f(b)),[b,c].map(g=>g.h)}"
    facts = extract("min.js", (one.replace("a(", "a$N(") * 3000).encode())
    assert len(facts.definitions) == 9000
    resolve([facts])


@pytest.mark.parametrize(
    "written",
    [
        "typeof " * 400 + "A",
        "(" * 400,
        "A<" * 400,
        "{" * 400,
        "A|" * 300,
        "import(",
        "import('x",
        "...",
        "A[",
        "function(",
        "=>",
    ],
)
def test_no_type_of_a_comment_stops_extraction(written: str) -> None:
    found = read(
        f"/** @param {{{written}}} a */\nfunction f(a) {{ a.b(); }}\n/** @type {{{written} */\nlet c = f();\n", "a.js"
    )
    assert [one.key for one in found.definitions] == ["f"]
    assert len(resolve([found]).symbols) == 2
