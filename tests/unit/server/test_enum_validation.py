"""Requests with a number that their enumeration lacks are refused, wherever in the message it occurs."""

import pytest
from google.protobuf.message import Message

from repoquarry.server.services.interceptors import find_unknown_enum_value
from repoquarry.v1.code_service_pb2 import FindPathsRequest, ListRelationsRequest, SearchRequest
from repoquarry.v1.index_service_pb2 import ListIndexJobsRequest
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest
from repoquarry.v1.task_service_pb2 import GetTaskResponse, Task
from repoquarry.v1.values_pb2 import Value


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
