"""The image and the compose file: built from exactly the files that the build copies, started and checked, without a Docker engine."""

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pathspec
import pytest
import yaml

from repoquarry.server.settings.sections import setting_fields
from tests.e2e.service import DEADLINE_SECONDS, ROOT
from tests.neo4j_server import free_port

DOCKERFILE = (ROOT / "docker/Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8"))
VARIABLES = {item.variable for item in setting_fields()}
_NEEDS_ROOT = ("apt-get", "rm", "useradd", "install")
"""Commands of build steps that only a container can run."""
_PLACES = re.compile(r"(?<![\w./])/(?=(?:source|opt|var/lib/repoquarry)\b)")
"""Beginnings of the paths that a build step uses."""
_DEV_PACKAGES = {"PIP_NO_DEPS": "1", "PIP_IGNORE_INSTALLED": "1", "PIP_NO_BUILD_ISOLATION": "0"}
"""For pip, where the dependencies are those of the tests. 0 is how its documentation turns isolation off by a variable."""


def instructions(name: str = "") -> list[tuple[str, str]]:
    """Instructions of the Dockerfile with their arguments; with a name those alone."""
    joined = DOCKERFILE.replace("\\\n", " ")
    found = [re.split(r"\s+", line.strip(), maxsplit=1) for line in joined.splitlines() if re.match("[A-Z]+ ", line)]
    return [(word, argument) for word, argument in found if word == (name or word)]


