"""Environments of JavaScript are made with npm, repaired according to its logs, checked by loading, shared and seen by commands.

The registry is a server of this process on a port of the loopback: real npm, no network.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.errors import EnvironmentUnavailableError
from repoquarry.execution.isolation.registry import load_variant
from repoquarry.execution.provision.javascript.manifest import find_nodes
from repoquarry.execution.provision.provisioning_run import (
    language_of,
    open_cache,
    provision_folder,
    provision_workspace,
)
from repoquarry.execution.provision.report import ProvisioningResult, ProvisioningStep
from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings
from repoquarry.execution.workspaces.workspace import Workspace
from tests.http_server import answering
from tests.source_trees import pack_tar, write_tree

pytestmark = pytest.mark.skipif(next(find_nodes(), None) is None, reason="there is no Node.js with npm on this machine")


@dataclass
class Registry:
    """Packages by name and version, as npm asks for them."""

    address: str = ""
    tarballs: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, name: str, version: str, files: Mapping[str, str], time: str = "", **manifest: Any) -> bytes:
        """Publish a package; with `time` its document says when."""
        whole = {"name": name, "version": version, "main": "index.js", **manifest}
        tarball = pack_tar({**files, "package.json": json.dumps(whole)})
        place = f"/{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
        self.tarballs[place] = tarball
        document = self.documents.setdefault(name, {"name": name, "dist-tags": {}, "versions": {}})
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
        document["versions"][version] = {**whole, "dist": {"tarball": self.address + place, "integrity": integrity}}
        document["dist-tags"]["latest"] = version
        if time:
            document.setdefault("time", {})[version] = time
        return tarball

    def answer(self, request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        headers = {"Content-Type": "application/json"}
        if request.path in self.tarballs:
            return 200, headers, self.tarballs[request.path]
        document = self.documents.get(unquote(request.path).lstrip("/"))
        return 404 if document is None else 200, headers, json.dumps(document or {}).encode()


@pytest.fixture
def registry() -> Iterator[Registry]:
    made = Registry()

    with answering(made.answer) as made.address:
        yield made


@pytest.fixture
def settings(registry: Registry, tmp_path: Path) -> AgentSettings:
    """Without isolation, because none lets a command reach a port of the loopback."""
    return AgentSettings(
        workspace=WorkspaceSettings(isolation="none", install_hosts=()),
        environment=EnvironmentSettings(root=tmp_path / "environments", npm_registry=registry.address),
    )


def run(
    folder: Path, settings: AgentSettings, *, date: datetime | None = None, tests: bool = False
) -> ProvisioningResult:
    steps: list[ProvisioningStep] = []
    with provision_folder(folder, settings, date=date, tests=tests, report=steps.append, cancelled=lambda: False) as (
        found,
        _,
    ):
        assert steps[-1].stage == "done"
        return found


def shop(tmp_path: Path, files: Mapping[str, str], **manifest: Any) -> Path:
    whole = {"name": "shop", "version": "1.0.0", **manifest}
    return write_tree(tmp_path / "shop", {"package.json": json.dumps(whole), **files})


def kinds(found: ProvisioningResult) -> list[str]:
    return [repair.kind for repair in found.repairs]


def test_what_the_code_imports_is_installed_and_loaded(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    registry.add("coins", "1.0.0", {"index.js": "exports.sum = (a, b) => a + b;\n"})
    registry.add(
        "notes", "1.0.0", {"index.mjs": "export const total = 3;\n"}, main=None, exports={"import": "./index.mjs"}
    )
    code = {
        "index.js": "const fs = require('node:fs');\nconst { sum } = require('coins');\nconst lost = () => require('never');\n",
        "page.mjs": "import { total } from 'notes';\nimport './index.js';\n",
        "test/page.test.js": "require('absent');\n",
    }
    folder = shop(tmp_path, code, dependencies={"coins": "^1.0.0", "notes": "1.x"}, engines={"node": ">=10"})
    assert language_of(folder) == "javascript"
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    assert (found.language, found.lock, found.repairs) == ("javascript", ("coins@1.0.0", "notes@1.0.0"), ())
    assert found.interpreter_reason == "required by engines of package.json (>=10)"
    assert {item.module: item.works for item in found.tried} == {
        "absent": False,
        "coins": True,
        "never": False,
        "notes": True,
    }
    assert not (folder / "node_modules").exists(), "the folder is only read"


def test_undeclared_requirement_of_a_dependency_is_installed(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    registry.add("coins", "1.0.0", {"index.js": "require('purse');\n"})
    registry.add("purse", "2.0.0", {"index.js": ""})
    folder = shop(tmp_path, {"index.js": "require('coins');\n"}, dependencies={"coins": "1.0.0"})
    found = run(folder, settings)
    assert found.state == "ready", found.missing
    (repair,) = found.repairs
    assert (repair.kind, repair.change) == ("missing_module", "purse@* is installed")
    assert repair.reason == "coins needs it, and no package declares it"
    assert "purse@2.0.0" in found.lock


def test_versions_are_those_of_the_commit_date(tmp_path: Path, settings: AgentSettings, registry: Registry) -> None:
    registry.add("coins", "1.0.0", {"index.js": ""}, time="2019-01-01T00:00:00.000Z")
    registry.add("coins", "1.5.0", {"index.js": ""}, time="2023-01-01T00:00:00.000Z")
    folder = shop(tmp_path, {"index.js": "require('coins');\n"}, dependencies={"coins": "^1.0.0"})
    day = datetime(2020, 1, 1, tzinfo=UTC)
    found = run(folder, settings, date=day)
    assert (found.lock, found.date, found.repairs) == (("coins@1.0.0",), "2020-01-01", ())
    del registry.documents["coins"]["time"]
    shutil.rmtree(settings.environment.root or tmp_path)
    found = run(folder, settings, date=day)
    assert (found.state, found.lock, found.date, kinds(found)) == ("ready", ("coins@1.5.0",), "", ["date"])


def test_a_lock_decides_and_one_that_does_not_fit_only_guides(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    for version in ("1.0.0", "1.5.0"):
        registry.add("coins", version, {"index.js": ""})
    registry.add("purse", "1.0.0", {"index.js": ""})
    entry = registry.documents["coins"]["versions"]["1.0.0"]["dist"]
    root = {"name": "shop", "version": "1.0.0", "dependencies": {"coins": "^1.0.0"}}
    locked = {"version": "1.0.0", "resolved": entry["tarball"], "integrity": entry["integrity"]}
    lock = {
        "name": "shop",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "packages": {"": root, "node_modules/coins": locked},
    }
    files = {"index.js": "require('coins');\n", "package-lock.json": json.dumps(lock)}
    found = run(shop(tmp_path, files, dependencies={"coins": "^1.0.0"}), settings)
    assert (found.state, found.lock, found.repairs) == ("ready", ("coins@1.0.0",), ())
    found = run(shop(tmp_path, files, dependencies={"coins": "^1.0.0", "purse": "*"}), settings)
    assert (found.state, found.lock, kinds(found)) == ("ready", ("coins@1.0.0", "purse@1.0.0"), ["lock"])


YARN = """__metadata:
  version: 8

