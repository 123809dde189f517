"""Connections to Neo4j that fail name the innermost cause and its remedy; a private authority is trusted by SSL_CERT_FILE."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from neo4j.exceptions import ClientError

from repoquarry.graphstore.engines import open_engine
from repoquarry.graphstore.engines.neo4j.driver_adapter import translated_errors
from repoquarry.graphstore.errors import EngineUnavailableError
from repoquarry.graphstore.settings import StoreSettings
from repoquarry.server.errors import SettingsError
from repoquarry.server.settings.loading import check_settings
from repoquarry.server.settings.sections import Settings
from tests.neo4j_server import SHORT_LIVED, LocalNeo4j, local_home


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of localhost that is its own authority, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl command to make a certificate")
    folder = tmp_path_factory.mktemp("certificate")
    key, file = folder / "private.key", folder / "public.crt"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", str(key)]
    subprocess.run([*command, "-out", str(file), *names], check=True, capture_output=True)
    return file, key


@contextmanager
def _listening(context: ssl.SSLContext | None) -> Iterator[int]:
    """Serve a port that speaks TLS and no Bolt, or neither."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with suppress(OSError), connection:
                        if context is None:
                            connection.sendall(b"no TLS here\r\n")
                        else:
                            context.wrap_socket(connection, server_side=True).close()

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def _open(folder: Path, uri: str) -> None:
    open_engine(StoreSettings(folder, "neo4j", uri, neo4j_user="", neo4j_connect_seconds=5.0), writable=True).close()


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        ("bolt+s", r"is not trusted: self.signed certificate; .* SSL_CERT_FILE, .* bolt\+ssc://"),
        ("neo4j+s", r"is not trusted: self.signed certificate; .* SSL_CERT_FILE, .* neo4j\+ssc://"),
        ("bolt", r"if the server requires TLS, use bolt\+s://"),
        ("neo4j", r"if the server requires TLS, use neo4j\+s://"),
    ],
)
def test_connection_to_a_tls_port_names_the_cause(
    tmp_path: Path, certificate: tuple[Path, Path], scheme: str, message: str
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with _listening(context) as port, pytest.raises(EngineUnavailableError, match=message):
        _open(tmp_path, f"{scheme}://localhost:{port}")


def test_tls_to_a_port_without_names_the_scheme(tmp_path: Path) -> None:
    with _listening(None) as port, pytest.raises(EngineUnavailableError, match=r"does not speak TLS: .*; use bolt://"):
        _open(tmp_path, f"bolt+s://localhost:{port}")


def test_scheme_that_the_driver_lacks_is_refused_by_the_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"store.neo4j_uri has the scheme 'https', not one of bolt, bolt\+s"):
        check_settings(Settings(StoreSettings(tmp_path, "neo4j", "https://localhost:7473")))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Neo.ClientError.Database.DatabaseNotFound", "Graph not found: other"),
        ("Neo.ClientError.Statement.NotSystemDatabaseError", "not allowed on a system database: SHOW INDEXES"),
    ],
)
def test_database_that_cannot_be_used_names_the_setting(code: str, text: str) -> None:
    error = ClientError._hydrate_neo4j(code=code, message=text)
    with pytest.raises(EngineUnavailableError, match=f"{text}; set store.neo4j_database"), translated_errors():
        raise error


@pytest.mark.neo4j
@pytest.mark.long
def test_private_authority_is_trusted_by_the_file_of_certificates(
    tmp_path: Path, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = local_home()
    if home is None:
        pytest.skip("needs an unpacked distribution of Neo4j")
    policy = tmp_path / "policy"
    (policy / "revoked").mkdir(parents=True)
    (policy / "trusted").mkdir()
    for file in certificate:
        shutil.copy(file, policy)
    tls = {
        "dbms.ssl.policy.bolt.enabled": "true",
        "dbms.ssl.policy.bolt.base_directory": str(policy),
        "dbms.ssl.policy.bolt.client_auth": "NONE",
        "server.bolt.tls_level": "OPTIONAL",
    }
    server = LocalNeo4j(home, tmp_path / "server", {**SHORT_LIVED, **tls})
    server.start()
    try:
        uri = f"neo4j+s://localhost:{server.port}"
        with pytest.raises(EngineUnavailableError, match="is not trusted"):
            _open(tmp_path / "store", uri)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        _open(tmp_path / "store", uri)
        _open(tmp_path / "store", f"neo4j+ssc://localhost:{server.port}")
    finally:
        server.kill()
