"""Hashes of bodies: layout, comments, documentation and the own name do not count; everything else does, in every language."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repoquarry.languages.registry import all_languages, language_for, load
from repoquarry.languages.source_text import add_body_hashes, body_code

_STEPS = "\n".join(
    f"    {name} = charge({name}, order.lines[{place}], 'x{place}')" for place, name in enumerate("abcdef")
)
PYTHON = f"def settle(order, a, b, c, d, e, f):\n{_STEPS}\n    if a > b:\n        return settle(order, b, a, c, d, e, f)\n    return a\n"
_BRACED = "".join(f'  x{place} = charge(x{place}, lines[{place}], "s{place}");\n' for place in range(6))
BRACED = {
    "a.js": f"function settle(order, x0) {{\n{_BRACED}  return x0 + x1;\n}}\n",
    "a.ts": f"function settle(order: Order, x0: number): number {{\n{_BRACED}  return x0 + x1;\n}}\n",
    "A.java": f"class A {{\n int settle(Order order, int x0) {{\n{_BRACED}  return x0 + x1;\n}}\n}}\n",
    "a.go": f"package a\nfunc settle(order Order, x0 int) int {{\n{_BRACED}  return x0 + x1;\n}}\n",
    "a.c": f"int settle(struct order *o, int x0) {{\n{_BRACED}  return x0 + x1;\n}}\n",
    "a.rs": f"fn settle(order: Order, x0: u8) -> u8 {{\n{_BRACED}  return x0 + x1;\n}}\n",
    "a.cs": f"class A {{\n int settle(Order order, int x0) {{\n{_BRACED}  return x0 + x1;\n}}\n}}\n",
    "a.php": "<?php\n"
    + re.sub(r"\b(x\d)\b", r"$\1", f"function settle($order, x0) {{\n{_BRACED}  return x0 + x1;\n}}\n"),
    "a.kt": f"fun settle(order: Order, x0: Int): Int {{\n{_BRACED}  return x0 + x1;\n}}\n",
}


def body(path: str, text: str, at: int = 0) -> str:
    language = language_for(path)
    facts = add_body_hashes(language.extract(path, text.encode()), text.encode(), language)
    return [found for found in facts.bodies if found][at]


@pytest.mark.parametrize("path", sorted(BRACED))
def test_layout_comments_and_the_name_do_not_count(path: str) -> None:
    text = BRACED[path]
    found = body(path, text)
    assert len(found) == 20
    assert body(path, text.replace("  ", "\t\t ").replace(");\n", ") ;\n\n")) == found
    assert body(path, text.replace(");\n", "); // said\n", 2).replace("  return", "  /* a\n b */ return")) == found
    assert body(path, text.replace("settle", "pay")) == found
    for old, new in ((" + ", " - "), ("s3", "s9"), ("lines[2]", "lines[7]"), ("charge", "credit")):
        assert body(path, text.replace(old, new, 1)) != found


def test_ruby() -> None:
    steps = "".join(f"  x{place} = charge(x{place}, lines[{place}], 's{place}')\n" for place in range(6))
    text = f"def settle(order, x0)\n{steps}  x0 + x1\nend\n"
    found = body("a.rb", text)
    assert body("a.rb", text.replace("  x2 =", "  # said\n    x2 =").replace("settle", "pay")) == found
    assert body("a.rb", text.replace(" + ", " - ")) != found


def test_python_layout_documentation_and_the_name_do_not_count() -> None:
    found = body("a.py", PYTHON)
    wrapped = PYTHON.replace(
        "charge(a, order.lines[0], 'x0')", "charge(\n        a,  # one\n        order.lines[0],\n        'x0',\n    )"
    )
    assert body("a.py", wrapped) == found
    assert body("a.py", PYTHON.replace("f):\n", 'f):\n    """Settle: an order.\n\n    More."""\n\n', 1)) == found
    assert body("a.py", PYTHON.replace("    ", "  ")) == found
    assert body("a.py", PYTHON.replace("settle", "pay")) == found
    assert body("a.py", "class A:\n" + re.sub("(?m)^", "    ", PYTHON)) == found


def test_the_name_within_another_word_counts() -> None:
    longer = PYTHON.replace("charge", "settle_charge")
    assert body("a.py", longer.replace("settle(", "pay(")) == body("a.py", longer)
    assert body("a.py", longer.replace("settle", "pay")) != body("a.py", longer)


def test_python_structure_counts() -> None:
    found = body("a.py", PYTHON)
    moved = PYTHON.replace("    return a\n", "        return a\n")
    assert body("a.py", moved) != found, "what stands in a block is not what stands behind it"
    tuple_of_one = PYTHON.replace("return a\n", "return (a)\n")
    assert body("a.py", tuple_of_one) != body("a.py", tuple_of_one.replace("(a)\n", "(a,)\n"))
    assert body("a.py", PYTHON.replace("a > b", "a >= b")) != found
    assert body("a.py", PYTHON.replace("'x1'", "'x # 1'")) != body("a.py", PYTHON.replace("'x1'", "'x # 2'"))


def test_what_is_short_or_no_function_has_none() -> None:
    language = language_for("a.py")
    text = f"class A:\n    def get(self):\n        a = 1\n        return self.x\n\n\n{PYTHON}"
    facts = add_body_hashes(language.extract("a.py", text.encode()), text.encode(), language)
    assert [bool(found) for found in facts.bodies] == [False, False, True]


@given(st.lists(st.sampled_from([" ", "\t", "\n", "  # said\n"]), min_size=7, max_size=7))
def test_any_space_behind_a_bracket_is_layout(spaces: list[str]) -> None:
    parts = PYTHON.split("(")
    text = "(".join([parts[0], parts[1], *(space + part for space, part in zip(spaces, parts[2:], strict=False))])
    assert len(parts) - 2 <= len(spaces)
    assert body("a.py", text) == body("a.py", PYTHON)


def test_no_language_begins_a_comment_with_a_quote() -> None:
    # strings and comments are distinguished by their first character
    for language in all_languages():
        markers = (*language.comments.line, *(opening for opening, _ in language.comments.block))
        assert all(marker[0] not in "\"'`" for marker in markers), language.name


@pytest.mark.parametrize(
    ("broken", "same"),
    [
        ("(\n  a,\n  [b, {c}])", True),
        ("([(\n  a)\n], {\n})", True),
        ("[a](\n  b)", True),
        ("(a)\n  + b", False),
        ("(a), [\n] + (\n b)\n  + c", False),
    ],
)
def test_line_continues_while_a_bracket_is_open(broken: str, same: bool) -> None:
    text = PYTHON.replace("    return a\n", f"    kept = a + {broken}\n    return kept\n")
    joined = text.replace(broken, re.sub(r"\s*\n\s*", " ", broken))
    assert (body("a.py", text) == body("a.py", joined)) is same


@pytest.mark.parametrize(
    ("language", "before", "same", "different"),
    [
        (
            "python",
            "(a):\n    return a",
            '(a, b: dict[str, int] = {}) -> int:\n    """Doc."""\n\n    return a  # x',
            "(a):\n    return b",
        ),
        ("python", "(a):\n    return 'x'", "(b):\n  return 'x'", "(a):\n    return 'y'"),
        ("typescript", "(a) { return a }", "<T>(a: { b: T }): T {\n  // x\n  return a\n}", "(a) { return b }"),
        ("javascript", " = (a) => a.b", " = async (a, c) => a.b", " = (a) => a.c"),
        (
            "java",
            "(int a) { return a; }",
            "(int a, List<String> b) throws X {\n    /* x */ return a;\n  }",
            "(int a) { return 1; }",
        ),
    ],
)
def test_the_code_of_a_body_is_equal_without_signature_comments_and_layout(
    language: str, before: str, same: str, different: str
) -> None:
    comments = load(language).comments
    base = body_code(before, "f", comments, documented=False)
    assert body_code(same, "f", comments, documented='"""' in same) == base
    assert body_code(different, "f", comments, documented=False) != base