"coins@npm:^1.0.0":
  version: 1.0.0
  resolution: "coins@npm:1.0.0"

"mint@npm:^3.0.0":
  version: 3.1.0
  resolution: "mint@npm:3.1.0"

"shop@workspace:.":
  version: 0.0.0-use.local
"""
PNPM = """lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      coins:
        specifier: ^1.0.0
        version: 1.0.0(purse@2.0.0)
packages:
  coins@1.0.0:
    resolution: {integrity: sha512-aa}
  mint@3.1.0:
    resolution: {integrity: sha512-aa}
"""


@pytest.mark.parametrize(("lock", "text"), [("yarn.lock", YARN), ("pnpm-lock.yaml", PNPM)])
def test_indirect_dependencies_follow_the_lock_of_another_manager(
    tmp_path: Path, settings: AgentSettings, registry: Registry, lock: str, text: str
) -> None:
    for version in ("1.0.0", "1.5.0"):
        registry.add("coins", version, {"index.js": "require('mint');\n"}, dependencies={"mint": "^3.0.0"})
    for version in ("3.1.0", "3.9.0"):
        registry.add("mint", version, {"index.js": ""})
    files = {"index.js": "require('coins');\n", lock: text}
    found = run(shop(tmp_path, files, dependencies={"coins": "^1.0.0"}), settings)
    assert (found.lock, found.manifests) == (("coins@1.0.0", "mint@3.1.0"), ("package.json", lock))
    assert any(f"{lock}: 1 dependencies and 1 indirect dependencies are pinned" in note for note in found.notes)


def test_a_version_of_the_lock_that_cannot_be_had_is_given_up(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    registry.add("coins", "1.0.0", {"index.js": "require('mint');\n"}, dependencies={"mint": "^3.0.0"})
    registry.add("mint", "3.9.0", {"index.js": ""})
    files = {"index.js": "require('coins');\n", "yarn.lock": YARN}
    found = run(shop(tmp_path, files, dependencies={"coins": "^1.0.0"}), settings)
    assert found.lock == ("coins@1.0.0", "mint@3.9.0")
    assert kinds(found) == ["lock"]


def test_missing_npm_packages_and_conflicting_peers_are_repaired(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    registry.add("coins", "1.0.0", {"index.js": ""}, peerDependencies={"purse": "^1.0.0"})
    for version in ("1.0.0", "2.0.0"):
        registry.add("purse", version, {"index.js": ""})
    wanted = {"coins": "1.0.0", "purse": "^2.0.0", "no-such-package": "1.0.0"}
    found = run(shop(tmp_path, {"index.js": "require('coins');\n"}, dependencies=wanted), settings)
    assert found.state == "ready", found.missing
    assert sorted(kinds(found)) == ["package_name", "peer"]
    assert all(repair.reason and repair.evidence for repair in found.repairs)


def test_what_cannot_be_had_is_said_exactly(tmp_path: Path, settings: AgentSettings, registry: Registry) -> None:
    registry.add("coins", "1.0.0", {"index.js": "require('./build/Release/coins.node');\n"})
    wanted = {"coins": "1.0.0", "no-such-package": "1.0.0"}
    code = {"index.js": "require('coins');\nrequire('no-such-package');\n"}
    found = run(shop(tmp_path, code, dependencies=wanted), settings)
    assert found.state == "partial"
    assert len(found.missing) == 2
    assert "module no-such-package, imported by index.js: MODULE_NOT_FOUND: Cannot find module" in found.missing[1]
    assert any("needs an install script" in note for note in found.notes)


def test_install_scripts_run_only_where_they_are_let(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    script = {"postinstall": "node -e \"require('fs').writeFileSync('made.js', '')\""}
    registry.add("coins", "1.0.0", {"index.js": "require('./made.js');\n"}, scripts=script, hasInstallScript=True)
    folder = shop(tmp_path, {"index.js": "require('coins');\n"}, dependencies={"coins": "1.0.0"})
    assert run(folder, settings).state == "partial"
    let = replace(settings, environment=replace(settings.environment, npm_scripts=True))
    assert run(folder, let).state == "ready"


def test_packages_in_the_repository_are_linked_and_the_same_request_finds_the_environment(
    tmp_path: Path, settings: AgentSettings, registry: Registry
) -> None:
    registry.add("coins", "1.0.0", {"index.js": ""})
    files = {
        "index.js": "require('@shop/till');\nrequire('boxed');\nrequire('coins');\n",
        "packages/till/package.json": json.dumps({"name": "@shop/till", "version": "1.0.0"}),
        "packages/till/index.js": "require('coins');\n",
    }
    folder = shop(tmp_path, files, dependencies={"coins": "*", "boxed": "file:boxed.tgz"}, workspaces=["packages/*"])
    (folder / "boxed.tgz").write_bytes(
        pack_tar({"index.js": "", "package.json": '{"name": "boxed", "version": "3.0.0"}'})
    )
    first, again = run(folder, settings), run(folder, settings)
    assert (first.state, again.state) == ("ready", "ready"), (first.missing, again.missing)
    assert (first.cached, again.cached) == (False, True)
    assert first.lock == again.lock == ("boxed@3.0.0", "coins@1.0.0")
    assert len(open_cache(settings).all()) == 1
    (folder / "boxed.tgz").write_bytes(
        pack_tar({"index.js": "", "package.json": '{"name": "boxed", "version": "4.0.0"}'})
    )
    assert "boxed@4.0.0" in run(folder, settings).lock


def test_commands_of_a_task_run_in_it(tmp_path: Path, settings: AgentSettings, registry: Registry) -> None:
    registry.add(
        "coins",
        "1.0.0",
        {"index.js": "exports.price = 3;\n", "cli.js": "#!/usr/bin/env node\nconsole.log('till');\n"},
        bin="cli.js",
    )
    settings = replace(settings, workspace=replace(settings.workspace, root=tmp_path / "tasks"))
    workspace = Workspace.create(settings.workspace, lambda: False)
    manifest = json.dumps({"name": "shop", "version": "1.0.0", "dependencies": {"coins": "1.0.0"}})
    tree = write_tree(workspace.root / "shop", {"package.json": manifest, "index.js": "require('coins');\n"})
    found = provision_workspace(workspace, tree, settings, date=None, tests=False, cancelled=lambda: False)
    assert found.state == "ready", found.missing
    workspace.write("solve.js", "console.log(require('coins').price, require('./shop') !== null);\n")
    outcome = workspace.run("node solve.js && coins")
    assert (outcome.exit_code, outcome.output) == (0, "3 true\ntill\n")
    outcome = workspace.run("node -e \"fetch('http://127.0.0.1:9').catch(error => console.log(error.message))\"")
    assert (outcome.exit_code, outcome.output) == (0, "fetch failed\n")


def test_missing_manifest_or_node_is_an_error(tmp_path: Path, settings: AgentSettings) -> None:
    folder = write_tree(tmp_path / "shop", {"package.json": "{not json"})
    with pytest.raises(EnvironmentUnavailableError, match=r"no readable package\.json"):
        run(folder, settings)


@pytest.mark.parametrize("isolation", ["bubblewrap", "landlock"])
def test_packages_from_files_need_no_registry_and_see_nothing_outside(tmp_path: Path, isolation: str) -> None:
    if reason := load_variant(isolation).unavailable():
        pytest.skip(f"{isolation}: {reason}")
    marker = tmp_path / "marker"
    attempt = f"try {{ require('fs').writeFileSync({json.dumps(str(marker))}, ''); }} catch {{}}\n"
    folder = shop(tmp_path, {"index.js": "require('boxed');\n"}, dependencies={"boxed": "file:boxed.tgz"})
    manifest = {"name": "boxed", "version": "3.0.0", "scripts": {"postinstall": "node index.js"}}
    (folder / "boxed.tgz").write_bytes(pack_tar({"index.js": attempt, "package.json": json.dumps(manifest)}))
    settings = AgentSettings(
        workspace=WorkspaceSettings(isolation=isolation, install_hosts=()),
        environment=EnvironmentSettings(root=tmp_path / "environments", npm_scripts=True),
    )
    found = run(folder, settings)
    assert (found.state, found.lock) == ("ready", ("boxed@3.0.0",)), found.missing
    assert not marker.exists()
