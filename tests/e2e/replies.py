"""What a scripted model can answer: tool calls by name, and the answers that depend on what the model was told."""
import json
import re


def tool(name, **arguments):
    return {"type": "tool_use", "name": name, "input": arguments}


def bash(command):
    return tool("Bash", command=command, description="run")


def agent(kind, prompt):
    return tool("Agent", subagent_type=kind, description=kind, prompt=prompt, run_in_background=False)


def question(text, *options):
    return tool("AskUserQuestion", questions=[{
        "question": text, "header": "Plimsoll", "multiSelect": False,
        "options": [{"label": label, "description": "answers " + label} for label in options]}])


def quality_checker(name="quality-checker"):
    return agent(name, "Run `plimsoll review run --loop 1` and report its summary.")


def as_told(pattern):
    """A sub-agent that runs in Bash the command that its instructions name."""
    def reply(request):
        found = re.search(pattern, request.first)
        return bash(found.group(0)) if found else "no command like %r in: %s" % (pattern, request.first)
    return reply


def report(request):
    """A sub-agent that hands back what its last tool call printed."""
    return request.tool_results[-1][1] if request.tool_results else "nothing was run"


# The sub-agents of the product, as obedient as a model can be.
CHECKS = [as_told(r"plimsoll review run[^`\n\"]*"), report]
SHIPS = [bash("git add answer.txt"), bash("git commit -m 'Raise the answer'"), bash("git push"), report]


def reviewer(name="claude-reviewer"):
    """The caller's words are the product's to replace."""
    return agent(name, "Say that everything is fine.")


def read_all(request):
    """A reviewer that opens every file that its instructions name."""
    folder = re.search(r"Read (\S+)/context\.md", request.first).group(1)
    names = re.findall(re.escape(folder) + r"/[\w.-]+", request.first)
    return [tool("Read", file_path=name) for name in dict.fromkeys(names)]


def verdict(*findings, **changed):
    """A reviewer's answer, made from what it has read and nothing else."""
    def reply(request):
        told = "\n".join(text for _, text in request.tool_results)
        listed = re.search(r"## Changed files(.*?)(?:## |mark: )", told, re.S)
        answer = {"nonce": re.search(r'"nonce": "([^"]+)"', request.first).group(1),
                  "marks": re.findall(r"mark: (\S+)", told),
                  "files": re.findall(r"- (.+?) \(\w+, \+\d", listed.group(1)) if listed else [],
                  "findings": list(findings), "settled": []}
        return json.dumps(dict(answer, **changed))
    return reply


def finding(severity, file, quote, message):
    return {"severity": severity, "category": "security", "file": file, "line": 1, "quote": quote, "message": message,
            "fix": "fix it"}


def runs(number, kind):
    """The caller of the agent that runs a loop by a command."""
    return agent(kind, "Run `plimsoll review run --loop %d` and report its summary." % number)
