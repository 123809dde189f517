"""Names and stack traces are read as people write them."""

from __future__ import annotations

import pytest

from repoquarry.graphstore.reading.records import NameReference, parse_name
from repoquarry.graphstore.search.mentions import StackFrame, parse_stack_frames


def test_stack_frames_are_read_in_order() -> None:
    text = 'File "/srv/a/b.py", line 3, in f\n  x()\n  File "C:\\\\code\\\\c.py", line 14, in g.<locals>.h\nKeyError'
    assert list(parse_stack_frames(text)) == [
        StackFrame("C://code//c.py", 14, "g.<locals>.h", 0),
        StackFrame("/srv/a/b.py", 3, "f", 1),
    ]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Model.save", NameReference(("Model", "save"))),
        ("`Model.save()`", NameReference(("Model", "save"))),
        ("@property", NameReference(("property",))),
        ("pkg/base.py", NameReference(path="pkg/base.py")),
        ("./pkg/base.py:120", NameReference(path="pkg/base.py", line=120)),
        ("pkg\\base.py", NameReference(path="pkg/base.py")),
        ("base.py", NameReference(path="base.py")),
        ("shop:pkg/base.py::A.b#2", NameReference(path="pkg/base.py", qualname="A.b")),
        ("pkg/base.py::A.b", NameReference(path="pkg/base.py", qualname="A.b")),
        ("", NameReference()),
    ],
)
def test_targets(text: str, target: NameReference) -> None:
    assert parse_name(text) == target
