"""Packages of an environment and of modules, and the folders of wheels that pip's configuration names."""

from pathlib import Path

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.provision import command_runner
from repoquarry.execution.provision.command_runner import with_local_wheels
from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.installer import holder_of, required_by
from repoquarry.execution.settings import EnvironmentSettings


def test_what_metadata_requires_in_the_form_of_today() -> None:
    metadata = (
        "Metadata-Version: 2.1\nName: pandas\nRequires-Dist: python-dateutil (>=2.5.0)\nRequires-Dist: pytz (>=2011k)\n"
        "Requires-Dist: odd[fast] (>dev) ; python_version < '3'\nRequires-Dist: hypothesis; extra == 'test'\n\nRequires-Dist: none\n"
    )
    assert required_by(metadata) == ("python-dateutil>=2.5.0", "pytz", "odd[fast]; python_version < '3'")


def test_the_package_that_gives_a_module(tmp_path: Path) -> None:
    place = tmp_path / "lib" / "python3.8" / "site-packages"
    for name, record in (("qpid_tools-0.26", "qpidtoollibs/__init__.py,,\n"), ("six-1.0", "six.py,,\nsixth/a.py,,\n")):
        info = place / f"{name}.dist-info"
        info.mkdir(parents=True)
        (info / "RECORD").write_text(record)
    assert holder_of(tmp_path, "qpidtoollibs") == "qpid-tools"
    assert holder_of(tmp_path, "six") == "six"
    assert holder_of(tmp_path, "qpid") == ""


@pytest.mark.parametrize(
    ("requirement", "name"),
    [("PyYAML", "pyyaml"), ("setuptools<81", "setuptools"), ("typing_extensions==4.1", "typing-extensions"), ("", "")],
)
def test_the_name_of_a_requirement_is_canonical_and_without_versions(requirement: str, name: str) -> None:
    assert install_plan.named_by(requirement) == name


def test_a_module_whose_package_is_bounded_by_the_table_has_the_name_alone() -> None:
    assert install_plan.package_of("pkg_resources") == "setuptools<81"
    assert install_plan.name_of("pkg_resources") == "setuptools"
    assert install_plan.name_of("yaml.constructor") == "pyyaml"


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
