"""Source text: normalized layout, and line ends of every kind."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repoquarry.ingest.files.documents import read_document
from repoquarry.languages.registry import LANGUAGES, is_source, language_for
from repoquarry.languages.source_text import decode_source, normalize_layout, split_lines
from tests.indexed_trees import indexed_trees

pytestmark = pytest.mark.usefixtures("thread_workers")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(self, a: int = 1)", "(self, a: int = 1)"),
        ("(\n    self,\n    a: int = 1,\n)", "(self, a: int = 1)"),
        ("(  # type: ignore[override]\n    self, fn: F  # why, oh why\n)", "(self, fn: F)"),
        ("( self, scope: Scope )", "(self, scope: Scope)"),
        ("(a, x=(1,))", "(a, x=(1,))"),
        ("(a, x=(\n1,\n),)", "(a, x=(1,))"),
        ("(a, x=f(\n1,\n),)", "(a, x=f(1))"),
        ("(f: Callable[\n  [int, str],\n  None,\n])", "(f: Callable[[int, str], None])"),
        ('(sep=", )", end="\\", ]")', '(sep=", )", end="\\", ]")'),
        ("(a='#', b=1)", "(a='#', b=1)"),
        ("(*, a, /, **k)", "(*, a, /, **k)"),
        ("()", "()"),
        ("( )", "()"),
        ("(\n)", "()"),
        ("str", "str"),
        ("dict[str,\n     int]", "dict[str, int]"),
        ("(a,b , c)", "(a, b, c)"),
        ("(a: int|None, b: int | None)", "(a: int|None, b: int | None)"),
        ("(a, \\\n    b: C[int, \\\r\n      str])", "(a, b: C[int, str])"),
        ("(x=lambda: {\n'a': 1,\n})", "(x=lambda: {'a': 1})"),
    ],
)
def test_layout_of_python(written: str, expected: str) -> None:
    assert normalize_layout(written, "#") == expected
    assert normalize_layout(expected, "#") == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("(\n  final int a, // the first\n  String... b /* rest */\n)", "(final int a, String... b)"),
        ("(a = `x,\n )`, b = '//')", "(a = `x,\n )`, b = '//')"),
        ("({ a, b }: Props)", "({a, b}: Props)"),
        ("({\n  a,\n  b,\n}: Props)", "({a, b}: Props)"),
        ("<T,\n U>(a: Map<T, U>) => void", "<T, U>(a: Map<T, U>) => void"),
    ],
)
def test_layout_of_languages_with_braces(written: str, expected: str) -> None:
    assert normalize_layout(written, "//") == expected


_PIECES = [
    *("a", "b1", "é", *"*=:./", "->", *"()[]{}", *"\"'`\\#", " ", " ", ",", ", ", ", "),
    *("\n", "'( '", '"x  y"', "\u3000"),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12), st.sampled_from(["#", "//"]))
def test_trailing_space_does_not_change_the_layout(pieces: list[str], line_comment: str) -> None:
    text = "".join(pieces)
    assert normalize_layout(text, line_comment) == normalize_layout(f"{text} ", line_comment)


@pytest.mark.parametrize("broken", ["(((", ")))", ",", ",,)", "'", '"""', "/*", "# ", " ", ""])
def test_broken_text_gives_a_text(broken: str) -> None:
    assert isinstance(normalize_layout(broken, "#"), str)
    assert isinstance(normalize_layout(broken, "//"), str)


SAMPLES = {
    language_for(path.name).name: path
    for subject in ("resolution", "facts", "structure")
    for path in sorted((Path(__file__).parents[1] / subject / "sources").rglob("*.*"))
    if path.suffix != ".toy" and is_source(path.name)
}
"""A source of every language, of those that other tests read."""
PYTHON = "# One.\rdef first():\r    return 1\r\r\rdef second():\r    return first()\r"
SUFFIXES = {name: suffixes[0] for entry in LANGUAGES.values() for name, suffixes in entry.suffixes.items()}


@pytest.mark.parametrize("ending", ["\r", "\r\n"], ids=["carriage return", "both"])
@pytest.mark.parametrize("name", SUFFIXES)
def test_positions_do_not_depend_on_line_ends(name: str, ending: str) -> None:
    path = f"a{SUFFIXES[name]}"
    text, extract = SAMPLES[name].read_text("utf-8"), language_for(path).extract
    plain = extract(path, text.encode())
    for encoding in ("utf-8", "utf-16"):
        read = extract(path, text.replace("\n", ending).encode(encoding))
        spans = [(one.key, one.start_line, one.name_line, one.end_line) for one in read.definitions]
        assert spans == [(one.key, one.start_line, one.name_line, one.end_line) for one in plain.definitions]
        assert spans
        assert read.loc == plain.loc
        assert read.parse_errors == ()


def test_lines_end_where_positions_count_them() -> None:
    text = "one\rtwo\r\nthree\ffour\u2028five\x1csix\nseven"
    assert split_lines(text) == ["one", "two", "three\ffour\u2028five\x1csix", "seven"]
    assert decode_source(text.encode(), "utf-8").count("\n") == 3
    document = read_document("a.md", b"# Title\r\rFirst words.\r")
    assert (document.heading, document.summary, document.lines) == ("Title", "First words.", 3)


def test_stored_lines_agree_with_positions(tmp_path: Path) -> None:
    with indexed_trees(tmp_path, {"tree": {"a.py": PYTHON}}) as store:
        [[start, end]] = store.query("MATCH (f:Function {name: 'second'}) RETURN f.start_line, f.end_line").rows
        [[lines]] = store.query("MATCH (m:Module) RETURN m.lines").rows
        text = store.source_text("tree", "a.py")
    assert isinstance(start, int)
    assert isinstance(end, int)
    assert text.split("\n")[start - 1 : end] == ["def second():", "    return first()"]
    assert lines == text.count("\n") == 7
