"""Choice of the indexed repositories whose interfaces a repository uses: those that provide packages that it requires.

The interface is that of the provider's indexed revision, which is part of the digest of the dependent's inputs.
"""

from __future__ import annotations

from typing import NamedTuple

from repoquarry.graphstore.storage.source_store import SourceStore
from repoquarry.languages.manifests.packages import Packages


class Provider(NamedTuple):
    """A repository that provides a required package."""

    repository: str
    revision: str
    ecosystem: str
    package: str


def list_providers(sources: SourceStore, repository: str, packages: Packages) -> list[Provider]:
    """List the repositories of a store that provide packages of PyPI and npm that a repository requires."""
    wanted = {key: requirement for key, requirement in packages.requires.items() if key[0] in ("pypi", "npm")}
    others = [one for one in sources.repositories() if one != repository] if wanted else []
    if not others:
        return []
    # Lazy import: a run without a change must not load the builder's dependencies.
    from repoquarry.ingest.graph.provided_names import (
        DECLARED,
        PackageDeclarations,
        choose_provider,
        decode_declarations,
    )

    published = {one: snapshot for one in others if (snapshot := sources.published_snapshot(one)) is not None}
    declared = {
        one: decode_declarations(sources.pending_artifact(snapshot.id, DECLARED)) for one, snapshot in published.items()
    }
    user = PackageDeclarations(
        requires={"/".join(key): text for key, text in wanted.items()},
        locked={"/".join(key): version for key, version in packages.locked.items()},
    )
    found = list[Provider]()
    for ecosystem, package in sorted(wanted):
        offering = {name: one for name, one in declared.items() if f"{ecosystem}/{package}" in one.provides}
        chosen = choose_provider(offering, user) if offering else None
        if chosen is not None:
            found.append(Provider(chosen, published[chosen].revision, ecosystem, package))
    return found
