"""Name resolution over two small repositories."""

from collections.abc import Iterator

import pytest

from repoquarry.code.name_resolution import (
    NameMatch,
    clean_name,
    name_parts,
    require_definitions,
    require_subject,
    resolve_name,
)
from repoquarry.code.reader import CodeReader
from repoquarry.graphstore.errors import AmbiguousNameError, NotFoundError
from repoquarry.graphstore.repository_names import find_repository
from tests.indexed_trees import indexed_trees

pytestmark = pytest.mark.usefixtures("thread_workers")

_MAIL = """class Mailer:
    def __init__(self):
        self.sent = 0

    def send(self, text):
        return text

    def json(self):
        return {}


class Spool(Mailer):
    pass


def send():
    return Mailer()
"""
_TREES: dict[str, dict[str, str | bytes]] = {
    "mail-2.1": {"mail/mailer.py": _MAIL, "mail/query.py": "class Query:\n    def sql(self):\n        return 1\n"},
    "shop": {
        "src/Cart.java": "public class Cart {\n  public Cart() {}\n  void add(int a) {}\n  void add(String a) {}\n}\n",
        "docs/query.md": "# Query\n",
    },
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeReader]:
    with indexed_trees(tmp_path_factory.mktemp("names"), _TREES) as store:
        yield CodeReader(store)


@pytest.mark.parametrize(
    ("name", "id_", "match"),
    [
        ("mail-2.1:mail/mailer.py::Mailer", "mail-2.1:mail/mailer.py::Mailer", NameMatch.ID),
        ("Mailer", "mail-2.1:mail/mailer.py::Mailer", NameMatch.NAME),
        ("`Mailer()`", "mail-2.1:mail/mailer.py::Mailer", NameMatch.NAME),
        ("Mailer.json", "mail-2.1:mail/mailer.py::Mailer.json", NameMatch.NAME),
        ("Query.sql", "mail-2.1:mail/query.py::Query.sql", NameMatch.NAME),
        ("mail.mailer.Mailer.send", "mail-2.1:mail/mailer.py::Mailer.send", NameMatch.NAME),
        ("mail.Mailer", "mail-2.1:mail/mailer.py::Mailer", NameMatch.NAME),
        ("mail.mailer:Mailer", "mail-2.1:mail/mailer.py::Mailer", NameMatch.NAME),
        ("Mailer::send", "mail-2.1:mail/mailer.py::Mailer.send", NameMatch.NAME),
        ("Cart#add", "shop:src/Cart.java::Cart.add", NameMatch.NAME),
        ("Cart", "shop:src/Cart.java::Cart", NameMatch.NAME),
        ("Spool.send", "mail-2.1:mail/mailer.py::Mailer.send", NameMatch.INHERITED),
        ("MAILER.JSON", "mail-2.1:mail/mailer.py::Mailer.json", NameMatch.CASE),
        ("mailer.py", "mail-2.1:mail/mailer.py", NameMatch.PATH),
        ("./mail/mailer.py", "mail-2.1:mail/mailer.py", NameMatch.PATH),
        ("mail\\mailer.py", "mail-2.1:mail/mailer.py", NameMatch.PATH),
        ("mailer.py::Mailer.send", "mail-2.1:mail/mailer.py::Mailer.send", NameMatch.PATH),
        ("mailer.py:6", "mail-2.1:mail/mailer.py::Mailer.send", NameMatch.PATH),
        ("shop/src/Cart.java", "shop:src/Cart.java", NameMatch.PATH),
        ("docs/query.md", "shop:docs/query.md", NameMatch.PATH),
        ("shop/docs", "shop:docs", NameMatch.PATH),
    ],
)
def test_each_usual_form_finds_the_one_definition(reader: CodeReader, name: str, id_: str, match: NameMatch) -> None:
    repositories = reader.store.repositories()
    assert resolve_name(reader, name, repositories).match is match
    assert require_subject(reader, name, repositories)[0].id == id_


def test_several_definitions_are_candidates(reader: CodeReader) -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        require_definitions(reader, "send", ["mail-2.1"])
    assert set(caught.value.candidates) == {"mail-2.1:mail/mailer.py::Mailer.send", "mail-2.1:mail/mailer.py::send"}


def test_overloads_and_constructors_are_one_subject(reader: CodeReader) -> None:
    assert len(require_definitions(reader, "Cart.add", ["shop"])) == 2
    assert {node.labels[0] for node in require_subject(reader, "Cart", ["shop"])} >= {"Class", "Function"}


@pytest.mark.parametrize(
    ("name", "nearest"), [("Mialer", "Mailer"), ("Mailer.sedn", "Mailer.send"), ("mail/mailr.py", "mail/mailer.py")]
)
def test_a_typing_error_is_answered_with_the_nearest_name_only(reader: CodeReader, name: str, nearest: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        resolve_name(reader, name, reader.store.repositories())
    assert nearest in caught.value.nearest


def test_repositories_are_found_without_their_version(reader: CodeReader) -> None:
    assert find_repository(reader.store, "mail") == "mail-2.1"
    assert find_repository(reader.store, "SHOP") == "shop"
    with pytest.raises(NotFoundError, match="nearest: shop"):
        find_repository(reader.store, "shpo")


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
