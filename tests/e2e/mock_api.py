"""A scripted model: the Messages API on a loopback port, as much of it as the client uses.

A script is one queue of replies for the main agent and one for sub-agents, consumed in order; what comes after the end
is answered with "done". A client that starts an agent in the background gets "waiting" until it reports.

A reply is one of

    "text"                       the model says it and ends its turn
    [block, block]               several blocks of `replies.py`: a sentence and a call, or parallel calls
    function(request) -> reply   computed from what the model was told, see Request

Everything received is kept in `Server.requests`.
"""
import json
import re
import threading
import uuid
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What the client asks for itself: how to go on, and a summary when it compacts a conversation.
ASIDE = re.compile(r"\[SUGGESTION MODE|create a detailed summary of the conversation")
# The client's list of its own agents and skills, which would bury the rest of a transcript.
LISTING = re.compile(r"- [\w-]+: |TRIGGER|SKIP|Available agent types|The following skills")


def block_text(block):
    if isinstance(block, str):
        return block
    kind = block.get("type")
    if kind == "text":
        return block.get("text", "")
    if kind == "tool_use":
        return "[%s] %s" % (block.get("name"), json.dumps(block.get("input")))
    if kind == "tool_result":
        mark = "refused or failed" if block.get("is_error") else "result"
        return "[%s] %s" % (mark, content_text(block.get("content", "")))
    return "[%s]" % kind


def content_text(content):
    return content if isinstance(content, str) else "\n".join(map(block_text, content))


def after_last_answer(messages):
    parts = []
    for message in reversed(messages):
        if message["role"] == "assistant":
            break
        parts.append(content_text(message["content"]))
    return "\n".join(reversed(parts))


class Request:
    """One call of the model: who asks, and what it was told."""

    def __init__(self, body, headers):
        self.body = body
        self.kind = kind_of(body, headers)
        self.reply = None

    @property
    def messages(self):
        return self.body.get("messages", [])

    @property
    def text(self):
        """The whole conversation, hook contexts included, without the system prompt."""
        return "\n".join(content_text(message.get("content", "")) for message in self.messages)

    @property
    def first(self):
        """The first user message: for a sub-agent, what it was asked to do."""
        return next((content_text(m["content"]) for m in self.messages if m["role"] == "user"), "")

    @property
    def last(self):
        """Everything after the model's own last message; the client adds hook contexts as messages of their own."""
        return after_last_answer(self.messages)

    @property
    def tool_results(self):
        """(failed, text) of each tool call of the conversation, in order."""
        return [(bool(block.get("is_error")), content_text(block.get("content", "")))
                for message in self.messages if isinstance(message.get("content"), list)
                for block in message["content"] if block.get("type") == "tool_result"]

    def __str__(self):
        told = "\n".join(line[:300] for line in self.last.splitlines() if not LISTING.match(line))
        answer = " ".join(block_text(block)[:400] for block in self.reply or [])
        return "%s was told: %s\n%s answered: %s" % (self.kind, told[-3000:], self.kind, answer)


def kind_of(body, headers):
    """Titles, summaries, suggestions and probes are `side` requests: they must not eat the conversation's script."""
    system = body.get("system") or ""
    if headers.get("x-claude-code-agent-id") or "cc_is_subagent=true" in content_text(system):
        return "subagent"
    aside = ASIDE.search(after_last_answer(body.get("messages", [])))
    if aside or len(body.get("tools") or []) < 2 or (body.get("max_tokens") or 0) <= 1:
        return "side"
    return "main"


class Script:
    def __init__(self, main=(), subagent=()):
        self.queues = {"main": deque(main), "subagent": deque(subagent), "side": deque()}

    def reply(self, request):
        # Interactive sessions of 2.1.325 have no other agents; the script goes on with the turn that brings the report.
        if "Async agent launched" in request.last:
            return blocks_of("waiting")
        queue = self.queues[request.kind]
        reply = queue.popleft() if queue else "done"
        return blocks_of(reply(request) if callable(reply) else reply)


def blocks_of(reply):
    blocks = [reply] if isinstance(reply, (str, dict)) else reply
    return [{"type": "text", "text": block} if isinstance(block, str) else
            dict(block, id="toolu_" + uuid.uuid4().hex[:24]) for block in blocks]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.send_json(200, {})

    def do_GET(self):
        self.send_json(200, {"data": [], "has_more": False})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.split("?")[0]
        if path == "/v1/messages/count_tokens":
            return self.send_json(200, {"input_tokens": max(1, len(raw) // 4)})
        if path != "/v1/messages":
            return self.send_json(404, {"type": "error", "error": {"type": "not_found_error", "message": path}})
        body = json.loads(raw)
        blocks = self.server.answer(Request(body, {k.lower(): v for k, v in self.headers.items()}))
        message = {"id": "msg_" + uuid.uuid4().hex[:24], "type": "message", "role": "assistant",
                   "model": body.get("model", "mock"), "content": blocks, "stop_sequence": None,
                   "stop_reason": "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn",
                   "usage": self.server.usage}
        try:
            self.send_stream(message) if body.get("stream") else self.send_json(200, message)
        except (BrokenPipeError, ConnectionResetError):
            pass  # an interrupted turn hangs up on us

    def send_json(self, status, value):
        data = b"" if self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_stream(self, message):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, data in events_of(message):
            self.wfile.write(("event: %s\ndata: %s\n\n" % (name, json.dumps(dict(data, type=name)))).encode())
        self.wfile.flush()


def events_of(message):
    yield "message_start", {"message": dict(message, content=[], stop_reason=None)}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = dict(block, text=""), {"type": "text_delta", "text": block["text"]}
        else:
            start = dict(block, input={})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": start}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield "message_delta", {"delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                            "usage": {"output_tokens": message["usage"]["output_tokens"]}}
    yield "message_stop", {}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.requests, self.lock = Script(), [], threading.Lock()
        # What every answer is said to have cost.
        self.usage = {"input_tokens": 100, "output_tokens": 20}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server_address[1]

    def answer(self, request):
        with self.lock:
            self.requests.append(request)
            request.reply = self.script.reply(request)
            return request.reply
