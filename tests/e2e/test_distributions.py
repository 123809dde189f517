"""Both distributions as a user installs them: built as wheels, in fresh environments, used against a running service.

Their dependencies come from the environment that runs the tests: the client's environment has grpc and protobuf only.
"""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.e2e.service import ROOT, Service, environment
from tests.source_trees import write_tree

sys.path.insert(0, str(ROOT / "scripts"))
from build_native import TARGETS, NativeBuildError, Target
from build_wheels import check_wheel

pytestmark = pytest.mark.slow
SITE = Path(sysconfig.get_path("purelib"))
CLIENT_NEEDS = ("grpc", "google", "typing_extensions.py")
ASK = """
import sys
from repoquarry.client import Client, ClientSettings
with Client(ClientSettings(sys.argv[1])) as client:
    print([row["name"] for row in client.rows("MATCH (c:Class) RETURN c.name AS name ORDER BY name")])
"""


def build(folder: Path, target: Path) -> Path:
    """The wheel of a project."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("wheels")
    return build(ROOT, folder / "main"), build(ROOT / "clients" / "python", folder / "client")


class Environment:
    """A virtual environment without pip."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.python = folder / "bin" / "python"
        self.site = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))

    def install(self, *wheels: Path | str) -> None:
        self._pip("install", "--no-deps", "--no-index", *map(str, wheels))

    def uninstall(self, name: str) -> None:
        self._pip("uninstall", "--yes", name)

    def _pip(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        subprocess.run([*command, *arguments], check=True, capture_output=True, timeout=300)

    def see(self, names: Sequence[str]) -> None:
        """Make some packages of the tests' environment importable."""
        for name in names:
            (self.site / name).symlink_to(SITE / name)

    def see_all(self) -> None:
        (self.site / "tests.pth").write_text(f"{SITE}\n")

    def run(self, script: str, *arguments: str, cwd: Path, store: Path) -> str:
        given = {name: value for name, value in environment(store).items() if name != "PYTHONPATH"}
        command = [str(self.python), "-c", script, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=given, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout


def test_the_client_alone(wheels: tuple[Path, Path], shop_service: Service, tmp_path: Path) -> None:
    fresh = Environment(tmp_path / "venv")
    fresh.install(wheels[1])
    fresh.see(CLIENT_NEEDS)
    told = fresh.run(ASK, shop_service.address, cwd=tmp_path, store=tmp_path / "none")
    assert told == "['Counter', 'Gift', 'Till']\n"
    absent = "import importlib.util as u; print([n for n in ('server', 'agent') if u.find_spec('repoquarry.' + n)])"
    assert fresh.run(absent, cwd=tmp_path, store=tmp_path / "none") == "[]\n"


@pytest.mark.parametrize(("folder", "number"), [(ROOT, 0), (ROOT / "clients/python", 1)], ids=["service", "client"])
def test_wheel_from_source_distribution_has_the_same_files(
    folder: Path, number: int, wheels: tuple[Path, Path], tmp_path: Path
) -> None:
    """The build hook finds the packages there too."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "xzf", str(archive), "-C", str(tmp_path)], check=True)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    sources = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    assert {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()} <= {*sources, "PKG-INFO"}
    wheel = build(unpacked, tmp_path / "wheel")
    assert names(wheel) == names(wheels[number])


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.triple)
def test_wheel_of_each_platform_holds_libraries_for_it(target: Target, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    variables = {**os.environ, "REPOQUARRY_KERNEL_TARGET": target.triple}
    subprocess.run(command, cwd=ROOT, env=variables, check=True, capture_output=True, timeout=600)
    (wheel,) = tmp_path.glob(f"*-{target.tag}.whl")
    check_wheel(wheel, target)
    for other in TARGETS:
        if other.triple.split("-")[:2] != target.triple.split("-")[:2]:
            with pytest.raises(NativeBuildError, match=r"expected"):
                check_wheel(wheel, other)


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_service_holds_the_same_client(wheels: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(wheels[0]) as main, zipfile.ZipFile(wheels[1]) as client:
        shared = names(wheels[1])
        assert shared <= names(wheels[0])
        assert {name.split("/")[1] for name in shared} == {"__init__.py", "client", "v1"}
        assert [name for name in sorted(shared) if main.read(name) != client.read(name)] == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["service first", "client first"])
def test_both_beside_packages_called_server_and_agent(
    order: tuple[int, int], wheels: tuple[Path, Path], shop_service: Service, shop_store: Path, tmp_path: Path
) -> None:
    fresh = Environment(tmp_path / "venv")
    fresh.see_all()
    for number in order:
        fresh.install(wheels[number])
    application = {"server/__init__.py": "MINE = 1\n", "agent/__init__.py": "import server\nMINE = server.MINE + 1\n"}
    own = write_tree(tmp_path / "application", application)
    script = (
        "import agent, server, sys; from repoquarry.server.cli.program import run; "
        "assert (server.MINE, agent.MINE) == (1, 2); sys.exit(run(sys.argv[1:]))"
    )
    local = fresh.run(script, "show", "price", "--callers", cwd=own, store=shop_store)
    remote = fresh.run(
        script, "show", "price", "--callers", "--server", shop_service.address, cwd=own, store=shop_store
    )
    assert "Till.charge" in local
    assert local == remote
    assert fresh.run(ASK, shop_service.address, cwd=own, store=shop_store) == "['Counter', 'Gift', 'Till']\n"
    fresh.uninstall("repoquarry-client")
    fresh.install("--force-reinstall", wheels[0])  # as docs/guides/client.md says
    assert fresh.run(ASK, shop_service.address, cwd=own, store=shop_store) == "['Counter', 'Gift', 'Till']\n"
