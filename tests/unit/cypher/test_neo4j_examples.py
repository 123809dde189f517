"""Style and saved queries of `examples/neo4j` name labels, types and properties of the schema."""

import re
from pathlib import Path

import pytest

from repoquarry.graphstore.model.schema import NODE_LABELS, RELATIONSHIP_TYPES
from repoquarry.graphstore.query.cypher.gate import admit

_FOLDER = Path(__file__).resolve().parents[3] / "examples" / "neo4j"
_RULE = re.compile(r"(node|relationship)(?:\.(\w+))? \{\n((?:  [a-z-]+: [^;\n]+;\n)+)\}\n")


def test_style_has_rules_for_every_label_and_known_captions_only() -> None:
    text = (_FOLDER / "style.grass").read_text(encoding="utf-8")
    rules = _RULE.findall(text)
    assert _RULE.sub("", text) == ""
    assert {name for kind, name, _ in rules if kind == "node" and name} == set(NODE_LABELS)
    assert {name for kind, name, _ in rules if kind == "relationship" and name} <= set(RELATIONSHIP_TYPES)
    for kind, name, body in rules:
        for caption in re.findall(r"caption: '\{(\w+)\}'", body):
            assert kind == "node"
            assert caption in NODE_LABELS[name].by_name


@pytest.mark.parametrize("file", sorted(_FOLDER.glob("*.cypher")), ids=lambda file: file.stem)
def test_saved_query_has_a_title_and_passes_the_gate_without_warnings(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("// ")
    assert admit(text, {}, "neo4j").warnings == ()
