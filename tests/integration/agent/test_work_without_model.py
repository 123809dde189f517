"""Tasks with files that are done without a model: small repositories, really indexed, provisioned and run in isolation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.agent.events import EventKind, TaskEvent
from repoquarry.agent.loop.run import Facilities, run_task
from repoquarry.agent.repository_catalogs import CatalogueSource
from repoquarry.agent.settings import AgentSettings
from repoquarry.agent.task import ApprovalRequest, TaskRequest, TaskResult, TaskState
from repoquarry.execution.errors import IsolationUnavailableError, ToolError
from repoquarry.execution.isolation.registry import choose_isolation
from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings
from repoquarry.execution.workspaces.completion_checks import CompletionCheck
from repoquarry.graphstore.reading.code_reader import CodeReader
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.graphstore.store import Store
from repoquarry.ingest.pipeline import index_repository
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE
from repoquarry.ingest.sources.revision_trees import TreeCache
from tests.integration.agent.killing_checkpoints import KillingCheckpointStore
from tests.integration.agent.wheels import write_files

BACKEND = """
import os, zipfile
def build_wheel(folder, config_settings=None, metadata_directory=None):
    file, info = "loud-1.0-py3-none-any.whl", "loud-1.0.dist-info"
    with zipfile.ZipFile(f"{folder}/{file}", "w") as archive:
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: loud\\nVersion: 1.0\\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\\nloud = loud.cli:main\\n")
        archive.writestr("loud.pth", os.getcwd())
        archive.writestr(f"{info}/RECORD", "")
    return file
