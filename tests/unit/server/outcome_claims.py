"""Claims of each command and method, when they would be untrue, and the test that prevents it."""

from typing import Final, NamedTuple


class Claim(NamedTuple):
    """One row of a table."""

    says: str
    untrue: str
    """When the claim would not hold."""
    test: str
    """Test below `tests`, `module::function`."""


_TASKS = "e2e/tasks/test_task_files.py"
_BATCHES = "e2e/serving/test_batches.py"
_ENVIRONMENTS = "e2e/serving/test_environment_service.py"
_UNRELATED = "e2e/answers/test_unrelated_repositories.py"
_CODE = "e2e/serving/test_code_service.py"
_VIEWS = "e2e/serving/test_view_service.py"
_OUTCOMES = "e2e/commands/test_outcomes.py"
_DURABLE = "e2e/stores/test_durability.py"

_TASK_STATE = Claim(
    "SUCCEEDED: it did what was asked",
    "an expected or named output is missing, or a budget cut the work short",
    f"{_TASKS}::test_a_task_whose_checks_do_not_hold_has_failed_with_its_answer",
)
_BATCH_STATE = Claim(
    "SUCCEEDED: every entry is stored", "an entry failed", f"{_BATCHES}::test_a_list_is_worked_through_and_reported"
)
_PROVISIONING_STATE = Claim(
    "SUCCEEDED: there is an environment",
    "none could be made",
    f"{_ENVIRONMENTS}::test_a_provisioning_without_an_environment_has_failed",
)
_JOB_STATE = Claim(
    "SUCCEEDED: the source is stored", "it holds nothing to index", f"{_OUTCOMES}::test_nothing_to_index_is_a_failure"
)

