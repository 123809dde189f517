"""Fixtures: real server processes over stores in temporary folders."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.service import SHOP, Service, StartService, end, launch, succeed
from tests.source_trees import write_tree


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[StartService]:
    """Starts servers; those that still run at the end of the test are ended."""
    services: list[Service] = []

    def start(store: Path | None = None, *, port: int = 0, **variables: str) -> Service:
        service = launch(store or tmp_path / "store", tmp_path / f"serve-{len(services)}.log", port, **variables)
        services.append(service)
        return service

    yield start
    for service in services:
        end(service)


Certificates = dict[str, Path]
"""Files by holder (`server`), and of keys (`server.key`)."""


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """An authority, a server's and two clients' certificates of it, one of them expired; and a client's of another authority."""
    if shutil.which("openssl") is None:
        pytest.skip("needs the openssl command to make a certificate")
    folder = tmp_path_factory.mktemp("certificates")
    made: Certificates = {}
    for name in ("authority", "other", "server", "client", "stranger"):
        made[f"{name}.key"], made[name] = folder / f"{name}.key", folder / f"{name}.pem"
        issuer = {"server": "authority", "client": "authority", "stranger": "other"}.get(name)
        names = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
        outputs = ["-keyout", str(made[f"{name}.key"]), "-out", str(made[name])]
        signed = ["-CA", str(made[issuer]), "-CAkey", str(made[f"{issuer}.key"])] if issuer else []
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        subprocess.run([*command, *names, *outputs, *signed], check=True, capture_output=True)
    made["expired.key"], made["expired"] = folder / "expired.key", folder / "expired.pem"
    request, authority = folder / "expired.csr", ["-CA", str(made["authority"]), "-CAkey", str(made["authority.key"])]
    for command in (
        ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=expired", "-keyout", str(made["expired.key"]), "-out"],
        ["x509", "-req", "-in", str(request), *authority, "-CAcreateserial", "-days", "-1", "-out"],
    ):
        output = request if command[0] == "req" else made["expired"]
        subprocess.run(["openssl", *command, str(output)], check=True, capture_output=True)
    return made


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository outside git."""
    return write_tree(tmp_path_factory.mktemp("sources") / "shop", SHOP)


@pytest.fixture(scope="session")
def shop_store(tmp_path_factory: pytest.TempPathFactory, shop: Path) -> Path:
    """A store in which `shop` is indexed, made once; copy it to change it."""
    store = tmp_path_factory.mktemp("shop") / "store"
    succeed(store, "index", str(shop))
    return store


@pytest.fixture
def own_store(shop_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shop_store, tmp_path / "store"))


@pytest.fixture(scope="session")
def shop_service(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server over a copy of the store with `shop`, for all tests that only read or ask."""
    folder = tmp_path_factory.mktemp("service")
    service = launch(Path(shutil.copytree(shop_store, folder / "store")), folder / "serve.log")
    yield service
    end(service)
