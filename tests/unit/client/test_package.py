"""The client stands alone, its generated half is current, and both distributions hold the same files."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from repoquarry.client import ClientSettings
from repoquarry.client.channel_options import channel_options

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import generate_client  # noqa: E402 - a script, not a package
import generate_servicers  # noqa: E402 - a script, not a package

LOADED = """
import sys, {module}
roots = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names)
ours = {{".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("repoquarry.")}}
print(" ".join(sorted((roots | ours) - {{"repoquarry", "__main__", "_distutils_hack"}})))
"""


def loaded(module: str) -> set[str]:
    """Modules besides the standard library that a fresh interpreter has loaded after importing a module."""
    script = LOADED.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True, timeout=300
    )
    return {name for name in done.stdout.split() if not name.startswith("__editable__")}


@pytest.mark.parametrize("module", ["repoquarry.client._sync.client", "repoquarry.client._async.client"])
def test_the_client_loads_grpc_and_protobuf_and_nothing_else(module: str) -> None:
    allowed = {"repoquarry.client", "repoquarry.v1", "grpc", "google", "typing_extensions", "cython_runtime"}
    allowed |= {"grpc_health", "grpc_reflection", "grpc_tools"}  # grpc itself looks for them
    found = loaded(module)
    assert {"grpc", "google", "repoquarry.v1"} <= found
    assert {name for name in found if not name.startswith("_")} <= allowed


def test_errors_and_settings_load_no_grpc() -> None:
    """The command line imports them at every start."""
    assert loaded("repoquarry.client") == {"repoquarry.client"}


def test_the_generated_files_are_current() -> None:
    for path, text in (generate_client.generated() | generate_servicers.generated()).items():
        assert path.read_text(encoding="utf-8") == text, "run `make generate`"


def test_every_service_of_the_contract_has_a_retry_policy() -> None:
    """Only calls that a retry may repeat: no streams of events, no uploads, no decisions."""
    options = dict(channel_options(ClientSettings(attempts=3)))
    names = json.loads(options["grpc.service_config"])["methodConfig"][0]["name"]
    contract = {
        f"repoquarry.v1.{service}"
        for path in (ROOT / "proto" / "repoquarry" / "v1").glob("*.proto")
        for service in re.findall(r"^service (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert contract
    assert {name["service"] for name in names} == contract
    assert not [name for name in names if name["method"].startswith(("Stream", "Upload", "Approve", "Delete"))]


def test_the_blocking_twin_is_the_source_without_waiting() -> None:
    source = (
        "import asyncio\n\n\nasync def f(client: AsyncClient) -> None:\n"
        '    """Awaits `AsyncClient`; the words async and await stay."""\n'
        "    async with client as opened:\n"
        "        await asyncio.sleep(await opened.g())\n"
        "        return [part async for part in opened.h()]\n"
    )
    assert generate_client.blocking(source) == (
        "import time\n\n\ndef f(client: Client) -> None:\n"
        '    """Awaits `Client`; the words async and await stay."""\n'
        "    with client as opened:\n"
        "        time.sleep(opened.g())\n"
        "        return [part for part in opened.h()]\n"
    )


def test_both_distributions_have_one_version_and_licence() -> None:
    folders = (ROOT, ROOT / "clients" / "python")
    main, client = (tomllib.loads((folder / "pyproject.toml").read_text())["project"] for folder in folders)
    assert main["version"] == client["version"]
    assert set(client["dependencies"]) <= set(main["dependencies"])
    assert (folders[0] / "LICENSE").read_bytes() == (folders[1] / "LICENSE").read_bytes()
