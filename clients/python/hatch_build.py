"""Build hook: the client's packages lie beside the service's in the repository, and in a source distribution beside this file."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("repoquarry/client", "repoquarry/v1")
INIT = "repoquarry/__init__.py"
"""The same file as the service's, so that a folder of this name elsewhere on the search path adds no modules."""


class ClientSources(BuildHookInterface):  # type: ignore[type-arg]  # the plugin takes no configuration class
    """Adds the packages to the wheel and to the source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a target is built; an editable install takes the folders as they are."""
        if self.target_name == "wheel" and version == "editable":
            return
        root = Path(self.root)
        sources = root if (root / "repoquarry").is_dir() else root.parents[1]
        build_data["force_include"][str(sources / INIT)] = INIT
        for package in PACKAGES:
            for path in sorted((sources / package).rglob("*")):
                if path.suffix in (".py", ".pyi", ".typed") and path.is_file():
                    build_data["force_include"][str(path)] = path.relative_to(sources).as_posix()
