"""Environments are made, repaired according to logs, checked by importing, shared and removed; nothing leaves the isolation."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.errors import TaskCancelledError
from repoquarry.execution.isolation.registry import load_variant
from repoquarry.execution.provision.environment_cache import EnvironmentCache
from repoquarry.execution.provision.provisioning_run import open_cache, provision_folder, provision_workspace
from repoquarry.execution.provision.report import ProvisioningResult, ProvisioningStep
from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace
from tests.integration.agent.wheels import add_source, add_wheel
from tests.source_trees import write_tree

BACKEND = """
import zipfile
NAME, VERSION = {name!r}, "1.0"
def build_editable(folder, config_settings=None, metadata_directory=None):
    file = f"{{NAME}}-{{VERSION}}-py3-none-any.whl"
    with zipfile.ZipFile(f"{{folder}}/{{file}}", "w") as archive:
        info = f"{{NAME}}-{{VERSION}}.dist-info"
        archive.writestr(f"{{info}}/METADATA", f"Metadata-Version: 2.1\\nName: {{NAME}}\\nVersion: {{VERSION}}\\n")
        archive.writestr(f"{{info}}/WHEEL", "Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr(f"{{info}}/RECORD", "")
        archive.writestr("here.pth", {path!r})
    return file
def build_wheel(folder, config_settings=None, metadata_directory=None):
    return build_editable(folder)
"""
BUILD = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
PROJECT = '[project]\nname = "shop"\nversion = "1.0"\n'
PAGE = {"requirements.txt": "jinja2\n", "page.py": "import jinja2\n"}

COLLECTING = """
import importlib.util, sys
if importlib.util.find_spec("pytest_cov") is None:
    print("error: unrecognized arguments: --cov=shop")
    sys.exit(4)
print("tests/test_cart.py: 3")
try:
    import collected_by_hook
except ImportError as error:
    print("______ ERROR collecting tests/test_hooks.py ______")
    print(f"E   ModuleNotFoundError: {error}")
    sys.exit(2)
"""
"""Stands for pytest, as far as provisioning sees it: its exit code and what it prints."""


_VARIANTS = ("bubblewrap", "landlock", "none")
in_each_variant = pytest.mark.parametrize("isolation", _VARIANTS)
"""For tests of what isolation may change; plans and repairs are the same in each variant."""


@pytest.fixture
def isolation() -> str:
    """The first variant that works here."""
    return next(name for name in _VARIANTS if not load_variant(name).unavailable())


@pytest.fixture
def settings(isolation: str, tmp_path: Path) -> AgentSettings:
    if reason := load_variant(isolation).unavailable():
        pytest.skip(f"{isolation}: {reason}")
    index = tmp_path / "index"
    index.mkdir()
    add_wheel(index, "PyYAML", "6.0", {"yaml.py": "def load(text): return text\n"})
    add_wheel(index, "Jinja2", "3.0", {"jinja2.py": "escape = str\n"})
    add_wheel(index, "Jinja2", "3.1", {"jinja2.py": "Template = str\n"})
    add_wheel(index, "counter", "2.0", {"counter.py": "import yaml\nTOTAL = 1\n"})
    add_wheel(
        index,
        "broken-native",
        "1.0",
        {"broken_native.py": "raise ImportError('libabsent.so.1: cannot open shared object file')\n"},
    )
    return AgentSettings(
        workspace=WorkspaceSettings(isolation=isolation, install_hosts=()),
        environment=EnvironmentSettings(root=tmp_path / "environments", index=f"file://{index}", attempts=20),
    )


def index_of(settings: AgentSettings) -> Path:
    return Path(settings.environment.index.removeprefix("file://"))


def run(
    folder: Path,
    settings: AgentSettings,
    *,
    date: datetime | None = None,
    tests: bool = False,
    cancelled: Callable[[], bool] = lambda: False,
) -> ProvisioningResult:
    steps: list[ProvisioningStep] = []
    with provision_folder(folder, settings, date=date, tests=tests, report=steps.append, cancelled=cancelled) as (
        found,
        _,
    ):
        assert steps[-1].stage == "done"
        return found


@in_each_variant
def test_what_no_manifest_asks_for_is_found_by_its_module(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(
        tmp_path / "shop",
        {
            "requirements.txt": "counter==2.0\n",
            "shop/__init__.py": "import counter\nimport yaml\n",
            "tests/test_x.py": "import absent\n",
        },
    )
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    assert [(one.kind, one.change) for one in found.repairs if one.kind == "missing_module"] == [
        ("missing_module", "PyYAML is installed")
    ]
    assert {"counter==2.0", "pyyaml==6.0"} <= set(found.lock)
    assert not found.cached


def test_obsolete_metadata_is_read_from_the_wheel(tmp_path: Path, settings: AgentSettings) -> None:
    add_wheel(index_of(settings), "panels", "0.24", {"panels.py": "import yaml\n"}, requires=["PyYAML (>=2011k)"])
    folder = write_tree(tmp_path / "shop", {"requirements.txt": "panels>=0.18\n", "run.py": "import panels\n"})
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    assert {"panels==0.24", "pyyaml==6.0"} == set(found.lock)
    assert [one.kind for one in found.repairs] == ["metadata"]


def test_what_cannot_be_built_keeps_nothing_else_out(tmp_path: Path, settings: AgentSettings) -> None:
    add_wheel(index_of(settings), "stubborn", "1.0", {"stubborn.py": ""})
    add_source(
        index_of(settings), "stubborn", "2.0", {"pyproject.toml": BUILD, "backend.py": "raise OSError('no compiler')\n"}
    )
    folder = write_tree(
        tmp_path / "shop",
        {
            "requirements.txt": "counter\n",
            "shop/__init__.py": "import counter\nimport yaml\n",
            "shop/beside.py": "import stubborn\nimport jinja2\n",
        },
    )
    steps: list[ProvisioningStep] = []
    with provision_folder(folder, settings, date=None, report=steps.append, cancelled=lambda: False) as (found, _):
        assert found.state == "ready", found.missing
    assert {"pyyaml==6.0", "jinja2==3.1"} <= set(found.lock)
    tried = [step for step in steps if any(one.change == "stubborn is installed" for one in step.repairs)]
    assert len(tried) == 1, "what could not be built once is not asked for again"
    assert not any("stubborn" in line for line in found.lock)


@pytest.mark.parametrize("can_repair", [True, False])
def test_what_keeps_tests_from_being_collected_is_repaired_or_reported(
    tmp_path: Path, settings: AgentSettings, can_repair: bool
) -> None:
    add_wheel(index_of(settings), "pytest", "7.0", {"pytest/__init__.py": "", "pytest/__main__.py": COLLECTING})
    add_wheel(index_of(settings), "pytest-cov", "3.0", {"pytest_cov.py": ""})
    if can_repair:
        add_wheel(index_of(settings), "collected-by-hook", "1.0", {"collected_by_hook.py": ""})
    folder = write_tree(
        tmp_path / "shop", {"requirements.txt": "counter\nPyYAML\n", "shop/__init__.py": "import counter\n"}
    )
    found = run(folder, settings, tests=True)
    assert found.state == "ready"
    if not can_repair:
        assert [note for note in found.notes if "tests/test_hooks.py" in note and "collected_by_hook" in note]
        return
    assert {"pytest-cov==3.0", "collected-by-hook==1.0"} <= set(found.lock), found.notes
    assert [one.kind for one in found.repairs if one.kind != "date"] == ["test_plugin", "missing_module"]
    assert not any(item.test for item in found.tried)
    assert "pytest==7.0" not in run(folder, settings).lock


def test_a_break_that_is_known_is_avoided(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", {"requirements.txt": "jinja2\n", "page.py": "from jinja2 import escape\n"})
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    assert "jinja2==3.0" in found.lock
    assert any(one.kind == "known_break" and one.change == "jinja2<3.1" for one in found.repairs)


def test_what_cannot_be_had_is_said_exactly(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(
        tmp_path / "shop",
        {
            "requirements.txt": "broken-native\nno-such-package\n",
            "run.py": "import broken_native\nimport no_such_package\nimport yaml\n",
        },
    )
    found = run(folder, settings)
    assert found.state == "partial"
    assert len(found.missing) == 2
    assert "module broken_native, imported by run.py: ImportError: libabsent.so.1" in found.missing[0]
    assert "No module named 'no_such_package'" in found.missing[1]
    assert any(one.kind == "package_name" and "no-such-package is omitted" in one.change for one in found.repairs)


def test_an_index_without_dates_is_told_of(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", PAGE)
    found = run(folder, settings, date=datetime(2021, 1, 1, tzinfo=UTC))
    assert found.state == "ready", found.missing
    assert found.date == ""
    assert any(one.kind == "date" and "does not state publication dates" in one.reason for one in found.repairs)


def test_the_same_request_finds_the_environment_and_others_share_it(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", PAGE)
    other = write_tree(tmp_path / "other", {"requirements.txt": "Jinja2>=3\n", "view.py": "import jinja2\n"})
    first, again, same = run(folder, settings), run(folder, settings), run(other, settings)
    assert again.cached
    assert first.environment is not None
    assert again.environment is not None
    assert same.environment is not None
    assert first.environment.path == again.environment.path == same.environment.path
    assert again.lock == first.lock
    assert len(open_cache(settings).all()) == 1


def test_unused_environments_are_removed_and_used_ones_stay(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", PAGE)
    found = run(folder, settings).environment
    assert found is not None
    cache = EnvironmentCache(open_cache(settings).root, 0, keep_hours=1.0)
    assert cache.evict() == []
    os.utime(found.folder / "record.json", (1.0, 1.0))
    assert EnvironmentCache(cache.root, 0).evict() == [], "without a limit of age it stays"
    (found.folder / "holders").write_text(f"{tmp_path}\n", encoding="utf-8")
    assert (cache.in_use(found), cache.evict()) == (True, [])
    (found.folder / "holders").unlink()
    assert (cache.in_use(found), cache.evict()) == (False, [found.name])


@in_each_variant
def test_the_repository_is_built_inside_and_sees_nothing_outside(tmp_path: Path, settings: AgentSettings) -> None:
    if settings.workspace.isolation == "none":
        pytest.skip("without isolation a build may write where the user may")
    marker = tmp_path / "marker"
    backend = (
        BACKEND.format(name="shop", path="") + f"\ntry:\n    open({str(marker)!r}, 'w')\nexcept OSError:\n    pass\n"
    )
    folder = write_tree(
        tmp_path / "shop",
        {
            "pyproject.toml": PROJECT + BUILD,
            "backend.py": backend,
            "shop/__init__.py": f"try:\n    open({str(marker)!r}, 'w')\nexcept OSError:\n    pass\n",
        },
    )
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    assert not marker.exists()


@in_each_variant
def test_it_can_be_cancelled(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", PAGE)
    with pytest.raises(TaskCancelledError):
        run(folder, settings, cancelled=lambda: True)
    assert open_cache(settings).all() == []


@in_each_variant
def test_commands_of_a_task_run_in_it(tmp_path: Path, settings: AgentSettings) -> None:
    settings = replace(settings, workspace=replace(settings.workspace, root=tmp_path / "tasks"))
    workspace = Workspace.create(settings.workspace, lambda: False)
    files = {"requirements.txt": "jinja2\n", "page.py": "import jinja2\nTITLE = jinja2.Template('shop')\n"}
    tree = write_tree(workspace.root / "shop", files)
    found = provision_workspace(workspace, tree, settings, date=None, tests=False, cancelled=lambda: False)
    assert found.state == "ready", found.missing
    outcome = workspace.run("python -c 'import page; print(page.TITLE)'")
    assert (outcome.exit_code, outcome.output) == (0, "shop\n")
    assert found.environment is not None
    if settings.workspace.isolation != "none":
        assert workspace.run(f"touch {found.environment.path}/x").exit_code != 0, "shared environments are read-only"
    cache = open_cache(settings)
    assert not cache.remove(found.environment.name), "a task uses it"
    shutil.rmtree(workspace.root)
    assert cache.remove(found.environment.name)


def test_the_repository_is_built_once_for_repairs_that_its_build_does_not_see(
    tmp_path: Path, settings: AgentSettings
) -> None:
    folder = write_tree(
        tmp_path / "shop",
        {
            "pyproject.toml": BUILD + PROJECT + 'dependencies = ["counter"]\n',
            "backend.py": BACKEND.format(name="shop", path="src"),
            "src/shop/__init__.py": "import counter\n",
        },
    )
    steps: list[ProvisioningStep] = []
    with provision_folder(folder, settings, date=None, report=steps.append, cancelled=lambda: False) as (found, _):
        assert found.state == "ready", found.missing
    assert any(one.change == "PyYAML is installed" for one in found.repairs)
    assert sum(step.text.startswith("installing the repository") for step in steps) == 1


def test_a_folder_called_like_its_package_does_not_hide_it(tmp_path: Path, settings: AgentSettings) -> None:
    settings = replace(settings, workspace=replace(settings.workspace, root=tmp_path / "tasks"))
    workspace = Workspace.create(settings.workspace, lambda: False)
    files = {
        "pyproject.toml": PROJECT + BUILD,
        "backend.py": BACKEND.format(name="shop", path=""),
        "shop/__init__.py": "PRICE = 3\n",
    }
    tree = write_tree(workspace.root / "shop", files)
    provision_workspace(workspace, tree, settings, date=None, tests=False, cancelled=lambda: False)
    workspace.write("solve.py", "import shop\nprint(shop.PRICE)\n")
    outcome = workspace.run("python solve.py")
    assert outcome.output == "3\n"


def test_what_a_killed_process_left_is_removed(tmp_path: Path, settings: AgentSettings) -> None:
    cache = open_cache(settings)
    building = cache.start()
    abandoned = cache.root / "e0123456789ab"
    (abandoned / "env").mkdir(parents=True)
    other = open_cache(settings)
    started = other.start()
    assert not abandoned.exists()
    assert building.exists(), "a process still builds it"
    cache.discard(building)
    other.discard(started)
    assert list(cache.root.glob("e*[!k]")) == []
