"""The image and the compose file name only what exists: files, commands, settings, ports. No Docker engine is needed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from repoquarry.server.settings.sections import setting_fields

ROOT = Path(__file__).resolve().parents[3]
DOCKERFILE = (ROOT / "docker/Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8"))
VARIABLES = {item.variable for item in setting_fields()}


def instructions(name: str) -> list[str]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.removeprefix(name).strip() for line in joined.splitlines() if line.startswith(f"{name} ")]


def test_what_is_copied_exists() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for line in instructions("COPY"):
        if line.startswith("--from"):
            continue
        for name in line.split()[:-1]:
            assert (ROOT / name).exists(), name
            assert name.split("/")[0] not in ignored


def test_every_package_of_the_wheel_is_copied() -> None:
    packages = re.search(r"packages = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert packages is not None
    copied = {name for line in instructions("COPY") for name in line.split()[:-1]}
    for package in json.loads(f"[{packages[1]}]"):
        assert package.split("/")[0] in copied


def test_it_does_not_run_as_root_and_has_a_health_check() -> None:
    assert instructions("USER")[-1] == "quarry"
    assert DOCKERFILE.index("useradd") < DOCKERFILE.index("USER quarry")
    assert DOCKERFILE.index("USER quarry") < DOCKERFILE.index("ENTRYPOINT")
    (check,) = instructions("HEALTHCHECK")
    command = json.loads(check[check.index("[") :])
    assert command == ["python", "/opt/repoquarry/health.py"]
    assert "COPY docker/health.py /opt/repoquarry/health.py" in DOCKERFILE


def test_the_entry_point_is_a_command_of_the_package() -> None:
    scripts = re.search(r"\[project.scripts\]\n(\w+) =", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert scripts is not None
    assert json.loads(instructions("ENTRYPOINT")[0]) == [scripts[1]]
    from repoquarry.server.cli.commands import COMMANDS

    assert json.loads(instructions("CMD")[-1])[0] in COMMANDS


def test_the_variables_are_settings() -> None:
    used = set(re.findall(r"REPOQUARRY_\w+(?==)", DOCKERFILE)) | set(COMPOSE["services"]["repoquarry"]["environment"])
    assert used
    assert used <= VARIABLES


def test_the_compose_file_fits_the_image() -> None:
    service = COMPOSE["services"]["repoquarry"]
    assert (ROOT / "docker" / service["build"]["context"] / service["build"]["dockerfile"]).resolve().exists()
    (port,) = instructions("EXPOSE")
    assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert instructions("VOLUME")[0] in {mount.split(":")[1] for mount in service["volumes"]}
    assert "healthcheck" in COMPOSE["services"]["neo4j"]
    assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"
    named = {mount.split(":")[0] for entry in COMPOSE["services"].values() for mount in entry["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])


def test_the_health_check_fails_where_nothing_listens() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docker/health.py")],
        env={"REPOQUARRY_SERVER_LISTEN": "127.0.0.1:1", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "no health: UNAVAILABLE\n")
