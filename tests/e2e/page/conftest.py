"""Fixtures: the page of a real service over an indexed repository, in Chromium. Without Chromium or Playwright the tests are skipped."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command_line import COMMAND
from tests.e2e.service import DEADLINE_SECONDS, SHOP, environment, repoquarry
from tests.source_trees import git, write_tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONG_NAME = "f" + "_long" * 60
LONG_FILE_LINES = 20_000
_METHODS = 12


def _core_class(name: str) -> str:
    """Source of a class with enough methods to be read first."""
    methods = (f"    def do_{n}(self):\n        return self.do_{(n + 1) % _METHODS}()\n" for n in range(_METHODS))
    return f'class {name}:\n    """{name} of goods."""\n\n' + "\n".join(methods)


def _crossing_modules() -> dict[str, str]:
    """Modules on three levels with an arrow between each two of neighboring levels, and scripts as entry points."""
    start = 'def main():\n    return 1\n\n\nif __name__ == "__main__":\n    main()\n'
    return {
        **{f"crossing/low_{n}.py": "".join(f"from crossing.top_{n} import main\n" * 5) for n in range(2)},
        **{f"crossing/mid_{n}.py": "import crossing.low_0\nimport crossing.low_1\n" * 13 for n in range(3)},
        **{
            f"crossing/top_{n}.py": "import crossing.mid_0, crossing.mid_1, crossing.mid_2\n" * 9 + start
            for n in range(8)
        },
    }


HOSTILE = {
    **SHOP,
    "hostile/__init__.py": "",
    "hostile/markup.py": (
        "def shown(order):\n"
        '    """<img src=x onerror=alert(1)> <script>alert(2)</script> \u202edesrever"""\n'
        f"    return {LONG_NAME}(order)\n\n\n"
        f"def {LONG_NAME}(order):\n"
        "    return shown(order)\n"
    ),
    "shop/long.py": "".join(f"value_{number} = {number}\n" for number in range(1, LONG_FILE_LINES + 1)),
    **{f"wide/a_part_with_a_long_name_{number}.py": f"part = {number}\n" for number in range(13)},
    "hostile/<b>bold<b>.py": "def inside():\n    return 1\n",
    "shop/stock.py": _core_class("Stock"),
    "shop/testing/__init__.py": "",
    "shop/testing/harness.py": _core_class("Harness"),
    "shop/uses.py": (
        "from shop.stock import Stock\nfrom shop.testing.harness import Harness\n\n\n"
        + "".join(f"def use_{n}():\n    return Stock().do_{n}(), Harness().do_{n}()\n\n\n" for n in range(_METHODS))
    ),
    **_crossing_modules(),
}


@dataclass
class PageService:
    """One running `repoquarry ui` and the repository that its store holds."""

    address: str
    process: subprocess.Popen[str]
    store: Path
    source: Path

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(DEADLINE_SECONDS)


def launch_page(store: Path, source: Path, port: str = "0", **variables: str) -> PageService:
    """Start `repoquarry ui`, with settings as environment variables."""
    process = subprocess.Popen(
        [*COMMAND, "ui", "--no-open", "--listen", f"127.0.0.1:{port}"],
        env=environment(store, **variables),
        stdout=subprocess.PIPE,
        text=True,
        cwd=store.parent,
    )
    assert process.stdout is not None
    announced = process.stdout.readline().strip()
    assert announced.startswith("http://127.0.0.1:"), announced
    address = "/".join(announced.split("/")[:3])
    return PageService(address, process, store, source)


@pytest.fixture(scope="session")
def page_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store and the git repository that is indexed in it, whose working tree then changes a signature."""
    folder = tmp_path_factory.mktemp("page")
    source = write_tree(folder / "shop", HOSTILE)
    git(source, "init", "-q")
    git(source, "add", "README.md")
    git(source, "commit", "-qm", "Open the <b>shop</b>")
    git(source, "add", "-A")
    git(source, "commit", "-qm", "<img src=x onerror=alert(3)> & <script>alert(4)</script>")
    done = repoquarry(folder / "store", "index", str(source))
    assert done.returncode == 0, done.stderr
    till = source / "shop" / "till.py"
    till.write_text(till.read_text().replace("def price(order):", "def price(order, currency):"))
    return folder / "store", source


@pytest.fixture(scope="session")
def service(page_store: tuple[Path, Path]) -> Iterator[PageService]:
    """The page for all tests that only look."""
    running = launch_page(*page_store)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, service: PageService) -> Iterator[Page]:
    """A tab of 1440 x 900. Script errors, refused content and requests to other hosts fail the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=service.address)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None)
    tab.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    own = (service.address, "data:", "blob:")
    tab.on("request", lambda request: None if request.url.startswith(own) else complaints.append(request.url))
    yield tab
    context.close()
    assert complaints == []
