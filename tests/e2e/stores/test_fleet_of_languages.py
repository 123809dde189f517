"""Ten repositories in ten languages by one list: calls in each, and links between those that use each other's packages."""

from pathlib import Path

from tests.e2e.service import run_here, run_json
from tests.source_trees import write_tree

SHOP = "<groupId>org.acme</groupId><artifactId>shop</artifactId><version>1.2</version>"
TREES: dict[str, dict[str, str | bytes]] = {
    "c-charge": {"main.c": "int charge(int n) { return n; }\nint run(void) { return charge(1); }\n"},
    "cpp-till": {
        "main.cpp": "class Till { public: int charge(int n) { return n; } };\nint run() { Till t; return t.charge(1); }\n"
    },
    "csharp-till": {
        "Till.cs": "namespace Shop;\nclass Till { int Charge(int n) { return n; } int Run() { return Charge(1); } }\n"
    },
    "go-shop": {
        "go.mod": "module example.org/shop\n",
        "till.go": "package shop\n\nfunc Charge(n int) int { return n }\n\nfunc Run() int { return Charge(1) }\n",
    },
    "java-app": {
        "pom.xml": f"<project><artifactId>app</artifactId><dependencies><dependency>{SHOP}</dependency></dependencies></project>",
        "Main.java": "import org.acme.shop.Till;\nclass Main { int run() { return charge(); } int charge() { return new Till().charge(1); } }\n",
    },
    "kotlin-shop": {
        "pom.xml": f"<project>{SHOP}</project>",
        "Till.kt": "package org.acme.shop\nclass Till { fun charge(n: Int): Int = n\n fun run() = charge(1) }\n",
    },
    "php-till": {
        "till.php": "<?php\nclass Till { function charge($n) { return $n; } function run() { return $this->charge(1); } }\n"
    },
    "python-app": {
        "pyproject.toml": '[project]\nname = "app"\nversion = "1"\n',
        "app.py": "def charge(n):\n    return n\n\n\ndef run():\n    return charge(1)\n",
    },
    "ruby-app": {"till.rb": "class Till\n  def charge(n)\n    n\n  end\n\n  def run\n    charge(1)\n  end\nend\n"},
    "rust-app": {
        "Cargo.toml": '[package]\nname = "app"\nversion = "1.0.0"\n',
        "src/main.rs": "fn charge(n: u32) -> u32 { n }\nfn run() -> u32 { charge(1) }\nfn main() { run(); }\n",
    },
}


def test_one_list_of_ten_languages_has_calls_and_links(tmp_path: Path) -> None:
    for name, tree in TREES.items():
        write_tree(tmp_path / name, tree)
    (tmp_path / "list.txt").write_text("\n".join(TREES) + "\n", encoding="utf-8")
    store = tmp_path / "store"
    done = run_here(store, "index", "--from", str(tmp_path / "list.txt"), "--jobs", "1")
    assert done.returncode == 0, done.stderr
    calls = (
        "MATCH (f:Function)-[:CALLS]->(g:Function) WHERE toLower(f.name) = 'run' AND toLower(g.name) = 'charge' "
        "RETURN f.repository ORDER BY f.repository"
    )
    assert [row[0] for row in run_json(store, "query", calls)["rows"]] == sorted(TREES)
    links = "MATCH (e:External)-[:PROVIDES]->(d) RETURN e.repository, e.qualname, d.repository ORDER BY e.qualname"
    assert run_json(store, "query", links)["rows"] == [
        ["java-app", "org.acme.shop.Till", "kotlin-shop"],
        ["java-app", "org.acme.shop.Till.charge", "kotlin-shop"],
    ]
    packages = (
        "MATCH (r:Repository)-[:DEPENDS_ON]->(p:Package)<-[:PROVIDES]-(s:Repository) RETURN r.name, p.name, s.name"
    )
    assert run_json(store, "query", packages)["rows"] == [["java-app", "org.acme:shop", "kotlin-shop"]]
