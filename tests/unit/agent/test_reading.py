"""Names and stack traces are read as people write them."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.reading.name_resolution import clean_name, name_parts
from repoquarry.graphstore.search.mentions import StackFrame, parse_stack_frames


def test_stack_frames_are_read_in_order() -> None:
    text = 'File "/srv/a/b.py", line 3, in f\n  x()\n  File "C:\\\\code\\\\c.py", line 14, in g.<locals>.h\nKeyError'
    assert list(parse_stack_frames(text)) == [
        StackFrame("C://code//c.py", 14, "g.<locals>.h", 0),
        StackFrame("/srv/a/b.py", 3, "f", 1),
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("`Model.save()`", ("Model", "save")),
        ("@property", ("property",)),
        ("Model::save", ("Model", "save")),
        ("Model#save(int)", ("Model", "save")),
        ("List<Item>.add", ("List", "add")),
        ("pkg.base:main", ("pkg", "base", "main")),
        ("Model.#secret", ("Model", "#secret")),
        ("", ()),
    ],
)
def test_name_parts_split_at_the_separators_of_every_language(text: str, parts: tuple[str, ...]) -> None:
    assert name_parts(clean_name(text)) == parts
