"""Interfaces of dependencies: what a table says of a package decides results and members of its objects."""

import msgspec
import pytest

from repoquarry.ingest.interfaces.javascript_reader import read_declarations
from repoquarry.ingest.interfaces.python_reader import read_modules
from repoquarry.ingest.interfaces.tables import (
    PACK,
    STORED,
    InterfaceError,
    InterfaceTable,
    decode_table,
    encode_table,
    entries,
    load_packaged,
    packaged,
)
from repoquarry.ingest.resolution import resolve
from repoquarry.languages.registry import OWN_INTERFACES, language_for

LIBRARY = """
from typing import Any, Awaitable, Callable, ClassVar, Generic, Iterator, Self, TypeVar, overload
M = TypeVar("M")
F = TypeVar("F", bound=Callable[..., Any])
class Query(Generic[M]):
    def get(self) -> M: ...
    def narrowed(self) -> Query[M]: ...
    def same(self) -> Self: ...
    def pairs(self) -> list[tuple[M, int]]: ...
    async def later(self) -> M: ...
    def __iter__(self) -> Iterator[M]: ...
class Manager(Query[M]): ...
class Record:
    objects: ClassVar[Manager[Self]]
    @classmethod
    def load(cls) -> Self: ...
class Link(Generic[M]):
    def __init__(self, to: type[M]) -> None: ...
    @overload
    def __get__(self, obj: None, owner: Any) -> Self: ...
    @overload
    def __get__(self, obj: object, owner: Any) -> M: ...
class Client:
    timeout: int
    def fetch(self) -> Reply: ...
class Reply:
    @property
    def client(self) -> Client | None: ...
    def text(self) -> str: ...
def make(kind: type[M]) -> M: ...
def run(function: Callable[..., M]) -> M: ...
def same(value: M) -> M: ...
def traced(function: F) -> F: ...
default = Client()
"""
APPLICATION = """
import lib
from lib import Client, Link, Query, Record, default, make, run, same, traced
class Item(Record):
    def pay(self): pass
    def lose(self): pass
class Order(Record):
    item = Link(Item)
    def through_link(self): self.item.pay()
def build() -> Item: return Item()
def first_rule(query: Query[Item]): query.same().get().pay()
def second_rule(): Item.objects.same().get().pay()
def third_rule(order: Order): order.item.pay()
def fourth_rule(): make(Item).pay()
def fifth_rule(): run(build).pay()
def identity(): same(Item()).pay()
def loop():
    for one in Item.objects.narrowed(): one.pay()
def pairs():
    for one, number in Item.objects.pairs(): one.pay()
async def waits(): (await Item.objects.later()).pay()
def loads(): Item.load().pay()
@traced
def decorated(): pass
def calls_decorated(): decorated()
def chain(client: Client): client.fetch().client.fetch().text()
def constant(): default.fetch().text()
def wrong(client: Client):
    client.vanish()
    client.fetch().pay()
    Item.objects.pay()
"""
RIGHT = {
    *(f"{name} -> Item.pay" for name in ("Order.through_link", "first_rule", "second_rule", "third_rule", "fourth_rule", "fifth_rule")),
    *(f"{name} -> Item.pay" for name in ("identity", "loop", "pairs", "waits", "loads")),
    "calls_decorated -> decorated", "chain -> lib.Client.fetch", "chain -> lib.Reply.text", "constant -> lib.Reply.text",
}  # fmt: skip


def calls_of(path: str, text: str, table: InterfaceTable, place: str = f"{OWN_INTERFACES}lib.json") -> set[str]:
    """Return the likely calls of a file, lambdas counted to the functions around them."""
    configuration = {place: msgspec.json.encode(table)}
    facts = language_for(path).extract(path, text.encode())
    found = resolve([facts], configuration=configuration)
    names = ["", *(one.qualname for one in facts.definitions)]
    return {
        f"{names[one.caller].partition('.<')[0]} -> {names[one.callee] if one.callee >= 0 else found.externals[~one.callee]}"
        for one in found.calls
        if one.confidence >= 0.5
    }


def library(text: str = LIBRARY) -> InterfaceTable:
    names, stars = read_modules({"lib": (text, False)})
    return InterfaceTable("lib", "pypi", names, "lib 1.0", "MIT", stars)


@pytest.mark.parametrize("place", [f"{OWN_INTERFACES}lib.json", f"{STORED}library/lib.json"])
def test_types_of_an_interface_decide_calls(place: str) -> None:
    found = calls_of("app.py", APPLICATION, library(), place)
    assert found >= RIGHT


def test_no_member_is_claimed_that_the_interface_lacks() -> None:
    found = calls_of("app.py", APPLICATION, library())
    assert not {one for one in found if one.startswith("wrong") and one.rpartition(".")[2] in ("vanish", "pay", "lose")}


def test_inherited_and_dynamic_members_are_known() -> None:
    text = "class Base:\n  def up(self) -> int: ...\nclass Mid(Base): ...\nclass Open(Mid):\n  def __getattr__(self, name): ...\n"
    found = calls_of(
        "app.py", "from lib import Mid, Open\ndef f(a: Mid, b: Open):\n  a.up()\n  b.up()\n  a.down()\n", library(text)
    )
    assert {"f -> lib.Mid.up", "f -> lib.Open.up"} <= found
    assert "f -> lib.Mid.down" not in found


DECLARATIONS = """
import { Other } from "other";
export interface Box<T> { value: T; get(): T; all(): Promise<T[]>; same(): this; }
export declare class Store<T> { constructor(kind: new () => T); find(): T | undefined; }
export declare function wrap<T>(value: T): Box<T>;
export declare function make<T>(build: () => T): T;
declare namespace Inner { interface Deep { walk(): Box<string>; } }
export declare const api: Inner.Deep;
export default api;
"""


def test_declarations_of_npm_packages_decide_calls() -> None:
    names = read_declarations("lib", {"lib/index.d.ts": DECLARATIONS}, ["lib/index.d.ts"])
    table = InterfaceTable("lib", "npm", {"lib": names})
    text = """
import api, { wrap, make, Box } from "lib";
class Item { pay() {} }
function typed(box: Box<Item>) { box.get().pay(); box.same().get().pay(); }
function wrapped() { wrap(new Item()).get().pay(); }
function made() { make(() => new Item()).pay(); }
function external() { api.walk().get(); }
function wrong(box: Box<Item>) { box.vanish(); box.pay(); }
"""
    found = calls_of("app.ts", text, table)
    assert {f"{name} -> Item.pay" for name in ("typed", "wrapped", "made")} <= found
    assert "external -> lib.Box.get" in found
    assert not {one for one in found if one.startswith("wrong")}


def test_refused_tables_say_why_and_leave_the_rest() -> None:
    with pytest.raises(InterfaceError, match="not an interface table"):
        decode_table(b"{}")
    facts = language_for("app.py").extract("app.py", b"import lib\nlib.f()\n")
    assert resolve([facts], configuration={f"{OWN_INTERFACES}lib.json": b"["}).calls


def test_packed_tables_name_version_and_licence_and_survive_encoding() -> None:
    count = 0
    for ecosystem in ("pypi", "npm"):
        for package in sorted(packaged(ecosystem)):
            table = load_packaged(ecosystem, package)
            assert (table.package, table.ecosystem) == (package, ecosystem)
            assert table.source, package
            assert table.licence, package
            assert any(True for _ in entries(table)), package
            count += 1
    assert count == 30
    assert sum(path.stat().st_size for path in PACK.rglob("*.xz")) < 750_000
    flask = load_packaged("pypi", "flask")
    assert decode_table(encode_table(flask)) == flask
