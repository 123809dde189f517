"""What help texts say, which files a task is about, and which command lines follow."""

from __future__ import annotations

import pytest

from repoquarry.agent.task import TaskRequest
from repoquarry.agent.working.files import TaskFiles, files_of, is_work
from repoquarry.agent.working.lines import lines_for
from repoquarry.agent.working.starts import Start
from repoquarry.agent.working.usage import read_usage
from repoquarry.agent.working.values import PAGES, Value, values_of
from repoquarry.execution.workspaces.completion_checks import CompletionCheck

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
    ("text", "expected"),
    [
        ('Hide the message "see you" in a.pdf', ["see you"]),
        ("Hide \u201csee you\u201d in a.pdf, and again \u201csee you\u201d", ["see you"]),
        ("Columns 'Name' and `Phone` of `a.pdf`; don't ask about the authors' names", ["Name", "Phone"]),
        ("\u63d0\u53d6'Name'\u6307\u6807", ["Name"]),
        ("Embed the watermark: hello there.", ["hello there"]),
        ("\u5d4c\u5165\u6c34\u5370: hello ?", ["hello"]),
        ("Turn it.\n\nInput files:\n- inputs/a.pdf: the report\nSee https://example.org", []),
        ("Save it as: outputs/b.txt", []),
        ("Take page 3 of it", ["3"]),
        ("Take pages 2 to 4 of it", ["2-4"]),
        ("Take the first two pages", ["1-2"]),
        ("Take the second page", ["2"]),
        ("\u7b2c\u4e00\u9875\u7684\u6587\u5b57", ["1"]),
        ("\u524d\u4e24\u9875\u7684\u8868\u683c", ["1-2"]),
    ],
)
def test_values_of_a_task_are_what_it_quotes_and_the_pages_it_names(text: str, expected: list[str]) -> None:
    assert [value.text for value in values_of(text, FILES)] == expected


MESSAGE = """usage: turn [-h] -i FILE -m MESSAGE [-e {utf-8,latin}] [-o FILE]

options:
  -i, --input FILE
  -m, --message MESSAGE
  -e {utf-8,latin}
  -o, --output FILE
"""
TEXT, PAGE = Value("see you", frozenset(["hide", "the"])), Value("2", PAGES)


@pytest.mark.parametrize(
    ("example", "values", "expected"),
    [
        (
            ("-i", "a.png", "-m", "My Text", "-e", "latin", "-o", "b.png"),
            (TEXT,),
            "turn -i {i} -m 'see you' -e latin -o {o}",
        ),
        (("-i", "a.png", "-m", "Hello", "-o", "b.png"), (TEXT,), "turn -i {i} -m 'see you' -o {o}"),
        (("-i", "a.png", "--message=Hello", "-o", "b.png"), (TEXT,), "turn -i {i} '--message=see you' -o {o}"),
        (("My Text", "a.png", "-o", "b.png"), (TEXT,), "turn 'see you' {i} -o {o}"),
        (("--page", "1", "a.png", "-o", "b.png"), (PAGE,), "turn --page 2 {i} -o {o}"),
        (("--title", "A", "a.png", "-o", "b.png"), (Value("B", frozenset(["title"])),), "turn --title B {i} -o {o}"),
    ],
)
def test_what_a_task_states_takes_the_place_of_an_examples_own(
    example: tuple[str, ...], values: tuple[Value, ...], expected: str
) -> None:
    start = Start("script", ("turn",), ".", "turn.py", examples=(example,))
    lines = lines_for(start, read_usage(MESSAGE, ("turn",)), FILES, values)
    assert lines[0].command == expected.format(i="inputs/a.pdf", o="outputs/b.txt")


def test_two_strings_are_not_dealt_out_by_guessing() -> None:
    start = Start("script", ("turn",), ".", "turn.py", examples=(("-i", "a.png", "-x", "My Text", "-o", "b.png"),))
    two = (Value("one", frozenset()), Value("two", frozenset()))
    lines = [line.command for line in lines_for(start, None, FILES, two)]
    assert "turn -i inputs/a.pdf -x 'My Text' -o outputs/b.txt" in lines


