"""A forge as an MCP server on stdio, that writes down every call it gets: `mcp_server.py LOG`."""
import json
import sys

TOOLS = [{"name": name, "description": name, "inputSchema": {"type": "object", "properties": {"repo": {"type": "string"}}}}
         for name in ("get_repository", "delete_repository")]


def answer(method, parameters):
    if method == "initialize":
        return {"protocolVersion": parameters.get("protocolVersion", "2025-06-18"), "capabilities": {"tools": {}},
                "serverInfo": {"name": "forge", "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        with open(sys.argv[1], "a") as log:
            log.write(parameters["name"] + "\n")
        return {"content": [{"type": "text", "text": "done"}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        reply = {"jsonrpc": "2.0", "id": request["id"], "result": answer(request["method"], request.get("params", {}))}
        print(json.dumps(reply), flush=True)
