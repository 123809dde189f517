"""Imports and entry points of languages that are read by structure."""

from collections.abc import Mapping

import pytest

from repoquarry.ingest.resolution import Resolution, resolve
from repoquarry.languages.registry import language_for

CASES: Mapping[str, tuple[Mapping[str, str], set[tuple[str, str]]]] = {
    "c": (
        {
            "src/main.c": '#include "util.h"\n#include <net/socket.h>\n#include <stdio.h>\nint main(void) { return 0; }\n',
            "src/util.h": "int u(void);\n",
            "include/net/socket.h": "int s(void);\n",
            "other/util.h": "int o(void);\n",
        },
        {("src/main.c", "src/util.h"), ("src/main.c", "include/net/socket.h"), ("src/main.c", "<stdio.h>")},
    ),
    "go": (
        {
            "go.mod": "module example.com/shop\n",
            "main.go": 'package main\nimport (\n"fmt"\n"example.com/shop/store"\n)\nfunc main() {}\n',
            "store/a.go": "package store\nfunc A() {}\n",
            "store/b.go": "package store\nfunc B() {}\n",
            "store/b_test.go": "package store\nfunc TestB(t *testing.T) {}\n",
        },
        {("main.go", "fmt"), ("main.go", "store/a.go"), ("main.go", "store/b.go")},
    ),
    "rust": (
        {
            "Cargo.toml": '[package]\nname = "shop-core"\n',
            "src/lib.rs": "pub mod store;\nuse std::io;\n",
            "src/store/mod.rs": "mod disk;\nuse super::store::disk::Disk;\nuse crate::store::disk;\n",
            "src/store/disk.rs": "pub struct Disk;\n",
            "tests/t.rs": "use shop_core::store::disk::Disk;\n",
        },
        {
            *(("src/lib.rs", "src/store/mod.rs"), ("src/lib.rs", "std"), ("src/store/mod.rs", "src/store/disk.rs")),
            ("tests/t.rs", "src/store/disk.rs"),
        },
    ),
    "ruby": (
        {
            "lib/shop.rb": "require 'shop/cart'\nrequire_relative 'shop/till'\nrequire 'json'\n",
            "lib/shop/cart.rb": "class Cart; end\n",
            "lib/shop/till.rb": "class Till; end\n",
        },
        {("lib/shop.rb", "lib/shop/cart.rb"), ("lib/shop.rb", "lib/shop/till.rb"), ("lib/shop.rb", "json")},
    ),
    "php": (
        {
            "src/Cart.php": "<?php\nnamespace Shop;\nuse Shop\\Store\\Disk;\nuse Vendor\\Log;\nclass Cart {}\n",
            "src/Store/Disk.php": "<?php\nnamespace Shop\\Store;\nclass Disk {}\n",
            "index.php": "<?php\nrequire __DIR__ . '/src/Cart.php';\n",
        },
        {("src/Cart.php", "src/Store/Disk.php"), ("src/Cart.php", "Vendor"), ("index.php", "src/Cart.php")},
    ),
    "kotlin": (
        {
            "a/Cart.kt": "package shop\nimport shop.store.Disk\nimport java.util.UUID\nclass Cart\n",
            "b/Disk.kt": "package shop.store\nclass Disk\n",
        },
        {("a/Cart.kt", "b/Disk.kt"), ("a/Cart.kt", "java.util")},
    ),
    "csharp": (
        {
            "Cart.cs": "using System;\nusing Shop.Store;\nnamespace Shop { class Cart {} }\n",
            "Disk.cs": "namespace Shop.Store;\nclass Disk {}\n",
        },
        {("Cart.cs", "Disk.cs"), ("Cart.cs", "System")},
    ),
}


def resolved(files: Mapping[str, str]) -> Resolution:
    sources = {path: text for path, text in files.items() if path not in ("go.mod", "Cargo.toml")}
    facts = [language_for(path).extract(path, text.encode()) for path, text in sources.items()]
    return resolve(facts, configuration={path: text.encode() for path, text in files.items() if path not in sources})


@pytest.mark.parametrize("name", CASES)
def test_an_import_leads_to_the_file_that_it_means(name: str) -> None:
    files, expected = CASES[name]
    found = resolved(files)
    places = {
        (
            found.symbols[edge.source].path,
            found.externals[~edge.target] if edge.target < 0 else found.symbols[edge.target].path,
        )
        for edge in found.imports
    }
    assert places == expected
    assert not found.calls


def test_what_is_started_by_its_name_is_an_entry_point() -> None:
    found = resolved(
        {
            "main.go": "package main\nfunc main() {}\n",
            "a_test.go": "package main\nfunc TestA(t *testing.T) {}\nfunc Testing() {}\n",
            "src/lib.rs": "#[tokio::test]\nasync fn works() {}\n",
            "Program.cs": 'class P { static void Main() {} [HttpGet("/x")] void Get() {} }\n',
        }
    )
    points = {(found.symbols[point.target].key, point.kind, point.name) for point in found.entry_points}
    assert points == {
        *(("main", "main", "main"), ("TestA", "test", "TestA"), ("works", "test", "works")),
        *(("P.Main", "main", "Main"), ("P.Get", "route", "/x")),
    }


