"""The command lines of npm, run isolated; a repository's own `.npmrc` does not count, since it may name other registries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from repoquarry.agent.isolation.commands import Outcome
from repoquarry.agent.provision.javascript.nodes import Node
from repoquarry.agent.provision.javascript.plan import NodePlan
from repoquarry.agent.provision.running import Access, Runner
from repoquarry.agent.settings import EnvironmentSettings

MODULES: Final = "node_modules"
_QUIET: Final = {
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
    "npm_config_progress": "false",
    "npm_config_color": "false",
    "npm_config_engine_strict": "false",
    "npm_config_replace_registry_host": "always",  # locks of other managers name registries of their own
    "npm_config_fetch_retries": "2",
    "npm_config_loglevel": "error",
    "NO_UPDATE_NOTIFIER": "1",
}


@dataclass(frozen=True)
class Npm:
    """npm as the settings want it used, in one workspace."""

    runner: Runner
    settings: EnvironmentSettings
    node: Node
    cache: Path
    """Downloads that all provisionings share, each under the digest of its content; written only while no foreign script runs."""

    def install(self, plan: NodePlan, tree: Path) -> Outcome:
        """Install into `node_modules` of the tree."""
        command = [str(self.node.path), str(self.node.npm), "ci" if plan.clean else "install", "--no-audit"]
        command += [] if plan.scripts else ["--ignore-scripts"]
        command += ["--legacy-peer-deps"] if plan.legacy_peers else []
        command += [] if plan.tests else ["--omit=dev"]
        if plan.date is not None and not plan.clean:
            command.append(f"--before={(plan.date + timedelta(days=1)).strftime('%Y-%m-%d')}")
        return self._run(command, plan, tree)

    def says_when(self, package: str, plan: NodePlan, tree: Path) -> bool:
        """Whether the registry tells when versions of a package were published; without that npm passes over the date in silence."""
        outcome = self._run([str(self.node.path), str(self.node.npm), "view", package, "time", "--json"], plan, tree)
        return outcome.exit_code != 0 or bool(re.search(r'"\d+\.\d+\.\d+[^"]*"\s*:', outcome.output))

    def _run(self, command: Sequence[str], plan: NodePlan, tree: Path) -> Outcome:
        cache = self.runner.workspace / ".home" / "npm" if plan.scripts else self.cache
        cache.mkdir(parents=True, exist_ok=True)
        variables = {**_QUIET, "npm_config_cache": str(cache), "npm_config_userconfig": "/dev/null"}
        if self.settings.npm_registry:
            variables["npm_config_registry"] = self.settings.npm_registry
        writable = () if plan.scripts else (cache,)
        return self.runner.run(command, Access(writable, (self.node.prefix,), network=True, variables=variables), tree)
