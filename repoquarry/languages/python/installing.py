"""How Python packages are installed: by pip into the workspace's own virtual environment, or by uv into a layer of a provisioned one."""

from __future__ import annotations

from repoquarry.languages.installing import Asked, Installing, Step


def steps(asked: Asked) -> tuple[Step, ...]:
    """As `Installing.steps`."""
    python = f"{asked.root}/.venv/bin/python"
    wanted = (*asked.packages, *asked.folders)
    made = Step(
        ("python", "-m", "venv", ".venv"),
        asked.root,
        unless=python,
        failure="the virtual environment could not be made",
    )
    command = (python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", *wanted)
    if asked.is_layered:  # the layer of a provisioned environment has no pip of its own
        command = ("uv", "pip", "install", "--no-config", "--python", python, *wanted)
    return made, Step(command, asked.root)


INSTALLING = Installing(
    manifests=frozenset({"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"}), steps=steps
)
