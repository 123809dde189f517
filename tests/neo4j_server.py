"""A real Neo4j for the tests: one that runs already, one started from an unpacked distribution, or one in a container.

In this order: `REPOQUARRY_TEST_NEO4J_URI` (with `REPOQUARRY_TEST_NEO4J_USER` and `..._PASSWORD`; its data is deleted!),
`NEO4J_HOME`, or `../shared/neo4j` (started in a temporary folder on a free port of the loopback interface, 512 MB of heap), Docker.
"""

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from repoquarry.graphstore.settings import StoreSettings

NAMED_SERVER = "REPOQUARRY_TEST_NEO4J_URI"
"""The variable that names a server which runs already."""
IMAGE = "neo4j:5.26-community"
START_SECONDS = 300
STOP_SECONDS = 120
SHORT_LIVED = {"server.jvm.additional": "-XX:TieredStopAtLevel=1"}
"""For a server that runs for minutes: code is compiled quickly, and no processor's time goes into compiling it well."""


@dataclass(frozen=True)
class Neo4jServer:
    """How to reach a running server; an empty user means no authentication."""

    uri: str
    user: str
    password: str
    origin: str

    @property
    def auth(self) -> tuple[str, str] | None:
        return (self.user, self.password) if self.user else None

    @property
    def variables(self) -> dict[str, str]:
        """Settings of a store on this server as environment variables."""
        return {
            "REPOQUARRY_STORE_ENGINE": "neo4j",
            "REPOQUARRY_STORE_NEO4J_URI": self.uri,
            "REPOQUARRY_STORE_NEO4J_USER": self.user,
            "REPOQUARRY_STORE_NEO4J_PASSWORD": self.password,
        }

    def settings(self, folder: Path, **more: Any) -> StoreSettings:
        """Settings of a store on this server."""
        return StoreSettings(folder, "neo4j", self.uri, neo4j_user=self.user, neo4j_password=self.password, **more)


class LocalNeo4j:
    """A server started from `NEO4J_HOME`, whose files are all in `folder`; can be killed and started again."""

    def __init__(self, home: Path, folder: Path, settings: dict[str, str] | None = None) -> None:
        self._home = home
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self._configure(settings or {})

    @property
    def server(self) -> Neo4jServer:
        return Neo4jServer(f"bolt://127.0.0.1:{self.port}", "", "", f"Neo4j from {self._home}")

    @property
    def pid(self) -> int:
        """Process id of the first process of the running server."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start and wait until it answers."""
        environment = {**os.environ, "NEO4J_CONF": str(self._folder / "conf"), "NEO4J_HOME": str(self._home)}
        log = (self._folder / "console.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [str(self._home / "bin" / "neo4j"), "console"],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            _wait(self.server, self._process)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """Ask the whole process group to end and wait for it."""
        self._signal(signal.SIGTERM, STOP_SECONDS)

    def kill(self) -> None:
        """End the whole process group at once, as a crash would."""
        self._signal(signal.SIGKILL, STOP_SECONDS)

    def _signal(self, number: signal.Signals, seconds: float) -> None:
        if self._process is None:
            return
        group = self._process.pid
        _signal_group(group, number)
        deadline = time.monotonic() + seconds
        while _signal_group(group, 0) and time.monotonic() < deadline:
            self._process.poll()  # reaps the first process, so that the group can vanish
            time.sleep(0.1)
        _signal_group(group, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _configure(self, settings: dict[str, str]) -> None:
        folder = self._folder
        conf = folder / "conf"
        conf.mkdir(parents=True)
        for file in (self._home / "conf").glob("*.xml"):
            shutil.copy(file, conf)
        lines = {
            "server.default_listen_address": "127.0.0.1",
            "server.bolt.listen_address": f"127.0.0.1:{self.port}",
            "server.http.enabled": "false",
            "server.directories.data": str(folder / "data"),
            "server.directories.logs": str(folder / "logs"),
            "server.directories.run": str(folder / "run"),
            "server.directories.import": str(folder / "import"),
            "server.directories.transaction.logs.root": str(folder / "data" / "transactions"),
            "server.memory.heap.initial_size": "512m",
            "server.memory.heap.max_size": "512m",
            "server.memory.pagecache.size": "128m",
            "dbms.security.auth_enabled": "false",
            "dbms.usage_report.enabled": "false",
            **settings,
        }
        for name in ("data", "logs", "run", "import"):
            (folder / name).mkdir()
        (conf / "neo4j.conf").write_text("".join(f"{key}={value}\n" for key, value in lines.items()), encoding="utf-8")


@contextmanager
def neo4j_server(folder: Path) -> Iterator[Neo4jServer | None]:
    """A server for the tests, None when there is none to be had."""
    uri = os.environ.get(NAMED_SERVER)
    home = local_home()
    if uri:
        user = os.environ.get("REPOQUARRY_TEST_NEO4J_USER", "neo4j")
        server = Neo4jServer(uri, user, os.environ.get("REPOQUARRY_TEST_NEO4J_PASSWORD", ""), NAMED_SERVER)
        _wait(server, None)
        yield server
    elif home is not None:
        local = LocalNeo4j(home, folder, SHORT_LIVED)
        local.start()
        try:
            yield local.server
        finally:
            local.kill()  # nobody reads its files again
    elif (
        shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0
    ):
        with _container() as server:
            yield server
    else:
        yield None


def local_home() -> Path | None:
    """The distribution that `NEO4J_HOME` names, or `shared/neo4j` next to the project; None when neither exists."""
    named = os.environ.get("NEO4J_HOME")
    home = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "neo4j"
    return home.resolve() if (home / "bin" / "neo4j").is_file() else None


@contextmanager
def _container() -> Iterator[Neo4jServer]:
    port = free_port()
    started = subprocess.run(
        ["docker", "run", "--rm", "--detach", "--publish", f"127.0.0.1:{port}:7687", "--env", "NEO4J_AUTH=none", IMAGE],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    container = started.stdout.strip()
    try:
        server = Neo4jServer(f"bolt://127.0.0.1:{port}", "", "", f"Docker image {IMAGE}")
        _wait(server, None)
        yield server
    finally:
        subprocess.run(["docker", "stop", container], capture_output=True, check=False)


def _wait(server: Neo4jServer, process: subprocess.Popen[bytes] | None) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with GraphDatabase.driver(
                server.uri, auth=server.auth, connection_timeout=5, max_transaction_retry_time=0
            ) as driver:
                driver.execute_query("RETURN 1")
            return
        except (Neo4jError, DriverError, OSError) as exc:
            ended = process is not None and process.poll() is not None
            if ended or time.monotonic() > deadline:
                raise RuntimeError(f"the Neo4j of {server.origin} does not answer at {server.uri}: {exc}") from exc
            time.sleep(0.3)


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; whether there is such a group."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


def free_port() -> int:
    """A port that nothing listens on, of those that the system gives to no connection by itself before the server takes it."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def server_seconds(server: LocalNeo4j | None) -> float:
    """Return the processor time of a server so far; 0 for none."""
    process = psutil.Process(server.pid) if server is not None else None
    family = (process, *process.children(recursive=True)) if process is not None else ()
    return sum(sum(member.cpu_times()[:2]) for member in family)


_emptied = Counter[str]()


def times_emptied(server: Neo4jServer) -> int:
    """How often this process has emptied a server: the same number means that nobody has since."""
    return _emptied[server.uri]


def empty(server: Neo4jServer) -> None:
    """Delete all nodes and relationships; constraints and indexes stay."""
    _emptied[server.uri] += 1
    with GraphDatabase.driver(server.uri, auth=server.auth) as driver, driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS").consume()
