"""LangChain agent on LangGraph whose tools are the reading tools of a service.

    python langchain_agent.py 127.0.0.1:50151 MODEL QUESTION

MODEL is a name of `init_chat_model`, such as `openai:gpt-4.1`; install the package of its provider (`repoquarry[openai]`).
"""

import json
import sys
from typing import Any

from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from langchain_core.tools import StructuredTool

from repoquarry.client import Client, ClientSettings
from repoquarry.v1.tool_service_pb2 import CallToolRequest, ListToolsRequest, Tool


def make_tool(client: Client, tool: Tool) -> StructuredTool:
    """Make a LangChain tool that calls a tool of the service."""

    def call(**arguments: Any) -> str:
        request = CallToolRequest(tool=tool.name, arguments=json.dumps(arguments), max_tokens=4000)
        return client.tools.call_tool(request).text

    schema = json.loads(tool.arguments_schema)
    return StructuredTool.from_function(call, name=tool.name, description=tool.summary, args_schema=schema)


def answer(client: Client, model: BaseChatModel, question: str) -> str:
    """Answer a question with the tools that are usually needed."""
    tools = [make_tool(client, tool) for tool in client.tools.list_tools(ListToolsRequest()).tools if not tool.rare]
    agent = create_agent(model, tools, system_prompt="Answer from the tools. Cite path and line of every statement.")
    messages = agent.invoke({"messages": [{"role": "user", "content": question}]})["messages"]
    return str(messages[-1].content)


if __name__ == "__main__":
    with Client(ClientSettings(sys.argv[1])) as service:
        print(answer(service, init_chat_model(sys.argv[2]), sys.argv[3]))
