"""Remedies of error reasons: each is tried, or the table says which test tries it, or why no machine can."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from repoquarry.server.errors import REASONS
from tests.e2e.service import SHOP, CommandResult, Service, end, launch, long_token, run_here
from tests.source_trees import commit_tree, write_tree
from tests.unit.server.test_documented import SERVICE_FILES

TESTS = Path(__file__).parents[2]
ADMIN, READER = long_token("admin"), long_token("reader")

TRIED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "request": {
        "REQUEST_INVALID": ("query 'RETURN 1' --format yaml", "query 'RETURN 1' --format csv"),
        "NOT_FOUND": ("REPOQUARRY_STORE_EMBEDDING_MODEL=/nothing search price", "search price"),
        "SCIP_REJECTED": ("index shop --scip damaged.txt", "index shop --scip auto"),
        "REPOSITORY_ID_TAKEN": ("index elsewhere/shop", "index elsewhere/shop --name other"),
        "REPOSITORY_NOT_FOUND": ("search order -r nothing", "list", "search order -r shop"),
        "BATCH_NOT_FOUND": ("batch batches/nothing", "list --batches"),
        "TASK_NOT_FOUND": ("files tasks/nothing", "list --tasks"),
        "ENVIRONMENT_NOT_FOUND": ("provision --remove nothing", "provision --list"),
        "SYMBOL_NOT_FOUND": ("show prices", "search prices", "show shop:shop/till.py::price"),
        "LIST_REJECTED": ("index --from damaged.txt", "index --from list.txt"),
        "OUTPUT_FAILED": ("query 'RETURN 1' --output nothing/rows.csv", "query 'RETURN 1' --output rows.csv"),
        "TASK_INVALID": ("ask 'who calls price?' --policy nothing", "ask 'who calls price?' --policy deterministic"),
        "MODEL_REQUIRED": ("task 'Write a report'", "ask 'who calls price?'"),
        "EVALUATION_INVALID": ("evaluate mle --scores damaged.txt", "evaluate mle --scores scores.json"),
        "MODEL_REJECTED": ("ask 'who calls price?' --policy chat", "ask 'who calls price?'"),
    },
    "query": {
        "QUERY_FAILED": ("query 'RETURN 1 / 0'", "query 'RETURN 1 / 2'"),
        "QUERY_LIMIT": ("query 'UNWIND range(1, 3000000) AS x RETURN sum(x)' --seconds 0.001",
            "query 'UNWIND range(1, 3000000) AS x RETURN sum(x)' --seconds 60"),
    },
    "source": {
        "SOURCE_NOT_FOUND": ("index nothing", "index shop"),
        "SOURCE_REJECTED": ("index ftp://example.org/shop.git", "index shop"),
        "REPOSITORY_EMPTY": ("REPOQUARRY_INGEST_MAX_FILE_BYTES=10 index shop --name bare", "index shop --name bare"),
        "GIT_FAILED": ("impact shop --range nothing..HEAD", "impact shop --range HEAD..HEAD"),
    },
    "store": {
        "STORE_NOT_FOUND": ("list --store new", "index shop --store new", "list --store new"),
        "STORE_BUSY": ("index shop --store {served}", "index shop --name shop --server {address} --token {admin}"),
    },
    "settings": {
        "SETTINGS_INVALID": ("REPOQUARRY_STORE_ENGINE=nothing list", "REPOQUARRY_STORE_ENGINE=kglite list"),
        "EMBEDDER_REJECTED": ("REPOQUARRY_STORE_EMBEDDING_EMBEDDER=openai_compatible search price",
            "REPOQUARRY_STORE_EMBEDDING_EMBEDDER=static search price"),
        "ISOLATION_UNAVAILABLE": ("REPOQUARRY_AGENT_WORKSPACE_ISOLATION=container provision -r shop",
            "REPOQUARRY_AGENT_WORKSPACE_ISOLATION=none REPOQUARRY_AGENT_ENVIRONMENT_ROOT=environments provision -r shop"),
    },
    "server": {
        "SERVER_UNREACHABLE": ("list --server 127.0.0.1:1", "list --server {address} --token {reader}"),
        "TOKEN_MISSING": ("list --server {address}", "list --server {address} --token {reader}"),
        "TOKEN_WRONG": ("list --server {address} --token wrong", "list --server {address} --token {reader}"),
        "SCOPE_MISSING": ("delete other --yes --server {address} --token {reader}",
            "index elsewhere/shop --name other --server {address} --token {admin}",
            "delete other --yes --server {address} --token {admin}"),
        "DEADLINE_EXCEEDED": ("REPOQUARRY_CLIENT_SECONDS=0.000001 list --server {address} --token {reader}",
            "REPOQUARRY_CLIENT_SECONDS=60 list --server {address} --token {reader}"),
    },
}  # fmt: skip
"""By owner and reason: a command that fails with the reason, then commands that follow the remedy and succeed."""

ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "request": {
        "e2e/serving/test_index_jobs.py::test_while_a_repository_is_indexed": "REPOSITORY_BUSY WRONG_STATE CANCELLED",
        "e2e/serving/test_index_jobs.py::test_a_retried_request_creates_nothing_new": "PAGE_TOKEN_INVALID REQUEST_ID_REUSED",
        "e2e/serving/test_batches.py::test_a_list_is_worked_through_and_reported": "ENTRIES_FAILED",
        "e2e/serving/test_mcp.py::test_tools_and_resources_are_listed_and_used": "TOOL_FAILED TOOL_NOT_FOUND TOOL_ARGUMENTS_INVALID",
        "unit/server/test_authentication.py::test_too_many_attempts_of_an_address_are_refused_for_a_minute": "TOO_MANY_ATTEMPTS",
        "e2e/serving/test_access.py::test_work_is_named_by_its_creator_and_by_administrators": "NOT_OWNER",
        "e2e/commands/test_outcomes.py::test_a_repository_that_changes_during_its_export_is_a_failure": "REPOSITORY_CHANGED",
        "e2e/serving/test_request_remedies.py::test_the_method_in_a_remedy_lists_what_can_be_named": "JOB_NOT_FOUND PATH_NOT_FOUND",
        "e2e/serving/test_request_remedies.py::test_a_refused_query_can_be_corrected": "QUERY_REFUSED",
        "e2e/serving/test_request_remedies.py::test_a_candidate_of_an_ambiguous_name_is_unambiguous":
            "REPOSITORY_AMBIGUOUS SYMBOL_AMBIGUOUS",
        "e2e/serving/test_request_remedies.py::test_a_message_of_the_contract_is_read": "MESSAGE_MALFORMED",
        "e2e/serving/test_request_remedies.py::test_a_reader_that_reads_gets_every_row": "READER_TOO_SLOW",
        "e2e/serving/test_request_remedies.py::test_a_query_is_accepted_again_when_queued_ones_have_ended": "TOO_MANY_QUERIES",
        "e2e/serving/test_environment_service.py::test_what_cannot_be_provisioned_is_refused": "PROVISIONING_NOT_FOUND",
        "e2e/tasks/test_task_files.py::test_files_go_in_and_come_out": "FILE_NOT_FOUND",
    },
    "store": {
        "integration/ingest/test_remedies.py::test_the_remedy_of_an_error_ends_with_a_healthy_store": "STORE_CORRUPT",
        "integration/ingest/test_remedies.py::test_a_full_disk_is_left_by_making_room": "STORE_FULL",
        "integration/ingest/test_remedies.py::test_an_unwritable_database_is_left_by_correcting_its_permissions": "STORE_UNWRITABLE",
        "e2e/serving/test_request_remedies.py::test_a_store_of_a_newer_version_is_left_alone": "STORE_NEWER",
        "engines/neo4j/test_data_folders.py::test_the_folder_that_indexes_a_repository_again_takes_it_over": "TEXTS_ELSEWHERE",
    },
    "server": {
        "e2e/serving/test_neo4j_service.py::test_neo4j_killed_while_a_job_writes": "ENGINE_UNAVAILABLE",
        "unit/embeddings/test_embedders.py::test_passing_failures_are_retried": "EMBEDDER_UNAVAILABLE",
        "integration/server/test_bulk.py::test_a_worker_that_dies_costs_one_attempt": "WORKER_LOST",
        "e2e/stores/test_durability.py::test_a_client_follows_a_job_across_a_restart_of_the_server": "SHUTTING_DOWN",
    },
    "execution": {
        "e2e/tasks/test_task_files.py::test_an_upload_has_to_be_what_was_announced":
            "OUTSIDE_WORKSPACE UPLOAD_INVALID UPLOAD_NOT_FOUND FILE_LIMIT",
        "e2e/serving/test_environment_service.py::test_environments_are_listed_for_all_and_deleted_by_their_creator":
            "ENVIRONMENT_IN_USE",
    },
    "agent": {
        "integration/agent/test_chat.py::test_provider_errors_are_retried_and_then_succeed": "MODEL_UNAVAILABLE",
        "e2e/tasks/test_task_files.py::test_a_task_whose_checks_do_not_hold_has_failed_with_its_answer": "CHECKS_FAILED",
        "e2e/tasks/test_task_runs.py::test_a_larger_budget_lets_a_task_finish": "BUDGET_REACHED",
        "e2e/tasks/test_task_runs.py::test_a_task_whose_files_were_deleted_is_created_again": "FILES_GONE",
        "e2e/tasks/test_task_runs.py::test_another_model_makes_progress": "NO_PROGRESS",
    },
}  # fmt: skip
"""By owner and test, below `tests`: reasons that need more than a command, and whose remedy the test tries."""
UNTRIED: Mapping[str, Mapping[str, str]] = {
    "store": {"a mistake of ours: a command that writes opens its store for writing": "STORE_READ_ONLY"},
    "service": {
        "a person has to look at it": "INTERNAL AGENT_FAILED INGEST_FAILED RESOLUTION_FAILED ATTEMPTS_EXHAUSTED",
        "needs the installation of packages": "EXTRA_MISSING CLUSTER_UNAVAILABLE",
    },
    "execution": {"needs a program or package that the machine lacks": "ENVIRONMENT_UNAVAILABLE"},
    "agent": {"a person or a model decides again": "APPROVAL_DENIED NO_ANSWER"},
}
"""By owner and cause: reasons whose remedy no machine can try."""


def test_every_reason_has_one_remedy_that_is_tried_or_cannot_be() -> None:
    listed = [reason for rows in TRIED.values() for reason in rows]
    listed += [
        reason
        for table in (ELSEWHERE, UNTRIED)
        for rows in table.values()
        for row in rows.values()
        for reason in row.split()
    ]
    assert sorted(listed) == sorted(REASONS)
    for module, function in (test.split("::") for rows in ELSEWHERE.values() for test in rows):
        assert f"def {function}(" in (TESTS / module).read_text(encoding="utf-8"), function


def test_remedies_name_methods_of_the_contract() -> None:
    methods = {
        method.name
        for file in SERVICE_FILES
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    named = {name for reason in REASONS.values() for name in re.findall(r"\b(?:Get|List)[A-Z]\w+", reason.remedy)}
    assert named
    assert named <= methods


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two sources called `shop`, of which a store has the first, and lists of sources."""
    folder = tmp_path_factory.mktemp("tried")
    for place in ("", "elsewhere"):
        write_tree(folder / place / "shop", SHOP)
    commit_tree(folder / "shop")
    (folder / "list.txt").write_text("shop\n")
    (folder / "scores.json").write_text('{"leaf-classification": 0.1}')
    (folder / "damaged.txt").write_text("shop main shop rest\n")
    assert run_here(folder / "store", "index", str(folder / "shop")).returncode == 0
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Service]:
    scopes = f"admin:{ADMIN},read:{READER}"
    service = launch(folder / "served", folder / "serve.log", REPOQUARRY_SERVER_TOKENS=scopes)
    yield service
    end(service)


def run_line(folder: Path, line: str) -> CommandResult:
    """Run a command line, which may begin with settings as a shell has them."""
    words = shlex.split(line)
    settings = [word for word in words if word.startswith("REPOQUARRY_")]
    return run_here(folder / "store", *words[len(settings) :], **dict(word.split("=", 1) for word in settings))


@pytest.mark.parametrize("reason", [reason for rows in TRIED.values() for reason in rows])
def test_the_remedy_of_a_reason_works(
    folder: Path, server: Service, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    monkeypatch.chdir(folder)
    values = {"served": folder / "served", "address": server.address, "admin": ADMIN, "reader": READER}
    failing, *remedies = (line.format(**values) for rows in TRIED.values() for line in rows.get(reason, ()))
    failed = run_line(folder, failing)
    assert failed.stderr.strip().endswith(f"({reason})"), failed
    for line in remedies:
        done = run_line(folder, line)
        assert done.returncode == 0, (line, done.stderr)
