"""A local HTTP server that speaks the OpenAI chat-completions protocol from a script, for tests of the chat policy.

It replaces the network only: the real provider package sends real requests to it and parses what comes back, streamed or
not. A script is a list of replies, one a request; what was asked is kept in `requests`.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from itertools import islice
from typing import Any

from tests.http_server import served

Arguments = dict[str, Any] | str
"""Arguments of a tool call; a string is sent as it is, malformed or not."""


@dataclass(frozen=True)
class Reply:
    """One answer of the scripted model."""

    text: str = ""
    calls: Sequence[tuple[str, Arguments]] = ()
    """(tool, arguments) in order."""

    refusal: str = ""
    usage: tuple[int, int] | None = (100, 10)
    """Prompt and completion tokens; None reports none."""

    status: int = 200
    error: str = ""
    """Message of an error; sent when `status` is not 200."""

    finish: str = ""
    """Reason for which the model stopped; empty for the usual one."""

    cached: int = 0
    """Tokens of the prompt that were cached."""

    ids: Sequence[str | None] = ()
    """Ids of the calls; empty for ids of their own."""

    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the message, as strings in two halves."""

    call_extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of each call."""

    as_objects: bool = False
    """Send the arguments of calls as objects in one piece."""

    error_body: Any = None
    """Body of an error; None for the usual one with `error`."""

    in_stream: bool = False
    """Send the body of an error as an event of a stream with status 200."""

    retry_after: str = ""
    """Header of an error."""

    pause_seconds: float = 0.0
    """Wait before each chunk of a streamed answer."""

    break_after: int = 0
    """Close the connection after so many chunks; 0 sends all."""

    delay_seconds: float = 0.0
    """Wait before the first byte."""

    drop: bool = False
    """Close the connection without an answer."""


@dataclass
class ScriptedChat:
    """The running server: its address, its script, and what was asked so far."""

    base_url: str
    replies: list[Reply | Callable[[dict[str, Any]], Reply]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)
    """Answers of the server to other requests, by path; others are unknown."""

    closed: list[float] = field(default_factory=list)
    """Times at which a client closed its connection in the middle of a streamed answer."""

    def next_reply(self, request: dict[str, Any]) -> Reply:
        """The reply to this request; beyond the script's end an error that reports it."""
        self.requests.append(request)
        if len(self.requests) > len(self.replies):
            return Reply(
                status=400, error=f"the script has {len(self.replies)} replies, this is request {len(self.requests)}"
            )
        reply = self.replies[len(self.requests) - 1]
        return reply(request) if callable(reply) else reply


@contextmanager
def scripted_chat(
    *replies: Reply | Callable[[dict[str, Any]], Reply], report: dict[str, Any] | None = None
) -> Iterator[ScriptedChat]:
    """Serve a script on a free local port until the block ends."""
    chat = ScriptedChat("", list(replies), report=report or {})
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                chat.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = chat.next_reply(body)
            time.sleep(reply.delay_seconds)
            if reply.drop:
                self.close_connection = True
                return
            if reply.status != 200 and not reply.in_stream:
                self._send_json(reply.status, reply.retry_after, _error_content(reply))
            elif body.get("stream"):
                try:
                    self._send_stream(reply, _chunks(reply, body))
                except OSError:
                    chat.closed.append(time.monotonic())
                    self.close_connection = True
            else:
                self._send_json(200, "", _completion(reply, body))

        def do_GET(self) -> None:
            found = chat.report.get(self.path)
            self._send_json(404 if found is None else 200, "", found or {})

        def _send_json(self, status: int, retry_after: str, content: Any) -> None:
            data = json.dumps(content).encode()
            self.send_response(status)
            if retry_after:
                self.send_header("Retry-After", retry_after)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _send_stream(self, reply: Reply, chunks: Iterator[dict[str, Any]]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            if reply.break_after:
                self.send_header("Content-Length", "1000000")
            self.send_header("Connection", "close")
            self.end_headers()
            for chunk in islice(chunks, reply.break_after or None):
                time.sleep(reply.pause_seconds)
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                self.wfile.flush()
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    with served(Handler) as port:
        chat.base_url = f"http://127.0.0.1:{port}/v1"
        yield chat


def _error_content(reply: Reply) -> Any:
    usual = {"error": {"message": reply.error, "type": "scripted", "code": None}}
    return usual if reply.error_body is None else reply.error_body


def _tool_calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "index": number,
            "id": reply.ids[number] if reply.ids else f"model-call-{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) or reply.as_objects else json.dumps(given),
            },
            **reply.call_extra,
        }
        for number, (name, given) in enumerate(reply.calls)
    ]


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _usage(reply: Reply) -> dict[str, Any] | None:
    if reply.usage is None:
        return None
    prompt, completion = reply.usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion} | (
        {"prompt_tokens_details": {"cached_tokens": reply.cached}} if reply.cached else {}
    )


def _completion(reply: Reply, request: dict[str, Any]) -> dict[str, Any]:
    calls = [{key: value for key, value in call.items() if key != "index"} for call in _tool_calls(reply)]
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal or None}
    message.update(reply.extra)
    if calls:
        message["tool_calls"] = calls
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply), "logprobs": None}],
        "usage": _usage(reply),
    }


def _chunks(reply: Reply, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same answer in pieces: text by words, arguments of calls in two halves, as providers send them."""

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": request["model"],
            "choices": [choice],
        }

    if reply.in_stream:
        yield _error_content(reply)
        return
    halves = {key: value for key, value in reply.extra.items() if isinstance(value, str)}
    first = {key: value[: len(value) // 2] for key, value in halves.items()}
    yield chunk({"role": "assistant", "content": "", **reply.extra, **first})
    if halves:
        yield chunk({key: value[len(value) // 2 :] for key, value in halves.items()})
    for word in re.findall(r"\S*\s*", reply.text):
        yield chunk({"content": word})
    if reply.refusal:
        yield chunk({"refusal": reply.refusal})
    for call in _tool_calls(reply):
        arguments = call["function"]["arguments"]
        if not isinstance(arguments, str):
            yield chunk({"tool_calls": [call]})
            continue
        half = len(arguments) // 2
        yield chunk({"tool_calls": [{**call, "function": {**call["function"], "arguments": arguments[:half]}}]})
        yield chunk({"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[half:]}}]})
    yield chunk({}, _finish(reply))
    if reply.usage is not None and (request.get("stream_options") or {}).get("include_usage"):
        yield {**chunk({}), "choices": [], "usage": _usage(reply)}
