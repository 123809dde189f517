"""Repository search against a stand-in host with thirty repositories, on tasks like those of the paper."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from repoquarry.agent.settings import AgentSettings, ModelSettings, SearchSettings
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources.network_policy import HostPattern, NetworkPolicy
from repoquarry.server.repository_search import build_queries, list_subjects, search_repositories
from tests.e2e.service import run_here
from tests.http_server import answering
from tests.scripted_chat import Reply, ScriptedChat, scripted_chat
from tests.source_trees import commit_tree, write_tree

# Task, then name, stars and description of the right repository, of a small one and of a popular one on another subject.
_TASKS = {
    "Use this to remove the scratches of the old photo in inputs/photo.jpeg and save outputs/output.png": (
        ("lab/photo-revival", 15_000, "Restores old photos and removes scratches with deep networks"),
        ("joe/scratches", 3, "scratches of an old photo, homework"),
        ("web/photo-gallery", 9_000, "Gallery of photos for web pages"),
    ),
    "Extract all tables of the PDF inputs/report.pdf to CSV": (
        ("docs/pdf-tables", 6_400, "Finds tables in PDF documents and writes them as CSV"),
        ("ann/tables", 2, "PDF tables CSV"),
        ("docs/pdf-viewer", 48_000, "Viewer of PDF documents in the browser"),
    ),
    "Turn a landscape picture into anime style": (
        ("art/anime-style", 4_100, "Landscape pictures as anime, style transfer with networks"),
        ("bob/anime", 1, "anime landscape style"),
        ("tv/anime-list", 20_000, "List of anime series"),
    ),
    "Hide a secret message in a PNG image by steganography": (
        ("sec/stegano", 500, "Steganography: hides a secret message in a PNG image"),
        ("kim/stega-lab", 4, "steganography message lab"),
        ("chat/message-bus", 12_000, "Message bus for services"),
    ),
    "Estimate the 3D human pose of a person in a video": (
        ("vision/pose-3d", 3_700, "3D human pose estimation in video with temporal convolutions"),
        ("lee/pose", 5, "human pose 3D video"),
        ("media/video-player", 30_000, "Player of video files"),
    ),
    "Recognize the speech of a Chinese audio recording": (
        ("audio/speech-kit", 9_800, "Speech recognition of audio recordings in Chinese and English"),
        ("zoe/speech", 2, "speech audio Chinese"),
        ("audio/recorder", 11_000, "Recorder of audio"),
    ),
    "Embed an invisible watermark into a photo": (
        ("img/invisible-watermark", 1_600, "Embeds and decodes an invisible watermark in images and photos"),
        ("tom/watermark", 3, "invisible watermark photo"),
        ("img/photo-editor", 22_000, "Editor of photos"),
    ),
    "Scrape the quotes of a website with a spider": (
        ("net/spiders", 52_000, "Framework of spiders that scrape a website, for example quotes"),
        ("pat/quotes-spider", 6, "spider that scrapes quotes of a website"),
        ("bio/spider-atlas", 700, "Atlas of animals: every spider of Europe"),
    ),
    "Enlarge a blurred image by super-resolution": (
        ("img/super-resolution", 4_600, "Super-resolution networks that enlarge a blurred image"),
        ("eva/super-resolution", 1, "blurred image super-resolution"),
        ("phys/resolution-limit", 900, "Resolution of a telescope image"),
    ),
    "Find solutions of the Kaggle aptos2019-blindness-detection competition on retina images": (
        ("kaggle/aptos2019-blindness-detection", 60, "Retina images graded with an ensemble, kappa 0.904, Kaggle"),
        ("max/aptos2019-blindness-detection", 0, "aptos2019-blindness-detection notes"),
        ("eye/retina-atlas", 2_000, "Atlas of retina images"),
    ),
}
_RIGHT = [found[0][0] for found in _TASKS.values()]


def _readme(name: str, description: str) -> str:
    if name not in _RIGHT:
        return f"# {name}\n\n{description}.\n"
    weights = "Download the model weights: https://weights.example/model.pth\n"
    return f"# {name}\n\n{description}.\n\nIt reaches a kappa metric of 0.904 on a test set.\n\n{weights}\n## Usage\n\n```\npython run.py\n```\n"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    tree: dict[str, str | bytes] = {
        "run.py": "import numpy\nfrom core import go\n\nif __name__ == '__main__':\n    go(numpy)\n",
        "core.py": "def go(it): ...\n",
        "requirements.txt": "numpy\n",
        "weights/model.pth": b"0",
    }
    entries = {name: (stars, text) for found in _TASKS.values() for name, stars, text in found}
    assert len(entries) == 30
    for name in _RIGHT[1:]:
        write_tree(tmp_path / name, tree)

    def item(name: str) -> dict[str, object]:
        stars, description = entries[name]
        more = {
            "html_url": f"https://host.example/{name}",
            "license": {"spdx_id": "MIT"},
            "size": 90,
            "pushed_at": "2025-01-01T00:00:00Z",
        }
        return {
            "full_name": name,
            "clone_url": str(tmp_path / name)
            if not (tmp_path / name / ".git").exists()
            else f"file://{tmp_path / name}",
            "description": description,
            "stargazers_count": stars,
        } | more

    def search(query: str) -> list[dict[str, object]]:
        """Return all repositories with every word, as a host does: whole words of name, description and README."""
        words = query.removesuffix(" in:name,description,readme").lower().split()
        texts = {name: f"{name} {_readme(name, entries[name][1])}".lower() for name in entries}
        return [
            item(name)
            for name, text in texts.items()
            if all(re.search(rf"\b{re.escape(one)}\b", text) for one in words)
        ]

    def answer(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(request.path)
        name = unquote(parts.path).removeprefix("/repos/").rpartition("/")[0]
        if parts.path == "/search/repositories":
            body = json.dumps({"items": search(parse_qs(parts.query)["q"][0])}).encode()
        elif parts.path.endswith("/readme"):
            body = _readme(name, entries[name][1]).encode()
        else:
            body = b'{"Python": 900, "C++": 30}'
        return 404 if name == "max/aptos2019-blindness-detection" else 200, {}, body

    with answering(answer) as address:
        yield address


def _settings(host: str) -> AgentSettings:
    return AgentSettings(search=SearchSettings(token="hidden", address=host))


@pytest.mark.parametrize(("task", "right"), list(zip(_TASKS, _RIGHT, strict=True))[1:])
def test_the_right_repository_is_recommended(host: str, task: str, right: str) -> None:
    found = search_repositories(_settings(host), IngestSettings(), task)
    first = found["repositories"][0]
    assert (first["name"], first["rank"], first["can_solve_task"]) == (right, 1, True), found
    assert found["recommendation"].startswith(f"{right} is recommended")
    assert (first["license"], first["languages"], first["size_kib"]) == ("MIT", ["Python", "C++"], 90)
    assert first["checks"]["entry_points"] == ("run.py:4 main",)
    assert first["checks"]["imports"] == ("numpy",)
    assert first["checks"]["is_declared"]
    assert first["checks"]["weights"] == ("weights/model.pth", "https://weights.example/model.pth")
    assert "0.904" in first["performance"]
    assert all(one["checks"] is None for one in found["repositories"] if not one["can_solve_task"])


def test_a_candidate_that_cannot_be_cloned_cannot_solve_the_task(host: str) -> None:
    task = next(iter(_TASKS))
    found = search_repositories(_settings(host), IngestSettings(), task)
    first = next(one for one in found["repositories"] if one["name"] == _RIGHT[0])
    assert not first["can_solve_task"]
    assert "cannot be cloned" in first["reason"]
    assert found["recommendation"].startswith("No repository is recommended")


def _photo_host(
    tmp_path: Path, rows: dict[str, tuple[int, str, str, bool]]
) -> Callable[..., tuple[int, dict[str, str], bytes]]:
    """A host of repositories by name: stars, last push, README, and whether it can be cloned."""
    for name, (*_, is_cloneable) in rows.items():
        if is_cloneable:
            write_tree(tmp_path / name, {"run.py": "if __name__ == '__main__':\n    print(1)\n"})

    def answer(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        path = urlsplit(request.path).path
        name = path.removeprefix("/repos/").rpartition("/")[0]
        if path.endswith("/readme"):
            return 200, {}, f"{rows[name][2]}\n\n## Usage\n\n```\npython run.py\n```\n".encode()
        if path.endswith("/languages"):
            return 200, {}, b"{}"
        items = [
            {
                "full_name": one,
                "clone_url": str(tmp_path / one),
                "stargazers_count": stars,
                "pushed_at": f"{push}-01-01T00:00:00Z",
                "description": "Photo tool",
            }
            for one, (stars, push, *_) in rows.items()
        ]
        return 200, {}, json.dumps({"items": items}).encode()

    return answer


_GOOD = "Removes scratches from an old photo."
_TASK = "Restore an old photo by removing scratches from it"


def test_candidates_are_checked_until_three_pass_and_failed_ones_come_last(tmp_path: Path) -> None:
    rows = {f"lab/p{at}": (900 - at, "2025", _GOOD, at > 2) for at in range(7)}
    with answering(_photo_host(tmp_path, rows)) as address:
        found = search_repositories(_settings(address), IngestSettings(), _TASK)
    names = [one["name"] for one in found["repositories"]]
    assert names[:4] == ["lab/p3", "lab/p4", "lab/p5", "lab/p6"]
    assert [one["checks"] is None for one in found["repositories"]] == [False] * 3 + [True] + [False] * 3
    assert [one["rank"] for one in found["repositories"]] == list(range(1, 8))
    assert found["recommendation"].startswith("lab/p3 is recommended")
    assert all("\n" not in one["reason"] for one in found["repositories"])
    dropped = {one["name"]: one["reason"] for one in found["log"]["dropped"]}
    assert set(dropped) == {"lab/p0", "lab/p1", "lab/p2"}
    assert "cannot be cloned" in dropped["lab/p0"]


def test_ability_denied_by_a_readme_is_dropped_and_logged(tmp_path: Path) -> None:
    denials = [
        "This project cannot remove scratches from an old photo.",
        "It doesn't restore an old photo; removal of scratches is not supported.".replace("removal", "without removal"),
        "Never remove scratches from an old photo with it.",
    ]
    rows = {f"lab/n{at}": (900, "2025", text, True) for at, text in enumerate(denials)}
    rows |= {"lab/good": (60, "2025", f"It does not need a GPU. {_GOOD}", True)}
    with answering(_photo_host(tmp_path, rows)) as address:
        found = search_repositories(_settings(address), IngestSettings(), _TASK)
    assert [one["name"] for one in found["repositories"] if one["can_solve_task"]] == ["lab/good"]
    assert {one["name"] for one in found["log"]["dropped"]} == {"lab/n0", "lab/n1", "lab/n2"}
    assert found["log"]["queries"][0]["results"] == list(rows)
    assert f"{address}/repos/lab/good/readme" in found["log"]["pages"]


def test_stars_and_last_push_weigh_among_equally_relevant_repositories(tmp_path: Path) -> None:
    rows = {
        "a/m1": (3, "2012", _GOOD, True),
        "a/m2": (120, "2012", _GOOD, True),
        "a/m3": (3, "2025", _GOOD, True),
        "a/m4": (120, "2025", _GOOD, True),
    }
    with answering(_photo_host(tmp_path, rows)) as address:
        found = search_repositories(_settings(address), IngestSettings(), _TASK)
    names = [one["name"] for one in found["repositories"]]
    assert (names[0], names[-1]) == ("a/m4", "a/m1")


def test_weights_are_requested_and_a_repository_without_them_fails(tmp_path: Path) -> None:
    """Link, files of weights in the clone, and whether the repository passes."""
    asked: list[str] = []

    def weights(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        asked.append(request.path)
        moved = {"Location": "/there.pth"} if request.path == "/moved.pth" else {}
        return (302 if moved else 404 if "gone" in request.path else 200), moved, b"w" * 2_000

    with answering(weights) as address:
        policy = NetworkPolicy((HostPattern.read(address),))
        rows = {
            "lab/inner": (900, "2025", f"{_GOOD}\n\nWeights: http://127.0.0.1:1/inner.pth", True),
            "lab/there": (900, "2025", f"{_GOOD}\n\nWeights: {address}/there.pth", True),
            "lab/gone": (900, "2025", f"{_GOOD}\n\nWeights: {address}/gone.pth.", True),
            "lab/moved": (900, "2025", f"{_GOOD}\n\nModel: [here]({address}/moved.pth)", True),
            "lab/page": (900, "2025", f"{_GOOD}\n\nOur model is described at {address}/gone", True),
        }
        with answering(_photo_host(tmp_path, rows)) as host_address:
            settings = _settings(host_address)
            found = search_repositories(settings, IngestSettings(), _TASK, links=policy)
    entries = {one["name"]: one for one in found["repositories"]}
    link = {name: one["checks"]["weight_links"][0] for name, one in entries.items() if one["checks"]}
    assert link["lab/there"] == {
        "url": f"{address}/there.pth", "problem": "", "media_type": "text/plain", "size_bytes": 2_000
    }  # fmt: skip
    assert {name for name, one in entries.items() if one["can_solve_task"]} == {"lab/there", "lab/moved", "lab/page"}
    assert "weights cannot be read" in entries["lab/gone"]["reason"]
    assert "HTTP 404" in link["lab/gone"]["problem"]
    assert "HTTP 404" in link["lab/page"]["problem"], "a page that is gone is reported, and decides nothing"
    assert "not among the hosts" in link["lab/inner"]["problem"] or "not a public name" in link["lab/inner"]["problem"]
    assert asked.count("/there.pth") == 2


def test_a_configured_model_judges_and_words_judge_where_it_fails(tmp_path: Path) -> None:
    rows = {
        "lab/words": (900, "2025", _GOOD, True),
        "lab/meaning": (800, "2025", "Retouches damaged pictures of grandparents.", True),
        "lab/silent": (700, "2025", _GOOD, True),
        "lab/mute": (600, "2025", "", True),
    }
    lines = [
        "1. no | - | it needs training \x1b[31mfirst",
        "2. **Yes** | run run.py on the photo | retouching is restoring",
        "3: perhaps",
        "9. yes | x | y",
    ]
    with (
        answering(_photo_host(tmp_path, rows)) as address,
        scripted_chat(Reply("\n".join(lines)), Reply(status=401)) as chat,
    ):
        options = {"base_url": chat.base_url, "api_key": "none"}
        settings = replace(_settings(address), model=ModelSettings("openai:scripted", options, attempts=1))
        first, second = (search_repositories(settings, IngestSettings(), _TASK) for _ in range(2))
    request = str(chat.requests[0]["messages"])
    assert _TASK in request
    assert "Retouches damaged pictures" in request
    verdicts = {one["name"]: (one["can_solve_task"], one["verdict_by"]) for one in first["repositories"]}
    assert verdicts["lab/words"] == (False, "openai:scripted")
    assert verdicts["lab/meaning"] == (True, "openai:scripted")
    assert verdicts["lab/silent"] == (True, "words"), "an invalid line is no verdict"
    entries = {one["name"]: one for one in first["repositories"]}
    assert entries["lab/meaning"]["solution_approach"] == "run run.py on the photo"
    assert entries["lab/words"]["reason"] == "it needs training [31mfirst"
    assert first["log"]["model"]["verdicts"] == 2
    assert first["log"]["model"]["input_tokens"] == 100
    by_words = {one["name"] for one in second["repositories"] if one["can_solve_task"]}
    assert {"lab/words", "lab/silent"} <= by_words
    assert "lab/meaning" not in by_words
    assert "401" in second["log"]["model"]["error"]


def test_an_indexed_repository_that_shares_one_word_does_not_fit(tmp_path: Path) -> None:
    tree = {"pairs.py": "class Pairs:\n    def remove(self, key):\n        del self.all[key]\n"}
    store = tmp_path / "store"
    assert run_here(store, "index", str(write_tree(tmp_path / "pairs", tree))).returncode == 0
    assert "Pairs.remove" not in run_here(store, "choose", _TASK).stdout
    assert "Pairs.remove" in run_here(store, "choose", "remove pairs").stdout


def test_a_candidate_without_a_readable_readme_is_reported_as_such(host: str) -> None:
    found = search_repositories(_settings(host), IngestSettings(), list(_TASKS)[-1])
    notes = next(one for one in found["repositories"] if one["name"] == "max/aptos2019-blindness-detection")
    assert "README unavailable" in notes["reason"]
    assert (notes["can_solve_task"], notes["performance"]) == (False, "Information unavailable")


def test_the_command_prints_verdicts_as_text_and_json(host: str, tmp_path: Path) -> None:
    variables = {"REPOQUARRY_AGENT_SEARCH_TOKEN": "hidden", "REPOQUARRY_AGENT_SEARCH_ADDRESS": host}
    command = ["choose", "--online", "Extract all tables of the PDF inputs/report.pdf to CSV"]
    done = run_here(tmp_path / "store", *command, **variables)
    assert "1. docs/pdf-tables  6400 stars, MIT  can solve the task" in done.stdout, done.stderr
    document = json.loads(run_here(tmp_path / "store", *command, "--json", **variables).stdout)
    listing = {"rank", "name", "url", "stars", "can_solve_task", "solution_approach", "performance", "reason"}
    assert all(listing <= one.keys() for one in document["repositories"])
    done = run_here(tmp_path / "store", *command)
    assert "agent.search.token" in done.stderr
    assert done.returncode != 0


def _variables(host: str, chat: ScriptedChat) -> dict[str, str]:
    return {
        "REPOQUARRY_AGENT_SEARCH_TOKEN": "hidden",
        "REPOQUARRY_AGENT_SEARCH_ADDRESS": host,
        "REPOQUARRY_AGENT_MODEL_NAME": "openai:scripted",
        "REPOQUARRY_AGENT_MODEL_OPTIONS": json.dumps({"base_url": chat.base_url, "api_key": "none"}),
    }


def test_a_task_finds_indexes_and_uses_a_repository_in_an_empty_store(host: str, tmp_path: Path) -> None:
    task, repository = "Extract all tables of the PDF inputs/report.pdf to CSV", tmp_path / "docs" / "pdf-tables"
    commit_tree(repository)
    cloning = Reply(calls=[("index_repository", {"address": f"file://{repository}"})])
    script = [
        Reply(calls=[("index_repository", {"address": str(repository)})]),
        Reply(calls=[("repositories", {"text": task})]),
        *(cloning, Reply(calls=[("view", {"target": "run.py"})])),
        Reply(calls=[("finish", {"text": "Run `run.py`, run.py:4.", "places": ["run.py:4-5"]})]),
    ]
    ask = ["ask", task, "--policy", "chat", "--json"]
    with scripted_chat(*script) as chat:
        done = run_here(tmp_path / "store", *ask, "--yes", **_variables(host, chat))
        told = [str(request["messages"][-1]["content"]) for request in chat.requests]
    answer = json.loads(done.stdout)["answer"]
    assert answer["places"][0]["repository"] == "repositories/pdf-tables", done.stderr
    assert {tool["function"]["name"] for tool in chat.requests[0]["tools"]} >= {"repositories", "index_repository"}
    assert "only addresses that the task names or that `repositories` returned are indexed" in told[1]
    judged = f"docs/pdf-tables: {_TASKS[task][0][2]} (6400 stars, last push 2025-01-01, fits: covers "
    assert judged in told[2]
    assert "; index it with `index_repository(address='file://" in told[2]
    assert told[2].index("docs/pdf-tables") < told[2].index("ann/tables"), "those that fit come first"
    assert "may not fit: covers" in told[2]
    assert "pdf-tables is indexed: 2 files" in told[3]
    assert "go(numpy)" in told[4]
    assert "pdf-tables" in run_here(tmp_path / "store", "list").stdout


def test_a_task_without_approval_or_search_indexes_nothing(host: str, tmp_path: Path) -> None:
    done = run_here(tmp_path / "store", "ask", "Extract tables", "--policy", "chat")
    assert "index a repository first" in done.stderr
    with scripted_chat(Reply(calls=[("index_repository", {"address": "file:///nowhere"})]), *[Reply()] * 4) as chat:
        run_here(tmp_path / "store", "ask", "Extract tables", "--policy", "chat", **_variables(host, chat))
    assert "index_repository was not approved" in str(chat.requests[1]["messages"][-1]["content"])


def test_subjects_are_entities_first_and_then_rare_words() -> None:
    assert list_subjects(list(_TASKS)[-1])[0] == "aptos2019-blindness-detection"
    assert list_subjects("Remove scratches and scratched parts of photo.jpg")[0] == "scratches"
    assert build_queries("do this with inputs/a.txt") == []
    queries = build_queries("Extract the tables of the PDF documents")
    assert queries == [
        "PDF documents tables",
        "PDF documents",
        "PDF tables",
        "documents tables",
        "PDF",
        "documents",
        "tables",
    ]
