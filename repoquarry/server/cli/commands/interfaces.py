"""Command `interfaces`: lists the interfaces of the packages that a folder imports, and adds some to `.repoquarry/interfaces`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from repoquarry.server.cli.session import CliSession, argument, flag, one_of, option, with_session
from repoquarry.server.errors import invalid_field
from repoquarry.server.text_format import escape_to_line, format_table

if TYPE_CHECKING:
    from repoquarry.ingest.interfaces.own_tables import KnownInterface

_ACTIONS = ("list", "add")


@with_session
def interfaces_command(
    session: CliSession,
    action: str = argument("list", "`list` or `add`.", autocompletion=one_of(_ACTIONS)),
    packages: list[str] | None = argument(None, "Packages to add: `requests`, `pypi:requests@2.32.0`, `npm:axios`."),
    folder: Path = option(Path("."), "--folder", "Folder of the repository."),
    from_environment: bool = flag(
        "--from-environment", "Add the imported packages that `.venv` and `node_modules` of the folder contain."
    ),
) -> None:
    """List the packages that a folder imports with the interfaces that its index uses, or add interfaces to the folder.

    An interface is a table of the names, parameters, results and bases of a package. Added ones are files in
    `.repoquarry/interfaces`, which take precedence over those that come with the product.
    """
    from repoquarry.ingest.interfaces.own_tables import add_from_environment, add_packages, list_known
    from repoquarry.ingest.interfaces.tables import InterfaceError

    settings = session.settings
    if action not in _ACTIONS:
        raise invalid_field("action", f"{action!r} is neither {' nor '.join(_ACTIONS)}")
    if action == "add" and not packages and not from_environment:
        raise invalid_field("packages", "name packages to add, or use --from-environment")
    try:
        if action == "list":
            _print_known(session, list_known(folder, settings.ingest))
            return
        written = add_packages(folder, packages or [], settings.ingest)
        written += add_from_environment(folder, settings.ingest) if from_environment else []
    except InterfaceError as exc:
        raise invalid_field("packages", str(exc)) from exc
    if session.as_json:
        session.print_json({"written": [path.as_posix() for path in written]})
        return
    for path in written:
        print(escape_to_line(path.as_posix()))
    print(f"{len(written)} interface{'s' * (len(written) != 1)} written; index the repository again", file=sys.stderr)


def _print_known(session: CliSession, known: Sequence[KnownInterface]) -> None:
    if session.as_json:
        session.print_json({"interfaces": [vars(one) for one in known]})
        return
    rows = [(one.ecosystem, one.package, one.origin, one.source) for one in known]
    print(format_table(("ecosystem", "package", "interface", "source"), rows))
