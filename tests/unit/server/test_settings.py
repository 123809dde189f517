"""Settings: where values come from, and what is refused."""

from pathlib import Path

import pytest

from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.loading import load_settings

FIRST, SECOND = "first-token-of-tests", "second-token-of-tests"


def test_the_command_line_wins_over_the_environment_over_the_file_over_the_default(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[server]\nlisten = "file:1"\ntask_workers = 7\nmax_attempts = 9\n[agent.model]\nname = "m"\n')
    environment = {"REPOQUARRY_SERVER_LISTEN": "environment:1", "REPOQUARRY_SERVER_TASK_WORKERS": "5"}
    settings = load_settings(environment, {"server.listen": "given:1"}, config=file)
    assert settings.server.listen == "given:1"
    assert settings.server.task_workers == 5
    assert settings.server.max_attempts == 9
    assert settings.server.request_threads == 16
    assert settings.agent.model.name == "m"


def test_the_store_has_a_short_variable() -> None:
    assert load_settings({"REPOQUARRY_STORE": "~/x"}).store.folder == Path("~/x").expanduser()
    assert load_settings({}).store.folder.name == "store"


def test_lists_tables_truths_and_absent_values(tmp_path: Path) -> None:
    settings = load_settings(
        {
            "REPOQUARRY_SERVER_TOKENS": f"{FIRST}, {SECOND},",
            "REPOQUARRY_SERVER_ALLOW_UNAUTHENTICATED": "yes",
            "REPOQUARRY_AGENT_MODEL_OPTIONS": '{"temperature": 0}',
            "REPOQUARRY_SERVER_TLS_KEY": "",
            "REPOQUARRY_INGEST_MAX_FILES": "1_000",
        }
    )
    assert settings.server.tokens == (FIRST, SECOND)
    assert settings.server.allow_unauthenticated is True
    assert settings.agent.model.options == {"temperature": 0}
    assert settings.server.tls_key is None
    assert settings.ingest.max_files == 1_000


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"REPOQUARRY_SERVER_LISTN": "x"}, "did you mean REPOQUARRY_SERVER_LISTEN"),
        ({"REPOQUARRY_SERVER_TASK_WORKERS": "many"}, "'many' is not an integer of at least 0"),
        ({"REPOQUARRY_SERVER_TASK_WORKERS": "-1"}, "'-1' is not an integer"),
        ({"REPOQUARRY_SERVER_TASK_WORKERS": "0"}, "is 0; expected at least 1"),
        ({"REPOQUARRY_SERVER_RETENTION_DAYS": "nan"}, "is not a number of at least 0"),
        ({"REPOQUARRY_SERVER_ALLOW_UNAUTHENTICATED": "perhaps"}, "is not true or false"),
        ({"REPOQUARRY_SERVER_LOG_LEVEL": "loud"}, "not one of debug"),
        ({"REPOQUARRY_INGEST_SCORE_PROFILE": "mine"}, "score_profile is 'mine', not one of degrees, paper"),
        ({"REPOQUARRY_STORE_ENGINE": "kuzu"}, "store.engine is 'kuzu', not one of duckdb, kglite, neo4j"),
        ({"REPOQUARRY_STORE_EMBEDDING_EMBEDDER": "word2vec"}, "embedder is 'word2vec', not one of openai_compatible"),
        ({"REPOQUARRY_AGENT_WORKSPACE_ISOLATION": "jail"}, "isolation is 'jail', not one of auto, bubblewrap"),
        ({"REPOQUARRY_SERVER_TLS_KEY": "/k"}, "are needed together"),
        ({"REPOQUARRY_CONFIG": "/nowhere.toml"}, "does not exist"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_name(variables: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load_settings(variables)


def test_a_name_in_the_file_that_is_no_setting_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[server]\nport = 1\n")
    with pytest.raises(SettingsError, match=r"server\.port in the settings file is not a setting"):
        load_settings({}, config=file)
    file.write_text("[server\n")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings({}, config=file)


def test_secrets_are_not_shown() -> None:
    settings = load_settings(
        {
            "REPOQUARRY_SERVER_TOKENS": "s3cret-s3cret-s3cret",
            "REPOQUARRY_CLIENT_TOKEN": "s3cret",
            "REPOQUARRY_STORE_NEO4J_PASSWORD": "s3cret",
        }
    )
    assert "s3cret" not in repr(settings)


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the process a user without an entry and without HOME, as in containers with arbitrary users."""

    def unknown() -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("repoquarry.server.settings.loading.default_folder", unknown)
    monkeypatch.setattr("repoquarry.server.settings.loading.default_config", unknown)


@pytest.mark.usefixtures("homeless")
def test_defaults_below_the_home_directory_are_computed_only_when_needed(tmp_path: Path) -> None:
    assert load_settings({"REPOQUARRY_STORE": str(tmp_path)}).store.folder == tmp_path
    assert load_settings({}, {"store.folder": tmp_path}).store.folder == tmp_path
    assert load_settings({"REPOQUARRY_CLIENT_SERVER": "127.0.0.1:1"}).client.server == "127.0.0.1:1"
    with pytest.raises(SettingsError, match="REPOQUARRY_STORE"):
        load_settings({})
