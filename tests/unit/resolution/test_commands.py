"""References of tests to the commands that they invoke."""

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages import registry

APP = """
import click
import typer
@click.group()
def cli(): pass
@cli.command("insert")
def insert_row(): pass
@cli.command()
def drop_table(): pass
@cli.command
def upsert_command(): pass
@cli.group()
def db(): pass
@db.command(name="migrate")
def migrate_it(): pass
@cli.command("migrate")
def migrate_all(): pass
@click.command()
def alone(): pass
@click.command()
def other(): pass
cli.add_command(alone)
cli.add_command(other, "renamed")
app = typer.Typer()
users = typer.Typer()
app.add_typer(users, name="users")
@users.command("create")
def create_user(): pass
@app.command("create")
def create_all(): pass
"""
HEAD = """import pytest
from click.testing import CliRunner
from app import alone, app, cli
import app as module
"""


def list_commands(body: str, path: str = "tests/test_app.py") -> list[tuple[str, str]]:
    """Return (definition, command) of the references from a file of tests."""
    texts = {"app.py": APP, path: HEAD + body}
    files = [registry.language_for(one).extract(one, text.encode()) for one, text in sorted(texts.items())]
    names = [name for facts in files for name in ("", *(one.qualname for one in facts.definitions))]
    return [(names[one.source], names[one.target]) for one in resolve(files).references if one.how == "command"]


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("invoke(cli, ['insert', 'x'])", ["insert_row"]),
        ("invoke(module.cli, ['--verbose', 'drop-table'])", ["drop_table"]),
        ("invoke(cli, ['upsert'])", ["upsert_command"]),
        ("invoke(cli, args=['db', 'migrate'])", ["migrate_it", "db"]),
        ("invoke(cli, ['migrate'])", ["migrate_all"]),
        ("invoke(cli, 'alone --flag')", ["alone"]),
        ("invoke(cli, ['renamed'])", ["other"]),
        ("invoke(cli, ['insert', 'drop-table'])", ["insert_row"]),
        ("invoke(cli, ['--file', path, 'insert'])", ["insert_row"]),
        ("invoke(cli, ['insert'] + options)", ["insert_row"]),
        ("invoke(cli, ['insert', *options])", ["insert_row"]),
        ("invoke(app, ['users', 'create'])", ["create_user"]),
        ("invoke(app, ['create'])", ["create_all"]),
        ("invoke(make_cli(), ['drop-table'])", ["drop_table"]),
        ("invoke(alone, ['insert'])", []),
        ("invoke(cli, ['unknown'])", []),
        ("invoke(cli, [])", []),
        ("run(cli, ['insert'])", []),
    ],
)
def test_first_words_name_the_command_of_the_group(line: str, commands: list[str]) -> None:
    found = list_commands(f"def test_it(runner, path, options):\n    runner.{line}\n")
    assert sorted(command for _, command in found) == sorted(commands)


def test_words_come_from_parametrize() -> None:
    body = """
@pytest.mark.parametrize("args", [["insert", "x"], ["drop-table"]])
def test_lines(runner, args):
    runner.invoke(cli, args)
@pytest.mark.parametrize("name,code", [("insert", 0), pytest.param("alone", 1)])
def test_names(runner, name, code):
    runner.invoke(cli, [name])
"""
    assert set(list_commands(body)) == {
        ("test_lines", "insert_row"),
        ("test_lines", "drop_table"),
        ("test_names", "insert_row"),
        ("test_names", "alone"),
    }


def test_words_come_from_calls_of_a_helper() -> None:
    body = """
def run(*args):
    return CliRunner().invoke(cli, list(args))
@pytest.fixture
def line(runner):
    def inner(words, code=0):
        return runner.invoke(cli, words)
    return inner
class TestIt:
    def call(self, words):
        return CliRunner().invoke(cli, words)
    def test_method(self):
        self.call(["db", "migrate"])
def test_rest():
    run("insert", "x")
def test_fixture(line):
    line(["drop-table"])
"""
    assert set(list_commands(body)) == {
        ("test_rest", "insert_row"),
        ("test_fixture", "drop_table"),
        ("TestIt.test_method", "db"),
        ("TestIt.test_method", "migrate_it"),
    }


def test_commands_of_a_test_are_visible_in_it_only() -> None:
    body = """
import click
def test_one(runner):
    @click.group()
    def tool(): pass
    @tool.command()
    def build(): pass
    runner.invoke(tool, ["build"])
def test_two(runner, tool):
    runner.invoke(tool, ["build"])
"""
    assert list_commands(body) == [("test_one", "test_one.build")]


def test_code_outside_tests_names_no_command() -> None:
    assert list_commands("def it(runner):\n    runner.invoke(cli, ['insert'])\n", "tool.py") == []
