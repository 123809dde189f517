"""Variant `container`: docker or podman."""

from __future__ import annotations

import csv
import io
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from repoquarry.execution.isolation.confinement import CommandLimits, Confinement, Isolation, LaunchSpec
from repoquarry.execution.isolation.registry import try_variant
from repoquarry.processes.programs import run_program

_ENGINES = ("docker", "podman")
_ENGINE_ENVIRONMENT = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONFIG", "CONTAINER_HOST", "XDG_RUNTIME_DIR")
_ANSWER_SECONDS = 20


class Container:
    """Starts a container for each command; the system that the command sees is the image's."""

    name = "container"
    holds = True
    grants_network = False
    interpreter = "python3"

    def __init__(self, image: str) -> None:
        self._image = image

    def unavailable(self) -> str:
        if not self._image:
            return "no image is named in the setting agent.workspace.container_image"
        engine = _engine()
        if engine is None:
            return "neither docker nor podman is on PATH"
        try:
            asked = run_program([engine, "image", "inspect", self._image], seconds=_ANSWER_SECONDS)
        except OSError as error:
            return f"{engine} does not answer: {error}"
        if asked.code != 0:
            return f"{engine} has no image {self._image!r}: {asked.errors.decode('utf-8', 'replace').strip()}"
        return try_variant(self)

    def launch(
        self, confinement: Confinement, command: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> LaunchSpec:
        engine = _engine() or _ENGINES[0]
        name = f"repoquarry-{uuid.uuid4().hex}"
        # the image's own PATH is kept behind the environment of the workspace
        inside = {key: value for key, value in environment.items() if key != "PATH"}
        wrapper = [
            *(engine, "run", "--rm", "--init", "--pull", "never", "--name", name, "--network", "none", "--read-only"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{os.getuid()}:{os.getgid()}"),
            *("--tmpfs", "/tmp:rw,size=64m,mode=1777", "--shm-size", "64m", "--ulimit", "core=0"),  # noqa: S108  inside
            *_limits(confinement.limits),
            *_mounts(confinement),
            *(part for key, value in inside.items() for part in ("--env", f"{key}={value}")),
            *("--workdir", str(folder), "--entrypoint", command[0], self._image, *command[1:]),
        ]
        outside = {key: os.environ[key] for key in _ENGINE_ENVIRONMENT if key in os.environ}
        return LaunchSpec(tuple(wrapper), outside, (engine, "rm", "--force", name))


def create(image: str) -> Isolation:
    return Container(image)


def _engine() -> str | None:
    return next((found for name in _ENGINES if (found := shutil.which(name))), None)


def _limits(limits: CommandLimits) -> Iterator[str]:
    if limits.memory_bytes:  # the same bound for memory and swap together: no swap
        yield from ("--memory", str(limits.memory_bytes), "--memory-swap", str(limits.memory_bytes))
    if limits.processes:
        yield from ("--pids-limit", str(limits.processes))
    if limits.file_bytes:
        yield from ("--ulimit", f"fsize={limits.file_bytes}")
    if limits.cpu_seconds:
        yield from ("--ulimit", f"cpu={limits.cpu_seconds}")


def _mounts(confinement: Confinement) -> Iterator[str]:
    for path in (confinement.workspace, *confinement.writable):
        yield from ("--mount", _record("type=bind", f"source={path}", f"target={path}"))
    for path in confinement.readable:
        yield from ("--mount", _record("type=bind", f"source={path}", f"target={path}", "readonly"))


def _record(*fields: str) -> str:
    """One CSV record, as which engines read a mount: a comma in a path would begin another option."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(fields)
    return text.getvalue()
