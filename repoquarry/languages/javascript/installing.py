"""How JavaScript's packages are installed: by npm into `node_modules` of the tree that needs them; their install scripts do not run."""

from __future__ import annotations

from repoquarry.languages.installing import Asked, Installing, NotInstallableError, Step

MANIFEST = "package.json"
_LOCKS = frozenset(("package-lock.json", "npm-shrinkwrap.json"))
_QUIET = ("--ignore-scripts", "--no-audit", "--no-fund")


def steps(asked: Asked) -> tuple[Step, ...]:
    """As `Installing.steps`: a folder that is named gets what its manifest needs, its lock file left as it is."""
    found = []
    for folder in asked.folders:
        files = asked.files.get(folder, frozenset())
        if MANIFEST not in files:
            raise NotInstallableError(f"{folder} has no {MANIFEST}: name packages, or a folder that has one")
        found.append(Step(("npm", "ci" if files & _LOCKS else "install", *_QUIET), folder))
    if asked.packages:
        found.append(Step(("npm", "install", *_QUIET, *asked.packages), asked.place))
    return tuple(found)


INSTALLING = Installing(manifests=frozenset({MANIFEST}), steps=steps)