build_editable = build_wheel
"""
LOUD = '''"""Writes a text in capitals."""
import argparse
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="where the capitals go")
    parser.add_argument("document")
    given = parser.parse_args()
    with open(given.document) as source, open(given.output, "w") as target:
        target.write(source.read().upper())
'''
REVERSE = '''"""Prints the lines of a file in reverse order."""
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("lines")
for line in reversed(open(parser.parse_args().lines).read().splitlines()):
    print(line)
'''
COUNT = """import sys
source, target = sys.argv[1:]
open(target, "w").write(str(len(open(source).read().split())))
"""
LABEL = """import sys
source, _, title, target = sys.argv[1:]
open(target, "w").write(title + ":\\n" + open(source).read())
"""
BACKWARDS = '''"""Writes words backwards."""
import sys
from .letters import turned
if __name__ == "__main__":
    source, target = sys.argv[1:]
    open(target, "w").write("".join(turned(open(source).read())))
'''
SORTER = '''"""Works on words."""
import sys
if __name__ == "__main__":
    what, source = sys.argv[1:]
    words = open(source).read().split()
    print({"count": len(words), "order": sorted(words)}[what])
'''
REPOSITORIES: Mapping[str, Mapping[str, str]] = {
    "loud": {
        "pyproject.toml": '[project]\nname = "loud"\nversion = "1.0"\n[project.scripts]\nloud = "loud.cli:main"\n'
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
        "backend.py": BACKEND,
        "README.md": "# loud\n\nWrites the text of a document in capitals.\n",
        "loud/__init__.py": "",
        "loud/cli.py": LOUD,
    },
    "reverse": {
        "README.md": "# reverse\n\nReverses the order of lines.\n",
        "reverse/__init__.py": "",
        "reverse/__main__.py": REVERSE,
    },
    "count": {
        "README.md": "# count\n\nCounts words of a document.\n\n```\n$ python count_words.py novel.txt total.txt\n```\n",
        "count_words.py": COUNT,
    },
    "label": {
        "README.md": '# label\n\nPuts a title above a text.\n\n```\n$ python label.py novel.txt -t "My Title" out.txt\n```\n',
        "label.py": LABEL,
    },
    "plain": {
        "README.md": "# plain\n\nText in capitals, as a library.\n",
        "plain.py": "def capitals(x):\n    return x.upper()\n",
    },
    "hollow": {
        "README.md": "# hollow\n\nHollow capitals for hollow poems.\n",
        "package.json": "{this is no JSON",
        "tool/hollow.py": '"""Writes a poem in hollow capitals."""\nif __name__ == "__main__":\n    print("hollow")\n',
    },
    "backwards": {
        "README.md": "# backwards\n\nWrites words backwards.\n",
        "backwards/__init__.py": "",
        "backwards/typing.py": "Backwards = str\n",
        "backwards/letters.py": "from typing import List\n\ndef turned(text: str) -> List[str]:\n    return list(reversed(text))\n",
        "backwards/cli.py": BACKWARDS,
    },
    "sorter": {
        "README.md": "# sorter\n\nShow how many words there are:\n\n```\n$ sorter count novel.txt\n7\n```\n\n"
        "Sort the words by alphabet:\n\n```\n$ sorter order novel.txt\n```\n",
        "sorter/__init__.py": "",
        "sorter/cli.py": SORTER,
    },
    "solemn": {
        "README.md": "# solemn\n\nSolemn capitals for solemn poems.\n",
        "solemn/__init__.py": "",
        "solemn/__main__.py": '"""Writes a poem in solemn capitals."""\nraise SystemExit("the capitals are worn out")\n',
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("work")
    given = StoreSettings(folder / "store")
    with Store.open(given, writable=True) as writable:
        for name, files in REPOSITORIES.items():
            write_files(folder / name, files)
            index_repository(str(folder / name), writable, IngestSettings(workers=1))
    with Store.open(given) as opened:
        yield opened


@pytest.fixture
def settings(tmp_path: Path) -> AgentSettings:
    try:
        choose_isolation("auto", "")
    except IsolationUnavailableError as error:
        pytest.skip(str(error))
    (tmp_path / "index").mkdir()
    environment = EnvironmentSettings(root=tmp_path / "environments", index=f"file://{tmp_path}/index", attempts=5)
    return AgentSettings(workspace=WorkspaceSettings(tmp_path / "tasks", install_hosts=()), environment=environment)


class Work:
    """Runs tasks with the one input `inputs/poem.txt`, and keeps what they reported."""

    def __init__(self, store: Store, settings: AgentSettings, folder: Path) -> None:
        self.store, self.settings, self.folder = store, settings, folder
        self.trees = TreeCache(folder / "trees", store, IngestSettings(workers=1), EVERYWHERE)
        (folder / "poem.txt").write_text("one two\nthree\n", encoding="utf-8")
        self.events: list[TaskEvent] = []

    def __call__(
        self,
        text: str,
        *repositories: str,
        checks: tuple[CompletionCheck, ...] = (),
        memory: KillingCheckpointStore | None = None,
        approve: bool = True,
    ) -> TaskResult:
        task = TaskRequest(
            text, repositories, workspace=True, auto_approve=approve, checks=checks, inputs=("poem.txt",)
        )
        inputs = {"poem.txt": self.folder / "poem.txt"}

        def denied(asked: ApprovalRequest) -> bool:
            return asked.tool == "provision"

        return run_task(
            task,
            self.store,
            self.settings,
            emit=self.events.append,
            cancelled=lambda: False,
            approve=denied,
            facilities=Facilities("one", inputs, self.trees, memory),
        )

    def output(self, name: str) -> str:
        return (self.folder / "tasks" / "task-one" / "outputs" / name).read_text(encoding="utf-8")

    def commands(self) -> list[str]:
        return [str(event.data["command"]) for event in self.events if event.kind is EventKind.COMMAND_ENDED]


@pytest.fixture
def work(store: Store, settings: AgentSettings, tmp_path: Path) -> Work:
    return Work(store, settings, tmp_path)


def test_a_console_script_is_given_what_its_help_asks_for(work: Work) -> None:
    result = work("Write inputs/poem.txt in capitals to outputs/loud.txt.", "loud")
    assert result.state is TaskState.ANSWERED, result.error
    assert [file.path for file in result.files] == ["outputs/loud.txt"], result.text
    assert work.output("loud.txt") == "ONE TWO\nTHREE\n"
    assert "loud --output" in work.commands()[-1]
    assert "console script" in result.text
    assert result.places[0].path == "loud/cli.py"


def test_a_module_that_prints_is_run_with_its_output_redirected(work: Work) -> None:
    result = work("Reverse the lines of poem.txt and write them to backwards.txt.", "reverse")
    assert [file.path for file in result.files] == ["outputs/backwards.txt"], result.text
    assert work.output("backwards.txt") == "three\none two\n"
    assert "python -m reverse" in result.text


def test_an_example_of_the_readme_is_run_with_the_files_of_the_task(work: Work) -> None:
    check = CompletionCheck("outputs/words.txt", pattern=r"^3$")
    result = work("How many words are in the poem?", "count", checks=(check,))
    assert [outcome.held for outcome in result.checks] == [True], result.text
    assert work.output("words.txt") == "3"
    assert "README's example" in result.text


def test_a_string_that_the_task_quotes_takes_the_place_of_the_examples_own(work: Work) -> None:
    result = work('Put the title "Two lines" above poem.txt, into outputs/titled.txt.', "label")
    assert [file.path for file in result.files] == ["outputs/titled.txt"], result.text
    assert work.output("titled.txt") == "Two lines:\none two\nthree\n"
    assert "the README's example, with the files of the task and what it states" in result.text


def test_the_example_that_speaks_of_the_task_is_run_for_a_program_that_no_manifest_names(work: Work) -> None:
    result = work("Sort the words of poem.txt by alphabet, into outputs/sorted.txt.", "sorter")
    assert [file.path for file in result.files] == ["outputs/sorted.txt"], result.text
    assert work.output("sorted.txt") == "['one', 'three', 'two']\n"
    assert "python -m sorter.cli order" in work.commands()[-1]


def test_without_an_entry_point_the_answer_says_so_and_runs_nothing(work: Work) -> None:
    result = work("Write inputs/poem.txt in capitals to outputs/loud.txt.", "plain")
    assert result.state is TaskState.ANSWERED
    assert result.files == ()
    assert "`outputs/loud.txt` was not made" in result.text
    assert "no entry point was found" in result.text
    assert work.commands() == []


@pytest.mark.parametrize("form", ["toml", "json"])
def test_repositories_of_the_catalogue_are_offered_with_the_command_that_indexes_them(
    work: Work, tmp_path: Path, form: str
) -> None:
    catalogue = tmp_path / f"catalogue.{form}"
    entries = [
        {"name": "shout", "address": "https://git.example/shout.git", "description": "Texts in capitals"},
        {"name": "bees", "address": "https://git.example/bees", "description": "Honey"},
        {"name": "loud", "address": "", "description": "Texts in capitals"},
    ]
    entries[2]["address"] = next(item.source for item in CodeReader(work.store).repositories() if item.id == "loud")
    tables = ("\n".join(["[[repository]]", *(f"{key} = {value!r}" for key, value in one.items())]) for one in entries)
    text = json.dumps({"repository": entries}) if form == "json" else "\n".join(tables)
    catalogue.write_text(text, encoding="utf-8")
    work.settings = replace(work.settings, catalogue=catalogue)
    result = work("Write inputs/poem.txt in capitals to outputs/loud.txt.", "plain")
    assert "- shout: Texts in capitals: `repoquarry index https://git.example/shout.git`" in result.text
    assert "bees" not in result.text
    assert "index loud" not in result.text
    assert result.text.count("repoquarry index") == 1


def test_a_catalogue_that_cannot_be_understood_is_named(work: Work, tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.toml"
    catalogue.write_text("[[repository]]\ntitle = 1\n", encoding="utf-8")
    with pytest.raises(ToolError, match=r"catalogue\.toml cannot be understood"):
        CatalogueSource(catalogue).find("anything")
    with pytest.raises(ToolError, match="cannot be read"):
        CatalogueSource(tmp_path / "absent.toml").find("anything")
    work.settings = replace(work.settings, catalogue=catalogue)
    result = work("Turn the poem into solemn capitals.", "plain", "solemn")
    assert "Other repositories could not be looked up: the catalogue" in result.text
    returned = [event.data for event in work.events if event.kind is EventKind.TOOL_RETURNED]
    assert not returned[0]["failed"], "what is indexed is ranked all the same"


def test_a_check_that_does_not_hold_leaves_nothing_and_shows_what_was_tried(work: Work) -> None:
    check = CompletionCheck("outputs/words.txt", pattern=r"^many$")
    result = work("How many words are in the poem?", "count", checks=(check,))
    assert [outcome.held for outcome in result.checks] == [False]
    assert result.files == ()
    assert "was not made" in result.text
    assert "/^many$/ matches nothing" in result.text


def test_the_next_best_repository_is_tried_when_the_first_fails(work: Work) -> None:
    result = work("Write poem.txt in solemn capitals to outputs/loud.txt.", "loud", "solemn")
    assert work.output("loud.txt") == "ONE TWO\nTHREE\n", result.text
    assert "solemn failed: no command line of its entry points made the output. Went on to loud" in result.text
    assert "the capitals are worn out" in result.text
    assert "exit code 1" in result.text


def test_the_next_best_repository_is_tried_when_no_environment_can_be_made_for_the_first(work: Work) -> None:
    result = work("Write poem.txt in hollow capitals to outputs/loud.txt.", "loud", "hollow")
    assert work.output("loud.txt") == "ONE TWO\nTHREE\n", result.text
    assert "hollow failed: " in result.text
    assert "no package.json" in result.text
    assert "Went on to loud" in result.text


def test_a_script_of_a_package_is_started_as_its_module(work: Work) -> None:
    result = work("Write the words of inputs/poem.txt backwards to outputs/turned.txt.", "backwards")
    assert work.output("turned.txt") == "\neerht\nowt eno", result.text


def test_a_declined_command_ends_the_work(work: Work) -> None:
    result = work("Write inputs/poem.txt in capitals to outputs/loud.txt.", "loud", approve=False)
    assert result.state is TaskState.ANSWERED
    assert "run_command was not approved: `loud --help`" in result.text
    assert work.commands() == []


@pytest.mark.parametrize("kill_at", range(3, 10, 2))
def test_work_goes_on_where_it_was_killed(work: Work, kill_at: int) -> None:
    memory = KillingCheckpointStore(kill_at)
    text = "Write the text of the document poem.txt in capitals to outputs/loud.txt."
    with pytest.raises(KeyboardInterrupt):
        work(text, "loud", memory=memory)
    killed = len(work.events)
    result = work(text, "loud", memory=memory)
    assert work.events[killed].kind is EventKind.TASK_RESUMED
    assert work.output("loud.txt") == "ONE TWO\nTHREE\n", result.text
    assert result.steps == 4


def test_the_steps_of_a_task_bound_it(work: Work) -> None:
    work.settings = replace(work.settings, max_steps=2)
    result = work("Write inputs/poem.txt in capitals to outputs/loud.txt.", "loud")
    assert result.state is TaskState.BUDGET_REACHED
    assert "Cut short" in result.text
