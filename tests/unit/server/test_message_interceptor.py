"""Values, page tokens, names and errors on their way between the forms of the service, and their bounds."""

import json
import math
import time
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

import repoquarry.agent.errors
import repoquarry.graphstore.errors
import repoquarry.ingest.errors
from repoquarry.graphstore.errors import QueryRefusedError
from repoquarry.graphstore.model.values import Node, Path, Relationship
from repoquarry.server import resource_names
from repoquarry.server.errors import EXIT_CODES, REASONS, RequestError, to_failure
from repoquarry.server.resource_names import parse_name, parse_repository_name, repositories_of
from repoquarry.server.services.interceptors import find_unknown_enum_value
from repoquarry.server.services.rpc_executor import to_status
from repoquarry.server.text_format import escape_controls, format_table
from repoquarry.server.value_messages import MAX_PARAMETER_VALUES, parameters_from_proto, to_dict, to_json, to_proto
from repoquarry.v1 import values_pb2 as pb
from repoquarry.v1.code_service_pb2 import FindPathsRequest, ListRelationsRequest, SearchRequest
from repoquarry.v1.index_service_pb2 import IndexJob, ListIndexJobsRequest
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, ResultSummary
from repoquarry.v1.task_service_pb2 import GetTaskResponse, Task
from repoquarry.v1.values_pb2 import Value
from tests.steps import steps

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@given(VALUES)
def test_values_survive_the_wire(value: Any) -> None:
    message = to_proto(value)
    parameters = {"p": type(message).FromString(message.SerializeToString())}
    assert parameters_from_proto(parameters) == {"p": value}


@given(VALUES)
def test_values_survive_json(value: Any) -> None:
    assert to_json(to_proto(value)) == to_json(to_proto(value))
    json.loads(json.dumps(to_json(to_proto(value)), allow_nan="inf" not in repr(value)) or "null")


def test_what_json_lacks() -> None:
    assert [to_json(to_proto(value)) for value in (math.nan, math.inf, -math.inf)] == ["NaN", "Infinity", "-Infinity"]
    with pytest.raises(RequestError, match="64 bits"):
        to_proto(2**63)


def test_graph_values() -> None:
    one, two = Node("1", ("A",), {"name": "x"}), Node("2", ("B",), {})
    edge = Relationship("CALLS", "1", "A", "2", "B", {"count": 3})
    path = to_json(to_proto(Path((one, two), (edge,))))
    assert path == {
        "nodes": [to_json(to_proto(one)), to_json(to_proto(two))],
        "relationships": [to_json(to_proto(edge))],
    }
    assert to_json(to_proto(edge)) == {
        "type": "CALLS",
        "start": {"id": "1", "label": "A"},
        "end": {"id": "2", "label": "B"},
        "properties": {"count": 3},
    }
    with pytest.raises(RequestError, match="cannot be parameters"):
        parameters_from_proto({"p": to_proto(one)})


def test_messages_as_json_have_every_field_and_numbers_as_numbers() -> None:
    shown = to_dict(IndexJob(name="indexJobs/1", state=IndexJob.STATE_FAILED, last_sequence=2**40))
    assert shown["state"] == "failed"
    assert shown["last_sequence"] == 2**40
    assert shown["report"] is None
    assert to_dict(ResultSummary())["truncated"] is False


def test_page_tokens_belong_to_their_list() -> None:
    request = ListIndexJobsRequest(repository="a")
    token = resource_names.token(request, 7)
    assert resource_names.offset(ListIndexJobsRequest(repository="a", page_size=3, page_token=token)) == 7
    for wrong in (token[:-4], "x", "é", resource_names.token(ListIndexJobsRequest(repository="b"), 7)):
        with pytest.raises(RequestError) as caught:
            resource_names.offset(ListIndexJobsRequest(repository="a", page_token=wrong))
        assert caught.value.failure.reason == "PAGE_TOKEN_INVALID"
    assert resource_names.page_size(ListIndexJobsRequest(page_size=9_999), 50, 500) == 500
    assert resource_names.page_size(ListIndexJobsRequest(), 50, 500) == 50
    with pytest.raises(RequestError):
        resource_names.page_size(ListIndexJobsRequest(page_size=-1), 50, 500)


def test_resource_names() -> None:
    assert parse_repository_name("repositories/django") == parse_repository_name("django") == "django"
    assert repositories_of(["a", "repositories/a", "b"]) == ("a", "b")
    assert parse_name("tasks", "tasks/1") == "1"
    for wrong in ("", "repositories/", "tasks/1", "a/b"):
        with pytest.raises(RequestError):
            parse_repository_name(wrong)
    with pytest.raises(RequestError):
        parse_name("tasks", "indexJobs/1")


_ERRORS = [
    kind
    for module in (repoquarry.agent.errors, repoquarry.ingest.errors, repoquarry.graphstore.errors)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Exception)
]


