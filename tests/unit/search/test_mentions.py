"""Reading a task: its parts, and what it names in each."""

import pytest

from repoquarry.graphstore.search.mentions import StackFrame, extract_mentions

ISSUE = """[Bug]: RangeSlider ignores `valinit` of set_val
<!-- please search first -->

### Bug summary
The slider (see lib/widgets/slider.py or django.forms.Field) breaks `Slider.set_val()` badly.

- [x] I searched

### Code
```python
from shop.cart import Cart, Item
Cart().add(1)
```

```pytb
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/shop/cart.py", line 12, in add
    self.check(item)
  File "/usr/lib/python3/site-packages/shop/rules.py", line 40, in check
    raise ValueError(f"bad {item}")
ValueError: bad 1
```

### Versions
Python 3.9, numpy_release 1.21
"""


def test_title_prose_code_and_trace_are_distinguished() -> None:
    mentions = extract_mentions(ISSUE)
    assert mentions.title == "RangeSlider ignores `valinit` of set_val"
    assert "breaks" in mentions.prose
    assert "Cart().add(1)" in mentions.code
    assert "ValueError: bad 1" in mentions.trace
    assert "self.check(item)" in mentions.trace


def test_what_the_form_asks_for_is_left_out() -> None:
    mentions = extract_mentions(ISSUE)
    everything = " ".join((mentions.title, mentions.prose, mentions.code, mentions.trace))
    for noise in ("please search", "Bug summary", "I searched", "numpy_release"):
        assert noise not in everything


def test_frames_count_from_the_failure() -> None:
    frames = extract_mentions(ISSUE).frames
    assert [(frame.path.rsplit("/", 1)[-1], frame.line, frame.function) for frame in frames] == [
        ("rules.py", 40, "check"),
        ("cart.py", 12, "add"),
    ]


def test_frames_of_other_runtimes() -> None:
    java = "NPE\n\n  at org.shop.Cart.add(Cart.java:12)\n  at org.shop.Main.main(Main.java:3)"
    assert extract_mentions(java).frames == (
        StackFrame("Cart.java", 12, "add"),
        StackFrame("Main.java", 3, "main"),
    )
    node = "Fails\n\nTypeError: x is undefined\n    at Cart.add (/app/src/cart.js:10:5)\n    at async run (src/main.ts:2:1)"
    found = extract_mentions(node).frames
    assert [(frame.path, frame.line, frame.function) for frame in found] == [
        ("/app/src/cart.js", 10, "add"),
        ("src/main.ts", 2, "run"),
    ]


def test_names_are_found_where_they_are_said() -> None:
    mentions = extract_mentions(ISSUE)
    assert {"valinit", "RangeSlider", "set_val"} <= set(mentions.marked_words)
    assert "breaks" not in mentions.marked_words
    assert "lib/widgets/slider.py" in mentions.paths
    assert {"shop.cart.Cart", "shop.cart.Item", "django.forms.Field", "Slider.set_val"} <= set(mentions.dotted)


def test_any_text_can_be_read() -> None:
    for text in ("", "\n\n", "```", "x" * 100_000, "<!--", "\0", "ümläut größe", "a\r\nb\rc"):
        extract_mentions(text)
    assert extract_mentions("a\r\nbody").title == "a"


TRACES = {
    "go": (
        "panic: boom\n\ngoroutine 1 [running]:\nmain.run(...)\n\t/src/app/main.go:12 +0x1d\n",
        ("/src/app/main.go", 12, ""),
    ),
    "rust": ("thread 'main' panicked at src/main.rs:3:5:\nboom\n", ("src/main.rs", 3, "")),
    "csharp": ("   at Shop.Cart.Add(Item item) in /app/Cart.cs:line 42", ("/app/Cart.cs", 42, "Add")),
    "ruby": ("lib/shop/cart.rb:12:in `add': boom (RuntimeError)", ("lib/shop/cart.rb", 12, "add")),
    "php": ("PHP Fatal error:  Uncaught Error in /app/src/Cart.php:12", ("/app/src/Cart.php", 12, "")),
    "php trace": ("#0 /app/src/Till.php(7): Shop\\Cart->add()", ("/app/src/Till.php", 7, "")),
    "c": ("#1 0x55d in cart_add src/cart.c:12:5", ("src/cart.c", 12, "cart_add")),
    "gdb": ("#0  cart_add (item=0x0) at src/cart.c:12", ("src/cart.c", 12, "cart_add")),
    "kotlin": ("\tat org.shop.Cart.add(Cart.kt:12)", ("Cart.kt", 12, "add")),
    "java module": ("\tat app//com.acme.Till.count(Till.java:23)", ("Till.java", 23, "count")),
    "ipython": (
        "File ~/x/pkg/mod.py:351, in Cls.f(self)\n    349 def f(self):\n--> 351     g()",
        ("~/x/pkg/mod.py", 351, "Cls.f"),
    ),
    "jupyter on windows": ("File c:\\x\\mod.py:7, in <module>", ("c:/x/mod.py", 7, "<module>")),
    "old ipython": ("~/x/pkg/mod.py in f(self)\n    349 def f(self):\n--> 351     g()", ("~/x/pkg/mod.py", 351, "f")),
    "old ipython without a line": ("/x/pkg/mod.py in <module>\ntext", ("/x/pkg/mod.py", 0, "<module>")),
    "pytest": ("src/pkg/mod.py:351: TypeError", ("src/pkg/mod.py", 351, "")),
    "pytest with a dotted error": ("src/pkg/mod.py:351: pkg.errors.Broken", ("src/pkg/mod.py", 351, "")),
    "pytest in short": ("src/pkg/mod.py:351: in f", ("src/pkg/mod.py", 351, "f")),
    "compiler": ("src/mod.c:3:5: error: expected", ("src/mod.c", 3, "")),
    "windows": ('File "C:\\\\code\\\\c.py", line 14, in g.<locals>.h', ("C://code//c.py", 14, "g.<locals>.h")),
}


