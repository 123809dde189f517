"""Settings of the agent: budgets of a task, chat model, online repository search, workspaces and environments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from repoquarry.execution.settings import EnvironmentSettings, WorkspaceSettings
from repoquarry.graphstore.settings import SelectionSettings


@dataclass(frozen=True)
class ModelSettings:
    """Chat model of the policy `chat`."""

    name: str = ""
    """Model as `init_chat_model` knows it: `openai:gpt-5-mini`, `anthropic:…`. Empty: no chat model is configured."""

    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Passed to `init_chat_model` as they are: `base_url`, `api_key`, `temperature`, …"""

    prices: Mapping[str, object] = field(default_factory=dict)
    """Price table: model by its `name`, then the prices of a million tokens in, of a million out and, where they differ, of a million in
    that the provider had cached, in a currency of your own: `{"openai:gpt-5-mini" = [0.25, 2.0, 0.03]}`.
    Requests to models that it does not name are counted as unpriced."""

    timeout_seconds: float = 120.0
    """Silence of the provider: until the first token of a streamed reply, and between two tokens. 0 means no limit."""

    attempts: int = 6
    """Requests for one reply before the model is given up; at least 1."""

    retry_seconds: float = 1.0
    """Wait before the second attempt, doubled before each further one up to a minute; a longer wait that the provider asks for is kept.
    0 does not wait."""

    context_tokens: int = 100_000
    """Context of the model: tool schemas, conversation and reply. Older steps are folded before it is full, and the tool `recall` finds
    their text. A smaller limit that the server names is used instead. 0 means no limit."""

    output_tokens: int = 4_096
    """Tokens of one reply, at most a quarter of the context. 0 leaves them to the provider."""

    opening_blocks: bool = True
    """True puts the four blocks (README, modules, core classes, tree) of the repositories into the instructions."""

    opening_evidence: bool = True
    """True lets a question begin with the evidence that the tool `explore` finds for it."""

    module_purposes: bool = False
    """True lets index jobs ask the model for one sentence on what each module is for. Names and first sentences of documentation are sent,
    never whole files. A sentence stays until its file changes."""

    fallback: bool = True
    """True answers a question without the model when the model fails, is silent or runs out of budget; the answer is marked."""


@dataclass(frozen=True)
class SearchSettings:
    """Search of a hosting service for repositories that are not indexed and may fit a task."""

    token: str = field(default="", repr=False)
    """Token for the service's REST API. Empty: no service is asked."""

    address: str = "https://api.github.com"
    """Where GitHub's REST API is spoken; a server asks it only where `server.source_hosts` admits its host. No redirect is followed."""

    results: int = 10
    """Repositories of one search, at most 100. At least 1."""

    seconds: float = 10.0
    """Time of one request. 0 means no limit."""


@dataclass(frozen=True)
class AgentSettings:
    """All settings of the agent; a task's own budget may be smaller than these bounds and never larger."""

    max_steps: int = 60
    """Tool calls of one task. 0 means no limit."""

    max_tokens: int = 400_000
    """Tokens of one task: what its policy reads, and with a chat model what goes in and comes out. 0 means no limit."""

    max_seconds: float = 900.0
    """Wall-clock time of one task. 0 means no limit."""

    checkpoint_bytes: int = 256 * 1024 * 1024
    """Size of the checkpoints of one task; the oldest are deleted beyond it. 0 means no limit."""

    max_task_characters: int = 200_000
    """Length of a task's text; longer ones are rejected. At least 1."""

    check_rounds: int = 3
    """How often an answer is sent back to the policy while completion checks of the task do not hold. 0 takes the first answer."""

    places: int = 5
    """Places that an answer names. At least 1."""

    query_rows: int = 200
    """Rows that one `cypher` call returns. At least 1."""

    query_seconds: float = 15.0
    """Time of one `cypher` call. 0 means no limit."""

    catalogue: Path | None = None
    """File with repositories that are not indexed and may fit a task, TOML or JSON: tables `[[repository]]` with `name`, `address` and
    `description`. They are named with the command that indexes them. None: only the store is looked at."""

    search: SearchSettings = field(default_factory=SearchSettings)
    """Search of a hosting service, in addition to the catalog file."""

    exploration: bool = True
    """True if tasks may call the reading tools (search, views, relations); otherwise tools of the workspace only."""

    selection: SelectionSettings = field(default_factory=SelectionSettings)
    """Limits of one view."""

    model: ModelSettings = field(default_factory=ModelSettings)
    """The chat model of the policy `chat`."""

    workspace: WorkspaceSettings = field(default_factory=WorkspaceSettings)
    """Where and how commands run."""

    environment: EnvironmentSettings = field(default_factory=EnvironmentSettings)
    """How environments for repositories are made."""