def test_modules_of_go_are_named_by_what_they_are_imported_as() -> None:
    found = resolved({"go.mod": "module example.com/shop\n", "store/a.go": "package store\n", "b.go": "package shop\n"})
    assert [module.name for module in found.modules] == ["example.com/shop/b", "example.com/shop/store/a"]
    assert [module.name for module in resolved({"a.go": "package a\n"}).modules] == ["a"]


Points = set[tuple[str, str, str]]
STARTED: dict[str, tuple[str, Points]] = {
    "a_test.go": (
        "package a\nfunc TestMain(m *testing.M) {}\nfunc TestA(t *testing.T) {}\n",
        {("TestMain", "fixture", "TestMain"), ("TestA", "test", "TestA")},
    ),
    "src/main.rs": (
        '#[tokio::main]\nasync fn main() {}\n#[get("/users/{id}")]\nasync fn user() {}\n'
        '#[no_mangle]\npub extern "C" fn out() {}\n#[get]\nfn none() {}\n',
        {("main", "main", "main"), ("user", "route", "/users/{id}"), ("out", "hook", "no_mangle")},
    ),
    "main.c": (
        "int main(void) { return 0; }\nint TEST(int a) { return a; }\nvoid mainly(void) {}\n",
        {("main", "main", "main")},
    ),
    "store_test.cc": (
        "#include <gtest/gtest.h>\nnamespace shop {\nTEST(Store, Opens) { open(); }\nTEST_F(Till, Counts) {}\n}\n"
        "int TESTED(int a) { return a; }\n",
        {("shop.TEST", "test", "Store, Opens"), ("shop.TEST_F", "test", "Till, Counts")},
    ),
    "fuzz.cpp": (
        'extern "C" int LLVMFuzzerTestOneInput(const char *d, int n) { return 0; }\n',
        {("LLVMFuzzerTestOneInput", "hook", "LLVMFuzzerTestOneInput")},
    ),
    "Till.cs": (
        'class T { [SetUp] void Up() {} [FactAttribute] void Works() {} [HttpGetAttribute("/x")] void Get() {}'
        ' [Function("f")] void Run() {} [Obsolete] void Old() {} }',
        {
            ("T.Up", "fixture", "SetUp"),
            ("T.Works", "test", "Works"),
            ("T.Get", "route", "/x"),
            ("T.Run", "hook", "Function"),
        },
    ),
    "Program.cs": (
        'using System;\nConsole.WriteLine("x");\nclass P { void Other() {} }\n',
        {("", "main", "top-level statements")},
    ),
    "till_test.rb": (
        "class TillTest < Minitest::Test\n  def setup\n  end\n  def test_counts\n  end\n  def helper\n  end\nend\n",
        {("TillTest.setup", "fixture", "setup"), ("TillTest.test_counts", "test", "test_counts")},
    ),
    "app/controllers/users_controller.rb": (
        "class UsersController < ApplicationController\n  def show\n  end\nend\nclass Helper\n  def show\n  end\nend\n",
        {("UsersController.show", "route", "show")},
    ),
    "app/jobs/mail_job.rb": (
        "class MailJob < ApplicationJob\n  def perform(to)\n  end\nend\n",
        {("MailJob.perform", "hook", "perform")},
    ),
    "tool.rb": ("def run\nend\nif __FILE__ == $0\n  run\nend\n", {("", "main", "__FILE__ == $0")}),
    "lib.rb": ("if ready == $0\n  run\nend\ndef go\n  run if __FILE__ == $PROGRAM_NAME\nend\n", set()),
    "TillTest.php": (
        "<?php class TillTest extends TestCase { function setUp(): void {} #[Test] function works() {}"
        " function helper() {} }",
        {("TillTest.setUp", "fixture", "setUp"), ("TillTest.works", "test", "works")},
    ),
    "Mail.php": (
        "<?php #[AsCommand('mail')] class Mail extends \\Symfony\\Component\\Console\\Command\\Command"
        " { function execute($i, $o) {} } class Other { function execute() {} }",
        {("Mail", "command", "AsCommand"), ("Mail.execute", "command", "execute")},
    ),
    "Main.kt": (
        "object App {\n  @JvmStatic\n  fun main(args: Array<String>) {}\n}\n"
        "class Menu {\n  fun main() {}\n  @Scheduled\n  fun tick() {}\n}\nfun main() {}\n",
        {("main", "main", "main"), ("App.main", "main", "main"), ("Menu.tick", "hook", "Scheduled")},
    ),
}


@pytest.mark.parametrize("path", STARTED)
def test_what_a_runtime_or_framework_calls_is_an_entry_point(path: str) -> None:
    source, expected = STARTED[path]
    found = resolve([language_for(path).extract(path, source.encode())])
    assert {(found.symbols[one.target].key, one.kind, one.name) for one in found.entry_points} == expected
