"""Search in a catalog file or on GitHub for repositories that suit a task; those of GitHub can be judged by README, cloned and checked.

A task is searched by several queries, because GitHub requires every word of a query: its entities and nouns, rarest first. The
tokenizer of chat models estimates rarity: it splits rare words into more tokens. Redirects are not followed: the host that the settings
name is the only one that sees the token.
Sources: RepoMaster (arXiv 2505.21577), section 3.1, and listing 2, whose form the result has;
https://docs.github.com/rest/search/search, https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec

from repoquarry.agent.errors import ModelRejectedError, ModelUnavailableError
from repoquarry.agent.settings import AgentSettings, ModelSettings, SearchSettings
from repoquarry.execution.errors import TaskCancelledError, ToolError
from repoquarry.graphstore import token_counting
from repoquarry.graphstore.retry_after import parse_retry_after
from repoquarry.graphstore.search.text_analysis import score_texts, terms
from repoquarry.graphstore.store import Store
from repoquarry.ingest.settings import IngestSettings
from repoquarry.ingest.sources import EVERYWHERE, NetworkPolicy
from repoquarry.server.repository_checks import PUBLIC_HOSTS, check_repository
from repoquarry.server.repository_verdicts import ModelJudge, judge_by_words
from repoquarry.server.text_format import TABLES

MAX_QUERY_CHARACTERS: Final = 256
_MAX_TERMS: Final = 6
_MAX_JOINED: Final = 4
_WORD: Final = re.compile(r"(?:\d[A-Z]|[^\W\d_])[\w+#.-]*")
_FILE: Final = re.compile(r"\S*/\S*|\S+\.\w{1,5}\b")
_SENTENCE_END: Final = re.compile(r"[.!?:]\s+|\n")
_ENTITY: Final = re.compile(r".*\d.*|[^\W\d_]+(?:-\w+)+|[A-Z]{2,}\w*|[A-Z]?[a-z]+[A-Z]\w*")
_COMMON: Final = frozenset((TABLES / "common_words.txt").read_text(encoding="utf-8").split())
"""Words that name no subject: function words, and verbs and nouns that most tasks contain."""


def list_subjects(task: str) -> list[str]:
    """List the words that a task is about, entities first, then by rarity; each stem once. Names of files are skipped."""
    subjects: dict[tuple[str, ...], str] = {}
    for word in _iterate_words(task):
        stems = tuple(terms(word))
        if stems and stems not in subjects:
            subjects[stems] = word
    return sorted(subjects.values(), key=lambda word: (_is_entity(word), *_rarity(word)), reverse=True)[:_MAX_TERMS]


def build_queries(task: str) -> list[str]:
    """Build the queries of a task, narrow ones first: the leading subjects together, their pairs, single ones."""
    subjects = list_subjects(task)[:_MAX_JOINED]
    queries = [subjects[:count] for count in (4, 3) if len(subjects) >= count]
    queries += [list(pair) for pair in combinations(subjects, 2)]
    queries += [[word] for word in subjects[:3]]
    return list(dict.fromkeys(" ".join(query)[:MAX_QUERY_CHARACTERS] for query in queries))


def _iterate_words(task: str) -> Iterator[str]:
    """Yield words without common ones, and without the imperatives that sentences begin with."""
    for sentence in _SENTENCE_END.split(_FILE.sub(" ", task)):
        for number, found in enumerate(_WORD.findall(sentence)):
            word = found.strip(".-")
            is_imperative = not number and word.istitle()
            if _is_entity(word) or (len(word) > 2 and word.lower() not in _COMMON and not is_imperative):
                yield word


def _is_entity(word: str) -> bool:
    return _ENTITY.fullmatch(word) is not None


def _rarity(word: str) -> tuple[int, int]:
    return token_counting.count_tokens(f" {word.lower()}"), len(word)


class RepositoryOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Repository of a catalog, in a file a table `[[repository]]`."""

    name: str
    address: str
    """Argument of `repoquarry index`: a git address, a folder or an archive."""
    description: str = ""
    url: str = ""
    """Page of the repository, empty if unknown; so are the fields below."""
    topics: str = ""
    stars: int = 0
    last_push: str = ""
    """ISO 8601."""
    license: str = ""
    """SPDX identifier."""
    size_kib: int = 0
    languages: tuple[str, ...] = ()
    readme: str = ""

    @property
    def command(self) -> str:
        """The command that indexes it."""
        return f"repoquarry index {shlex.quote(self.address)}"


