"""Repairs are proposed from real logs of the installer."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from repoquarry.execution.provision.python import install_plan
from repoquarry.execution.provision.python.attempt_runner import accelerators_named, without_wheel
from repoquarry.execution.provision.python.code_imports import CodeImports, ExternalImport
from repoquarry.execution.provision.python.initial_plan import build_initial_plan
from repoquarry.execution.provision.python.install_plan import (
    AttemptFailure,
    InstallPlan,
    RepairContext,
    RepairProposal,
)
from repoquarry.execution.provision.python.interpreters import Interpreter, order_interpreters
from repoquarry.execution.provision.python.repair_search import proposals
from repoquarry.execution.provision.report import ImportCheck, ImportNeed
from repoquarry.execution.settings import EnvironmentSettings
from repoquarry.languages.manifests.python_repository import RepositoryManifests
from repoquarry.languages.manifests.python_requirements import Certainty, PythonStatement, StatedRequirement


def python(minor: int) -> Interpreter:
    return Interpreter(Path(f"/p/3.{minor}"), (3, minor, 1), Path("/p"))


ALL = [python(minor) for minor in (6, 7, 8, 9, 10, 11, 12, 13)]
CODE = CodeImports((), ("shop",), (".",), 1)


def plan(*wanted: str, minor: int = 11, date: datetime | None = None) -> InstallPlan:
    return InstallPlan(python(minor), tuple(StatedRequirement(text, "requirements.txt") for text in wanted), date)


def repairs(failure: AttemptFailure, before: InstallPlan, **context: Any) -> Iterator[RepairProposal]:
    """Propose repairs where nothing has a wheel and no plan can be resolved, unless the context says otherwise."""
    nothing = {"code": CODE, "installs": lambda *_: False, "resolves": lambda _: False}
    return iter(proposals(failure, before, RepairContext(ALL, **{**nothing, **context})))


def first(failure: AttemptFailure, before: InstallPlan, **context: Any) -> tuple[str, InstallPlan]:
    proposal = next(repairs(failure, before, **context))
    return proposal.repair.kind, proposal.plan


def imported(module: str, error: str, *, own: bool = False) -> AttemptFailure:
    return AttemptFailure("check", error, ImportCheck(module, own, ImportNeed.NEEDED, error, where="run.py"))


def test_wheels_for_other_interpreters_only() -> None:
    log = (
        "cause: Because tensorflow==1.15.0 has no wheels with a matching Python ABI tag (e.g., `cp311`) and you require tensorflow==1.15.0, we "
        "can conclude that your requirements are unsatisfiable.\n\nhint: You require CPython 3.11 (`cp311`), but we only found wheels for "
        "`tensorflow` (v1.15.0) with the following Python ABI tags: `cp27mu`, `cp36m`, `cp37m`"
    )
    kind, after = first(AttemptFailure("resolve", log), plan("tensorflow==1.15.0"))
    assert (kind, after.interpreter.minor) == ("interpreter", (3, 6))


def test_unknown_package_name_is_replaced_by_the_intended_one() -> None:
    log = "cause: Because cv2 was not found in the package registry and you require cv2, we can conclude that your requirements are unsatisfiable."
    kind, after = first(AttemptFailure("resolve", log), plan("cv2"))
    assert kind == "package_name"
    assert [item.text for item in after.wanted] == ["opencv-python-headless"]
    log = log.replace("cv2", "detectron2")
    _, after = first(AttemptFailure("resolve", log), plan("detectron2", "detectron"))
    assert [item.name for item in after.wanted] == ["detectron"]


def test_pins_that_exclude_each_other_and_tests_first() -> None:
    log = (
        "cause: Because flask==2.0.0 depends on werkzeug>=2.0 and you require flask==2.0, we can conclude that you require werkzeug>=2.0.\n"
        "And because you require werkzeug==0.15, we can conclude that your requirements are unsatisfiable."
    )
    before = InstallPlan(
        python(8),
        (StatedRequirement("flask==2.0", "requirements.txt"), StatedRequirement("werkzeug==0.15", "dev.txt", "tests")),
    )
    kind, after = first(AttemptFailure("resolve", log), before)
    assert kind == "pin"
    assert [item.text for item in after.wanted] == ["flask==2.0", "werkzeug>=0.15"]


def test_a_build_that_needs_what_it_does_not_state() -> None:
    log = (
        "error: Failed to build `pesq==0.0.1`\n  cause: The build backend returned an error\n[stderr]\n"
        "ModuleNotFoundError: No module named 'numpy'"
    )
    kind, after = first(AttemptFailure("install", log), plan("pesq==0.0.1", "numpy<2"))
    assert kind == "build_isolation"
    assert after.build_alongside == (("pesq", "numpy<2"),)


def test_a_build_for_an_older_setuptools() -> None:
    log = "error: Failed to build `old==1.0`\nerror in old setup command: use_2to3 is invalid."
    kind, after = first(AttemptFailure("resolve", log), plan("old==1.0"))
    assert kind == "build"
    assert after.build_constraints == ("setuptools<58",)
    log = "error: Failed to build `markupsafe==1.0`\nImportError: cannot import name 'Feature'"
    _, after = first(AttemptFailure("resolve", log), replace(plan("flask"), build_constraints=("setuptools<81",)))
    assert after.build_constraints == ("setuptools<46",)


def test_a_missing_header_is_named() -> None:
    log = "error: Failed to build `psycopg2==2.8`\nError: pg_config executable not found."
    assert any(
        "psycopg2-binary in place of psycopg2" in one.repair.change and "libpq-dev" in one.repair.reason
        for one in repairs(AttemptFailure("install", log), plan("psycopg2==2.8"))
    )


def test_interpreter_with_a_wheel_is_tried_before_relaxing_the_pin() -> None:
    log = "error: Failed to build `numpy==1.18.1`\nsome error"
    kind, after = first(
        AttemptFailure("install", log), plan("numpy==1.18.1"), installs=lambda text, _: text == "numpy==1.18.1"
    )
    assert (kind, after.interpreter.minor) == ("interpreter", (3, 6))


def test_modules_of_older_standard_libraries() -> None:
    _, after = first(imported("shop", "ModuleNotFoundError: No module named 'imp'", own=True), plan("x", minor=12))
    assert after.interpreter.minor < (3, 12)


def test_names_that_newer_versions_lack() -> None:
    error = "AttributeError: module 'numpy' has no attribute 'float'"
    kind, after = first(imported("old", error), plan("numpy"), locked={"numpy": "1.26.4"})
    assert (kind, after.constraints) == ("known_break", ("numpy<1.24",))


def test_a_shared_library_that_is_not_installed() -> None:
    error = "ImportError: libGL.so.1: cannot open shared object file: No such file or directory"
    kind, after = first(imported("cv2", error), plan("opencv-python==4.5"), locked={"opencv-python": "4.5"})
    assert kind == "system_library"
    assert [item.text for item in after.wanted] == ["opencv-python-headless==4.5"]
    assert "opencv-python" in after.excluded


def test_builds_of_old_days_get_tools_that_can_be_called() -> None:
    manifests = RepositoryManifests((StatedRequirement("markupsafe==0.23", "requirements.txt"),))
    old = build_initial_plan(manifests, CODE, ALL, datetime(2014, 6, 1, tzinfo=UTC), EnvironmentSettings(), tests=False)
    new = build_initial_plan(manifests, CODE, ALL, datetime(2024, 6, 1, tzinfo=UTC), EnvironmentSettings(), tests=False)
    assert old.plan.undated >= {"setuptools", "wheel"}
    assert new.plan.undated == frozenset()


def test_cpu_builds_are_found_in_their_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "torch-2.9.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl", "w") as wheel:
        wheel.writestr(
            "torch-2.9.0.dist-info/METADATA", "Name: torch\nRequires-Dist: Sym_Py>=1.13\n\nRequires-Dist: none\n"
        )
    settings = EnvironmentSettings(find_links=(str(tmp_path),))

    def chosen(*wanted: str, year: int = 2025) -> InstallPlan:
        manifests = RepositoryManifests(tuple(StatedRequirement(text, "requirements.txt") for text in wanted))
        return build_initial_plan(manifests, CODE, ALL, datetime(year, 5, 1, tzinfo=UTC), settings, tests=False).plan

    plan_now = chosen("torch>=2", "torchvision", "tensorflow-gpu==2.9", "nvidia-cublas-cu12", "nvidia-ml-py3")
    assert plan_now.interpreter.minor == (3, 11)
    assert plan_now.constraints == ("torch==2.9.0+cpu",)
    assert plan_now.undated == {"torch", "torchvision", "torchaudio", "torchtext", "sym-py"}
    assert [item.text for item in plan_now.wanted][2:] == ["tensorflow==2.9", "nvidia-ml-py3"]
    whole = chosen("torch==1.4.0")
    assert whole.constraints == (), "its wheel carries its libraries and loads without an accelerator"
    assert not chosen("torch", year=2022).fixed_packages, "so do all wheels of that day"


def test_an_operator_that_is_missing_leads_to_whole_wheels() -> None:
    before = replace(
        plan("torch>=1.7", "torchvision"),
        constraints=("torch==2.9.0+cpu",),
        fixed_packages=frozenset({"torch"}),
        bound=True,
    )
    failure = imported("torchvision.transforms", "RuntimeError: operator torchvision::nms does not exist")
    _, after = first(failure, before, resolves=lambda other: other.interpreter.minor == (3, 10))
    assert (after.constraints, after.interpreter.minor, after.bound) == (("torch<1.13",), (3, 10), False)


def test_older_companion_package_pins_the_build_it_needs() -> None:
    before = replace(
        plan("torch>=1.7", "torchaudio"),
        constraints=("torch==2.9.0+cpu",),
        fixed_packages=frozenset({"torch"}),
        bound=True,
    )
    context = {
        "locked": {"torch": "2.9.0+cpu", "torchaudio": "2.9.0"},
        "resolves": lambda other: other.interpreter.minor == (3, 10),
    }
    failure = imported("shop", "AttributeError: module 'torchaudio' has no attribute 'list_audio_backends'", own=True)
    found = [one.plan for one in repairs(failure, before, **context)]
    beside, whole = found[:2]
    assert (beside.constraints, beside.overrides) == (("torch==2.9.0+cpu", "torchaudio<2.9"), ("torch==2.9.0+cpu",))
    assert whole.constraints == ("torch<1.13",)
    other = imported("shop", "AttributeError: module 'numpy' has no attribute 'float'", own=True)
    assert all(one.plan.constraints != ("torch<1.13",) for one in repairs(other, before, **context))


def test_accelerator_library_is_excluded() -> None:
    error = "OSError: Could not load this library: /e/e1/env/lib/python3.11/site-packages/torchaudio/lib/_torchaudio.so"
    kind, after = first(imported("torchaudio", error), plan("torchaudio"))
    assert (kind, after.without_files) == (
        "processor_only",
        ("lib/python3.11/site-packages/torchaudio/lib/_torchaudio.so",),
    )


def test_the_interpreter_by_what_is_stated_and_by_date() -> None:
    def chosen(*statements: PythonStatement, date: datetime | None = None, oldest_without: int = 99) -> tuple[int, int]:
        return order_interpreters(ALL, statements, date, oldest_without)[0][0].minor

    required = PythonStatement(">=3.8", "pyproject.toml", Certainty.REQUIRED)
    named = PythonStatement("==3.9.*", ".python-version", Certainty.CHOSEN)
    assert chosen(date=datetime(2020, 6, 1, tzinfo=UTC)) == (3, 7)
    assert chosen(required, date=datetime(2018, 1, 1, tzinfo=UTC)) == (3, 8)
    assert chosen(required, named, date=datetime(2025, 1, 1, tzinfo=UTC)) == (3, 9)
    assert chosen() == (3, 12)
    assert chosen(oldest_without=12) == (3, 11)


def test_unpublished_version_is_relaxed_before_the_interpreter_changes() -> None:
    log = (
        "cause: Because there is no version of codecov==2.1.10 and you require codecov==2.1.10, we can conclude that your "
        "requirements are unsatisfiable."
    )
    wanted = plan("mypy==0.790", "codecov==2.1.10")
    failure = AttemptFailure("resolve", log)
    kinds = [proposal.repair.kind for proposal in repairs(failure, wanted, resolves=lambda _: True)]
    kind, after = first(failure, wanted)
    assert "interpreter" not in kinds
    assert kind == "pin"
    assert [item.text for item in after.wanted] == ["mypy==0.790", "codecov>=2.1.10"]


def collected(error: str, log: str = "") -> AttemptFailure:
    return AttemptFailure(
        "check", f"{error}\n{log}", ImportCheck("pytest", False, ImportNeed.BESIDE, error, log, "pytest", test=True)
    )


def test_options_and_marks_of_plugins_that_no_manifest_asks_for() -> None:
    error = "error: unrecognized arguments: --cov=shop --cov-report term --timeout=5 -n4"
    kind, after = first(collected(error), plan("pytest"), locked={"pytest": "6.0"})
    assert kind == "test_plugin"
    assert [item.text for item in after.wanted] == ["pytest", "pytest-cov", "pytest-timeout", "pytest-xdist"]
    assert {item.group for item in after.wanted[1:]} == {"tests"}
    _, after = first(collected("'asyncio' not found in `markers` configuration option"), plan("pytest"))
    assert after.asks_for("pytest-asyncio")
    _, after = first(collected("Failed: Missing required plugins: pytest-qt>=3, pytest-bdd"), plan("pytest"))
    assert [item.text for item in after.wanted[1:]] == ["pytest-qt>=3", "pytest-bdd"]


def test_installed_plugin_is_not_requested_again() -> None:
    failure = collected("error: unrecognized arguments: --cov=shop")
    found = repairs(failure, plan("pytest"), locked={"pytest-cov": "2.0"})
    assert not [one for one in found if one.repair.kind == "test_plugin"]


def test_a_newer_pytest_that_the_configuration_asks_for() -> None:
    error = "pytest.UsageError: /w/setup.cfg: 'minversion' requires pytest-6.2, actual pytest-5.4.3"
    _, after = first(collected(error), plan("pytest"), locked={"pytest": "5.4.3"})
    assert [item.text for item in after.wanted] == ["pytest>=6.2"]


def test_an_installed_package_that_is_written_for_python_2() -> None:
    trace = (
        'E     File "/e/env/lib/python3.6/site-packages/nose/core.py", line 143\nE       print "%s" % name\n'
        "E                ^\nE   SyntaxError: invalid syntax"
    )
    kind, after = first(collected("SyntaxError: invalid syntax", trace), plan("nose==1.3.3"), locked={"nose": "1.3.3"})
    assert (kind, [item.text for item in after.wanted], after.constraints) == ("pin", ["nose>=1.3.3"], ("nose!=1.3.3",))


def test_warnings_of_setuptools_treated_as_errors() -> None:
    error = "DeprecationWarning: pkg_resources is deprecated as an API. See https://setuptools.pypa.io/"
    _, after = first(collected(error), plan("gunicorn"), locked={"setuptools": "70.3.0"})
    assert after.constraints == ("setuptools<67.5",)


def test_package_named_like_an_accelerator_library_is_ordinary() -> None:
    assert install_plan.is_accelerator("triton")
    assert install_plan.is_accelerator("nvidia-cudnn-cu12")
    assert not install_plan.is_accelerator("tritonclient")
    log = "libraries of an accelerator would be installed: triton==3.1.0, nvidia-cublas-cu12==12.4"
    assert accelerators_named(log) == ("triton", "nvidia-cublas-cu12")
    assert accelerators_named("error: Failed to build `x==1`") == ()


def test_metadata_in_an_obsolete_form() -> None:
    log = (
        "error: No solution found when resolving dependencies\n  cause: Because pandas>=0.20.1 has invalid metadata and you require "
        "pandas>=0.18, we can conclude that your requirements are unsatisfiable.\n\nhint: Metadata for `pandas` (v0.24.1) could not be "
        "parsed:\n  after parsing `2011`, found `k`, which is not part of a valid version\n  pytz (>=2011k)\n        ^^^^^^^"
    )
    read: list[tuple[str, str]] = []

    def requires(name: str, version: str) -> tuple[str, ...] | None:
        read.append((name, version))
        return ("pytz", "numpy>=1.12.0")

    failure, before = AttemptFailure("resolve", log), plan("pandas>=0.18")
    proposal = next(repairs(failure, before, requires=requires))
    assert proposal.plan.stated == (("pandas", "0.24.1", ("pytz", "numpy>=1.12.0")),)
    assert "pytz (>=2011k)" in proposal.repair.evidence
    assert read == [("pandas", "0.24.1")]
    kind, after = first(failure, before)
    assert (kind, after.constraints) == ("metadata", ("pandas!=0.24.1",)), "a version without a wheel is passed over"


def test_a_package_for_python_2_that_nothing_needed_needs_is_found_by_its_files_and_left_out() -> None:
    trace = (
        'E     File "/e/env/lib/python3.7/site-packages/qpidtoollibs/disp.py", line 161\nE       print title\n'
        "E                 ^\nE   SyntaxError: Missing parentheses in call to 'print'. Did you mean print(title)?"
    )
    before = InstallPlan(python(7), (StatedRequirement("qpid-tools", "requirements/qpid.txt"),))
    context = {"locked": {"qpid-tools": "0.26"}, "holder": {"qpidtoollibs": "qpid-tools"}.__getitem__}
    found = list(repairs(collected("SyntaxError: Missing parentheses", trace), before, **context))
    assert [one.repair.change for one in found] == ["qpid-tools<0.26", "qpid-tools is omitted"]
    assert found[1].plan.excluded == {"qpid-tools"}


def test_unbuildable_package_is_tried_newer_before_it_is_omitted() -> None:
    log = "error: Failed to build `bottleneck==1.2.1`\nAttributeError: 'dict' object has no attribute '__NUMPY_SETUP__'"
    failure, before = AttemptFailure("resolve", log), plan("bottleneck")
    for newer in (True, False):
        found = repairs(failure, before, installs_newer=lambda *_, answer=newer: answer)
        changes = [one.repair.change for one in found]
        taken = next(one for one in changes if one.startswith("bottleneck may be newer"))
        assert ("wheel" in taken) is newer
        assert changes.index(taken) < changes.index("bottleneck is omitted")


def test_archives_with_obsolete_names_admit_newer_versions() -> None:
    log = (
        "error: No solution found when resolving dependencies\n  cause: Because twisted>=13.1.0 has a non-PEP 625-compliant source distribution "
        "filename and you require twisted>=13.1.0, we can conclude that your requirements are unsatisfiable."
    )
    before = plan("Twisted>=13.1.0", date=datetime(2017, 12, 30, tzinfo=UTC))
    kind, after = first(AttemptFailure("resolve", log), before)
    assert (kind, after.undated) == ("date", frozenset({"twisted"}))
    all_of = log.replace("twisted>=13.1.0 has", "all versions of twisted have")
    assert first(AttemptFailure("resolve", all_of), before)[1].undated == {"twisted"}


def test_packages_without_a_wheel_are_found_with_extras_too() -> None:
    log = "cause: Because databases{}==0.2.6 has no usable wheels and you require\n  databases{}==0.2.6, we can conclude that"
    assert without_wheel(log.format("[sqlite]", "[sqlite]")) == "databases"
    assert without_wheel(log.format("", "")) == "databases"
    assert without_wheel("error: something else") == ""


def test_versions_that_a_repair_let_in_move_no_interpreter() -> None:
    log = (
        "Because the current Python version (3.6.15) does not satisfy Python>=3.7.1 and twisted>=22.8.0rc1,<=23.8.0 depends on "
        "Python>=3.7.1, we can conclude that twisted>=22.8.0rc1 cannot be used.\nBecause the current Python version (3.6.15) does not "
        "satisfy Python>=3.8 and attrs>=25 depends on Python>=3.8, your requirements are unsatisfiable."
    )
    before = plan("twisted", "attrs>=25", minor=6, date=datetime(2017, 4, 16, tzinfo=UTC))
    moved = [
        first(AttemptFailure("resolve", log), replace(before, undated=frozenset(names)))[1]
        for names in ((), ("twisted",))
    ]
    assert [one.interpreter.minor for one in moved] == [(3, 7), (3, 8)]


def test_build_version_comes_from_the_files() -> None:
    log = "LookupError: setuptools-scm was unable to detect version for /w/shop."
    for stated, given in (("5.0.1", "5.0.1"), ("", "0.0.1")):
        found = next(repairs(AttemptFailure("project", log), plan("x"), own_version=lambda version=stated: version))
        assert {"SETUPTOOLS_SCM_PRETEND_VERSION": given, "PBR_VERSION": given}.items() <= found.plan.variables.items()
        assert given in found.repair.change


def test_optional_package_named_in_an_error_is_installed() -> None:
    optional = [
        ExternalImport(name, where="shop/json.py", need=ImportNeed.OPTIONAL) for name in ("apsw", "psycopg2.extras")
    ]
    code = CodeImports(tuple(optional), ("shop",), (".",), 1)
    error = "Exception: Your version of psycopg2 does not support JSON."
    for locked, expected in (({}, ["psycopg2-binary is installed"]), ({"psycopg2-binary": "2.9"}, [])):
        found = repairs(collected(error), plan("pytest"), code=code, installs=lambda *_: True, locked=locked)
        assert [one.repair.change for one in found if one.repair.kind == "missing_module"] == expected
