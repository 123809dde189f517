"""Two services with data folders of their own on one Neo4j, asked for a repository of the other in every method of the contract."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from repoquarry.client import Client, RequestError
from repoquarry.v1 import code_service_pb2
from repoquarry.v1.repository_service_pb2 import ListRepositoriesRequest
from repoquarry.v1.tool_service_pb2 import CallToolRequest
from tests.e2e.service import SHOP, StartService, run_here, write_tree
from tests.e2e.serving.test_neo4j_service import on
from tests.neo4j_server import Neo4jServer, empty

pytestmark = pytest.mark.neo4j
METHODS = code_service_pb2.DESCRIPTOR.services_by_name["CodeService"].methods
_VALUES = {"repository": "far", "before": "far", "after": "far", "path": "shop/till.py"}
_LEFT_OUT = ("patch", "range", "page_token")
_TEXTS = {"Search", "Locate", "ReadSource", "ListOwners", "BuildContext"}
"""Methods that need texts, a search index or git's history."""


def request_for(message: type[Message]) -> Message:
    """A request about the other folder's repository."""
    made = message()
    for field in message.DESCRIPTOR.fields:
        if field.name == "repositories":
            getattr(made, field.name).append("far")
        elif field.name == "symbols":
            getattr(made, field.name).append("price")
        elif field.name in ("kind", "direction"):
            setattr(made, field.name, 1)
        elif field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated and field.name not in _LEFT_OUT:
            setattr(made, field.name, _VALUES.get(field.name, "price"))
    return made


@pytest.mark.slow
def test_each_service_says_what_it_can_serve(
    start_service: StartService, neo4j_instance: Neo4jServer, tmp_path: Path
) -> None:
    empty(neo4j_instance)
    variables = on(neo4j_instance)
    for name in ("near", "far"):
        source = write_tree(tmp_path / "sources" / name, SHOP)
        assert run_here(tmp_path / name, "index", str(source), **variables).returncode == 0
    near, far = (start_service(tmp_path / name, **variables) for name in ("near", "far"))
    ours = near.client()
    listed = ours.repositories.list_repositories(ListRepositoriesRequest()).repositories
    folders = {item.name: item.data_folder.partition(":")[2] for item in listed}
    assert folders == {"repositories/far": str(tmp_path / "far"), "repositories/near": ""}
    refused = {
        method.name: reason(ours, method.name, request_for(GetMessageClass(method.input_type))) for method in METHODS
    }
    assert refused == {method.name: "TEXTS_ELSEWHERE" if method.name in _TEXTS else "" for method in METHODS}
    theirs = far.client()
    assert {reason(theirs, method.name, request_for(GetMessageClass(method.input_type))) for method in METHODS} == {""}
    found = ours.code.search(code_service_pb2.SearchRequest(query="price"))
    assert {hit.entity.repository for hit in found.hits} == {"repositories/near"}
    assert list(found.basis.notes) == ["texts of other data folders are left out: far"]
    ran = ours.tools.call_tool(CallToolRequest(tool="search", arguments='{"text": "price"}'))
    assert {place.repository for place in ran.places} == {"repositories/near"}
    shown = run_here(tmp_path / "none", "list", "--server", near.address)
    assert f"elsewhere: the texts of far are in the data folder {listed[0].data_folder}" in shown.stderr


def reason(client: Client, method: str, request: Message) -> str:
    """Reason of the refusal of a call; empty for an answer."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in method).lstrip("_")
    try:
        getattr(client.code, name)(request)
    except RequestError as error:
        return error.failure.reason
    return ""
