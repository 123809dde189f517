"""Folders that index jobs of a server may read."""

from dataclasses import replace
from pathlib import Path

import pytest

from repoquarry.ingest.errors import SourceRejectedError
from repoquarry.ingest.sources import parse_source
from repoquarry.server.application.context import ApplicationContext, SourcePolicy
from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.loading import load_settings
from repoquarry.server.settings.sections import ServerSettings

_TOKENS = ("index:0123456789abcdef",)


def test_server_with_tokens_reads_no_folder_unless_a_setting_names_it(tmp_path: Path) -> None:
    source = parse_source(str(tmp_path))
    settings = replace(ServerSettings(), tokens=_TOKENS)
    with pytest.raises(SourceRejectedError, match=r"server\.source_roots"):
        SourcePolicy(settings, serving=True).check(source)
    for root in (tmp_path, tmp_path.parent, Path("/")):
        SourcePolicy(replace(settings, source_roots=(root,)), serving=True).check(source)
    with pytest.raises(SourceRejectedError):
        SourcePolicy(replace(settings, source_roots=(tmp_path / "other",)), serving=True).check(source)


def test_local_commands_and_servers_without_tokens_read_every_folder(tmp_path: Path) -> None:
    SourcePolicy(replace(ServerSettings(), tokens=_TOKENS), serving=False).check(parse_source(str(tmp_path)))
    SourcePolicy(ServerSettings(), serving=True).check(parse_source(str(tmp_path)))


def test_server_does_not_start_with_a_root_that_is_missing(tmp_path: Path) -> None:
    given = {"store.folder": str(tmp_path / "store"), "server.source_roots": str(tmp_path / "none")}
    with pytest.raises(SettingsError, match=r"server\.source_roots names '.*none', which is not an existing folder"):
        ApplicationContext(load_settings(given=given), writable=True, serving=True)


def test_server_with_tokens_and_without_roots_logs_the_setting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    given = {"store.folder": str(tmp_path / "store"), "server.tokens": _TOKENS[0]}
    ApplicationContext(load_settings(given=given), writable=True, serving=True).close()
    assert "folders_refused setting=server.source_roots" in caplog.text