@pytest.mark.parametrize(("text", "expected"), TRACES.values(), ids=list(TRACES))
def test_frames_of_every_language(text: str, expected: tuple[str, int, str]) -> None:
    found = extract_mentions(f"It fails\n\n{text}").frames
    assert [(frame.path, frame.line, frame.function) for frame in found] == [expected]


LINKS = {
    "https://github.com/o/r/blob/abc/src/lib/gen.js#L61": ("src/lib/gen.js", 61),
    "https://gitlab.example/o/r/-/blob/main/src/lib/gen.js#L61-70": ("src/lib/gen.js", 61),
    "https://bitbucket.org/o/r/src/abc/src/lib/gen.js#lines-61:70": ("src/lib/gen.js", 61),
    "https://raw.githubusercontent.com/o/r/abc/src/lib/gen.js": ("src/lib/gen.js", 0),
}


@pytest.mark.parametrize("link", LINKS)
def test_link_to_a_file_is_a_place_and_no_words(link: str) -> None:
    path, line = LINKS[link]
    mentions = extract_mentions(f"Broken\n\nsee {link}, or [the line]({link}).")
    assert path in mentions.paths
    assert mentions.frames == ((StackFrame(path, line, ""),) * 2 if line else ())
    assert set(mentions.prose_words) == {"see", "or", "the", "line"}


def test_address_of_a_documented_name_is_the_name() -> None:
    mentions = extract_mentions(
        "Wrong\n\nread https://docs.example/en/fields/#shop.models.Field and http://x.example/#top"
    )
    assert mentions.dotted == ("shop.models.Field",)
    assert mentions.prose_words == ("read", "and")


def test_frame_in_an_address_is_still_a_frame() -> None:
    text = "Fails\n\n    at total (http://localhost:8080/src/cart.js:12:5)"
    assert extract_mentions(text).frames == (StackFrame("http://localhost:8080/src/cart.js", 12, "total"),)


def test_source_lines_of_an_ipython_frame_belong_to_the_trace() -> None:
    mentions = extract_mentions(
        "T\n\n~/x/mod.py in f(self)\n    349 before()\n--> 351 failing()\n    352 after()\n\nThen prose."
    )
    assert {"before", "failing", "after"} <= set(mentions.trace.replace("()", "").split())
    assert mentions.prose.strip() == "Then prose."


@pytest.mark.parametrize(
    "head",
    ["Cell In[3], line 2", "<ipython-input-3-aa> in <module>", "Input In [3], in <cell line: 2>()", "In [4], line 1"],
)
def test_cell_of_a_notebook_begins_a_trace(head: str) -> None:
    mentions = extract_mentions(
        f"T\n\nBefore.\n{head}\n      1 import x\n----> 2 x.run()\n\nFile ~/o/mod.py:12, in run(a)\n"
    )
    assert mentions.frames == (StackFrame("~/o/mod.py", 12, "run"),)
    assert mentions.prose.strip() == "Before."
    assert "x.run()" in mentions.trace


@pytest.mark.parametrize(
    "address", ["www.example.com/foo/bar.html", "github.com/o/r/issues/12", "gitlab.com/o/r/-/blob/abc/a.py#L3"]
)
def test_address_without_scheme_is_no_words(address: str) -> None:
    mentions = extract_mentions(f"T\n\nsee {address} now")
    assert mentions.prose_words == ("see", "now")
    assert mentions.dotted == ()
    assert mentions.frames == ((StackFrame("a.py", 3, ""),) if "blob" in address else ())


def test_module_path_of_go_is_a_path() -> None:
    assert "gin-gonic/gin/render" in extract_mentions("T\n\nIn github.com/gin-gonic/gin/render it fails").paths
