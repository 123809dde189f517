"""CodeService, RepositoryService and the clients over a running server."""

from typing import Any

import pytest

from repoquarry.client import AsyncClient, ClientSettings
from repoquarry.server.errors import RequestError
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1.query_service_pb2 import ExecuteCypherRequest, GetSchemaRequest
from repoquarry.v1.repository_service_pb2 import FindRepositoriesRequest, ListRepositoriesRequest
from repoquarry.v1.tool_service_pb2 import CallToolRequest
from tests.e2e.rpc_calls import failure
from tests.e2e.service import Service


def test_tree(shop_service: Service) -> None:
    code = shop_service.client().code
    tree = code.get_tree(pb.GetTreeRequest(repository="shop", depth=1)).root
    assert [child.entity.path for child in tree.children] == ["shop", "tests", "README.md", "broken.py"]
    assert tree.children[0].hidden == 4
    tree = code.get_tree(pb.GetTreeRequest(repository="shop", path="shop/till.py", depth=2, definitions=True)).root
    assert [child.entity.qualname for child in tree.children] == ["Till", "price", "charge"]
    assert [child.entity.qualname for child in tree.children[0].children] == ["Till.charge"]
    cut = code.get_tree(pb.GetTreeRequest(repository="shop", depth=5, max_nodes=3))
    assert cut.truncated
    assert len(cut.root.children) == 2
    assert failure(code.get_tree, pb.GetTreeRequest(repository="shop", path="nowhere")).reason == "PATH_NOT_FOUND"


def test_source(shop_service: Service) -> None:
    code = shop_service.client().code
    part = code.read_source(pb.ReadSourceRequest(repository="shop", path="shop/till.py", start_line=4, end_line=5))
    assert (part.start_line, part.end_line, part.total_lines) == (4, 5, 15)
    assert part.text == "class Till:\n    def charge(self, order):\n"
    wrong: dict[str, Any]
    in_till: dict[str, Any] = {"repository": "shop", "path": "shop/till.py"}
    for wrong in ({"start_line": 99}, {"start_line": 3, "end_line": 2}, {"path": "../secret"}):
        request = pb.ReadSourceRequest(**(in_till | wrong))
        assert failure(code.read_source, request).reason in ("REQUEST_INVALID", "PATH_NOT_FOUND")


def test_paths(shop_service: Service) -> None:
    code = shop_service.client().code
    answer = code.find_paths(pb.FindPathsRequest(from_symbol="Counter.serve", to_symbol="price"))
    (path,) = answer.paths
    assert path.start.qualname == "Counter.serve"
    assert [step.entity.qualname for step in path.steps] == ["Till.charge", "price"]
    assert path.steps[0].site.lines == [15]
    assert not code.find_paths(pb.FindPathsRequest(from_symbol="price", to_symbol="Counter.serve")).paths


def test_relations_in_pages_are_those_of_one_page(shop_service: Service) -> None:
    code = shop_service.client().code
    request = pb.ListRelationsRequest(
        symbol="price", kind=pb.RELATION_KIND_CALLS, direction=pb.DIRECTION_INCOMING, hops=3
    )
    (whole,) = code.list_relations(request).meanings
    assert [item.entity.qualname for item in whole.relations][-1] == "Counter.serve"
    assert [item.hops for item in whole.relations] == [1, 1, 1, 2]
    paged: list[pb.Relation] = []
    request.page_size = 1
    while True:
        page = code.list_relations(request)
        assert page.meanings[0].total == 4
        paged += page.meanings[0].relations
        request.page_token = page.next_page_token
        if not request.page_token:
            break
    assert paged == list(whole.relations)
    with pytest.raises(RequestError, match="which relationships"):
        code.list_relations(pb.ListRelationsRequest(symbol="price"))


def test_a_tool_and_its_rpc_give_the_same_impact_in_the_same_order(shop_service: Service) -> None:
    client = shop_service.client()
    rpc = client.code.analyze_impact(pb.AnalyzeImpactRequest(repository="shop", symbols=["price"]))
    arguments = '{"target": "price", "repository": "shop", "limit": 100}'
    tool = client.tools.call_tool(CallToolRequest(tool="impact", arguments=arguments))
    entities = [item.entity for item in rpc.affected] + [item.entity for item in rpc.test_files]
    assert {entity.is_test for entity in entities} == {False, True}
    assert [(place.path, place.qualname) for place in tool.places] == [(e.path, e.qualname) for e in entities]


def test_impact_follows_calls_of_the_wanted_views(shop_service: Service) -> None:
    code = shop_service.client().code

    def find(*how: str) -> set[str]:
        request = pb.AnalyzeImpactRequest(repository="shop", symbols=["price"], how=how, max_hops=1)
        return {item.entity.qualname for item in code.analyze_impact(request).affected if item.how == "calls"}

    assert find() == find("sure")
    assert find()
    assert not find("dispatch", "declared", "possible")


def test_repositories_are_found_by_words(shop_service: Service) -> None:
    repositories = shop_service.client().repositories
    (match,) = repositories.find_repositories(FindRepositoriesRequest(query="a shop in python")).matches
    assert match.repository.name == "repositories/shop"
    assert any(reason.startswith(("README: ", "code: ")) for reason in match.reasons)
    assert not repositories.find_repositories(FindRepositoriesRequest(query="kernel")).matches


def test_the_schema_is_served(shop_service: Service) -> None:
    schema = shop_service.client().queries.get_schema(GetSchemaRequest())
    calls = next(kind for kind in schema.relationship_types if kind.name == "CALLS")
    assert {prop.name for prop in calls.properties} == {"count", "lines", "how", "confidence", "targets"}


async def test_the_client_for_an_event_loop(shop_service: Service) -> None:
    async with AsyncClient(ClientSettings(server=shop_service.address)) as client:
        listed = await client.repositories.list_repositories(ListRepositoriesRequest())
        assert [item.name for item in listed.repositories] == ["repositories/shop"]
        parts = [part async for part in client.queries.execute_cypher(ExecuteCypherRequest(query="RETURN 1 AS one"))]
        assert [part.WhichOneof("part") for part in parts] == ["header", "rows", "summary"]
        with pytest.raises(RequestError) as caught:
            [part async for part in client.queries.execute_cypher(ExecuteCypherRequest(query="MATCH (n) DELETE n"))]
        assert caught.value.failure.status == "INVALID_ARGUMENT"
