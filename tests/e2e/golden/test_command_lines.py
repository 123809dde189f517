"""Golden answers of the command line: exit code, output and error of each line in `command_lines.txt`.

A section of that file names a tree. Its lines run in order, with a store of their own, from a folder that holds all trees and the
files of `data/inputs`. `<<< WORD` passes standard input; `NEXT_PAGE` is the page token of the last answer that had one.

`pytest --update-golden` rewrites the files in `answers/`. In them, `~` stands for a value that varies from run to run or with the code of
the product, and `<trees>` for the folder of the trees. Floats are rounded to five digits.
"""

import json
import math
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.service import run_here

_FOLDER = Path(__file__).parent
_TESTS = _FOLDER.parents[1]
_TREES = {
    "webshop": ("integration/agent/data/webshop", "*"),
    "javascript": (
        "unit/resolution/sources/javascript",
        "barrels common_js documented_modules es_modules workspaces async_functions.js classes.js jsx_components.jsx "
        "object_methods.js promises.js prototype_inheritance.js tables.js",
    ),
    "typescript": (
        "unit/resolution/sources",
        "vue/components typescript/guard_imports typescript/mixed_languages typescript/paths typescript/references "
        "typescript/type_exports typescript/abstract_factory.ts typescript/decorators.ts typescript/enums.ts "
        "typescript/generics.ts typescript/interfaces.ts typescript/overridden.ts typescript/promises.ts",
    ),
    "java": (
        "unit/resolution/sources/java",
        "packages roots Annotations.java Builders.java Defaults.java Dispatch.java Enums.java Lambdas.java Records.java "
        "Unknown.java Visitors.java",
    ),
    "structure": ("unit/structure/sources", "*"),
    "checkout": ("e2e/golden/data/checkout", "*"),
    "handbook": ("e2e/golden/data/handbook", "*"),
    "broken": ("e2e/golden/data/broken", "*"),
    "inputs": ("e2e/golden/data/inputs", "*"),
}
"""Folder of each tree below `tests`, and globs of what is copied from it."""
_TIMES = (
    "seconds",
    "cpu_seconds",
    "rate_per_second",
    "create_time",
    "start_time",
    "end_time",
    "index_time",
    "check_time",
)
_VARYING = frozenset(
    (*_TIMES, "peak_memory_bytes", "last_sequence", "revision", "indexer", "indexed_at", "next_page_token")
)
_VARYING_TEXT = re.compile(
    r"""(?<=@)[0-9a-f]{12}(?=\ \(no\ git\b)|(?<=\bindexJobs/)[0-9a-f]{16}\b|(?<=\btasks/)[0-9a-f]{16}\b
    |(?<="n_revision">)[^<]+|(?<="n_indexer">)[^<]+|(?<="n_indexed_at">)[^<]+  # in GraphML
    |(?<=no\ server\ answers\ at\ 127\.0\.0\.1:1:\ ).*  # words of gRPC""",
    re.VERBOSE,
)
_SETTINGS = {
    "REPOQUARRY_CLIENT_ATTEMPTS": "1",
    "REPOQUARRY_SERVER_PROGRESS_SECONDS": "0",  # Otherwise the last progress of a job depends on the machine's speed.
    "REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "none",
    "REPOQUARRY_AGENT_ENVIRONMENT_ROOT": "environments",
    "COLUMNS": "200",
}
_CONNECTION_OPTIONS = frozenset({"--basis", "--server", "--token", "--certificate", "--tls", "--store", "--config"})
"""Options that every command has; the list needs each of them once."""


