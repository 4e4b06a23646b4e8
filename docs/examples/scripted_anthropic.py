"""Stands for Anthropic's API in examples: proposes a file, then answers."""

import json

import httpx2
from anthropic import Anthropic

_CREATE = {"command": "create", "path": "/memories/travel.md", "file_text": "Ann prefers window seats.\n"}


def _answer(request: httpx2.Request) -> httpx2.Response:
    is_first = isinstance(json.loads(request.content)["messages"][-1]["content"], str)
    call = {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": _CREATE}
    said = call if is_first else {"type": "text", "text": "I have proposed to note that."}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": [said],
        "stop_reason": "tool_use" if is_first else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    return httpx2.Response(200, json=message)


client = Anthropic(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(_answer)))
