"""Folders of wheels in pip's configuration are used where the settings name none."""

from pathlib import Path

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.provision import command_runner
from repoquarry.execution.provision.command_runner import with_local_wheels
from repoquarry.execution.settings import EnvironmentSettings


@pytest.fixture(autouse=True)
def no_files_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_runner, "_FILES", ())


def links(environment: dict[str, str], settings: AgentSettings | None = None) -> tuple[str, ...]:
    return with_local_wheels(settings or AgentSettings(), environment).environment.find_links


def test_the_variable_and_the_file_of_pip(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    file = tmp_path / "pip.conf"
    file.write_text(
        f"[global]\nfind-links =\n    file://{two}\n    https://example.org/wheels\n    {tmp_path}/absent\n"
    )
    assert links({"PIP_FIND_LINKS": str(one), "PIP_CONFIG_FILE": str(file)}) == (str(one), str(two))


def test_without_them_and_with_files_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "pip.conf"
    file.write_bytes(b"[global\n\xff")
    assert links({}) == ()
    assert links({"PIP_CONFIG_FILE": str(file)}) == ()


def test_what_the_settings_name_comes_first(tmp_path: Path) -> None:
    settings = AgentSettings(environment=EnvironmentSettings(find_links=("/mine",)))
    assert links({"PIP_FIND_LINKS": str(tmp_path)}, settings) == ("/mine",)