def _sections() -> dict[str, list[str]]:
    """Read the command lines by tree."""
    sections: dict[str, list[str]] = {}
    for line in (_FOLDER / "command_lines.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines = sections.setdefault(line[2:].partition(":")[0], [])
        elif line:
            lines.append(line)
    return sections


_SECTIONS = _sections()


@pytest.fixture(scope="session")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the trees to a folder; `webshop` becomes a git repository with two commits."""
    root = tmp_path_factory.mktemp("golden").resolve() / "trees"
    for name, (folder, globs) in _TREES.items():
        (root / name).mkdir(parents=True)
        for source in sorted(path for glob in globs.split() for path in (_TESTS / folder).glob(glob)):
            if source.is_dir():
                shutil.copytree(source, root / name / source.name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, root / name)
    shop = root / "webshop"
    _git(shop, "init", "-q", "-b", "main")
    _commit(shop, "Ada", "2024-03-01T09:00:00Z", "Open the shop", "v1")
    _git(shop, "apply", "../inputs/change.patch")
    _commit(shop, "Grace", "2024-06-01T09:00:00Z", "Pay amounts back", "v2")
    return root


def _commit(folder: Path, author: str, date: str, subject: str, tag: str) -> None:
    """Commit everything with a hash that depends on the arguments and the files only."""
    person = {"NAME": author, "EMAIL": f"{author}@example.org", "DATE": date}
    variables = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", subject, **variables)
    _git(folder, "tag", tag)


def _git(folder: Path, *words: str, **variables: str) -> None:
    unconfigured = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **unconfigured, **variables})


def _answers(lines: list[str], root: Path, store: Path) -> dict[str, Any]:
    """Run command lines in order and return what is stored of each."""
    answers = {}
    page_token = ""
    for line in lines:
        words, _, stdin = line.replace("NEXT_PAGE", page_token).partition(" <<< ")
        done = run_here(store, *shlex.split(words), stdin="".join(shlex.split(stdin)), **_SETTINGS)
        answer = {"exit": done.returncode, "stdout": _parsed(done.stdout)}
        if done.returncode:
            answer["error"] = _parsed(done.stderr.rstrip().rpartition("\n")[2])
        if isinstance(answer["stdout"], dict):
            page_token = answer["stdout"].get("next_page_token") or page_token
        answers[line] = _masked(answer, str(root))
    assert len(answers) == len(lines), "a command line is listed twice"
    return answers


def _parsed(text: str) -> Any:
    """Parse JSON; any other text becomes a list of lines."""
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


def _masked(value: Any, root: str) -> Any:
    if isinstance(value, dict):
        return {key: "~" if key in _VARYING and item else _masked(item, root) for key, item in value.items()}
    if isinstance(value, list):
        return [_masked(item, root) for item in value]
    if isinstance(value, str):
        return _VARYING_TEXT.sub("~", value.replace(root, "<trees>"))
    return float(f"{value:.5g}") if isinstance(value, float) else value


def _differences(expected: Any, found: Any, place: str) -> Iterator[str]:
    """Describe where two answers differ. The last digits of floats may differ between processors."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if list(expected) != list(found):
            yield f"{place}: keys {list(expected)} are now {list(found)}"
        for key in [key for key in expected if key in found]:
            yield from _differences(expected[key], found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{place}: {len(expected)} items are now {len(found)}"
        for number, (one, other) in enumerate(zip(expected, found, strict=False)):
            yield from _differences(one, other, f"{place}[{number}]")
    elif type(expected) is not float or type(found) is not float:
        if (type(expected), expected) != (type(found), found):
            yield f"{place}: {json.dumps(expected)[:300]} is now {json.dumps(found)[:300]}"
    elif not math.isclose(expected, found, rel_tol=2e-4, abs_tol=1e-6):
        yield f"{place}: {expected} is now {found}"


def _formatted(value: Any, indent: int = 0) -> str:
    """Format JSON with as much on a line as fits."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + indent <= 140:
        return flat
    margin = "\n" + " " * indent
    if isinstance(value, list):
        return f"[{margin} " + f",{margin} ".join(_formatted(item, indent + 1) for item in value) + f"{margin}]"
    parts = [f"{json.dumps(key, ensure_ascii=False)}: {_formatted(item, indent + 1)}" for key, item in value.items()]
    return f"{{{margin} " + f",{margin} ".join(parts) + f"{margin}}}"


@pytest.mark.slow
@pytest.mark.parametrize("tree", _SECTIONS)
def test_command_lines_give_golden_answers(
    tree: str, trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(trees)
    found = _answers(_SECTIONS[tree], trees, tmp_path / "store")
    golden = _FOLDER / "answers" / f"{tree}.json"
    if request.config.getoption("update_golden"):
        golden.write_text(_formatted(found) + "\n", encoding="utf-8")
    expected = json.loads(golden.read_text(encoding="utf-8"))
    differences = list(_differences(expected, found, tree))
    assert not differences, "\n".join(
        [*differences[:20], f"{len(differences)} differences; --update-golden stores them"]
    )


def test_command_lines_use_every_option_of_every_command(tmp_path: Path) -> None:
    lines = [shlex.split(line) for lines in _SECTIONS.values() for line in lines]
    commands = re.findall(r"^  (\w+)  ", run_here(tmp_path, "--help").stdout, re.MULTILINE)
    assert {"query", "index", "evaluate"} < set(commands) < {line[0] for line in lines}
    for command in commands:
        text = run_here(tmp_path, command, "--help", **_SETTINGS).stdout
        options = set(re.findall(r"^\W*(--[\w-]+)", text, re.MULTILINE))
        used = {word for line in lines for word in line if line[0] == command or word in _CONNECTION_OPTIONS}
        assert "--help" in options
        assert not options - used - {"--help"}, command
