"""References of test clients to handlers of routes."""

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

APP = """
from fastapi import APIRouter, FastAPI
app = FastAPI()
router = APIRouter(prefix="/users")
@app.get("/")
def root(): pass
@app.get("/items/{id}")
def item(id): pass
@app.post("/items/{id}")
def change(id): pass
@app.get("/items/new")
def new(): pass
@router.get("/{name}")
def named(name): pass
@router.get("/{name}/friends")
def friends(name): pass
@app.get("/a/me")
def first(): pass
@app.get("/b/me")
def second(): pass
@app.get("/twice")
def one(): pass
@app.get("/twice")
def other(): pass
"""


def route_handlers(line: str, path: str = "tests/test_app.py") -> list[str]:
    """Return the handlers that a line of a test names."""
    texts = {"app.py": APP, path: f"def test_it(client, settings):\n    {line}\n"}
    files = [registry.language_for(one).extract(one, text.encode()) for one, text in sorted(texts.items())]
    names = [name for facts in files for name in ("", *(one.qualname for one in facts.definitions))]
    found = resolve(files)
    return [names[one.target] for one in found.references if one.how == "route"]


@pytest.mark.parametrize(
    ("line", "handlers"),
    [
        ("client.get('/')", ["root"]),
        ("client.get('/items/3?x=1')", ["item"]),
        ("client.post('/items/3', json={})", ["change"]),
        ("client.get('/items/new')", ["new"]),
        ("client.get('/api/users/x/friends')", ["friends"]),
        ("client.get('/b/me')", ["second"]),
        ("client.delete('/items/3')", []),
        ("client.get('/unknown')", []),
        ("client.get('/twice')", []),
        ("settings.get('items')", []),
        ("client.get('items/3')", []),
    ],
)
def test_path_of_a_request_names_its_handler(line: str, handlers: list[str]) -> None:
    assert route_handlers(line) == handlers


def test_code_outside_tests_names_no_handler() -> None:
    assert route_handlers("client.get('/items/3')", "client.py") == []


def test_paths_of_django_and_express_name_their_handlers() -> None:
    texts = {
        "urls.py": "from django.urls import path\ndef view(request): pass\nurlpatterns = [path('books/<int:pk>/', view)]\n",
        "tests/test_views.py": "def test_it(self):\n    self.client.get('/shop/books/3/')\n",
    }
    files = [registry.language_for(one).extract(one, text.encode()) for one, text in sorted(texts.items())]
    found = resolve(files)
    assert [one.lines for one in found.references if one.how == "route"] == [(2,)]
    script = (
        "const app = require('express')();\nfunction show(req, res) {}\napp.get('/books/:id', show);\n"
        "test('x', async () => { await request(app).get('/books/3'); });\n"
    )
    found = resolve([registry.language_for("app.test.js").extract("app.test.js", script.encode())])
    assert [one.lines for one in found.references if one.how == "route"] == [(4,)]