METHODS: Final = {
    "BatchService.CreateBatch": _BATCH_STATE,
    "BatchService.GetBatch": _BATCH_STATE,
    "BatchService.ListBatches": _BATCH_STATE,
    "BatchService.CancelBatch": _BATCH_STATE,
    "BatchService.StreamBatchEvents": _BATCH_STATE,
    "BatchService.ListBatchOutcomes": Claim(
        "each entry with its error", "a failed entry has none", f"{_BATCHES}::test_a_list_is_worked_through_and_reported"
    ),
    "CodeService.Search": Claim(
        "hits of the stored revision", "the index is damaged", "e2e/stores/test_damage.py::test_a_damaged_index_is_found_rebuilt_and_said"
    ),
    "CodeService.Locate": Claim(
        "places that matter", "the source has moved on", f"{_OUTCOMES}::test_a_source_that_cannot_be_compared_is_not_called_current"
    ),
    "CodeService.ResolveName": Claim(
        "all that a name means", "it means nothing", "e2e/commands/test_outcomes.py::test_names_that_do_not_exist"
    ),
    "CodeService.Explore": Claim(
        "evidence for one thing", "the name fits several things or none", "e2e/answers/test_explore.py::test_several_definitions_are_candidates"
    ),
    "CodeService.ListRelations": Claim(
        "callers, and calls that may mean it", "another language or repository is meant",
        f"{_UNRELATED}::test_possible_callers_of_a_definition_speak_its_language",
    ),
    "CodeService.FindPaths": Claim("paths", "a limit cut them", f"{_CODE}::test_paths"),
    "CodeService.ListOwners": Claim(
        "who worked on it", "no history is known", "e2e/answers/test_owners.py::test_owners_of_a_definition_a_file_a_folder"
    ),
    "CodeService.CompareRepositories": Claim(
        "what differs", "a source has moved on", f"{_OUTCOMES}::test_an_index_that_its_source_left_behind_says_so"
    ),
    "CodeService.AnalyzeImpact": Claim(
        "what a change reaches", "it cannot reach the repository or the language",
        f"{_UNRELATED}::test_impact_stays_in_dependent_repositories_and_in_the_language",
    ),
    "CodeService.FindDuplicates": Claim(
        "copies", "a limit cut them", "e2e/answers/test_duplicates.py::test_the_method_in_pages"
    ),
    "CodeService.BuildContext": Claim(
        "blocks of the stored revision", "the source has moved on",
        f"{_OUTCOMES}::test_a_source_that_cannot_be_compared_is_not_called_current",
    ),
    "EnvironmentService.CreateProvisioning": _PROVISIONING_STATE,
    "EnvironmentService.GetProvisioning": _PROVISIONING_STATE,
    "EnvironmentService.ListProvisionings": _PROVISIONING_STATE,
    "EnvironmentService.CancelProvisioning": _PROVISIONING_STATE,
    "EnvironmentService.StreamProvisioningEvents": _PROVISIONING_STATE,
    "EnvironmentService.ListEnvironments": Claim(
        "environments that are kept", "one was deleted",
        f"{_ENVIRONMENTS}::test_environments_are_listed_for_all_and_deleted_by_who_had_them_made",
    ),
    "IndexService.CreateIndexJob": _JOB_STATE,
    "IndexService.GetIndexJob": _JOB_STATE,
    "IndexService.ListIndexJobs": _JOB_STATE,
    "IndexService.CancelIndexJob": _JOB_STATE,
    "IndexService.StreamIndexEvents": Claim(
        "the end of a job", "the server died in the middle of it", f"{_DURABLE}::test_a_server_killed_while_indexing_resumes_or_reports"
    ),
    "QueryService.GetSchema": Claim("labels and types", "there are others", f"{_CODE}::test_the_schema_is_served"),
    "QueryService.ListNamedQueries": Claim(
        "named queries", "one is missing", "e2e/commands/test_rules.py::test_named_queries_are_listed_by_topic"
    ),
    "RepositoryService.GetRepository": Claim(
        "its freshness", "its source cannot be compared", f"{_OUTCOMES}::test_a_source_that_cannot_be_compared_is_not_called_current"
    ),
    "RepositoryService.ListRepositories": Claim(
        "each with its freshness", "its source cannot be compared", f"{_OUTCOMES}::test_a_source_that_cannot_be_compared_is_not_called_current"
    ),
    "RepositoryService.FindRepositories": Claim(
        "repositories that fit, and offers", "a source of offers refuses", "integration/server/test_hosting_search.py::test_refusals_are_said"
    ),
    "TaskService.CreateTask": Claim(
        "QUEUED: it can be done", "it needs a model and there is none",
        f"{_TASKS}::test_work_without_a_model_is_refused_before_anything_is_stored",
    ),
    "TaskService.GetTask": _TASK_STATE,
    "TaskService.ListTasks": _TASK_STATE,
    "TaskService.CancelTask": _TASK_STATE,
    "TaskService.ResumeTask": _TASK_STATE,
    "TaskService.ListTaskSteps": Claim(
        "stored steps", "one is missing", "e2e/tasks/test_task_runs.py::test_a_task_is_repeated_from_one_of_its_steps"
    ),
    "TaskService.StreamTaskEvents": _TASK_STATE,
    "TaskService.ApproveTaskAction": _TASK_STATE,
    "TaskService.ListTaskFiles": Claim(
        "files of the workspace", "there are more", f"{_OUTCOMES}::test_files_that_were_not_all_fetched_are_a_failure"
    ),
    "ToolService.ListTools": Claim("tools", "one is missing", "e2e/serving/test_mcp.py::test_the_standing_tools_are_listed"),
    "ToolService.CallTool": Claim(
        "places", "they are in an unrelated repository", f"{_UNRELATED}::test_questions_name_no_caller_elsewhere"
    ),
    "ViewService.GetSymbol": Claim("callers", "a limit cut them", f"{_VIEWS}::test_a_symbol_with_both_sides"),
    "ViewService.ListHops": Claim("neighbors", "they are on another page", f"{_VIEWS}::test_hops_in_pages_are_those_of_one_page"),
    "ViewService.GetFile": Claim("lines", "the file has no such path", f"{_VIEWS}::test_a_file_a_map_and_an_overview"),
    "ViewService.GetLevels": Claim("boxes", "the folder has no source files", f"{_VIEWS}::test_a_file_a_map_and_an_overview"),
    "ViewService.GetChange": Claim(
        "call sites outside the diff", "the patch does not match", f"{_VIEWS}::test_a_patch_with_the_call_sites_outside_of_it"
    ),
    "ViewService.GetOverview": Claim("roles", "a part has no role", f"{_VIEWS}::test_a_file_a_map_and_an_overview"),
    "ViewService.CheckCypher": Claim(
        "notes", "the query would be refused", f"{_VIEWS}::test_queries_are_checked_and_completed_without_running"
    ),
    "ViewService.CompleteCypher": Claim(
        "items", "they do not fit the position", f"{_VIEWS}::test_queries_are_checked_and_completed_without_running"
    ),
}  # fmt: skip
"""Methods whose response has a state or a list, by service and name."""

