"""Commands `queries`, `query --named` and `check`, on a local store and through a server."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.e2e.service import Service, run_here, run_json, succeed

_RULE = """// No function of more than a number of lines.
// rule
// $repository: string = ""; id of the repository, empty for all
// $lines: integer = 1; highest number of lines
MATCH (f:Function)
WHERE f.end_line - f.start_line >= $lines AND ($repository = '' OR f.repository = $repository)
RETURN f.path AS path, f.qualname AS name ORDER BY path, name
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with one rule, and one query that is none."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "short-functions.cypher").write_text(_RULE, encoding="utf-8")
    (folder / "all-modules.cypher").write_text("// All.\nMATCH (m:Module) RETURN m.path AS path\n", encoding="utf-8")
    return folder


def test_named_queries_are_listed_by_topic(shop_store: Path) -> None:
    text = succeed(shop_store, "queries").stdout
    assert (
        "calls\n  most-called-functions [$repository]\n    Most called functions outside tests, by likely calls.\n"
        in text
    )
    assert "  call-path [$repository] $start $end\n" in text
    listed = run_json(shop_store, "queries")["queries"]
    assert {query["name"] for query in listed if query["rule"]} >= {"import-cycles", "dead-code"}


def test_named_query_equals_its_text(shop_service: Service, shop_store: Path) -> None:
    shown = succeed(shop_store, "queries", "longest-functions").stdout
    by_text = succeed(shop_store, "query", shown, "--param", 'repository="shop"', "--format", "csv").stdout
    named = ("query", "--named", "longest-functions", "--format", "csv")
    assert succeed(shop_store, *named).stdout == by_text
    remote = run_here(shop_store.parent / "nowhere", *named, "--server", shop_service.address)
    assert remote.stdout == by_text
    assert by_text.count("\n") > 3


def test_own_folder_is_used_by_option_and_by_setting(shop_store: Path, rules: Path) -> None:
    named = ("query", "--named", "short-functions", "--param", "lines=2", "--format", "csv")
    by_option = succeed(shop_store, *named, "--folder", str(rules)).stdout
    by_setting = succeed(shop_store, *named, REPOQUARRY_STORE_QUERY_FOLDER=str(rules)).stdout
    assert by_option == by_setting
    assert by_option.count("\n") > 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["query", "--named", "call-path"], 2, "call-path needs $start"),
        (["query", "RETURN 1", "--named", "call-path"], 2, "a query is given as well"),
        (["queries", "nothing"], 3, "no named query 'nothing'"),
        (["check"], 2, "no rule is given"),
        (["check", "import-cycles", "--repository", "shoop"], 3, "shoop"),
        (["check", "import-cycles", "--param", "limit=1"], 2, "no rule has a parameter $limit"),
        (["check", "import-cycles", "--format", "xml"], 2, "no format 'xml'; formats: text, markdown, junit"),
    ],
)
def test_mistakes_are_named(shop_store: Path, arguments: list[str], code: int, message: str) -> None:
    done = run_here(shop_store, *arguments)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr


def test_file_that_is_no_rule_is_refused(shop_store: Path, rules: Path) -> None:
    done = run_here(shop_store, "check", str(rules / "all-modules.cypher"))
    assert done.returncode == 2
    assert "no rule in" in done.stderr


def test_kept_rules_pass_and_violated_ones_fail(shop_service: Service, shop_store: Path, rules: Path) -> None:
    passed = run_here(shop_store, "check", "import-cycles", str(rules), "-r", "shop", "--param", "lines=500")
    assert passed.returncode == 0, passed.stderr
    assert "ok  short-functions: 0 violations" in passed.stdout
    arguments = ("check", "import-cycles", str(rules), "--repository", "shop", "--json")
    failed = run_here(shop_store, *arguments)
    remote = run_here(shop_store.parent / "nowhere", *arguments, "--server", shop_service.address)
    assert (failed.returncode, remote.returncode) == (11, 11)
    by_name = {rule["name"]: rule for rule in json.loads(failed.stdout)["rules"]}
    assert by_name["import-cycles"]["count"] == 0
    assert ["shop/till.py", "price"] in by_name["short-functions"]["rows"]
    assert [rule["rows"] for rule in json.loads(remote.stdout)["rules"]] == [one["rows"] for one in by_name.values()]


def test_reports_are_markdown_and_junit(shop_store: Path, rules: Path, tmp_path: Path) -> None:
    report = tmp_path / "rules.xml"
    done = run_here(shop_store, "check", str(rules), "import-cycles", "--format", "junit", "--output", str(report))
    assert (done.returncode, done.stdout) == (11, "")
    suite = ElementTree.fromstring(report.read_text(encoding="utf-8"))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failure = suite.find("testcase[@name='short-functions']/failure")
    assert failure is not None
    assert "path=shop/till.py, name=price" in (failure.text or "")
    text = run_here(shop_store, "check", str(rules), "import-cycles", "--format", "markdown").stdout
    assert "| `import-cycles` | 0 violations |" in text
    assert "| shop/till.py | price |" in text


def test_rows_beyond_the_shown_ones_are_counted(shop_store: Path, tmp_path: Path) -> None:
    rule = tmp_path / "numbers.cypher"
    rule.write_text("// None.\n// rule\nUNWIND range(1, 50) AS n RETURN n\n", encoding="utf-8")
    done = run_here(shop_store, "check", str(rule))
    assert "FAIL  numbers: 50 violations" in done.stdout
    assert done.stdout.endswith("30 more\n1 rules, 1 violated\n") or done.stdout.endswith("30 more\n")


def test_lint_reads_texts_without_a_store(tmp_path: Path, rules: Path) -> None:
    clean = run_here(tmp_path, "check", "--lint", str(rules), "dead-code")
    assert (clean.returncode, clean.stdout) == (0, "")
    (rules / "wrong.cypher").write_text("// Wrong.\n// rule\nMATCH (f:Fonction) RETURN f.id\n", encoding="utf-8")
    found = run_here(tmp_path, "check", "--lint", str(rules))
    assert found.returncode == 11
    assert found.stdout.startswith("wrong: The schema has no label 'Fonction'; did you mean 'Function'?")
    assert "3 queries, 1 findings" in found.stderr
