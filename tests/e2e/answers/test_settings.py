"""Values in configuration files: `ask`, `show` and `explore` find keys of every format; secrets are hidden."""

from pathlib import Path

import pytest

from tests.e2e.service import run_json, succeed, write_tree

_CODE = {"till.py": "def charge(amount):\n    return amount\n", "README.md": "# Shop\n\nCharge money.\n"}
_SETTINGS = {
    "ruff.toml": 'line-length = 97  # columns\nselect = [\n  "E501",\n]\n[lint.limits]\nmax-branches = 13\n'
    'database = { token = "hunter2a", url = "postgres://ann:hunter2b@db/shop" }\n',
    "tox.ini": "[pytest]\naddopts = --strict-markers\ntestpaths =\n    checks\n    more\n",
    "deploy/service.yml": "services:\n  web:\n    replica_count: 3  # at least\n    zones:\n      - north\n      - south\n"
    "  api_key: >\n    hunter2c\n    hunter2d\n",
    "web.json": '{"compiler": {"strictMode": true}, "paths": [\n  "a",\n  "b"\n],\n"apiKey": "hunter2e"}\n',
    ".env.sample": 'export PAYMENT_TIMEOUT="45"\nSESSION_KEY=hunter2f\n',
    "app.properties": "server.port: 8081\nserver.hosts=one,\\\n  two\nserver.password=hunter2g\n",
    "package-lock.json": '{"lockfileVersion": 3}\n',
    "rows.json": '{"row_total": 9, "filling": "' + "x" * 16_384 + '"}\n',
}
_KEYS = [
    ("lint.limits.max-branches", "ruff.toml", 6, "lint.limits.max-branches", "13"),
    ("LINE_LENGTH", "ruff.toml", 1, "line-length", "97"),
    ("select", "ruff.toml", 2, "select", '[ "E501", ]'),
    ("pytest.addopts", "tox.ini", 2, "pytest.addopts", "--strict-markers"),
    ("testpaths", "tox.ini", 3, "pytest.testpaths", "checks more"),
    ("replica-count", "deploy/service.yml", 3, "services.web.replica_count", "3"),
    ("web.zones", "deploy/service.yml", 4, "services.web.zones", "north, south"),
    ("strictmode", "web.json", 1, "compiler.strictMode", "true"),
    ("paths", "web.json", 1, "paths", '[ "a", "b" ]'),
    ("PAYMENT_TIMEOUT", ".env.sample", 1, "PAYMENT_TIMEOUT", '"45"'),
    ("server.port", "app.properties", 1, "server.port", "8081"),
]
_SECRETS = [("api_key", 2), ("session_key", 1), ("server.password", 1), ("database", 1)]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The stores of one repository with configuration files and of the same one without."""
    folder = tmp_path_factory.mktemp("settings")
    write_tree(folder / "with" / "shop", {**_CODE, **_SETTINGS})
    write_tree(folder / "without" / "shop", _CODE)
    for name in ("with", "without"):
        succeed(folder / name / "store", "index", str(folder / name / "shop"))
    return folder / "with" / "store", folder / "without" / "store"


@pytest.mark.parametrize(("asked", "path", "line", "key", "value"), _KEYS)
def test_commands_find_the_value_of_a_key(
    stores: tuple[Path, Path], asked: str, path: str, line: int, key: str, value: str
) -> None:
    answer = succeed(stores[0], "ask", f"what is the default of {asked}?").stdout
    assert f"`{key}` is `{value}`" in answer
    assert f"{path}:{line}" in answer
    (meaning,) = run_json(stores[0], "show", asked)["meanings"]
    entity = meaning["entity"]
    assert (entity["path"], entity["start_line"], entity["name"]) == (path, line, key)
    assert entity["summary"] == f"= {value}"
    assert f"- {path}:{line} {key} = {value}\n" in succeed(stores[0], "explore", asked).stdout


@pytest.mark.parametrize(("asked", "count"), _SECRETS)
def test_secrets_are_hidden(stores: tuple[Path, Path], asked: str, count: int) -> None:
    for command in (("ask", f"what is the value of {asked}?"), ("show", asked), ("explore", asked)):
        shown = succeed(stores[0], *command).stdout
        assert shown.count("(hidden)") >= count
        assert "hunter2" not in shown


@pytest.mark.parametrize("asked", ["lockfileVersion", "row_total"])
def test_lock_files_and_data_have_no_settings(stores: tuple[Path, Path], asked: str) -> None:
    answer = succeed(stores[0], "ask", f"what is the default of {asked}?").stdout
    assert answer.startswith(f"No assignment of a literal to `{asked}` was found.")


def test_configuration_changes_no_other_answer(stores: tuple[Path, Path]) -> None:
    nodes = "MATCH (n) WHERE NOT n:Repository RETURN n ORDER BY n.id"
    for command in (("query", nodes), ("search", "charge"), ("locate", "hosts of the server"), ("search", "hosts")):
        answers = [run_json(store, *command) for store in stores]
        for answer in answers:
            for key in ("basis", "seconds"):
                answer.pop(key, None)
        assert answers[0] == answers[1]


def test_an_edited_key_is_indexed_again(tmp_path: Path) -> None:
    write_tree(tmp_path / "shop", {**_CODE, "tox.ini": "[pytest]\naddopts = -q\n"})
    for value in ("-q", "-vv"):
        write_tree(tmp_path / "shop", {"tox.ini": f"[pytest]\naddopts = {value}\n"})
        succeed(tmp_path / "store", "index", str(tmp_path / "shop"))
        assert f"`pytest.addopts` is `{value}`" in succeed(tmp_path / "store", "ask", "what is addopts set to?").stdout
