"""Facts of the extractor of JavaScript and TypeScript about one file."""

import time

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.facts import Definition, FileFacts
from repoquarry.languages.javascript.extractor import extract


def read(text: str, path: str = "src/main.ts") -> FileFacts:
    return extract(path, text.encode())


def named(facts: FileFacts) -> dict[str, Definition]:
    return {definition.key: definition for definition in facts.definitions}


def test_functions_take_the_names_of_what_they_are_assigned_to() -> None:
    facts = read(
        "const f = () => 1;\nlet g = function () {};\nx.h = function () {};\nexport default () => 2;\n[1].map(() => 3);\n"
    )
    assert list(named(facts)) == ["f", "g", "x.h", "default", "<lambda1>"]
    assert [one.kind for one in facts.definitions] == ["function"] * 4 + ["lambda"]
    assert named(facts)["x.h"].name == "h"


def test_members_of_classes_are_methods_with_their_places() -> None:
    text = (
        "/** A store. */\n@injectable()\nexport class Store<T> extends Base implements Api {\n  #x = 1;\n"
        "  async get(key: string): Promise<T> {}\n}\n"
    )
    cls, method = read(text).definitions
    assert (cls.kind, cls.qualname, cls.signature, cls.docstring) == ("class", "Store", "(Base, Api)", "A store.")
    assert (cls.start_line, cls.name_line, cls.end_line) == (1 + 1, 3, 6)
    assert [decorator.dotted for decorator in cls.decorators] == ["injectable"]
    assert (method.kind, method.qualname, method.parent, method.is_async) == ("method", "Store.get", "Store", True)
    assert method.signature == "(key: string): Promise<T>"


def test_overload_signatures_are_one_definition() -> None:
    facts = read("function f(a: string): A;\nfunction f(a: number): B;\nfunction f(a: any) { return a; }\n")
    (only,) = facts.definitions
    assert only.overloads == ("(a: string): A", "(a: number): B")
    assert only.signature == "(a: any)"


def test_a_function_defined_twice_has_two_keys() -> None:
    facts = read("if (a) { function f() {} } else { function f() {} }\n", "main.js")
    assert list(named(facts)) == ["f", "f#2"]


def test_imports_say_what_they_take_and_how() -> None:
    text = (
        'import a, { b as c, type D } from "./m";\nimport * as ns from "pkg";\nimport "./side";\n'
        'export * from "./all";\nconst e = require("./e");\nasync () => import("./late");\n'
    )
    found = [(one.module, one.name, one.alias, one.how) for one in read(text).imports]
    assert found == [
        ("./m", "default", "a", "from"),
        ("./m", "b", "c", "from"),
        ("./m", "D", "", "typing"),
        ("pkg", "", "ns", "import"),
        ("./side", "", "", "import"),
        ("./all", "*", "", "star"),
        ("./e", "", "", "import"),
        ("./late", "", "", "dynamic"),
    ]


def test_exports_are_the_names_that_others_see() -> None:
    assert read("export const { a, b: [c] } = x;\nexport { a as d };\nexport default class {}\n").exports == (
        "a",
        "c",
        "d",
        "default",
    )
    assert read("const a = 1;\n", "main.js").exports is None


def test_declaration_files_are_stubs_and_index_files_stand_for_their_folder() -> None:
    assert read("export declare function f(): void;\n", "lib/index.d.ts").is_stub
    facts = read("", "lib/index.js")
    assert (facts.is_package, facts.module_name, facts.language) == (True, "lib", "javascript")


def test_annotations_of_flow_are_read() -> None:
    facts = read("// @flow\nfunction f(a: string): ?number { return g(a); }\n", "main.js")
    assert facts.parse_errors == ()
    assert [one.qualname for one in facts.definitions] == ["f"]


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
def test_what_stands_before_a_broken_place_is_read(text: str, suffix: str) -> None:
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


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "f(" * 5000 + ")" * 5000,
        "[" * 5000 + "]" * 5000,
        "function f() {" * 5000 + "}" * 5000,
        "a" + ".b()" * 5000,
        "1" + " + 1" * 5000,
        "if (a) {} " + "else if (b) {} " * 5000,
        "x = " + "a ? b : " * 5000 + "c",
        "{" * 5000 + "}" * 5000,
        "f(() => {" * 5000 + "})" * 5000,
        "x = {a: function() {" * 2500 + "}}" * 2500,
        "class A { m() {" * 2500 + "} }" * 2500,
        "a = " * 5000 + "1",
    ],
    ids=[
        "brackets",
        "calls",
        "arrays",
        "functions",
        "chain",
        "sum",
        "else-if",
        "ternary",
        "blocks",
        "callbacks",
        "objects",
        "classes",
        "assignments",
    ],
)
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


FORMS = """\
export abstract class Shape {
  constructor(private x: number) {}
  static constructor() {}
  abstract area(): number;
  get size() { return 1; }
  set size(value) {}
  *each() { yield 1; }
  async load() {}
  #secret() {}
  turn = () => {};
}
interface Api { call(): void }
type Options = { depth: number };
enum Colour { RED }
declare function outside(x: string): void;
const table = { get first() { return 1; }, constructor() {} };
"""


def test_definitions_say_what_the_language_calls_them() -> None:
    found = {one.key: (one.kind, one.form, one.is_abstract) for one in read(FORMS).definitions}
    assert found == {
        "Shape": ("class", "", True),
        "Shape.constructor": ("method", "constructor", False),
        "Shape.constructor#2": ("method", "", False),
        "Shape.area": ("method", "", True),
        "Shape.size": ("method", "property", False),
        "Shape.size#2": ("method", "property", False),
        "Shape.each": ("method", "", False),
        "Shape.load": ("method", "", False),
        "Shape.#secret": ("method", "", False),
        "Shape.turn": ("function", "", False),
        "Api": ("class", "interface", False),
        "Api.call": ("method", "", True),
        "Options": ("class", "type alias", False),
        "Colour": ("class", "enum", False),
        "outside": ("function", "", True),
        "first": ("function", "property", False),
        "constructor": ("function", "", False),
    }
    flags = (
        {one.name for one in read(FORMS).definitions if one.is_generator},
        {one.name for one in read(FORMS).definitions if one.is_async},
    )
    assert flags == ({"each"}, {"load"})


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
