"""Scopes of tokens: every method of the contract has one, and an entry that says nonsense is refused without being repeated."""

from __future__ import annotations

import pytest

from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.token_scopes import METHODS, TokenScope, missing_scope, read_token, scopes_by_token
from tests.unit.server.test_documented import SERVICE_FILES


def test_every_method_of_the_contract_has_a_scope_and_nothing_else_has() -> None:
    declared = {
        f"/{service.full_name}/{method.name}"
        for file in SERVICE_FILES
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert declared == set(METHODS)


def test_what_has_no_scope_is_for_administrators() -> None:
    assert (
        missing_scope("/repoquarry.v1.New/Method", frozenset({TokenScope.READ, TokenScope.TASK, TokenScope.INDEX}))
        is TokenScope.ADMIN
    )
    assert missing_scope("/repoquarry.v1.New/Method", frozenset({TokenScope.ADMIN})) is None
    assert missing_scope("/grpc.reflection.v1alpha.ServerReflection/Info", frozenset({TokenScope.TASK})) is None


def test_entries() -> None:
    assert read_token("plain+/=token") == ("plain+/=token", frozenset(TokenScope))
    assert read_token("read+task:abc") == ("abc", frozenset({TokenScope.READ, TokenScope.TASK}))
    assert scopes_by_token(["read:abc", "index:abc"]) == {"abc": frozenset({TokenScope.READ, TokenScope.INDEX})}


@pytest.mark.parametrize("entry", ["write:s3cret", ":s3cret", "read:", "read+:s3cret", "READ:s3cret"])
def test_entries_that_say_nonsense(entry: str) -> None:
    with pytest.raises(SettingsError, match=r"server\.tokens: an entry is TOKEN or") as caught:
        load_settings({}, {"server.tokens": [entry]})
    assert "s3cret" not in str(caught.value)
