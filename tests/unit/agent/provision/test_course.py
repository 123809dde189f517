"""What a provisioning says of itself when it ends."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from repoquarry.agent.isolation.registry import load_variant
from repoquarry.agent.provision.cache import EnvironmentCache
from repoquarry.agent.provision.course import Course
from repoquarry.agent.provision.request import Request
from repoquarry.agent.settings import AgentSettings, EnvironmentSettings

UNREACHED = "resolve: cause: client error (Connect) | cause: dns error | cause: Temporary failure in name resolution"


def course(folder: Path, isolation: str, **limits: Any) -> Course:
    settings = AgentSettings(environment=EnvironmentSettings(**limits))
    cache = EnvironmentCache(folder / "cache", 0)
    return Course(Request(folder, folder), cache, settings, load_variant(isolation), lambda _: None, lambda: False)


def test_an_index_that_the_isolation_does_not_let_through_is_explained(tmp_path: Path) -> None:
    remedy, problem = course(tmp_path, "landlock").explained((UNREACHED,))
    assert problem == UNREACHED
    assert "install bubblewrap" in remedy
    for isolation in ("bubblewrap", "none"):  # these let installations through: the network itself fails
        assert course(tmp_path, isolation).explained((UNREACHED,)) == (UNREACHED,)
    assert course(tmp_path, "landlock").explained(("resolve: no such package",)) == ("resolve: no such package",)


@pytest.mark.parametrize(("limits", "left"), [({"attempts": 1}, [True, True, False]), ({"attempts": 2}, [True] * 3)])
def test_attempts_are_counted_and_remembered(tmp_path: Path, limits: dict[str, int], left: list[bool]) -> None:
    one = course(tmp_path, "none", **limits)
    plans = [SimpleNamespace(number=number) for number in range(3)]
    found = [one.left]
    for plan in plans[:2]:
        assert not one.was_seen(plan)
        one.attempt(cast(object, plan))
        assert one.was_seen(plan)
        found.append(one.left)
    assert found == left
