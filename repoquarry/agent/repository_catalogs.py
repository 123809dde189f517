"""Catalogs of repositories that are not indexed yet: file, GitHub search.

Each word has to be found, so a search begins with the first words of the task that say something, and drops the last ones until
something is found. Redirects are not followed: the host that the settings name is the only one that sees the token.
Source: https://docs.github.com/rest/search/search, https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

import httpx
import msgspec

from repoquarry.agent.settings import AgentSettings, SearchSettings
from repoquarry.agent.views.view import relevance
from repoquarry.execution.errors import ToolError


@dataclass(frozen=True)
class RepositoryOffer:
    """Repository of a catalog."""

    name: str
    address: str
    """Argument of `repoquarry index`: a git address, a folder or an archive."""

    description: str = ""

    @property
    def command(self) -> str:
        """The command that indexes it."""
        return f"repoquarry index {shlex.quote(self.address)}"


class RepositoryCatalog(Protocol):
    """Catalog that lists or searches repositories."""

    def find(self, task: str) -> list[RepositoryOffer]:
        """Find repositories that match a task, best first. Raises: ToolError if the catalog cannot be used."""
        ...


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One repository of the file."""

    name: str
    address: str
    description: str = ""


class _Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: `[[repository]]` tables, in JSON a list `repository` of objects."""

    repository: tuple[_Entry, ...] = ()


class CatalogueSource:
    """Catalog in one file, read again for each task."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, task: str) -> list[RepositoryOffer]:
        """Find those whose name or description mentions the task. Raises: ToolError."""
        entries = self._read().repository
        scores = relevance([f"{one.name} {one.description}" for one in entries], task)
        ranked = sorted(zip(scores, entries, strict=True), key=lambda one: (-one[0], one[1].name))
        return [RepositoryOffer(entry.name, entry.address, entry.description) for score, entry in ranked if score > 0]

    def _read(self) -> _Catalogue:
        decode = msgspec.json.decode if self._path.suffix == ".json" else msgspec.toml.decode
        try:
            return decode(self._path.read_bytes(), type=_Catalogue)
        except OSError as error:
            raise ToolError(f"the catalog {self._path} cannot be read: {error.strerror}") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ToolError(f"the catalog {self._path} cannot be parsed: {error}") from error


_VERSION: Final = "2022-11-28"
_WORDS: Final = (4, 3, 2, 1)
"""Words of one search after the other, until one finds something."""
_MAX_QUERY_CHARACTERS: Final = 256
"""Characters that a search may have."""
_WORD: Final = re.compile(r"[^\W\d_][\w+#.-]*")
_FILE: Final = re.compile(r"\S*/\S*|\S+\.\w{1,5}\b")
_SAYING_NOTHING: Final = """
    a about after all also an and any are as at be by can code contents convert create do each every extract file files find folder for from
    generate get give has have help how i in input inputs into is it its list make me my name named need new of on one or out output outputs
    please project read repo repository result results save should so that the their them then there these this those to turn use using want
    was we what when where which with without write you your
"""
_EMPTY: Final = frozenset(_SAYING_NOTHING.split())


class GitHubSource:
    """Search of GitHub over HTTP, repeated for each task."""

    def __init__(self, settings: SearchSettings) -> None:
        self._settings = settings

    def find(self, task: str) -> list[RepositoryOffer]:
        """Find repositories of the host, the best match first. Raises: ToolError."""
        words = list(dict.fromkeys(_telling(task)))
        with httpx.Client(
            base_url=self._settings.address.rstrip("/"),
            headers=self._headers(),
            timeout=self._settings.seconds or None,
            trust_env=False,
        ) as client:
            for count in _WORDS:
                found = self._search(client, words[:count]) if 0 < count <= max(len(words), 1) and words else []
                if found:
                    return _ranked(found, task)
        return []

    def _headers(self) -> dict[str, str]:
        return {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._settings.token}",
            "User-Agent": "repoquarry",
            "X-GitHub-Api-Version": _VERSION,
        }

    def _search(self, client: httpx.Client, words: list[str]) -> list[RepositoryOffer]:
        query = f"{' '.join(words)[:_MAX_QUERY_CHARACTERS]} in:name,description,readme"
        try:
            answer = client.get("/search/repositories", params={"q": query, "per_page": self._settings.results})
        except httpx.HTTPError as error:
            message = f"{self._settings.address} cannot be asked for repositories: {type(error).__name__}: {error}"
            raise ToolError(message) from error
        if answer.status_code != httpx.codes.OK:
            raise ToolError(f"{self._settings.address} did not search for repositories: {_refusal(answer)}")
        try:
            items = json.loads(answer.content)["items"]
            return [_offer(item) for item in items if not item.get("archived") and not item.get("disabled")]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ToolError(f"{self._settings.address} sent an invalid list of repositories") from error


def _offer(item: dict[str, Any]) -> RepositoryOffer:
    return RepositoryOffer(str(item["full_name"]), str(item["clone_url"]), str(item.get("description") or ""))


def _telling(task: str) -> Iterator[str]:
    """Yield the subject words of a task in their order, without names of files."""
    for word in _WORD.findall(_FILE.sub(" ", task)):
        if len(word) > 2 and word.lower() not in _EMPTY:
            yield word.strip(".-")


def _ranked(found: list[RepositoryOffer], task: str) -> list[RepositoryOffer]:
    """Rank offers by their relevance to the task, then by the order of the host."""
    scores = relevance([f"{one.name} {one.description}" for one in found], task)
    return [found[at] for at in sorted(range(len(found)), key=lambda at: -scores[at])]


def _refusal(answer: httpx.Response) -> str:
    """Describe why the host refuses, and when to retry if it names a time."""
    headers = answer.headers
    if answer.status_code in (httpx.codes.FORBIDDEN, httpx.codes.TOO_MANY_REQUESTS):
        if (wait := headers.get("retry-after", "")).isdigit():
            return f"its rate limit is reached; come again in {wait} seconds"
        if headers.get("x-ratelimit-remaining") == "0":
            reset = headers.get("x-ratelimit-reset", "")
            when = f"; come again at {datetime.fromtimestamp(int(reset), UTC):%H:%M:%S} UTC" if reset.isdigit() else ""
            return f"its rate limit is reached{when}"
    if answer.status_code == httpx.codes.UNAUTHORIZED:
        return "it does not take the token of agent.search.token"
    if answer.is_redirect:
        return f"it leads to another address ({answer.status_code}); name that one in agent.search.address"
    try:
        said = str(json.loads(answer.content).get("message", ""))[:200]
    except (ValueError, AttributeError):
        said = ""
    return f"status {answer.status_code}{f': {said}' if said else ''}"


def offers(settings: AgentSettings, task: str, indexed: Collection[str]) -> list[RepositoryOffer]:
    """Repositories for a task that are not indexed, best first; `indexed` are the addresses of those that are. Raises: ToolError."""
    known = {_plain(address) for address in indexed}
    found = {_plain(offer.address): offer for source in _sources(settings) for offer in source.find(task)}
    return [offer for address, offer in found.items() if address not in known]


def _sources(settings: AgentSettings) -> Iterator[RepositoryCatalog]:
    if settings.catalogue is not None:
        yield CatalogueSource(settings.catalogue)
    if settings.search.token:
        yield GitHubSource(settings.search)


def _plain(address: str) -> str:
    """An address without what may be left out of it."""
    return address.rstrip("/").removesuffix(".git")
