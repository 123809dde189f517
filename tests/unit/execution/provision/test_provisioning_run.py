"""The result of a provisioning."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from repoquarry.agent.settings import AgentSettings
from repoquarry.execution.isolation.registry import load_variant
from repoquarry.execution.provision.environment_cache import EnvironmentCache
from repoquarry.execution.provision.provisioning_run import ProvisioningRun
from repoquarry.execution.provision.report import ProvisioningRequest
from repoquarry.execution.settings import EnvironmentSettings

UNREACHED = "resolve: cause: client error (Connect) | cause: dns error | cause: Temporary failure in name resolution"


def provisioning_run(folder: Path, isolation: str, **limits: Any) -> ProvisioningRun:
    settings = AgentSettings(environment=EnvironmentSettings(**limits))
    cache = EnvironmentCache(folder / "cache", 0)
    return ProvisioningRun(
        ProvisioningRequest(folder, folder), cache, settings, load_variant(isolation), lambda _: None, lambda: False
    )


def test_an_index_that_the_isolation_does_not_let_through_is_explained(tmp_path: Path) -> None:
    remedy, problem = provisioning_run(tmp_path, "landlock").add_remedy((UNREACHED,))
    assert problem == UNREACHED
    assert "install bubblewrap" in remedy
    for isolation in ("bubblewrap", "none"):  # these let installations through: the network itself fails
        assert provisioning_run(tmp_path, isolation).add_remedy((UNREACHED,)) == (UNREACHED,)
    assert provisioning_run(tmp_path, "landlock").add_remedy(("resolve: no such package",)) == (
        "resolve: no such package",
    )


@pytest.mark.parametrize(("limits", "left"), [({"attempts": 1}, [True, True, False]), ({"attempts": 2}, [True] * 3)])
def test_attempts_are_counted_and_remembered(tmp_path: Path, limits: dict[str, int], left: list[bool]) -> None:
    one = provisioning_run(tmp_path, "none", **limits)
    plans = [SimpleNamespace(number=number) for number in range(3)]
    found = [one.may_continue]
    for plan in plans[:2]:
        assert not one.was_seen(plan)
        one.attempt(cast(object, plan))
        assert one.was_seen(plan)
        found.append(one.may_continue)
    assert found == left


def test_no_command_has_more_time_than_is_left_and_each_has_enough_to_put_things_back(tmp_path: Path) -> None:
    begun = provisioning_run(tmp_path, "none", seconds=1000.0, command_seconds=900.0)
    late = provisioning_run(tmp_path, "none", seconds=1000.0, command_seconds=900.0)
    late.started -= 700
    over = provisioning_run(tmp_path, "none", seconds=1000.0, command_seconds=900.0)
    over.started -= 2000
    free = provisioning_run(tmp_path, "none", seconds=0.0, command_seconds=0.0)
    assert begun.runner().bound(0) == 900
    assert begun.runner().bound(60) == 60
    assert 0 < late.runner().bound(0) <= 300
    assert over.runner().bound(0) == 120
    assert (free.runner().bound(0), free.runner().bound(60)) == (0, 60)