class _Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    repository: tuple[RepositoryOffer, ...] = ()


def search_catalogue(path: Path, task: str) -> list[RepositoryOffer]:
    """Find the repositories of a file whose name or description mentions the task. Raises: ToolError."""
    decode = msgspec.json.decode if path.suffix == ".json" else msgspec.toml.decode
    try:
        entries = decode(path.read_bytes(), type=_Catalogue).repository
    except OSError as error:
        raise ToolError(f"the catalog {path} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ToolError(f"the catalog {path} cannot be parsed: {error}") from error
    scores = score_texts([f"{one.name} {one.description}" for one in entries], task)
    ranked = sorted(zip(scores, entries, strict=True), key=lambda one: (-one[0], one[1].name))
    return [entry for score, entry in ranked if score > 0]


_VERSION: Final = "2022-11-28"
_MIN_CANDIDATES: Final = 3
"""Candidates, in units of the results of one query, after which no further query is sent."""
_RANK_OFFSET: Final = 10
"""Offset of reciprocal ranks: how much less the second result of a query counts than its first."""
_WEIGHTS: Final = {"relevance": 0.4, "queries": 0.2, "stars": 0.2, "activity": 0.2}
_MANY_STARS: Final = 100_000
_FEW_STARS, _FEW_STARS_SHARE = 50, 0.5
"""Stars below which a repository has little practical use, and the share that such a one has of its value."""
_ACTIVE_YEARS: Final = 5.0
"""Years since the last push after which a repository loses value. Source: GitTaskBench (arXiv 2508.18993), selection."""
_README_CHARACTERS: Final = 60_000
_POLL_SECONDS: Final = 0.1
"""Time between two checks for cancellation."""


@dataclass(frozen=True)
class SearchLog:
    """Record of a search: its queries with their results, the pages that were read, and the dropped candidates with the reason."""

    queries: list[dict[str, Any]] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)
    """Chat model that judged: name, number of verdicts, tokens, and the error if it failed; empty without one."""

    def drop(self, name: str, reason: str) -> None:
        entry = {"name": name, "reason": reason}
        if entry not in self.dropped:
            self.dropped.append(entry)