def test_examples_that_need_a_text_come_last_when_the_task_has_none() -> None:
    hide, reveal = ("hide", "-i", "a.png", "-m", "My Text", "-o", "b.png"), ("reveal", "-i", "a.png")
    start = Start("script", ("turn",), ".", "turn.py", examples=(hide, reveal))
    assert lines_for(start, None, FILES)[0].command == "turn reveal -i inputs/a.pdf > outputs/b.txt"
    assert lines_for(start, None, FILES, (TEXT,))[0].command.startswith("turn hide")


def test_options_of_the_help_get_what_the_task_calls_them_and_many_values_stand_last() -> None:
    text = "usage: turn [-h] infile\n\noptions:\n  --pages PAGES [PAGES ...]\n  --format {csv,text}\n"
    lines = [
        line.command
        for line in lines_for(Start("script", ("turn",), ".", "turn.py"), read_usage(text, ("turn",)), FILES, (PAGE,))
    ]
    assert lines[0] == "turn --format text inputs/a.pdf --pages 2 > outputs/b.txt"
    start = Start("script", ("turn",), ".", "turn.py")
    assert lines_for(start, read_usage(MESSAGE, ("turn",)), FILES, (TEXT,))[0].command == (
        "turn --message 'see you' --output outputs/b.txt --input inputs/a.pdf"
    )


@pytest.mark.parametrize(
    ("text", "checks", "output"),
    [
        ("Write it to outputs/x.json.", (), "outputs/x.json"),
        ("Write it to outputs/x.json.", (CompletionCheck("outputs/y.csv"),), "outputs/y.csv"),
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
        ("提取两个指标,成csv,每一列为一个指标. Write outputs/page with its extension.", (), "outputs/page.csv"),
        (
            "写入一个 txt 文件?\nInput files:\n- inputs/a.pdf: 要扫描的excel文件夹\nWrite outputs/page with its extension.",
            (),
            "outputs/page.txt",
        ),
        (
            "Save it as a CSV file: outputs/page with the suffix that fits.",
            (CompletionCheck("outputs/y"),),
            "outputs/y",
        ),
    ],
)
def test_the_output_of_a_task_is_named(text: str, checks: tuple[CompletionCheck, ...], output: str) -> None:
    request = TaskRequest(text, workspace=True, inputs=("a.pdf",), checks=checks)
    assert is_work(request)
    assert files_of(request).output == output


def test_a_question_is_no_work() -> None:
    assert not is_work(TaskRequest("Who calls Shop.order?", workspace=True))
    assert not is_work(TaskRequest("What writes outputs/x.json?"))


def test_a_type_in_the_help_is_no_name_of_a_text() -> None:
    shown = "Usage: turn [OPTIONS] COMMAND\n\nOptions:\n  -o, --output TEXT  output destination\n  -m, --message TEXT  what it says\n"
    plain, said = ("-o", "stdout:///", "parse", "<files>"), ("-m", "hello", "scan", "<files>")
    start = Start("script", ("turn",), ".", "turn.py", examples=(said, plain))
    lines = [line.command for line in lines_for(start, read_usage(shown, ("turn",)), FILES)]
    assert lines[0] == "turn -o stdout:/// parse inputs/a.pdf > outputs/b.txt"
    assert "turn -m hello scan inputs/a.pdf > outputs/b.txt" in lines[1:]


def test_an_example_with_one_place_takes_the_folder_of_several_inputs_before_one_of_them() -> None:
    several = TaskFiles(("inputs/all/a.pdf", "inputs/all/b.pdf"), "outputs/b.txt", named=True)
    start = Start("script", ("turn",), ".", "turn.py", examples=(("-f", "<files>"), ("x.pdf", "y.pdf")))
    found = [line.command for line in lines_for(start, None, several)]
    assert found[0] == "turn -f inputs/all > outputs/b.txt"
    assert "turn inputs/all/a.pdf inputs/all/b.pdf > outputs/b.txt" in found
    assert found.index("turn -f inputs/all/a.pdf > outputs/b.txt") > found.index(
        "turn inputs/all/a.pdf inputs/all/b.pdf > outputs/b.txt"
    )
