"""Reports and messages have the same fields and numbers."""

import enum

import pytest
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from repoquarry.code.calls import Certainty
from repoquarry.code.records import DefinitionRecord, RelationKind
from repoquarry.code.repository_diff import ChangeKind
from repoquarry.code.views.call_sites import GroupKind
from repoquarry.code.views.token_spans import TokenKind
from repoquarry.graphstore.model.values import Node, Value
from repoquarry.server.report_fields import REPLACEMENTS
from repoquarry.server.value_messages import to_message
from repoquarry.v1 import code_service_pb2 as code_pb
from repoquarry.v1 import entities_pb2
from repoquarry.v1 import view_service_pb2 as view_pb


@pytest.mark.parametrize(
    ("values", "contract"),
    [
        (RelationKind, code_pb.RelationKind),
        (ChangeKind, code_pb.ChangeKind),
        (ChangeKind, view_pb.ChangedKind),
        (Certainty, view_pb.Certainty),
        (GroupKind, view_pb.GroupKind),
        (TokenKind, view_pb.TokenKind),
    ],
)
def test_enums_of_reports_have_the_names_and_numbers_of_the_contract(
    values: type[enum.IntEnum], contract: EnumTypeWrapper
) -> None:
    prefix = contract.Name(0).removesuffix("UNSPECIFIED")
    assert {f"{prefix}{one.name}": one.value for one in values} == {
        name: number for name, number in contract.items() if number
    }


def test_replaced_fields_are_fields_of_the_message() -> None:
    class Anything:
        """Source that has every attribute."""

        def __getattr__(self, name: str) -> object:
            return [] if name.endswith("s") else ""

    for kind in (view_pb.NeighborGroup, view_pb.Reach, view_pb.Role, code_pb.Meaning):
        replaced = REPLACEMENTS[kind](Anything())
        assert set(replaced) <= set(kind.DESCRIPTOR.fields_by_name)


def test_a_node_becomes_the_same_entity_as_its_record() -> None:
    properties: dict[str, Value] = {
        "repository": "shop",
        "path": "a.py",
        "name": "f",
        "qualname": "f",
        "kind": "function",
        "start_line": 2,
    }
    node = Node("shop:a.py::f", ("Function",), properties)
    record = DefinitionRecord.from_properties(node.id, "Function", properties)
    found = to_message(entities_pb2.Entity, node)
    assert found == to_message(entities_pb2.Entity, record)
    assert (found.repository, found.start_line, found.HasField("importance")) == ("repositories/shop", 2, False)


def test_a_report_without_a_field_of_the_message_is_an_error() -> None:
    with pytest.raises(AttributeError):
        to_message(code_pb.Owner, object())
