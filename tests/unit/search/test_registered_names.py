"""Strings that register a definition, in the forms of several languages."""

from collections.abc import Callable
from typing import Any

import pytest

from repoquarry.graphstore.search.index.registered_names import find_registered_names
from repoquarry.graphstore.search.localization import locate
from repoquarry.graphstore.search.requests import LocateRequest

PYTHON = """
from web import app, path, option

@app.route("/login/<name>")
def sign_in(name):
    return 1

class QdpWriter:
    _format_name = "ascii.qdp"
    title = "two words"

    def write(self):
        kind = "local"
        return kind

    @option("--dry-run")
    @app.other
    def run(self):
        return 2

def export_pdf():
    return 3

class CsvWriter:
    pass

class LoginView:
    pass

def list_all():
    return 4

def run_check():
    return 5

FORMATS = {"pdf": export_pdf, "count": 3, "csv": CsvWriter(sep=","), "none": str(CsvWriter)}
urls2 = [path("sign-in/", LoginView.as_view(), name="x")]
parser.add_option("--all", dest="all", action="callback", callback=list_all)
check = commands.add_parser("check", help="Check (all) files")
check.add_argument("--deep", help="x")
check.set_defaults(func=run_check)
other = commands.add_parser("other")
wrap("not-registered", list_all(1))
urls = [path("admin/", views.admin), path("basket/", sign_in), export_pdf("no-key", 1)]
"""
TYPESCRIPT = """
@Controller('baskets')
export class BasketController {
  static readonly kind = 'basket-kind';

  @Get('items/:id')
  findItem(id: string) { return id; }
}

function login(req: any) { return req; }
router.post('/login', login);
"""
JAVA = """
@Service("till")
class Till {
    private static final String NAME = "till-name";

    @GetMapping("/count")
    int count() { return 1; }
}
"""
EXPECTED = {
    "py": {
        ("sign_in", "/login/<name>"),
        ("sign_in", "basket/"),
        ("QdpWriter", "ascii.qdp"),
        ("QdpWriter.run", "--dry-run"),
        ("export_pdf", "pdf"),
        ("CsvWriter", "csv"),
        ("LoginView", "sign-in/"),
        ("list_all", "--all"),
        ("run_check", "check"),
    },
    "ts": {
        ("BasketController", "baskets"),
        ("BasketController", "basket-kind"),
        ("BasketController.findItem", "items/:id"),
        ("login", "/login"),
    },
    "java": {("Till", "till"), ("Till", "till-name"), ("Till.count", "/count")},
}


@pytest.mark.parametrize(("suffix", "text"), [("py", PYTHON), ("ts", TYPESCRIPT), ("java", JAVA)])
def test_strings_register_their_definitions(make_library: Callable[..., Any], suffix: str, text: str) -> None:
    places = make_library({"r": {f"a.{suffix}": text}}).indexes.open("r").places
    standing = places.standing(0)
    owners = standing.owners(text.count("\n") + 1)
    found = {(standing.qualname(place), key) for place, key in find_registered_names(standing, text, owners)}
    assert found == EXPECTED[suffix]


def test_registered_string_names_its_handler(make_library: Callable[..., Any]) -> None:
    other = "class Reader:\n    def read(self):\n        return 'a qdp table'\n"
    library = make_library({"r": {"a.py": PYTHON, "b.py": other}})
    answer = locate(library, LocateRequest("ascii.qdp tables"))
    assert answer.definitions[0].qualname == "QdpWriter"