class GitHubSource:
    """Search of GitHub over HTTP, repeated for each task."""

    def __init__(self, settings: SearchSettings, cancelled: Callable[[], bool] = lambda: False) -> None:
        self._settings = settings
        self._cancelled = cancelled
        self.log = SearchLog()

    def find(self, task: str) -> list[RepositoryOffer]:
        """Find repositories by several queries, best first by relevance, agreement of the queries and stars.

        Raises: ToolError, TaskCancelledError.
        """
        found: dict[str, RepositoryOffer] = {}
        agreement: dict[str, float] = {}
        for query in build_queries(task):
            results = self._search(query)
            self.log.queries.append({"query": query, "results": [offer.name for offer in results]})
            for rank, offer in enumerate(results):
                found.setdefault(offer.name, offer)
                agreement[offer.name] = agreement.get(offer.name, 0.0) + 1 / (_RANK_OFFSET + rank)
            if len(found) >= _MIN_CANDIDATES * self._settings.results:
                break
        return _rank_offers(list(found.values()), agreement, task)

    def describe(self, offers: Sequence[RepositoryOffer]) -> list[RepositoryOffer]:
        """Add README and languages; an offer whose README cannot be read stays without. Raises: ToolError without connection."""
        with ThreadPoolExecutor(max_workers=4) as pool:
            return list(pool.map(self._describe, offers))

    def _describe(self, offer: RepositoryOffer) -> RepositoryOffer:
        readme = self._get(f"/repos/{offer.name}/readme", accept="application/vnd.github.raw+json")
        languages = self._get(f"/repos/{offer.name}/languages")
        try:
            sizes = json.loads(languages.content) if languages.status_code == httpx.codes.OK else {}
            text = readme.text[:_README_CHARACTERS] if readme.status_code == httpx.codes.OK else ""
            return msgspec.structs.replace(offer, readme=text, languages=tuple(map(str, sizes)))
        except (ValueError, TypeError) as error:
            raise ToolError(f"{self._settings.address} gave an answer that is not a list of languages") from error

    def _get(self, path: str, *, accept: str = "", **parameters: str | int) -> httpx.Response:
        """Ask for a path within the time of the settings, however slowly the answer comes. Raises: ToolError, TaskCancelledError."""
        address, seconds = self._settings.address, self._settings.seconds
        try:
            return asyncio.run(self._fetch(path, accept, parameters))
        except TimeoutError as error:
            raise ToolError(f"{address} did not answer within {seconds:g} s (agent.search.seconds)") from error
        except httpx.HTTPError as error:
            message = f"{address} cannot be asked for repositories: {type(error).__name__}: {error}"
            raise ToolError(message) from error

    async def _fetch(self, path: str, accept: str, parameters: Mapping[str, str | int]) -> httpx.Response:
        headers = {
            "Accept": accept or "application/vnd.github+json",
            "Authorization": f"Bearer {self._settings.token}",
            "User-Agent": "repoquarry",
            "X-GitHub-Api-Version": _VERSION,
        }
        address = self._settings.address.rstrip("/")
        client = httpx.AsyncClient(base_url=address, headers=headers, timeout=None, trust_env=False)  # noqa: S113 - below
        if not parameters:
            self.log.pages.append(f"{address}{path}")
        async with asyncio.timeout(self._settings.seconds or None), client:
            answer = asyncio.ensure_future(client.get(path, params=dict(parameters)))
            try:
                while not (await asyncio.wait({answer}, timeout=_POLL_SECONDS))[0]:
                    if self._cancelled():
                        raise TaskCancelledError("the search was cancelled")
                return answer.result()
            finally:
                answer.cancel()

    def _search(self, query: str) -> list[RepositoryOffer]:
        wanted = f"{query} in:name,description,readme"
        answer = self._get("/search/repositories", q=wanted, per_page=self._settings.results)
        if answer.status_code != httpx.codes.OK:
            raise ToolError(f"{self._settings.address} did not search for repositories: {_refusal(answer)}")
        try:
            items = json.loads(answer.content)["items"]
            for item in items:
                if item.get("archived") or item.get("disabled"):
                    self.log.drop(str(item["full_name"]), "archived" if item.get("archived") else "disabled")
            return [_offer(item) for item in items if not item.get("archived") and not item.get("disabled")]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ToolError(f"{self._settings.address} sent an invalid list of repositories") from error


def _offer(item: dict[str, Any]) -> RepositoryOffer:
    topics = " ".join(map(str, item.get("topics") or ()))
    return RepositoryOffer(
        str(item["full_name"]),
        str(item["clone_url"]),
        str(item.get("description") or ""),
        url=str(item.get("html_url") or ""),
        topics=topics,
        stars=int(item.get("stargazers_count") or 0),
        last_push=str(item.get("pushed_at") or ""),
        license=str((item.get("license") or {}).get("spdx_id") or ""),
        size_kib=int(item.get("size") or 0),
        languages=(str(item["language"]),) if item.get("language") else (),
    )


