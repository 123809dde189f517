"""What runtimes, test runners and frameworks start in languages that are read by structure: by names, attributes and bases."""

from __future__ import annotations

import pytest

from repoquarry.ingest.resolution import resolve
from repoquarry.languages.registry import language_for

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
