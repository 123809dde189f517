"""Every method with a state or a list, and every command, is in the table of claims, with a test that exists."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto

import repoquarry.v1
from repoquarry.server.cli.commands import COMMANDS
from tests.unit.server import outcome_claims
from tests.unit.server.outcome_claims import Claim

_TESTS = Path(__file__).parents[2]
_BASIS = "repoquarry.v1.AnswerBasis"


def methods() -> Iterator[MethodDescriptor]:
    for module in pkgutil.iter_modules(repoquarry.v1.__path__):
        if module.name.endswith("_pb2"):
            for service in importlib.import_module(f"repoquarry.v1.{module.name}").DESCRIPTOR.services_by_name.values():
                yield from service.methods


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
        for method in methods()
        if has_state(method.output_type) or has_list(method.output_type)
    }
    assert len(claiming) > 30
    assert claiming == outcome_claims.METHODS.keys()


def test_every_command_is_in_the_table() -> None:
    assert outcome_claims.COMMANDS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("claim", sorted({*outcome_claims.METHODS.values(), *outcome_claims.COMMANDS.values()}))
def test_the_test_of_a_claim_is_there(claim: Claim) -> None:
    module, _, function = claim.test.partition("::")
    assert f"def {function}(" in (_TESTS / module).read_text(encoding="utf-8")
