"""RepositoryService on the wire."""

from __future__ import annotations

from repoquarry.server.application.repositories import RepositoryApplication
from repoquarry.server.services.calls import Calls, Context
from repoquarry.v1 import repository_service_pb2 as pb
from repoquarry.v1.repository_service_pb2_grpc import RepositoryServiceServicer


class RepositoryServicer(RepositoryServiceServicer):
    """Passes each call on to the application."""

    def __init__(self, application: RepositoryApplication, calls: Calls) -> None:
        self._application = application
        self._calls = calls

    async def GetRepository(self, request: pb.GetRepositoryRequest, context: Context) -> pb.GetRepositoryResponse:
        return await self._calls.answer(context, self._application.get_repository, request)

    async def ListRepositories(
        self, request: pb.ListRepositoriesRequest, context: Context
    ) -> pb.ListRepositoriesResponse:
        return await self._calls.answer(context, self._application.list_repositories, request)

    async def DeleteRepository(
        self, request: pb.DeleteRepositoryRequest, context: Context
    ) -> pb.DeleteRepositoryResponse:
        return await self._calls.answer(context, self._application.delete_repository, request)

    async def FindRepositories(
        self, request: pb.FindRepositoriesRequest, context: Context
    ) -> pb.FindRepositoriesResponse:
        return await self._calls.answer(context, self._application.find_repositories, request)