def _rank_offers(found: list[RepositoryOffer], agreement: Mapping[str, float], task: str) -> list[RepositoryOffer]:
    """Rank by a weighted sum: relevance to the task and ranks of the queries as shares of the best, stars and last push."""
    scores = score_texts([f"{one.name} {one.description} {one.topics}" for one in found], task)
    best, most = max(scores, default=0.0) or 1.0, max(agreement.values(), default=0.0) or 1.0
    total = {
        one.name: _WEIGHTS["relevance"] * score / best
        + _WEIGHTS["queries"] * agreement[one.name] / most
        + _WEIGHTS["stars"] * _star_share(one.stars)
        + _WEIGHTS["activity"] * _activity(one.last_push)
        for one, score in zip(found, scores, strict=True)
    }
    return sorted(found, key=lambda one: -total[one.name])


def _star_share(stars: int) -> float:
    share = min(math.log1p(stars) / math.log1p(_MANY_STARS), 1.0)
    return share if stars >= _FEW_STARS else _FEW_STARS_SHARE * share


def _activity(last_push: str) -> float:
    """Return 1 for a push within the active years, less for each year before them; a half if it is unknown."""
    try:
        pushed = datetime.fromisoformat(last_push)
    except ValueError:
        return 0.5
    years = (datetime.now(UTC) - pushed.replace(tzinfo=pushed.tzinfo or UTC)).days / 365.25
    return 1.0 / (1.0 + max(years - _ACTIVE_YEARS, 0.0))


def _refusal(answer: httpx.Response) -> str:
    """Describe why the host refuses, and when to retry if it names a time."""
    headers = answer.headers
    if answer.status_code in (httpx.codes.FORBIDDEN, httpx.codes.TOO_MANY_REQUESTS):
        wait = parse_retry_after(headers.get("retry-after", ""))
        if wait is not None:
            return f"its rate limit is reached; come again in {math.ceil(wait)} seconds"
        if headers.get("x-ratelimit-remaining") == "0":
            reset = headers.get("x-ratelimit-reset", "")
            when = (
                f"; come again at {datetime.fromtimestamp(int(reset), UTC):%H:%M:%S} UTC"
                if reset.isascii() and reset.isdecimal()
                else ""
            )
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


def offers(
    settings: AgentSettings, task: str, indexed: Collection[str], cancelled: Callable[[], bool] = lambda: False
) -> list[RepositoryOffer]:
    """Repositories for a task that are not indexed, best first; `indexed` are the addresses of those that are.

    Raises: ToolError, TaskCancelledError.
    """
    known = {_plain(address) for address in indexed}
    listed = search_catalogue(settings.catalogue, task) if settings.catalogue is not None else []
    searched = GitHubSource(settings.search, cancelled).find(task) if settings.search.token else []
    found = {_plain(offer.address): offer for offer in (*listed, *searched)}
    return [offer for address, offer in found.items() if address not in known]


def offer_repositories(
    store: Store, settings: AgentSettings, cancelled: Callable[[], bool], task: str
) -> list[RepositoryOffer]:
    """Repositories for a task that the store does not hold, best first, judged by their READMEs.

    Raises: ToolError, TaskCancelledError.
    """
    found = offers(settings, task, [str(store.repository(id_)["source"]) for id_ in store.repositories()], cancelled)
    found = found[: settings.search.results]
    if not settings.search.token:
        return found
    described = GitHubSource(settings.search, cancelled).describe([offer for offer in found if offer.url])
    judged = {offer.address: (offer, judge_by_words(offer, list_subjects(task))) for offer in described}
    fitting = sorted(found, key=lambda one: one.address in judged and not judged[one.address][1]["can_solve_task"])
    return [_with_verdict(*judged[one.address]) if one.address in judged else one for one in fitting]


