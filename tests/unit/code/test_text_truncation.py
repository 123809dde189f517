"""Truncation of views: by relevance, by sections of a log, and by the forms of a language."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repoquarry.code.excerpts.text_truncation import truncate_view
from repoquarry.code.excerpts.text_view import DefinitionSpan, TextView, ViewKind
from repoquarry.code.records import DefinitionRecord
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.settings import SelectionSettings
from repoquarry.languages.registry import is_folder_index


def _module(functions: int, body: int) -> tuple[str, tuple[DefinitionSpan, ...]]:
    lines, spans = ["import os", ""], []
    for number in range(functions):
        start = len(lines) + 1
        verb = "retry_request" if number == functions // 2 else f"step_{number}"
        lines += [f"def {verb}(value: int) -> int:", f'    """Do {verb}."""']
        lines += [f"    value = value * {number} + {line}  # keep going on" for line in range(body)]
        lines += ["    return value", ""]
        spans.append(DefinitionSpan(verb, start, len(lines) - 1))
    return "\n".join(lines), tuple(spans)


def test_short_view_is_left_alone() -> None:
    view = TextView(ViewKind.CODE, "a = 1\nb = 2", "m.py", 1)
    chosen = truncate_view(view, "b", SelectionSettings())
    assert chosen.method == ""
    assert chosen.text == "m.py\n    1 a = 1\n    2 b = 2"
    assert chosen.tokens_before == chosen.tokens_after == token_counting.count_tokens(chosen.text)


def test_code_keeps_signatures_and_the_body_of_the_task() -> None:
    text, spans = _module(40, 20)
    view = TextView(ViewKind.CODE, text, "pkg/m.py", 1, spans)
    chosen = truncate_view(view, "where is a request retried?", SelectionSettings(view_tokens=2_500))
    assert chosen.method == "subtrees"
    assert chosen.tokens_after <= 2_500 < chosen.tokens_before
    assert "def step_0(value: int) -> int:" in chosen.text
    assert "def step_39(value: int) -> int:" in chosen.text
    assert "value = value * 20 + 19" in chosen.text  # the body of retry_request
    assert "omitted" in chosen.text


_PYTHON = (
    "class Shop:",
    "    def {name}(self, order: Order) -> Price:",
    "        return self.total + {line}  # {name}",
    "",
)
_JAVA = ("class Shop {", "  Price {name}(Order order) {{", "    total = total.plus({line});", "  }")
_SCRIPT = ("export class Shop {", "  {name}(order) {{", "    this.total = this.total + {line}", "  }")


def _shop(form: tuple[str, ...], sizes: list[int]) -> tuple[str, list[DefinitionSpan]]:
    """Return a class with a method of each size, which have two words as their name."""
    head, first, inner, last = form
    words = ["order", "refund", "price", "basket", "stock", "parcel", "coupon", "ledger", "mirror", "telescope"]
    lines, spans = [head], [DefinitionSpan("Shop", 1, 0)]
    for number, size in enumerate(sizes):
        name = f"{words[number % 10]}_{words[number // 10 % 10]}_{'abcdefgh'[number // 100]}x"
        start = len(lines) + 1
        lines += [first.format(name=name), *(inner.format(name=name, line=line) for line in range(size)), last]
        spans.append(DefinitionSpan(f"Shop.{name}", start, len(lines) - (not last)))
    spans[0] = DefinitionSpan("Shop", 1, len(lines))
    return "\n".join(lines), spans


@pytest.mark.parametrize("limit", [8_000, 4_000, 2_666])
@pytest.mark.parametrize(
    ("path", "form", "sizes"),
    [
        ("many.py", _PYTHON, [2] * 600),
        ("mixed.py", _PYTHON, [3, 8, 20, 40] * 20),
        ("Mixed.java", _JAVA, [3, 8, 20, 60] * 20),
        ("mixed.js", _SCRIPT, [2, 2, 2, 50] * 30),
    ],
)
def test_cut_file_keeps_the_body_that_the_subject_names(
    path: str, form: tuple[str, ...], sizes: list[int], limit: int
) -> None:
    text, spans = _shop(form, sizes)
    view = TextView(ViewKind.CODE, text, path, 1, tuple(spans), path)
    lines = text.split("\n")
    for span in spans[1 :: len(spans) // 7]:
        subject = span.qualname.partition(".")[2].replace("_", " ")
        chosen = truncate_view(view, subject, SelectionSettings(view_tokens=limit))
        shown = set(chosen.text.split("\n"))
        body = {f"{number:>5} {lines[number - 1]}" for number in range(span.start_line, span.end_line + 1)}
        assert body <= shown, span
        assert 0.95 * limit <= chosen.tokens_after <= limit, span


def test_one_long_function_is_cut_at_its_statements() -> None:
    body = [line for n in range(300) for line in (f"    if flag_{n}:", f"        total += compute({n})")]
    body[400:400] = ["    with connection.timeout(5):", "        raise DeadlineExceeded('too late')"]
    text = "\n".join(["def run(connection):", '    """Run it."""', *body, "    return total"])
    view = TextView(ViewKind.CODE, text, "m.py", 10, (DefinitionSpan("run", 10, 10 + text.count("\n")),))
    chosen = truncate_view(view, "when is the deadline exceeded?", SelectionSettings(view_tokens=400))
    assert chosen.tokens_after <= 400
    assert "def run(connection):" in chosen.text
    assert "raise DeadlineExceeded" in chosen.text
    assert "  413         raise DeadlineExceeded" in chosen.text  # numbered by the file's lines


def test_document_keeps_the_best_chunks_in_order() -> None:
    parts = [f"Chapter {n}\n\n" + "Lorem ipsum dolor sit amet. " * 60 + "\n" for n in range(30)]
    parts[7] += "\nInstall it with pip from the package index.\n"
    parts[23] += "\nTo install from source, run the installer.\n"
    view = TextView(ViewKind.DOCUMENT, "\n".join(parts), "README.md", 1)
    chosen = truncate_view(view, "how do I install it?", SelectionSettings())
    assert chosen.method == "chunks"
    assert chosen.kept.startswith("4 of ")
    assert chosen.text.index("Install it with pip") < chosen.text.index("To install from source")
    assert chosen.tokens_after <= 8_000


def test_log_keeps_head_tail_and_the_error() -> None:
    lines = [f"step {n}: compiling unit number {n}" for n in range(4_000)]
    lines[2_000] = "ValueError: the widget has no handle"
    chosen = truncate_view(TextView(ViewKind.LOG, "\n".join(lines)), "", SelectionSettings(view_tokens=1_000))
    assert chosen.method == "head_and_tail"
    assert chosen.tokens_after <= 1_000
    for needed in ("step 0:", "step 3999:", "ValueError: the widget has no handle", "step 1999:"):
        assert needed in chosen.text


def test_rows_keep_the_first() -> None:
    view = TextView(ViewKind.ROWS, "\n".join(f"row {n}" for n in range(1_000)), "callers")
    chosen = truncate_view(view, "", SelectionSettings(view_tokens=300))
    assert chosen.method == "rows"
    assert "row 0" in chosen.text
    assert "lines omitted" in chosen.text
    assert chosen.tokens_after <= 300


@pytest.mark.parametrize("kind", list(ViewKind))
@settings(max_examples=25, deadline=None)
@given(
    text=st.text(alphabet=st.sampled_from('ab(:\n {}"#é🏛errorError'), max_size=3_000),
    limit=st.integers(min_value=30, max_value=200),
    starts=st.lists(st.tuples(st.integers(1, 60), st.integers(0, 30)), max_size=8),
)
def test_never_over_the_limit(kind: ViewKind, text: str, limit: int, starts: list[tuple[int, int]]) -> None:
    spans = tuple(DefinitionSpan(f"f{start}", start, start + length) for start, length in starts)
    view = TextView(kind, text, "heading", 1, spans)
    chosen = truncate_view(view, "error in b", SelectionSettings(view_tokens=limit))
    assert token_counting.count_tokens(chosen.text) == chosen.tokens_after <= limit


def test_a_single_endless_line_is_cut() -> None:
    for kind in ViewKind:
        chosen = truncate_view(TextView(kind, "x y " * 50_000), "y", SelectionSettings(view_tokens=200))
        assert chosen.tokens_after <= 200


def test_index_file_of_a_folder_is_not_part_of_the_module_name() -> None:
    def segments(path: str) -> tuple[str, ...]:
        return DefinitionRecord("r:x", "Function", "r", path, "f", "f", "function", 1, 1).segments

    assert segments("a/b/__init__.py") == segments("a/b/index.tsx") == segments("a/b/mod.rs") == ("a", "b", "f")
    assert segments("a/__init__.js") == ("a", "__init__", "f")
    assert segments("a/index.py") == ("a", "index", "f")
    assert not is_folder_index("a/README.md")


def test_documentation_inside_of_a_definition_belongs_to_its_head_where_the_language_writes_it_so() -> None:
    settings = SelectionSettings(view_tokens=900)
    text, spans = _module(12, 40)

    def count(path: str) -> tuple[int, int]:
        view = TextView(ViewKind.CODE, text, path, 1, spans, path)
        shown = truncate_view(view, "where are frogs fed?", settings).text
        return len(re.findall('"""Do \\w+', shown)), len(re.findall(r"def \w+\(", shown))

    assert count("m.py") == (12, 12)
    documented, defined = count("m.go")
    assert documented < defined == 12


def test_without_relevance_a_long_view_is_cut_at_its_end() -> None:
    lines = [f"line {number} of many" for number in range(3_000)] + ["install it with pip"]
    view = TextView(ViewKind.DOCUMENT, "\n".join(lines), "README")
    chosen = truncate_view(view, "how do I install it?", SelectionSettings(view_tokens=400, by_relevance=False))
    assert chosen.tokens_after <= 400
    assert chosen.method == "beginning"
    assert "line 3 of many" in chosen.text
    assert "install it with pip" not in chosen.text
