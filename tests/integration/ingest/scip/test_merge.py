"""SCIP indexes of real tools and of hand: what agrees, what is added, what is corrected, what is stale, and what is refused."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from repoquarry.graphstore.store import Store
from repoquarry.ingest.errors import ScipRejectedError
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.scip import index_file, scip_pb2
from repoquarry.ingest.scip.merge import ScipReport
from repoquarry.ingest.scip.symbols import Descriptor, parse_symbol, write_symbol
from repoquarry.ingest.settings import IngestSettings
from tests.integration.ingest.conftest import Rows
from tests.source_trees import write_tree

pytestmark = pytest.mark.usefixtures("thread_workers")
_HERE = Path(__file__).parent
_UTF8, _UTF16 = (
    scip_pb2.PositionEncoding.UTF8CodeUnitOffsetFromLineStart,
    scip_pb2.PositionEncoding.UTF16CodeUnitOffsetFromLineStart,
)
_CODE = {
    "lib.py": "class Base:\n    def run(self): ...\n\n\nclass Other:\n    def run(self): ...\n\n\nclass Item(Base):\n    def run(self): ...\n",
    "use.py": (
        "from lib import Other\n\n\ndef guess(x, y):\n    return x['ü'].run()\n\n\ndef wrong():\n    return Other().run()\n\n\n"
        "def mention(handlers):\n    handlers.append(Other)  # Base\n"
    ),
}
_PREFIX = "test . lib 1 "
_BASE, _OTHER, _ITEM = (f"{_PREFIX}`lib.py`/{name}#" for name in ("Base", "Other", "Item"))


@pytest.mark.parametrize(("language", "agreed"), [("python", 9), ("typescript", 3)])
def test_an_index_of_a_real_tool_agrees(
    language: str, agreed: int, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    """The index counts from a folder that is not here, as one that was written elsewhere does."""
    source, index = _HERE / language, str(_HERE / f"{language}.scip")
    plain = index_repository(str(source), store, settings)
    before = rows("MATCH (a)-[r:CALLS]->(b) RETURN a.id, b.id, r.lines, r.how ORDER BY a.id, b.id")
    report = index_repository(str(source), store, settings, scip=[index])

    assert [(one.agreed, one.added, one.disagreed, one.stale) for one in report.scip] == [(agreed, 0, 0, 0)]
    assert rows("MATCH (a)-[r:CALLS]->(b) RETURN a.id, b.id, r.lines, r.how ORDER BY a.id, b.id") == before
    assert rows("MATCH (a)-[r:REFERENCES]->(b) WHERE r.how = 'scip' RETURN a.id, b.id") == []
    assert index_repository(str(source), store, settings, scip=[index]).unchanged
    assert index_repository(str(source), store, settings).revision == plain.revision


def _document(
    path: str, text: str, places: Sequence[tuple[str, str, int, int]], encoding: int = 0
) -> scip_pb2.Document:
    """A document with occurrences (word, symbol, number of the word in the text, roles)."""
    units = {_UTF8: ("utf-8", 1), _UTF16: ("utf-16-le", 2)}.get(encoding, ("utf-32-le", 4))  # type: ignore[call-overload]
    document = scip_pb2.Document(relative_path=path, position_encoding=encoding)  # type: ignore[arg-type]
    for word, symbol, number, roles in places:
        at = -1
        for _ in range(number + 1):
            at = text.index(word, at + 1)
        start = len(text[text.rfind("\n", 0, at) + 1 : at].encode(units[0])) // units[1]
        row = text.count("\n", 0, at)
        document.occurrences.add(range=[row, start, start + len(word)], symbol=symbol, symbol_roles=roles)
    return document


def _index(*documents: scip_pb2.Document) -> bytes:
    metadata = scip_pb2.Metadata(
        tool_info=scip_pb2.ToolInfo(name="hand", version="1"), project_root="file:///elsewhere"
    )
    return scip_pb2.Index(metadata=metadata, documents=documents).SerializeToString()


_DEFINITIONS = _document(
    "lib.py",
    _CODE["lib.py"],
    [
        ("Base", _BASE, 0, 1),
        ("Other", _OTHER, 0, 1),
        ("Item", _ITEM, 0, 1),
        ("run", f"{_BASE}run().", 0, 1),
        ("run", f"{_OTHER}run().", 1, 1),
        ("run", f"{_ITEM}run().", 2, 1),
    ],
)


def _merge(tree: Path, store: Store, settings: IngestSettings, data: bytes) -> ScipReport:
    (tree.parent / "index.scip").write_bytes(data)
    report = index_repository(str(tree), store, settings, scip=[str(tree.parent / "index.scip")])
    (found,) = report.scip
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write_tree(tmp_path / "hand", _CODE)
    return tmp_path / "hand"


@pytest.mark.parametrize("encoding", [0, _UTF8, _UTF16])
def test_unknown_receivers_are_resolved_in_every_encoding(
    encoding: int, tree: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    use = _document("use.py", _CODE["use.py"], [("run", f"{_BASE}run().", 0, 0)], encoding)
    found = _merge(tree, store, settings, _index(use, _DEFINITIONS))

    assert (found.tool, found.added, found.stale) == ("hand 1", 1, 0)
    assert rows("MATCH ({name: 'guess'})-[r:CALLS]->(b) RETURN b.qualname, r.how, r.lines") == [
        ("Base.run", "scip", [5])
    ]
    assert rows("MATCH ({name: 'guess'})-[:UNRESOLVED]->(n) RETURN n.name") == []
    assert rows("MATCH (r:Repository) RETURN r.scip_tools") == [(["hand 1"],)]


def test_an_override_of_the_target_agrees_and_another_target_is_corrected(
    tree: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    use = _document("use.py", _CODE["use.py"], [("run", f"{_ITEM}run().", 1, 0), ("Other", _OTHER, 1, 0)])
    found = _merge(tree, store, settings, _index(_DEFINITIONS, use))

    assert (found.agreed, found.disagreed, found.added) == (1, 1, 0)
    called = rows("MATCH ({name: 'wrong'})-[r:CALLS]->(b) RETURN b.qualname, r.how ORDER BY b.qualname")
    assert called == [("Item.run", "scip"), ("Other", "constructor")]


def test_a_mention_is_a_reference_and_relations_are_added(
    tree: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    documents = scip_pb2.Document()
    documents.CopyFrom(_DEFINITIONS)
    for own, other in ((f"{_OTHER}run().", f"{_BASE}run()."), (_OTHER, _BASE), (_ITEM, _BASE)):
        documents.symbols.add(symbol=own).relationships.add(symbol=other, is_implementation=True)
    use = _document("use.py", _CODE["use.py"], [("Base", _BASE, 0, 0), ("Other", _OTHER, 2, 0)])
    found = _merge(tree, store, settings, _index(documents, use))

    assert (found.references, found.inherits, found.overrides) == (2, 1, 1)
    mentions = rows("MATCH (a)-[r:REFERENCES {how: 'scip'}]->(b) RETURN a.name, b.name, r.kind ORDER BY b.name")
    assert mentions == [("mention", "Base", "scip"), ("mention", "Other", "scip")]
    assert rows("MATCH (a {name: 'Other'})-[:INHERITS]->(b) RETURN b.name") == [("Base",)]
    assert rows("MATCH (a {qualname: 'Other.run'})-[:OVERRIDES]->(b) RETURN b.qualname") == [("Base.run",)]


def test_of_a_changed_file_only_what_still_stands_there_counts(
    tree: Path, store: Store, settings: IngestSettings, rows: Rows
) -> None:
    use = _document(
        "use.py", _CODE["use.py"], [("guess", f"{_PREFIX}`use.py`/guess().", 0, 1), ("run", f"{_BASE}run().", 0, 0)]
    )
    (tree / "use.py").write_text("# One line more.\n" + _CODE["use.py"])
    found = _merge(tree, store, settings, _index(use, _DEFINITIONS))

    assert (found.documents, found.stale, found.added) == (2, 1, 0)
    assert rows("MATCH ({name: 'guess'})-[:CALLS]->(b) RETURN b.id") == []


def test_nested_functions_with_one_symbol_say_nothing(tree: Path, store: Store, settings: IngestSettings) -> None:
    """Some tools name them by their class alone."""
    both = [("run", f"{_BASE}run().", 0, 1), ("run", f"{_BASE}run().", 1, 1)]
    use = _document("use.py", _CODE["use.py"], [("run", f"{_BASE}run().", 0, 0)])
    found = _merge(tree, store, settings, _index(_document("lib.py", _CODE["lib.py"], both), use))
    assert (found.agreed, found.added, found.references) == (0, 0, 0)


def test_auto_takes_the_index_at_the_root(tree: Path, store: Store, settings: IngestSettings) -> None:
    assert index_repository(str(tree), store, settings, scip=["auto"]).scip == ()
    (tree / "index.scip").write_bytes(_index(_DEFINITIONS))
    (found,) = index_repository(str(tree), store, settings, scip=["auto"]).scip
    assert found.file == "index.scip"


def _truncated(data: bytes) -> bytes:
    return data[:-3]


_WHOLE = _index(_DEFINITIONS)
_DAMAGED: dict[str, Callable[[], bytes]] = {
    "text": lambda: b"not an index",
    "cut": lambda: _truncated(_WHOLE),
    "cut in skipped field": lambda: _WHOLE + b"\x1a\x7fabc",
    "huge length": lambda: b"\x12\xff\xff\xff\xff\x7f",
    "endless number": lambda: b"\x12" + b"\xff" * 20,
    "zero field": lambda: b"\x02\x00",
    "wrong wire type": lambda: b"\x10\x05",
    "group": lambda: b"\x13\x14",
    "damaged document": lambda: b"\x12\x03\x12\x7f\x01",
    "invalid text": lambda: b"\x12\x04\x0a\x02\xff\xfe",
    "large document": lambda: b"\x12" + b"\x81\x80\x80\x20" + b"a",
}


@pytest.mark.parametrize("kind", _DAMAGED)
def test_a_damaged_index_is_refused_and_changes_nothing(
    kind: str, tree: Path, store: Store, settings: IngestSettings
) -> None:
    before = index_repository(str(tree), store, settings).revision
    with pytest.raises(ScipRejectedError, match="damaged"):
        _merge(tree, store, settings, _DAMAGED[kind]())
    assert store.revision("hand") == before


def test_random_bytes_never_fail_otherwise(tree: Path, store: Store, settings: IngestSettings) -> None:
    """Flipped bytes give places that do not exist, symbols that are none, or a refusal."""
    chance = random.Random(5)
    for _ in range(30):
        data = bytearray(_WHOLE)
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            _merge(tree, store, settings, bytes(data))
        except ScipRejectedError:
            continue


@pytest.mark.parametrize("path", ["missing.scip", "../outside.scip", "folder"])
def test_an_index_is_a_file_inside_the_source(path: str, tree: Path, store: Store, settings: IngestSettings) -> None:
    (tree.parent / "outside.scip").write_bytes(_WHOLE)
    (tree / "folder").mkdir()
    with pytest.raises(ScipRejectedError, match=path):
        index_repository(str(tree), store, settings, scip=[path])


def test_a_large_index_is_refused_unread(
    tree: Path, store: Store, settings: IngestSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_file, "MAX_BYTES", 100)
    with pytest.raises(ScipRejectedError, match="the limit is 100"):
        _merge(tree, store, settings, _WHOLE)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("scip-python python shop 1.0 `shop.prices`/Item#total().", "total"),
        ("scip-typescript npm shapes 1.0.0 src/`main.ts`/measure().(all)", "all"),
        ("a  b . . . `x``y`/Z#", "Z"),
        ("rust-analyzer cargo std v1 fmt/Debug#[T]", "T"),
        ("local 12", None),
        ("scip", None),
        ("a b c d Broken", None),
        ("a b c d `open", None),
    ],
)
def test_symbols_are_read_as_the_grammar_says(text: str, name: str | None) -> None:
    found = parse_symbol(text)
    assert (found.name if found is not None else None) == name


def test_written_symbols_are_read_back() -> None:
    path = [Descriptor("a b/`c`.py", "/"), Descriptor("Outer", "#"), Descriptor("<lambda1>", "()")]
    found = parse_symbol(write_symbol("my repo", "", path))
    assert found is not None
    assert (found.package, found.version, list(found.descriptors)) == ("my repo", "", path)