COMMANDS: Final = {
    "serve": Claim("0: it ended in order", "it was killed", "e2e/serving/test_access.py::test_a_stopped_server_ends_in_order"),
    "ui": Claim("a page that can do all", "another process writes the store", f"{_VIEWS}::test_ui_says_when_another_process_writes_the_store"),
    "index": Claim("0: all is stored", "an entry failed or held nothing", f"{_OUTCOMES}::test_nothing_to_index_is_a_failure"),
    "watch": Claim(
        "the index follows", "a round failed", "e2e/commands/test_watch.py::test_a_failed_round_is_told_and_watching_goes_on"
    ),
    "list": Claim(
        "unchanged", "the source cannot be compared", f"{_OUTCOMES}::test_a_source_that_cannot_be_compared_is_not_called_current"
    ),
    "query": Claim("all rows", "a limit cut them", "e2e/commands/test_answers.py::test_a_server_keeps_its_own_limit_and_says_so"),
    "queries": METHODS["QueryService.ListNamedQueries"],
    "check": Claim(
        "0: no rule has rows", "a rule is violated", "e2e/commands/test_rules.py::test_kept_rules_pass_and_violated_ones_fail"
    ),
    "search": METHODS["CodeService.Search"],
    "locate": METHODS["CodeService.Locate"],
    "install": Claim(
        "the host's files are written", "a file is broken, read-only or foreign",
        "e2e/commands/test_install.py::test_a_broken_file_is_reported_and_nothing_is_written",
    ),
    "uninstall": Claim(
        "what was installed is removed", "foreign content would go too",
        "e2e/commands/test_install.py::test_foreign_content_is_kept_byte_for_byte",
    ),
    "explore": METHODS["CodeService.Explore"],
    "show": METHODS["CodeService.ListRelations"],
    "batch": Claim("0: every entry is stored", "an entry failed", f"{_BATCHES}::test_the_command_line_sends_follows_and_cancels"),
    "diff": METHODS["CodeService.CompareRepositories"],
    "impact": Claim(
        "callers and tests", "calls in the language are not known", "e2e/answers/test_unknown_calls.py::test_impact_says_that_calls_are_unknown"
    ),
    "duplicates": METHODS["CodeService.FindDuplicates"],
    "context": METHODS["CodeService.BuildContext"],
    "provision": Claim(
        "0: all can be imported", "something is missing",
        f"{_ENVIRONMENTS}::test_a_provisioning_without_an_environment_has_failed",
    ),
    "mcp": METHODS["ToolService.CallTool"],
    "ask": Claim(
        "0: it is answered", "it is work and there is no model",
        f"{_TASKS}::test_work_without_a_model_is_refused_before_anything_is_stored",
    ),
    "choose": METHODS["RepositoryService.FindRepositories"],
    "task": Claim(
        "0: it did what was asked", "an output that the answer names is missing",
        f"{_TASKS}::test_an_output_that_the_answer_names_and_that_is_not_there_fails_the_task",
    ),
    "files": METHODS["TaskService.ListTaskFiles"],
    "export": Claim(
        "0: one graph is written", "it changed or went meanwhile", f"{_OUTCOMES}::test_a_repository_that_changes_during_its_export_is_a_failure"
    ),
    "evaluate": Claim("figures", "there is nothing to score", f"{_OUTCOMES}::test_no_instances_are_no_figures"),
    "delete": Claim("0: all are gone", "one was not there", f"{_OUTCOMES}::test_deleting_what_is_not_there_is_a_failure"),
    "version": Claim("the version", "another one is installed", "e2e/test_distributions.py::test_both_beside_packages_called_server_and_agent"),
}  # fmt: skip
"""Commands with the claim of their exit code 0, or of their answer."""