def _with_verdict(offer: RepositoryOffer, verdict: Mapping[str, Any]) -> RepositoryOffer:
    """Add stars, last push and the verdict to the description that a model reads."""
    facts = [f"{offer.stars} stars", f"last push {offer.last_push[:10]}" if offer.last_push else "last push unknown"]
    facts.append(f"{'fits' if verdict['can_solve_task'] else 'may not fit'}: {verdict['reason']}")
    return msgspec.structs.replace(offer, description=f"{offer.description} ({', '.join(facts)})")


def _plain(address: str) -> str:
    """An address without what may be left out of it."""
    return address.rstrip("/").removesuffix(".git")


_MAX_PASSED: Final = 3
"""Candidates that pass the checks, after which no further one is cloned."""


def search_repositories(
    agent: AgentSettings,
    ingest: IngestSettings,
    task: str,
    reach: NetworkPolicy = EVERYWHERE,
    links: NetworkPolicy = PUBLIC_HOSTS,
) -> dict[str, Any]:
    """Search and judge repositories for a task, and check them until three pass; checked ones come first, failed ones last.

    A configured chat model judges; words judge without one, and where it fails. `links` bounds the requests for weights.
    Raises: ToolError if the host refuses.
    """
    source = GitHubSource(agent.search)
    found = source.find(task)
    described = source.describe(found[: agent.search.results])
    for offer in found[agent.search.results :]:
        source.log.drop(offer.name, f"not among the first {agent.search.results}")
    entries, passed = [], 0
    for offer, verdict in zip(described, _judge_all(described, task, agent.model, source.log), strict=True):
        check = None
        if verdict["can_solve_task"] and passed < _MAX_PASSED:
            check = check_repository(offer.address, offer.readme, ingest, reach, links)
            passed += not check.problem
        if check is not None and check.problem:
            verdict |= {"can_solve_task": False, "reason": f"{verdict['reason']}; {check.problem}"}
        if not verdict["can_solve_task"]:
            source.log.drop(offer.name, verdict["reason"])
        entries.append({**_describe(offer), **verdict, "checks": asdict(check) if check else None})
    # Stable sort: among equal results the order of the search stays.
    entries.sort(key=_order)
    ranked = [{"rank": rank, **entry} for rank, entry in enumerate(entries, 1)]
    return {"repositories": ranked, "recommendation": _recommend(ranked), "log": asdict(source.log)}


def _judge_all(
    offers: Sequence[RepositoryOffer], task: str, model: ModelSettings, log: SearchLog
) -> list[dict[str, Any]]:
    """Judge by words, and replace the verdicts by those of the model where one is configured and answers."""
    subjects = list_subjects(task)
    verdicts = [judge_by_words(offer, subjects) for offer in offers]
    if not model.name:
        return verdicts
    judge = ModelJudge(model)
    log.model["name"] = model.name
    try:
        replaced = judge.judge(task, offers)
    except (ModelUnavailableError, ModelRejectedError) as error:
        log.model["error"] = str(error)
        return verdicts
    log.model.update(judge.usage, verdicts=len(replaced))
    return [verdict | replaced.get(at, {}) for at, verdict in enumerate(verdicts)]


def _order(entry: Mapping[str, Any]) -> int:
    """Return 0 for a candidate that passed its checks, 1 for an unchecked one that fits, 2 for others, 3 if a check failed."""
    if entry["checks"] is not None:
        return 0 if entry["can_solve_task"] else 3
    return 1 if entry["can_solve_task"] else 2


def _describe(offer: RepositoryOffer) -> dict[str, Any]:
    return {
        "name": offer.name,
        "url": offer.url or offer.address,
        "address": offer.address,
        "stars": offer.stars,
        "last_push": offer.last_push,
        "license": offer.license,
        "size_kib": offer.size_kib,
        "languages": list(offer.languages),
    }


def _recommend(entries: Sequence[Mapping[str, Any]]) -> str:
    best = next((one for one in entries if one["can_solve_task"]), None)
    if best is None:
        return "No repository is recommended: none covers the task."
    return f"{best['name']} is recommended: {best['reason']}. Index it with `repoquarry index {best['address']}`."
