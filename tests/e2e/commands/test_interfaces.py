"""The command `interfaces`: what an index knows of the packages that a folder imports, and what it learns from an environment."""

import json
from pathlib import Path

from tests.e2e.service import run_here
from tests.source_trees import write_tree

_TREE = {
    "app.py": "import requests\nfrom tinylib import connect\n\n\ndef main():\n    requests.get('x')\n    return connect().close()\n",
    "web/page.ts": 'import { open } from "tinyjs";\n\nexport function run() {\n  return open().shut();\n}\n',
    ".venv/pyvenv.cfg": "home = /usr\n",
    ".venv/lib/python3.11/site-packages/tinylib/__init__.py": (
        "class Connection:\n    def close(self) -> None: ...\n\n\ndef connect() -> Connection: ...\n"
    ),
    ".venv/lib/python3.11/site-packages/tinylib-1.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: tinylib\nVersion: 1.2\n",
    "node_modules/tinyjs/package.json": '{"name": "tinyjs", "version": "3.0.0", "types": "index.d.ts"}',
    "node_modules/tinyjs/index.d.ts": "export interface Handle {\n  shut(): void;\n}\nexport function open(): Handle;\n",
}


def test_interfaces_are_listed_and_added_from_an_environment(tmp_path: Path) -> None:
    """After it, calls on what the package gives reach its members."""
    folder, store = write_tree(tmp_path / "project", _TREE), tmp_path / "store"
    query = "MATCH ()-[:CALLS]->(b:External) WHERE b.id CONTAINS ':tiny' RETURN b.id AS id ORDER BY id"

    def listed() -> dict[str, str]:
        done = run_here(store, "interfaces", "--folder", str(folder), "--json")
        return {one["package"]: one["origin"] for one in json.loads(done.stdout)["interfaces"]}

    def called() -> list[str]:
        run_here(store, "index", str(folder))
        return [
            row[0].rpartition(":")[2] for row in json.loads(run_here(store, "query", query, "--json").stdout)["rows"]
        ]

    assert listed() == {"requests": "pack", "tinylib": "none", "tinyjs": "none"}
    before = called()
    done = run_here(store, "interfaces", "add", "--from-environment", "--folder", str(folder), "--json")
    assert len(json.loads(done.stdout)["written"]) == 2, done.stderr
    assert listed() == {"requests": "pack", "tinylib": "own", "tinyjs": "own"}
    assert set(called()) - set(before) == {"tinylib.Connection.close", "tinyjs.Handle.shut"}


def test_wrong_uses_of_the_command_say_what_to_do(tmp_path: Path) -> None:
    folder, store = write_tree(tmp_path / "project", {"app.py": "import tinylib\n"}), tmp_path / "store"
    for words, told in (
        (["add"], "--from-environment"),
        (["remove"], "neither list nor add"),
        (["add", "--from-environment"], "node_modules"),
        (["add", "cargo:serde"], "cargo"),
    ):
        done = run_here(store, "interfaces", *words, "--folder", str(folder))
        assert (done.returncode != 0, told in done.stderr) == (True, True), done.stderr
    (folder / ".repoquarry/interfaces").mkdir(parents=True)
    (folder / ".repoquarry/interfaces/broken.json").write_text("{")
    done = run_here(store, "interfaces", "--folder", str(folder))
    assert (done.returncode != 0, "Traceback" in done.stderr) == (True, False), done.stderr
