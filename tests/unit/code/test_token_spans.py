"""Token spans name keywords, strings, comments, numbers and definitions, in characters, within the lines that are asked for."""

import pytest

from repoquarry.code.views.token_spans import TokenKind, compute_token_spans


def _tokens(path: str, text: str, first: int = 1, last: int = 100) -> list[tuple[int, str, str]]:
    lines = text.split("\n")
    found = compute_token_spans(path, lines, first, last)
    return [(n, lines[n - 1][s.start : s.end], TokenKind(s.kind).name) for n in sorted(found) for s in found[n]]


def test_python_tokens_are_classified() -> None:
    text = 'def größe(x=1):  # "no"\n    return f"é{x + 2}" if x is None else x\n'
    assert _tokens("a.py", text) == [
        (1, "def", "KEYWORD"), (1, "größe", "DEFINITION"), (1, "1", "NUMBER"), (1, '# "no"', "COMMENT"),
        (2, "return", "KEYWORD"), (2, 'f"', "STRING"), (2, "é", "STRING"), (2, "2", "NUMBER"), (2, '"', "STRING"),
        (2, "if", "KEYWORD"), (2, "is", "KEYWORD"), (2, "None", "NUMBER"), (2, "else", "KEYWORD"),
    ]  # fmt: skip


def test_a_text_of_several_lines_has_a_span_on_each() -> None:
    text = 'def f():\n    """One.\n\n    Two.\n    """\n    return 1\n'
    assert _tokens("a.py", text, 3, 4) == [(4, "Two.", "STRING")]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.ts", "export class Foo { run(): void {} }", {("Foo", "DEFINITION"), ("run", "DEFINITION"), ("class", "KEYWORD")}),
        ("a.tsx", "const x = <b>{1}</b>", {("const", "KEYWORD"), ("1", "NUMBER")}),
        ("A.java", "class A { int f() { return 1; } }", {("A", "DEFINITION"), ("f", "DEFINITION"), ("int", "KEYWORD")}),
        ("a.go", "package a\nfunc F() string { return \"x\" }", {("F", "DEFINITION"), ("func", "KEYWORD"), ('"x"', "STRING")}),
        ("a.rs", "fn f() -> u8 { 7 } // c", {("f", "DEFINITION"), ("fn", "KEYWORD"), ("// c", "COMMENT")}),
        ("a.rb", "def f\n  :x\nend", {("def", "KEYWORD"), ("end", "KEYWORD")}),
        ("a.c", "int f(void) { return 0x1f; } /* c */", {("return", "KEYWORD"), ("0x1f", "NUMBER"), ("/* c */", "COMMENT")}),
        ("a.kt", "fun f() = \"x\"", {("fun", "KEYWORD"), ('"x"', "STRING")}),
        ("a.php", "<?php function f() { return 'x'; }", {("function", "KEYWORD"), ("f", "DEFINITION"), ("'x'", "STRING")}),
        ("a.cs", "class A { int F() => 1; }", {("class", "KEYWORD"), ("A", "DEFINITION"), ("F", "DEFINITION")}),
    ],
)  # fmt: skip
def test_every_grammar_is_read(path: str, text: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= {(text, kind) for _, text, kind in _tokens(path, text)}


def test_files_without_a_grammar_have_no_spans() -> None:
    assert compute_token_spans("notes.txt", ["class A:"], 1, 1) == {}
