"""The initial plan of a provisioning."""

from datetime import UTC, datetime
from pathlib import Path

from repoquarry.execution.provision.python.code_imports import CodeImports, ExternalImport, read_imports
from repoquarry.execution.provision.python.initial_plan import build_initial_plan
from repoquarry.execution.provision.python.install_plan import InstallPlan
from repoquarry.execution.provision.python.interpreters import Interpreter
from repoquarry.execution.provision.report import ImportNeed
from repoquarry.execution.settings import EnvironmentSettings
from repoquarry.languages.manifests.python_repository import RepositoryManifests, read_manifests
from repoquarry.languages.manifests.python_requirements import StatedRequirement

AVAILABLE = [Interpreter(Path(f"/p/3.{minor}"), (3, minor, 1), Path("/p")) for minor in (8, 11, 12)]


def plan_at(tree: Path, year: int) -> InstallPlan:
    (tree / "setup.py").write_text("from setuptools import setup\nsetup(name='shop', py_modules=['shop'])\n")
    (tree / "shop.py").write_text("import os\n")
    manifests = read_manifests(tree)
    code = read_imports(tree, packaged=manifests.installable)
    day = datetime(year, 6, 1, tzinfo=UTC)
    return build_initial_plan(manifests, code, AVAILABLE, day, EnvironmentSettings(), tests=False).plan


def test_old_code_gets_builders_of_today_that_keep_their_own_packages_to_themselves(tmp_path: Path) -> None:
    plan = plan_at(tmp_path, 2020)
    assert {"setuptools", "wheel"} <= plan.undated
    assert plan.build_constraints == ("setuptools<81",)
    assert "setuptools<71" in plan.constraints


def test_newer_code_gets_builders_of_its_day(tmp_path: Path) -> None:
    plan = plan_at(tmp_path, 2025)
    assert not plan.undated
    assert not plan.constraints


def test_code_that_imports_what_no_manifest_asks_for_gets_its_build_for_processors(tmp_path: Path) -> None:
    (tmp_path / "torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"")
    settings = EnvironmentSettings(find_links=(str(tmp_path),))
    manifests = RepositoryManifests((StatedRequirement("requests", "setup.py"),))

    def held(*imported: ExternalImport) -> frozenset[str]:
        code = CodeImports(imported, ("shop",), (".",), 1)
        return build_initial_plan(manifests, code, AVAILABLE, None, settings, tests=False).plan.fixed_packages

    assert held(ExternalImport("torchaudio.functional", where="shop/a.py")) == {"torch"}
    assert (
        held(
            ExternalImport("torch", where="shop/a.py", need=ImportNeed.OPTIONAL),
            ExternalImport("yaml", where="shop/a.py"),
        )
        == set()
    )
