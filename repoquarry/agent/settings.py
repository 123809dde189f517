"""Settings of the agent: how much a task may use, which chat model serves it, and where it may work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class WorkspaceSettings:
    """Limits of a task's workspace and of every command that runs in it."""

    root: Path | None = None
    """Folder in which workspaces are made, one a task. None: no task gets a workspace."""

    command_seconds: float = 120.0
    """Wall-clock time of one command. 0 means no limit."""

    install_seconds: float = 600.0
    """Wall-clock time of one installation. 0 means no limit."""

    memory_bytes: int = 4 * 1024 * 1024 * 1024
    """Address space of each process of a command, and memory that all of them hold together. 0 means no limit."""

    output_bytes: int = 1024 * 1024
    """Output of one command that is kept, head and tail; a command that writes more is not stopped. 0 keeps all."""

    file_bytes: int = 256 * 1024 * 1024
    """Size of any one file that a command or a tool writes. 0 means no limit."""

    disk_bytes: int = 8 * 1024 * 1024 * 1024
    """Size of the whole workspace; a command that passes it is stopped. 0 means no limit."""

    processes: int = 512
    """Processes of one command; for an ordinary user its threads count as well. 0 means no limit."""

    isolation: str = "auto"
    """How commands are kept from the rest of the machine: `bubblewrap`, `landlock`, `container`, `none` (not at all),
    or `auto`: the first but `none` that works here. The service does not start when `root` is set and none works."""

    container_image: str = ""
    """Image of the isolation `container`; pulled by the operator. Empty: that variant is not used."""

    readable: tuple[str, ...] = ()
    """Absolute paths of folders that commands may read besides the workspace and the system: provisioned environments."""

    install_hosts: tuple[str, ...] = ("pypi.org", "files.pythonhosted.org")
    """Hosts that installations reach through the proxy, `name` or `name:port`, over HTTPS; other commands have no network.
    Empty: none. Only the isolation `bubblewrap` has the proxy; with `none` every command has the whole network."""

    pass_environment: tuple[str, ...] = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE")
    """Environment variables that commands get; all others are withheld, whatever they are called."""


@dataclass(frozen=True)
class ModelSettings:
    """Which chat model answers when a task asks for the policy `chat`."""

    name: str = ""
    """Model as `init_chat_model` knows it: `openai:gpt-5-mini`, `anthropic:…`. Empty: no chat model is configured."""

    options: Mapping[str, object] = field(default_factory=dict, repr=False)
    """Passed to `init_chat_model` as they are: `base_url`, `api_key`, `temperature`, …"""

    timeout_seconds: float = 120.0
    """One request to the provider, from sending it to its last byte. 0 means no limit."""

    attempts: int = 3
    """Requests made for one step before the task fails; at least 1."""

    context_tokens: int = 100_000
    """Conversation sent at once; older tool outputs are shortened to keep within it. 0 means no limit."""

    retry_seconds: float = 1.0
    """Wait before the second attempt; doubled before each further one. 0 does not wait."""


@dataclass(frozen=True)
class SelectionSettings:
    """Limits of what one tool call may add to what a policy reads."""

    view_tokens: int = 8_000
    """Tokens of one view; longer ones are cut to what matters for the task. 0 means no limit."""

    chunk_tokens: int = 1_000
    """Tokens of one chunk of a document. At least 1."""

    chunks: int = 4
    """Best chunks of a document that stay. At least 1."""


@dataclass(frozen=True)
class AgentSettings:
    """All settings of the agent; a task's own budget may be smaller than these bounds and never larger."""

    max_steps: int = 60
    """Tool calls of one task. 0 means no limit."""

    max_tokens: int = 400_000
    """Tokens of one task: what its policy reads, and with a chat model what goes in and comes out. 0 means no limit."""

    max_seconds: float = 900.0
    """Wall-clock time of one task. 0 means no limit."""

    max_task_characters: int = 200_000
    """Length of a task's text; longer ones are rejected. At least 1."""

    places: int = 5
    """Places that an answer names. At least 1."""

    query_rows: int = 200
    """Rows that one `cypher` call returns. At least 1."""

    query_seconds: float = 15.0
    """Time of one `cypher` call. 0 means no limit."""

    selection: SelectionSettings = field(default_factory=SelectionSettings)
    """Limits of one view."""

    model: ModelSettings = field(default_factory=ModelSettings)
    """The chat model of the policy `chat`."""

    workspace: WorkspaceSettings = field(default_factory=WorkspaceSettings)
    """Where and how commands run."""
