"""Alpha of GitTaskBench: equation 1, its two cases, the published values and prices, and the Pareto curve."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from repoquarry.agent.errors import EvaluationError
from repoquarry.agent.settings import AgentSettings
from repoquarry.evaluation.gittaskbench_metrics import (
    Market,
    Prices,
    ScoredTask,
    compute_alpha,
    majority_level,
    pareto_curve,
    pareto_picture,
    published,
    summary,
)
from repoquarry.evaluation.gittaskbench_service import BenchmarkService, RunOptions, gittaskbench_report, raised_limits
from repoquarry.evaluation.gittaskbench_tasks import BenchmarkTask
from repoquarry.v1 import repository_service_pb2, task_service_pb2


def task(id_: str) -> BenchmarkTask:
    return BenchmarkTask(id_, id_.partition("_")[0], "", (), (), Path(), None, True, ())


def test_the_two_cases_of_the_paper() -> None:
    assert compute_alpha(0.95, 10, 1, 0.5) == pytest.approx(9.00)
    assert compute_alpha(0.85, 100, 0.75, 2) == pytest.approx(61.75)


def test_alpha_recomputed_from_equation_1() -> None:
    # completed, passed, value, quality, cost
    given = [(1, 1, 10, 1.0, 0.5), (1, 0, 150, 0.25, 2.0), (0, 0, 60, 0.75, 1.0), (1, 1, 30, None, 0.1)]
    rows = [
        ScoredTask(str(at), "R", bool(done), bool(passed), value=value, quality=quality, cost=cost)
        for at, (done, passed, value, quality, cost) in enumerate(given)
    ]
    gains = [done * value * (1 if quality is None else quality) - cost for done, _, value, quality, cost in given]
    found = summary(rows)
    assert found.alpha == pytest.approx(sum(gains) / len(gains))
    assert (found.ecr, found.tpr, found.assumed) == (3 / 4, 2 / 4, 1)


@pytest.mark.parametrize(
    ("levels", "quality"), [((1, 1, 1, 0, 0), 1.0), ((0.5, 0.75, 0.75, 1, 0.25), 0.75), ((1, 1, 0.5, 0.5, 0), 0.5)]
)
def test_the_majority_of_five_raters_decides(levels: tuple[float, ...], quality: float) -> None:
    assert majority_level(levels) == quality


@pytest.mark.parametrize("levels", [(1, 1, 1), (1, 1, 1, 1, 0.9)])
def test_other_ratings_are_rejected(levels: tuple[float, ...]) -> None:
    with pytest.raises(EvaluationError, match="invalid ratings"):
        majority_level(levels)


def test_market_values_and_prices_are_the_published_ones() -> None:
    rows, market = published()["subdomains"], Market(Prices.of_model("gpt-4.1"))
    assert (len(rows), len({row["domain"] for row in rows}), sum(len(row["tasks"]) for row in rows)) == (24, 7, 54)
    images = sum(len(row["tasks"]) for row in rows if row["domain"] == "Image Processing")
    assert images == 16, "29.63 % of 54, by table 4"
    assert market.value(task("VideoPose3D_01")) == 150
    assert market.value(task("AnimeGANv3_03")) == 20, "a video, although its repository is for images"
    assert market.subdomain(task("AnimeGANv3_03")) == ("Video Processing", "Style Transfer")
    assert market.value(task("Adder_01")) is None
    assert market.cost(1_000_000, 500_000) == 2.0 + 4.0
    with pytest.raises(EvaluationError, match="no published price of 'other'; known: claude"):
        Prices.of_model("other")


def test_the_report_shows_published_alphas_beside_the_measured_ones() -> None:
    found = gittaskbench_report([ScoredTask("Scrapy_01", "Scrapy", True, True, value=30.0)])
    assert found["repositories"]["Scrapy"]["alpha"] == 30.0
    assert found["published_alpha"]["Scrapy"] == {
        "deepseek-v3-0324": 19.491,
        "gpt-4.1": 9.897,
        "claude-3-5-sonnet-20241022": 25.683,
    }


def test_the_pareto_curve_starts_with_the_most_valuable_repository() -> None:
    curve = pareto_curve([1.0, 6.0, -1.0])
    assert curve == [(0.0, 0.0), (1 / 3, 1.0), (2 / 3, 7 / 6), (1.0, 1.0)]
    assert pareto_curve([-1.0]) == []
    picture = ElementTree.fromstring(pareto_picture({"this run": curve}))
    assert [len(line.attrib["points"].split()) for line in picture.iter() if line.tag.endswith("polyline")] == [2, 4]


def test_limits_of_the_published_runs_raise_the_settings() -> None:
    options = RunOptions((), "chat", 1, 2, 100, 1800.0, 900.0, ("weights.example",), False, "", None, None)
    raised = raised_limits(AgentSettings(max_steps=0), options)
    assert (raised.max_steps, raised.max_seconds, raised.workspace.command_seconds) == (0, 1800.0, 900.0)
    assert raised.workspace.grantable_hosts == ("weights.example",)
    assert "output_01, output_02" in task("X_01").text


def test_a_task_of_the_service_has_the_budget_and_the_hosts_of_the_run() -> None:
    sent: list[task_service_pb2.TaskSpec] = []

    def create_task(request: task_service_pb2.CreateTaskRequest) -> None:
        sent.append(request.spec)
        raise InterruptedError

    known = repository_service_pb2.ListRepositoriesResponse(
        repositories=[repository_service_pb2.Repository(name="repositories/adder")]
    )
    api: Any = SimpleNamespace(
        tasks=SimpleNamespace(create_task=create_task),
        repositories=SimpleNamespace(list_repositories=lambda request: known),
    )
    service = BenchmarkService(
        api, RunOptions((), "chat", 1, 2, 70, 1200.0, 120.0, ("weights.example",), False, "", None, None)
    )
    service.check([task("Adder_01")])
    with pytest.raises(InterruptedError):
        service.run(task("Adder_01"), Path())
    (spec,) = sent
    assert (list(spec.repositories), list(spec.network_hosts)) == (["repositories/adder"], ["weights.example"])
    assert (spec.budget.steps, spec.budget.seconds, spec.workspace) == (70, 1200.0, True)
