"""Build hook of the client: packages come from the repository, or from the source distribution that contains this file."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("repoquarry/client", "repoquarry/v1")
INIT = "repoquarry/__init__.py"
"""Same file as the service's, so that another folder of this name on the search path adds no modules."""


class ClientSources(BuildHookInterface):  # type: ignore[type-arg]  # the plugin takes no configuration class
    """Hook that adds the packages to the wheel and to the source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the packages before hatchling builds a target; an editable install uses the folders directly."""
        if self.target_name == "wheel" and version == "editable":
            return
        root = Path(self.root)
        sources = root if (root / "repoquarry").is_dir() else root.parents[1]
        build_data["force_include"][str(sources / INIT)] = INIT
        for package in PACKAGES:
            for path in sorted((sources / package).rglob("*")):
                if path.suffix in (".py", ".pyi", ".typed") and path.is_file():
                    build_data["force_include"][str(path)] = path.relative_to(sources).as_posix()
