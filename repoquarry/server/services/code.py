"""CodeService on the wire."""

from __future__ import annotations

from repoquarry.server.application.code.service import CodeApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import code_service_pb2 as pb
from repoquarry.v1.code_service_pb2_grpc import CodeServiceServicer


class CodeServicer(CodeServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: CodeApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def Search(self, request: pb.SearchRequest, context: Context) -> pb.SearchResponse:
        return await self._calls.answer(context, self._application.search, request)

    async def Locate(self, request: pb.LocateRequest, context: Context) -> pb.LocateResponse:
        return await self._calls.answer(context, self._application.locate, request)

    async def ResolveName(self, request: pb.ResolveNameRequest, context: Context) -> pb.ResolveNameResponse:
        return await self._calls.answer(context, self._application.resolve_name, request)

    async def ReadSource(self, request: pb.ReadSourceRequest, context: Context) -> pb.ReadSourceResponse:
        return await self._calls.answer(context, self._application.read_source, request)

    async def GetTree(self, request: pb.GetTreeRequest, context: Context) -> pb.GetTreeResponse:
        return await self._calls.answer(context, self._application.get_tree, request)

    async def ListRelations(self, request: pb.ListRelationsRequest, context: Context) -> pb.ListRelationsResponse:
        return await self._calls.answer(context, self._application.list_relations, request)

    async def FindPaths(self, request: pb.FindPathsRequest, context: Context) -> pb.FindPathsResponse:
        return await self._calls.answer(context, self._application.find_paths, request)

    async def ListOwners(self, request: pb.ListOwnersRequest, context: Context) -> pb.ListOwnersResponse:
        return await self._calls.answer(context, self._application.list_owners, request)

    async def CompareRepositories(
        self, request: pb.CompareRepositoriesRequest, context: Context
    ) -> pb.CompareRepositoriesResponse:
        return await self._calls.answer(context, self._application.compare_repositories, request)

    async def AnalyzeImpact(self, request: pb.AnalyzeImpactRequest, context: Context) -> pb.AnalyzeImpactResponse:
        return await self._calls.answer(context, self._application.analyze_impact, request)

    async def FindDuplicates(self, request: pb.FindDuplicatesRequest, context: Context) -> pb.FindDuplicatesResponse:
        return await self._calls.answer(context, self._application.find_duplicates, request)

    async def BuildContext(self, request: pb.BuildContextRequest, context: Context) -> pb.BuildContextResponse:
        return await self._calls.answer(context, self._application.build_context, request)
