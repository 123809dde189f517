"""A server that answers streamed requests with one document, as simple servers in front of a model do."""

import json
from http.server import BaseHTTPRequestHandler

from repoquarry.agent.model.client import ChatModel
from repoquarry.agent.settings import ModelSettings
from tests.http_server import answering


def test_model_of_a_server_that_does_not_stream_is_asked_again_without_streams() -> None:
    asked: list[bool] = []

    def answer(request: BaseHTTPRequestHandler) -> tuple[int, dict[str, str], bytes]:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        asked.append(bool(body.get("stream")))
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "plain"}}
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        document = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        return 200, {"Content-Type": "application/json"}, json.dumps(document).encode()

    with answering(answer) as address:
        settings = ModelSettings("openai:m", {"base_url": f"{address}/v1", "api_key": "none"}, attempts=1)
        model = ChatModel(settings, lambda: False, lambda: None)
        assert [model.ask_text("Be short.", "Hello"), model.ask_text("Be short.", "Again")] == ["plain", "plain"]
    assert asked == [True, False, False]
    assert (model.usage.input, model.usage.output) == (14, 2)