@pytest.mark.parametrize("kind", _ERRORS)
def test_every_error_below_has_a_status_that_grpc_knows(kind: type[Exception]) -> None:
    failure = to_failure(_instance(kind))
    assert failure.status in grpc.StatusCode.__members__
    assert to_status(failure).details[0].type_url.endswith("google.rpc.ErrorInfo")
    assert failure.reason == getattr(kind, "reason", failure.reason)
    assert failure.reason in REASONS or issubclass(kind, QueryRefusedError)


@pytest.mark.parametrize("kind", _ERRORS)
def test_what_an_error_quotes_reaches_no_client_raw(kind: type[Exception]) -> None:
    status = to_status(to_failure(_instance(kind, "\x1b]0;owned\x07\u202e")))
    assert not {"\x1b", "\x07", "\u202e"} & set(status.message)
    assert not any(byte in status.details[0].value for byte in (b"\x1b", "\u202e".encode()))


def _instance(kind: type[Exception], text: str = "x") -> Exception:
    made: dict[str, dict[str, Any]] = {
        "QueryRefusedError": {"reason": "syntax"},
        "UnreadQueryError": {"reason": "syntax"},
        "QueryLimitError": {"limit": "rows"},
        "NotFoundError": {"kind": "repository", "value": text},
        "AmbiguousNameError": {"name": text, "candidates": (text,)},
    }
    if kind.__name__ == "UnknownNameError":
        return kind("policy", text, ("y",))
    return kind(f"message {text}", **made.get(kind.__name__, {}))


def test_a_fault_of_ours_tells_nothing() -> None:
    failure = to_failure(KeyError("secret"))
    assert (failure.status, failure.reason) == ("INTERNAL", "INTERNAL")
    assert "secret" not in failure.message


def test_statuses_of_reasons_exist_and_have_meaningful_exit_codes() -> None:
    for reason in REASONS.values():
        assert reason.status in grpc.StatusCode.__members__
    assert EXIT_CODES.keys() <= grpc.StatusCode.__members__.keys()


def test_text_cannot_steer_a_terminal() -> None:
    hostile = "a\x1b[2Jb\u202ec\rd\n"
    assert "\x1b" not in escape_controls(hostile)
    shown = format_table(("H",), [[hostile]])
    assert not {"\x1b", "\u202e", "\r"} & set(shown)
    assert len(shown.split("\n")) == 2


def test_wide_characters_keep_columns_aligned() -> None:
    lines = format_table(("A", "B"), [("日本", "x"), ("ab", "y")]).split("\n")
    assert lines[1] == "日本  x"
    assert lines[2] == "ab    y"


def test_parameters_within_the_bounds_pass_quickly() -> None:
    numbers = list(range(MAX_PARAMETER_VALUES - 10))
    started = time.process_time()
    assert parameters_from_proto({"a": to_proto(numbers), "b": to_proto({"c": [None, 1.5]})})["a"] == numbers
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"a": pb.Value(list_value=pb.ListValue(values=[pb.Value(integer_value=1)] * 1_000_000))}, "more than 100,000"),
        ({f"p{number}": pb.Value(integer_value=1) for number in range(2_000)}, "put them into a list"),
    ],
    ids=["values", "parameters"],
)
def test_more_is_refused_before_it_costs_anything(parameters: dict[str, pb.Value], said: str) -> None:
    def refuse() -> None:
        with pytest.raises(RequestError, match=said):
            parameters_from_proto(parameters)

    assert steps(refuse) < 1_000


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (SearchRequest(mode=99), "mode"),  # type: ignore[arg-type]
        (SearchRequest(mode=-1), "mode"),  # type: ignore[arg-type]
        (ListRelationsRequest(kind=99), "kind"),  # type: ignore[arg-type]
        (FindPathsRequest(kinds=[1, 2, 77]), "kinds"),  # type: ignore[list-item]
        (ListIndexJobsRequest(states=[2**31 - 1]), "states"),  # type: ignore[list-item]
    ],
)
def test_a_number_outside_an_enumeration_is_named(request_: Message, field: str) -> None:
    found = find_unknown_enum_value(request_)
    assert found is not None
    assert found[0] == field
    assert "_UNSPECIFIED" in found[1], "the values that there are"


def test_what_the_contract_has_passes() -> None:
    assert find_unknown_enum_value(SearchRequest()) is None
    assert find_unknown_enum_value(SearchRequest(query="x", mode=1)) is None  # type: ignore[arg-type]
    assert find_unknown_enum_value(FindPathsRequest(kinds=[1, 2])) is None  # type: ignore[list-item]
    assert find_unknown_enum_value(ExecuteCypherRequest(parameters={"x": Value(string_value="y")})) is None


def test_inside_a_message_of_a_message() -> None:
    found = find_unknown_enum_value(GetTaskResponse(task=Task(state=99)))  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == "task.state"
