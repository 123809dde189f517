"""Which language's packages are asked for, and the commands that install them into a workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from repoquarry.agent.errors import ToolError
from repoquarry.languages.installing import Asked, Installing, NotInstallableError, Step, is_folder
from repoquarry.languages.registry import all_languages

_DEFAULT = "python"


@dataclass(frozen=True)
class Installation:
    """What is run to install something."""

    language: str
    installing: Installing
    steps: tuple[Step, ...]


def languages_with_packages() -> dict[str, Installing]:
    """Languages whose packages can be installed; those that share a way are one, under the first name."""
    found: dict[str, Installing] = {}
    for language in all_languages():
        if language.installing is not None and language.installing not in found.values():
            found[language.name] = language.installing
    return found


def plan_installation(
    requirements: Sequence[str],
    *,
    root: Path,
    locate: Callable[[str], Path],
    folder: str = ".",
    language: str = "",
    is_layered: bool = False,
) -> Installation:
    """The commands that install requirements for the code in `folder`.

    Raises: OutsideWorkspaceError, ToolError for what is no requirement, for a language without packages, and where a language says so.
    """
    for one in requirements:
        if not one.strip() or one.startswith("-"):
            raise ToolError(f"{one!r} is no requirement; options cannot be given")
    place = locate(folder)
    folders = tuple(str(locate(one)) for one in requirements if is_folder(one))
    files = {one: _files(Path(one)) for one in (*folders, str(place))}
    known = languages_with_packages()
    name = language or _language_of([files[one] for one in folders] or [files[str(place)]], known)
    if name not in known:
        raise ToolError(f"packages of {name!r} cannot be installed here; known: {', '.join(known)}")
    packages = tuple(one for one in requirements if not is_folder(one))
    try:
        steps = known[name].steps(Asked(packages, folders, str(place), str(root), files, is_layered))
    except NotInstallableError as error:
        raise ToolError(str(error)) from error
    return Installation(name, known[name], steps)


def _files(folder: Path) -> frozenset[str]:
    try:
        return frozenset(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return frozenset()


def _language_of(files: Sequence[frozenset[str]], known: dict[str, Installing]) -> str:
    """The one language whose manifests are there; Python, as long as nothing says another.

    Raises: ToolError where several could be meant.
    """
    fitting = [name for name, one in known.items() if any(one.manifests & names for names in files)]
    if len(fitting) > 1:
        raise ToolError(f"manifests of {' and '.join(fitting)} are there: say which language's packages are meant")
    return fitting[0] if fitting else _DEFAULT
