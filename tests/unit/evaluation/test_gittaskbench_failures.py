"""Failures of GitTaskBench: the ten listings of the paper as records, in wording of our own."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from repoquarry.evaluation.gittaskbench_failures import SECONDARY, RecordedCommand, RunRecord, classify, find_bypass
from repoquarry.evaluation.gittaskbench_grading import Grade

NOTHING = Grade(False, False, "No files found in output directory.")
WRONG = Grade(True, False, "similarity 0.1", "output.txt")


def ran(text: str, output: str = "", code: int = 0, stopped: str = "") -> RecordedCommand:
    return RecordedCommand(text, code, stopped, output)


def failed(text: str, output: str, stopped: str = "") -> RecordedCommand:
    return ran(text, output, 1, stopped)


LISTINGS = {
    4: (
        "E1.2",
        "PDFPlumber",
        RunRecord(
            "answered",
            commands=(ran("cat README.md"), failed("python extract_text.py", "ModuleNotFoundError: No module named 'pdfplumber'")),
            written=("import pdfplumber\nwith pdfplumber.open('a.pdf') as pdf: ...",),
        ),
        NOTHING,
    ),
    5: (
        "E2.1",
        "TransparentBackground",
        RunRecord("answered", commands=(
            ran("find . -name README.md"),
            *[failed("PYTORCH_ENABLE_MPS_FALLBACK=1 pip install torch torchvision", "", "over its time limit of 30 s")] * 2,
        )),
        NOTHING,
    ),
    6: (
        "E3.2",
        "FunASR",
        RunRecord("answered", commands=(
            ran("ls runtime"), failed("python transcribe.py", "ImportError: cannot import name 'rec_file' from 'funasr_api'"),
        )),
        NOTHING,
    ),
    7: (
        "E4.2",
        "InvisibleWatermark",
        RunRecord("answered", commands=(
            ran("cat README.md"), ran("mkdir -p outputs"),
            failed("python embed.py", "EMBEDDING\nKeyboardInterrupt: stopped after 180 seconds", "cancelled"),
        )),
        NOTHING,
    ),
    8: (
        "E5.2",
        "Scrapy",
        RunRecord(
            "answered",
            commands=(
                failed("python scrape_quotes.py", "requests.exceptions.ConnectTimeout: Max retries exceeded"),
                ran("mkdir -p outputs"),
                ran("python scrape_quotes.py"),
            ),
            written=("import requests", 'mock_quotes = [\n    {"author": "A", "text": "T"},\n]\n'),
            produced=("output.xml",),
        ),
        WRONG,
    ),
    9: (
        "E1.1",
        "DeOldify",
        RunRecord("answered", commands=(
            ran("pip install opencv-python numpy"), ran("pip install numpy==1.21.0"),
            failed("python image_processor.py", "ImportError: numpy.core.multiarray failed to import"),
        )),
        NOTHING,
    ),
    10: ("E2.2", "NeuroKit", RunRecord("answered", commands=(ran("head -80 repos/NeuroKit/README.rst"),)), NOTHING),
    11: (
        "E3.2",
        "SpeechBrain",
        RunRecord("answered", commands=(
            failed("python separate.py", "RuntimeError: Expected 2D tensor (channels, samples) but got 3D tensor"),
        )),
        NOTHING,
    ),
    12: (
        "E4.1",
        "FunASR",
        RunRecord("answered", commands=(
            ran("pip install funasr"), failed("python recognize.py", "", "over its time limit of 600 s"),
        )),
        NOTHING,
    ),
    13: (
        "E5.2",
        "FunASR",
        RunRecord(
            "answered",
            commands=(ran("mkdir -p outputs && python3 repos/FunASR/examples/infer.py > outputs/output.txt"),),
            produced=("output.txt",),
        ),
        WRONG,
    ),
}  # fmt: skip


@pytest.mark.parametrize("number", LISTINGS)
def test_a_listing_has_its_published_class(number: int) -> None:
    wanted, repository, record, grade = LISTINGS[number]
    found = classify(record, grade, (repository,))
    assert (found.primary, found.secondary) == (wanted[:2], wanted), found.rule
    assert found.secondary in SECONDARY


@pytest.mark.parametrize(
    ("output", "secondary"),
    [
        ("ImportError: libGL.so.1: cannot open shared object file", "E1.3"),
        ("python: can't open file 'run_all.py': [Errno 2]", "E3.1"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory", "E4.1"),
        ("AttributeError: module 'shop' has no attribute 'sell'", "E3.2"),
    ],
)
def test_other_secondary_classes_by_the_last_failure(output: str, secondary: str) -> None:
    assert classify(RunRecord("answered", commands=(failed("python run.py", output),)), NOTHING).secondary == secondary


def test_bypass_is_found_where_the_repository_is_unused() -> None:
    own = RunRecord(
        "answered", commands=(ran("python solve.py"),), written=("import re\nprint(re.findall('@', text))",)
    )
    assert "runs or imports the repository" in find_bypass(own, ("PDFPlumber", "pdfplumber"))
    used = RunRecord(
        "answered", commands=(ran("python solve.py"),), written=("from transparent_background import Remover",)
    )
    assert find_bypass(used, ("TransparentBackground",)) == ""
    faker = RunRecord("answered", written=("from faker import Faker\nfake_users = [Faker().name()]",))
    assert find_bypass(faker, ("Faker",)) == ""


def test_a_test_script_that_crashes_on_an_output_rejects_it() -> None:
    crash = Grade(False, False, "Test script failed with return code: 3", "output.txt", "Traceback", crashed=True)
    found = classify(RunRecord("answered", produced=("output.txt",)), crash)
    assert (found.primary, found.secondary) == ("E5", "E5.1")
    assert "return code: 3" in found.rule
    lost = Grade(False, False, "no environment for the test script: numpy", "output.txt", "numpy")
    assert classify(RunRecord("answered", produced=("output.txt",)), lost).rule == "not graded: numpy"


TABLE_12 = tomllib.loads((Path(__file__).parent / "data" / "failure_probes.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "probe", TABLE_12["probe"], ids=lambda probe: f"{probe['class']}-{probe.get('output', '')[:40]}"
)
def test_a_probe_of_table_12_has_its_class(probe: dict[str, Any]) -> None:
    known = TABLE_12["repository"]
    commands = [ran(text) for text in probe.get("ran", ())]
    if "command" in probe:
        commands.append(ran(probe["command"], probe["output"], probe.get("code", 1), probe.get("stopped", "")))
    commands += [ran(text) for text in probe.get("then", ())]
    record = RunRecord(
        probe.get("state", "answered"),
        commands=tuple(commands),
        produced=tuple(probe.get("produced", ())),
        written=tuple(probe.get("written", ())),
        reads=probe.get("reads", 0),
    )
    grade = Grade(True, False, "wrong", probe["graded"]) if "graded" in probe else NOTHING
    found = classify(record, grade, probe.get("modules", known["modules"]), known["internal"])
    assert (found.secondary or found.primary) == probe["class"], found.rule
    assert probe["class"].startswith(found.primary)
