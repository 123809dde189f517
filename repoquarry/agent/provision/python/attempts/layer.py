"""The workspace's own environment, which lies on the shared one: the repository is installed in it, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from repoquarry.agent.isolation.commands import Outcome
from repoquarry.agent.provision.python.attempts.attempt import failed
from repoquarry.agent.provision.python.installer import Installer
from repoquarry.agent.provision.python.plan import Plan


class Layer:
    """The layer of one workspace, made again when another plan would build the repository differently."""

    def __init__(
        self, installer: Installer, path: Path, tree: Path, roots: Sequence[str], say: Callable[[str, str], None]
    ) -> None:
        self.path = path
        self._installer, self._tree, self._roots, self._say = installer, tree, roots, say
        self._built = ""
        """How the repository in it was built, by `_build_key`."""

    @property
    def python(self) -> Path:
        return self.path / "bin" / "python"

    def install(self, plan: Plan, environment: Path, files: Path) -> Outcome | None:
        """Make it on `environment`, and install the repository in it unless it lies there built in the same way; the outcome that failed, or None.

        A repository with parts to compile takes minutes, and most repairs change nothing that its build sees.
        """
        key = _build_key(plan)
        if self._built == key:
            return None
        self._built = ""
        if failed(outcome := self._make(plan, environment)):
            return outcome
        if plan.project != "linked":
            self._say("project", f"installing the repository ({plan.project})")
            readable = (environment, plan.interpreter.prefix)
            outcome = self._installer.install_project(plan, self.path, self._tree, files, readable)
            if failed(outcome):
                return outcome
        self._built = key
        return None

    def _make(self, plan: Plan, environment: Path) -> Outcome:
        shutil.rmtree(self.path, ignore_errors=True)
        outcome = self._installer.make(plan.interpreter, self.path)
        if not failed(outcome):
            self.lean_on(environment, plan)
        return outcome

    def lean_on(self, environment: Path, plan: Plan) -> None:
        """See the shared environment, and the repository where it is not installed."""
        place = "lib/python{}.{}/site-packages".format(*plan.interpreter.minor)
        target = self.path / place
        target.joinpath("shared_environment.pth").write_text(
            f"import site; site.addsitedir({str(environment / place)!r})\n", encoding="utf-8"
        )
        if plan.project != "copied":
            # also where it is installed: a folder of the workspace that is called like a package would hide what import hooks give
            roots = self._roots if plan.project == "linked" else self._roots[:1]
            paths = (self._tree if root == "." else self._tree / root for root in roots)
            target.joinpath("repository.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")


def _build_key(plan: Plan) -> str:
    """What of a plan the build of the repository sees."""
    dates = (plan.date, sorted(plan.undated))
    build = (plan.project, plan.build_constraints, plan.build_alongside, dict(plan.variables))
    return repr((plan.interpreter, *dates, *build))
