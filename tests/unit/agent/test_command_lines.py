"""What help texts say, which files a task is about, and which command lines follow."""

from __future__ import annotations

import pytest

from repoquarry.agent.task import TaskRequest
from repoquarry.agent.working.files import TaskFiles, files_of, is_work
from repoquarry.agent.working.lines import lines_for
from repoquarry.agent.working.starts import Start
from repoquarry.agent.working.usage import read_usage
from repoquarry.agent.workspaces.checks import Check

CLICK = """Usage: turn page [OPTIONS] SRC [DST]...

  Turn it.

Options:
  -f, --format [text|json]  Format.
  -d, --depth INTEGER       How deep
                            it goes.
  --help                    Show this message and exit.
"""
GROUP = """Usage: turn [OPTIONS] COMMAND [ARGS]...

Options:
  --help  Show this message and exit.

Commands:
  extract  Extract text.
  merge    Merge files.
"""
ARGPARSE = """usage: turn [-h] {a,b} ...

positional arguments:
  {a,b}
    a         do a
    b         do b
"""
FILES = TaskFiles(("inputs/a.pdf",), "outputs/b.txt", named=True)


def commands(text: str, *command: str, files: TaskFiles = FILES, folder: str = ".") -> list[str]:
    start = Start("script", command, folder, "turn.py")
    return [line.command for line in lines_for(start, read_usage(text, command), files)]


def test_subcommands_are_read_with_what_is_said_of_them() -> None:
    for text, expected in (
        (GROUP, (("extract", "Extract text."), ("merge", "Merge files."))),
        (ARGPARSE, (("a", "do a"), ("b", "do b"))),
    ):
        usage = read_usage(text, ("turn",))
        assert usage is not None
        assert usage.subcommands == expected


def test_a_text_without_usage_is_no_help() -> None:
    assert read_usage("Traceback (most recent call last):\n", ("turn",)) is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (CLICK, "turn page --format text inputs/a.pdf outputs/b.txt"),
        ("Usage: turn infile outfile\n", "turn inputs/a.pdf outputs/b.txt"),
        ("Usage: turn <name>... [--depth=<n>]\n\nOptions:\n  --depth=<n>  D.\n", "turn inputs/a.pdf > outputs/b.txt"),
        ("usage: turn [-h] -i I -o O\n\noptions:\n  -i I\n  -o O\n", "turn -o outputs/b.txt -i inputs/a.pdf"),
        ("usage: turn [-h] x\n\noptions:\n  --out-dir DIR\n", "turn --out-dir outputs inputs/a.pdf"),
    ],
)
def test_the_first_command_line_follows_the_help(text: str, first: str) -> None:
    words = ("turn", "page") if "turn page" in text else ("turn",)
    assert commands(text, *words)[0] == first


def test_files_are_named_as_seen_from_the_folder_and_quoted() -> None:
    files = TaskFiles(("inputs/a b.pdf",), "outputs/b.txt", named=True)
    found = commands("", "python", "x.py", files=files, folder="code/x")
    assert found[0] == "python x.py '../../inputs/a b.pdf' ../../outputs/b.txt"
    assert found[-1] == "python x.py < '../../inputs/a b.pdf' > ../../outputs/b.txt"


def test_without_an_input_only_named_outputs_are_tried() -> None:
    files = TaskFiles((), "outputs/b.csv", named=True)
    assert commands("usage: turn [-h]\n", "turn", files=files) == []
    assert commands("usage: turn [-h]\n\noptions:\n  --output FILE\n", "turn", files=files) == [
        "turn --output outputs/b.csv"
    ]


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (("in.pdf", "-o", "out.txt"), "turn inputs/a.pdf -o outputs/b.txt"),
        (("in.pdf", ">", "out.txt"), "turn inputs/a.pdf > outputs/b.txt"),
        (("in.pdf", "out.txt"), "turn inputs/a.pdf outputs/b.txt"),
    ],
)
def test_examples_get_the_files_of_the_task(example: tuple[str, ...], expected: str) -> None:
    start = Start("script", ("turn",), ".", "turn.py", examples=(example,))
    assert lines_for(start, None, FILES)[0].command == expected


def test_an_example_whose_files_are_not_understood_is_left_out() -> None:
    start = Start("script", ("turn",), ".", "turn.py", examples=(("a.pdf", "b.pdf", "c.pdf"), ("x.pdf", "|", "less")))
    assert all("README" not in line.why for line in lines_for(start, None, FILES))


@pytest.mark.parametrize(
    ("text", "checks", "output"),
    [
        ("Write it to outputs/x.json.", (), "outputs/x.json"),
        ("Write it to outputs/x.json.", (Check("outputs/y.csv"),), "outputs/y.csv"),
        ("Save the table of a.pdf as table.csv please", (), "outputs/table.csv"),
        ("Turn a.pdf into Markdown", (), "outputs/a.md"),
        ("What does it say?", (), "outputs/a.txt"),
        ("Write it to outputs/page as JSON.", (), "outputs/page"),
        ("Save it as a CSV file: outputs/page with the suffix that fits.", (), "outputs/page.csv"),
        (
            "存为一个json文件. Write outputs/page with the suffix that fits, such as outputs/page.txt.",
            (),
            "outputs/page.json",
        ),
        ("Turn the pages. Write outputs/page with its extension.", (), "outputs/page.pdf"),
        ("Save it as a CSV file: outputs/page with the suffix that fits.", (Check("outputs/y"),), "outputs/y"),
    ],
)
def test_the_output_of_a_task_is_named(text: str, checks: tuple[Check, ...], output: str) -> None:
    request = TaskRequest(text, workspace=True, inputs=("a.pdf",), checks=checks)
    assert is_work(request)
    assert files_of(request).output == output


def test_a_question_is_no_work() -> None:
    assert not is_work(TaskRequest("Who calls Shop.order?", workspace=True))
    assert not is_work(TaskRequest("What writes outputs/x.json?"))
