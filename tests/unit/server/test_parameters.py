"""Parameters are bounded before anything is made of them."""

import time

import pytest

from repoquarry.server.errors import RequestError
from repoquarry.server.value_messages import MAX_PARAMETER_VALUES, parameters_from_proto, to_proto
from repoquarry.v1 import values_pb2 as pb
from tests.steps import steps


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


def test_a_list_keeps_empty_and_missing_values() -> None:
    values = ["", "a", None, 0, False, 1.5, ["", None], {"k": ""}]
    assert parameters_from_proto({"p": to_proto(values)}) == {"p": values}
