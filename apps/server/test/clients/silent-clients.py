"""Reads one streamed answer with the official client of a dialect, and prints its text.

silent-clients.py versions
silent-clients.py chat|messages|responses|generate <url of the gateway> <key>
"""

import sys

import anthropic
import openai
from google import genai


def read_chat(url: str, key: str) -> str:
    client = openai.OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
    stream = client.chat.completions.create(
        model="by-chat", stream=True, messages=[{"role": "user", "content": "x"}]
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def read_responses(url: str, key: str) -> str:
    client = openai.OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)
    stream = client.responses.create(model="by-responses", stream=True, input="x")
    return "".join(event.delta for event in stream if event.type == "response.output_text.delta")


def read_messages(url: str, key: str) -> str:
    client = anthropic.Anthropic(api_key=key, base_url=url, max_retries=0)
    question = [{"role": "user", "content": "x"}]
    with client.messages.stream(model="by-messages", max_tokens=50, messages=question) as stream:
        return "".join(stream.text_stream)


def read_generate(url: str, key: str) -> str:
    client = genai.Client(api_key=key, http_options={"base_url": url})
    stream = client.models.generate_content_stream(model="by-generate", contents="x")
    return "".join(chunk.text or "" for chunk in stream)


READERS = {
    "chat": read_chat,
    "responses": read_responses,
    "messages": read_messages,
    "generate": read_generate,
}

if sys.argv[1] == "versions":
    versions = f"openai {openai.__version__}, anthropic {anthropic.__version__}, google-genai {genai.__version__}"
    print(f"Python {sys.version.split()[0]}, {versions}")
else:
    print(READERS[sys.argv[1]](sys.argv[2], sys.argv[3]), end="")
