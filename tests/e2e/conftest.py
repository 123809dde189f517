"""Fixtures: real server processes over stores in temporary folders."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.service import SHOP, Service, StartService, end, launch, repoquarry
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


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository outside git."""
    return write_tree(tmp_path_factory.mktemp("sources") / "shop", SHOP)


@pytest.fixture(scope="session")
def shop_store(tmp_path_factory: pytest.TempPathFactory, shop: Path) -> Path:
    """A store in which `shop` is indexed, made once; copy it to change it."""
    store = tmp_path_factory.mktemp("shop") / "store"
    done = repoquarry(store, "index", str(shop))
    assert done.returncode == 0, done.stderr
    return store


@pytest.fixture
def own_store(shop_store: Path, tmp_path: Path) -> Path:
    """A copy of the store with `shop`."""
    return Path(shutil.copytree(shop_store, tmp_path / "store"))


@pytest.fixture(scope="session")
def shop_service(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A server over a copy of the store with `shop`, for all tests that only read or ask."""
    folder = tmp_path_factory.mktemp("service")
    service = launch(Path(shutil.copytree(shop_store, folder / "store")), folder / "serve.log")
    yield service
    end(service)
