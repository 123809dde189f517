"""Every method with a state or a list, and every command, is in the table of claims, with a test that exists.

The table `outcome_claims.csv` says when each claim would be untrue, and names the test below `tests` that prevents it.
"""

import csv
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

from repoquarry.server.cli.commands import COMMANDS
from tests.unit.server.test_documented import METHODS

_TESTS = Path(__file__).parents[2]
_BASIS = "repoquarry.v1.AnswerBasis"
_TEST_BY_SUBJECT = {
    row["subject"]: row["test"]
    for row in csv.DictReader(Path(__file__).with_name("outcome_claims.csv").read_text("utf-8").splitlines())
}


def has_state(message: Descriptor, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a message, or one in it, has a field `state`; the basis of answers is skipped."""
    return any(
        field.name == "state"
        or (
            field.message_type is not None
            and field.message_type.full_name not in {*seen, _BASIS}
            and has_state(field.message_type, seen | {message.full_name})
        )
        for field in message.fields
    )


def has_list(message: Descriptor) -> bool:
    written = DescriptorProto()
    message.CopyToProto(written)
    return any(field.label == FieldDescriptorProto.LABEL_REPEATED for field in written.field)


def test_every_method_with_a_state_or_a_list_is_in_the_table() -> None:
    claiming = {
        f"{method.containing_service.name}.{method.name}"
        for method in METHODS
        if has_state(method.output_type) or has_list(method.output_type)
    }
    assert len(claiming) > 30
    assert claiming == {subject for subject in _TEST_BY_SUBJECT if "." in subject}


def test_every_command_is_in_the_table() -> None:
    assert {subject for subject in _TEST_BY_SUBJECT if "." not in subject} == COMMANDS.keys()


@pytest.mark.parametrize("test", sorted(set(_TEST_BY_SUBJECT.values())))
def test_the_test_of_a_claim_is_there(test: str) -> None:
    module, _, function = test.partition("::")
    assert f"def {function}(" in (_TESTS / module).read_text(encoding="utf-8")