class Image:
    """Folder that stands for the root of the image while the steps of the Dockerfile run."""

    def __init__(self, root: Path, packages: Path | None) -> None:
        """`packages` is the folder of installed packages to build and run with; None: everything is installed."""
        self.root = root
        self._folder = root
        self._packages = packages
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(root / "home")}
        (root / "home").mkdir(parents=True)

    def locate(self, text: str) -> str:
        """Move absolute paths of the image below the root."""
        return _PLACES.sub(f"{self.root}/", text)

    def build(self) -> None:
        """Run every step that needs no container."""
        steps = {"WORKDIR": self._workdir, "COPY": self._copy, "ENV": self._env, "RUN": self._run}
        for word, argument in instructions():
            steps.get(word, str)(argument)

    def command(self, name: str) -> list[str]:
        """Command of an instruction that is written as a JSON array."""
        (argument,) = [argument for _, argument in instructions(name)]
        return [self.locate(word) for word in json.loads(argument[argument.index("[") :])]

    def run(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the container would."""
        given = {**self.environment, **variables}
        program = shutil.which(command[0], path=given["PATH"]) or command[0]
        return subprocess.run(
            [program, *command[1:]], env=given, cwd=self.root / "home", capture_output=True, text=True,
            timeout=DEADLINE_SECONDS, check=False,
        )  # fmt: skip

    def _workdir(self, argument: str) -> None:
        self._folder = Path(self.locate(argument))
        self._folder.mkdir(parents=True)

    def _copy(self, argument: str) -> None:
        *sources, target = argument.split()
        if sources[0].startswith("--from="):
            assert sources[1:] == [target], "files of another stage are at the same place here"
            assert Path(self.locate(target)).exists()
            return
        into = self._folder / self.locate(target)
        for source in sources:
            copied = [name for name in build_context() if name == source or name.startswith(f"{source}/")]
            assert copied, f"{source} is not in the build context"
            for name in copied:
                is_folder = target.endswith("/") or name != source
                path = into / Path(name).relative_to(source if name != source else Path(source).parent)
                path = path if is_folder else into
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, path)

    def _env(self, argument: str) -> None:
        for pair in shlex.split(argument):
            name, _, value = pair.partition("=")
            self.environment[name] = self.locate(value).replace("$PATH", self.environment["PATH"])

    def _run(self, argument: str) -> None:
        commands = [command.strip() for command in argument.split("&&")]
        script = " && ".join(command for command in commands if not command.startswith(_NEEDS_ROOT))
        variables = {
            **os.environ,
            **self.environment,
            "PIP_NO_COMPILE": "1",
            **(_DEV_PACKAGES if self._packages else {}),
        }
        done = subprocess.run(
            ["sh", "-ec", self.locate(script)], env=variables, cwd=self._folder, capture_output=True, text=True,
            timeout=DEADLINE_SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        for site in self.root.glob("opt/*/lib/python*/site-packages") if self._packages else ():
            (site / "dev.pth").write_text(f"{self._packages}\n", encoding="utf-8")


@functools.cache
def build_context() -> tuple[str, ...]:
    """Files that a build in a clean clone may copy: those under version control that .dockerignore lets through."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    ignored = pathspec.GitIgnoreSpec.from_lines([f"/{pattern}" for pattern in patterns])
    return tuple(name for name in names if not ignored.match_file(name) and (ROOT / name).is_file())


@pytest.fixture(scope="module", params=["dev", pytest.param("complete", marks=pytest.mark.docs)])
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The built image: with the packages of the tests' environment, or with a complete installation of its own."""
    root = tmp_path_factory.mktemp("image")
    built = Image(root, Path(sysconfig.get_path("purelib")) if request.param == "dev" else None)
    built.build()
    yield built
    shutil.rmtree(root)


@pytest.mark.slow
def test_image_serves_and_reports_its_health(image: Image) -> None:
    port = str(free_port())
    variables = {"REPOQUARRY_SERVER_LISTEN": f"0.0.0.0:{port}", "REPOQUARRY_SERVER_TOKENS": "change-me-change-me"}
    start = image.command("ENTRYPOINT") + image.command("CMD")
    program = shutil.which(start[0], path=image.environment["PATH"])
    assert program is not None
    assert Path(program).is_relative_to(image.root)
    log = image.root / "serve.log"
    with log.open("w") as stderr:
        process = subprocess.Popen(
            [program, *start[1:]], env={**image.environment, **variables}, cwd=image.root / "home",
            stdout=subprocess.PIPE, stderr=stderr, text=True,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("listening on "), log.read_text()
        healthy = image.run(image.command("HEALTHCHECK"), **variables)
        assert (healthy.returncode, healthy.stderr) == (0, "")
        listed = image.run(["repoquarry", "list", "--server", f"127.0.0.1:{port}", "--token", "change-me-change-me"])
        assert listed.returncode == 0, listed.stderr
    finally:
        process.terminate()
        ended = process.wait(DEADLINE_SECONDS)
    assert ended == 0
    assert image.run(image.command("HEALTHCHECK"), **variables).stderr == "no health: UNAVAILABLE\n"


@pytest.mark.slow
def test_image_refuses_to_start_without_tokens(image: Image) -> None:
    done = image.run(image.command("ENTRYPOINT") + image.command("CMD"))
    assert done.returncode != 0
    assert "server.tokens" in done.stderr


def test_it_does_not_run_as_root() -> None:
    assert [argument for _, argument in instructions("USER")] == ["quarry"]
    order = [word for word, _ in instructions()]
    assert order.index("USER") < order.index("ENTRYPOINT")


def test_the_variables_are_settings() -> None:
    used = set(re.findall(r"REPOQUARRY_\w+(?==)", DOCKERFILE)) | set(COMPOSE["services"]["repoquarry"]["environment"])
    assert used
    assert used <= VARIABLES


def test_the_compose_file_fits_the_image() -> None:
    service = COMPOSE["services"]["repoquarry"]
    assert (ROOT / "docker" / service["build"]["context"] / service["build"]["dockerfile"]).resolve().exists()
    ((_, port),), ((_, volume),) = instructions("EXPOSE"), instructions("VOLUME")
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert volume in {mount.split(":")[1] for mount in service["volumes"]}
    assert "healthcheck" in COMPOSE["services"]["neo4j"]
    assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"
    named = {mount.split(":")[0] for entry in COMPOSE["services"].values() for mount in entry["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])


@pytest.mark.docs
def test_compose_file_is_valid_by_the_compose_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(ROOT / "docker/compose.yaml")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
