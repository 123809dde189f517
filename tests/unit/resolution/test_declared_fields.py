"""Calls of a class on a field of itself that is given what a type declares."""

from __future__ import annotations

from repoquarry.ingest.resolution import LIKELY, resolve
from repoquarry.languages.javascript.extractor import extract

SOURCE = """
interface Options { mapping(): void; }
class Decoder {
  mapping;
  constructor(options: Options) { this.mapping = options.mapping; }
  read() { return this.mapping(); }
}
new Decoder({ mapping() {} });
new Decoder({ mapping() {} });
"""


def test_what_the_type_declares_is_likely_and_what_objects_have_is_possible() -> None:
    found = resolve([extract("main.ts", SOURCE.encode())])
    edges = [
        (found.symbols[edge.callee].key, edge)
        for edge in found.calls
        if edge.callee >= 0 and found.symbols[edge.caller].key == "Decoder.read"
    ]
    likely = {key for key, edge in edges if edge.confidence >= LIKELY}
    assert likely == {"Options.mapping"}
    assert len(edges) == 3
    assert {edge.how for key, edge in edges if key not in likely} == {"possible"}
