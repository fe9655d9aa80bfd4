"""Runs the real Claude Code client against the scripted model.

Box is one temporary home, project and model. `run` is one headless session; `Tui` is a person at a terminal. Only
loopback is reached, the key is a dummy, and nothing of the developer's home or environment is seen.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import mock_api

QUIET = dict.fromkeys(("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER",
                       "DISABLE_ERROR_REPORTING", "GIT_CONFIG_NOSYSTEM"), "1")
PROGRAMS = ("git", "node", "npm", "tmux")


class Skipped(Exception):
    """This machine lacks what the test needs; says what."""


class Box:
    def __init__(self, client, version):
        self.client, self.version = client, version
        # Resolved, because the client knows a project by its real path.
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix="plimsoll-e2e-"))
        self.home, self.project, self.temporary, self.bin = (
            os.path.join(self.directory, name) for name in ("home", "project", "tmp", "bin"))
        for directory in (self.home, self.project, self.temporary, self.bin):
            os.mkdir(directory)
        self.link_programs()
        self.write(os.path.join(self.home, ".gitconfig"),
                   "[user]\n\tname = Tester\n\temail = tester@example.com\n[init]\n\tdefaultBranch = main\n")
        self.server = mock_api.Server()
        self.terminals, self.output, self.messages = [], "", []

    def link_programs(self):
        """Version managers put shims on PATH that look into the home; the box has another one."""
        os.symlink(sys.executable, os.path.join(self.bin, "python3"))
        for name in PROGRAMS:
            found = shutil.which(name)
            if found:
                os.symlink(os.path.realpath(found), os.path.join(self.bin, name))

    def environment(self):
        return dict(QUIET, PATH=self.bin + ":/usr/local/bin:/usr/bin:/bin", HOME=self.home, TMPDIR=self.temporary,
                    CLAUDE_CODE_TMPDIR=self.temporary, ANTHROPIC_BASE_URL=self.server.url,
                    ANTHROPIC_API_KEY="dummy-key", TERM="xterm-256color", LANG="C.UTF-8")

    def path(self, *parts):
        return os.path.join(self.project, *parts)

    def write(self, path, content, mode=0o644):
        """`path` is relative to the project; content that is not text is written as JSON."""
        path = self.path(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content, indent=2))
        os.chmod(path, mode)
        return path

    def read(self, *parts):
        with open(self.path(*parts)) as file:
            return file.read()

    def shell(self, *command, directory=None, check=True, stdin=None, **variables):
        """Runs a program in the box but outside the client, as the person would in another window."""
        ended = subprocess.run(command, cwd=directory or self.project, env=dict(self.environment(), **variables),
                               input=stdin or "", text=True, capture_output=True, timeout=120)
        if check and ended.returncode:
            raise AssertionError("%s exited with %d\n%s%s" % (
                shlex.join(command), ended.returncode, ended.stdout, ended.stderr))
        return ended.stdout

    def script(self, main=(), subagent=()):
        self.server.script = mock_api.Script(main, subagent)

    def command(self, arguments, permit):
        """The client in manual mode, in which what the person permitted runs without a dialog of the client's own."""
        permission = ["--permission-mode", "default"] if "--permission-mode" not in arguments else []
        return [self.client, *arguments, *permission, "--allowedTools", ",".join(permit)]

    def run(self, prompt, *arguments, permit=("Bash", "Agent"), timeout=90, **variables):
        """One `claude -p` session; returns its last message, the one of type `result`."""
        headless = ["-p", prompt, "--output-format", "stream-json", "--verbose", *arguments]
        ended = subprocess.run(self.command(headless, permit), cwd=self.project, stdin=subprocess.DEVNULL, text=True,
                               env=dict(self.environment(), **variables), capture_output=True, timeout=timeout)
        self.output += "\n$ claude -p %s\n%s" % (prompt, ended.stderr)
        self.messages = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        result = next((message for message in self.messages if message.get("type") == "result"), None)
        assert result, "the client ended with %d and no result: %s" % (ended.returncode, ended.stdout[-2000:])
        return result

    def tui(self, *arguments, **options):
        self.terminals.append(Tui(self, *arguments, **options))
        return self.terminals[-1]

    def requests(self, kind="main"):
        return [request for request in self.server.requests if request.kind == kind]

    def told(self, kind="main"):
        """All that the model of that kind was told so far in its newest conversation."""
        requests = self.requests(kind)
        return requests[-1].text if requests else ""

    def tool_results(self, kind="main"):
        requests = self.requests(kind)
        return requests[-1].tool_results if requests else []

    def transcript(self):
        """What a failure is understood from."""
        requests = [str(request) for request in self.server.requests if request.kind != "side"]
        screens = ["screen:\n" + terminal.screen().rstrip() for terminal in self.terminals]
        return "\n\n".join(requests + [self.output.strip()] + screens)

    def close(self):
        for terminal in self.terminals:
            terminal.close()
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.directory, ignore_errors=True)


class Tui:
    """The interactive client in a tmux of its own."""

    def __init__(self, box, *arguments, permit=("Bash", "Agent"), trusted=True):
        self.box, self.socket = box, os.path.join(box.directory, "tmux-%d" % len(box.terminals))
        known = {box.project: {"hasTrustDialogAccepted": trusted, "hasCompletedProjectOnboarding": True}}
        box.write(os.path.join(box.home, ".claude.json"), {
            "hasCompletedOnboarding": True, "theme": "dark", "numStartups": 5, "projects": known,
            "customApiKeyResponses": {"approved": ["dummy-key"], "rejected": []}})
        variables = ["%s=%s" % pair for pair in box.environment().items()]
        command = "exec " + shlex.join(["env", "-i", *variables, *box.command(arguments, permit)])
        self.tmux("new-session", "-d", "-x", "140", "-y", "60", "-c", box.project, command)
        # A dead client leaves its last words on the screen.
        self.tmux("set-option", "-g", "remain-on-exit", "on")

    def tmux(self, *arguments):
        return self.box.shell("tmux", "-S", self.socket, "-f", "/dev/null", *arguments, check=False)

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def wait(self, pattern):
        """Polls until the screen shows the pattern."""
        return self.until(lambda: re.search(pattern, self.screen()), "%r on the screen" % pattern)

    def until(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            outcome = condition()
            if outcome:
                return outcome
            time.sleep(0.1)
        raise AssertionError("waited %d s for %s" % (seconds, what))

    def ready(self):
        self.wait(r"(?m)^❯\s")
        return self

    def submit(self, text):
        """Types a line and sends it once the input box shows it: Enter in the same burst would count as pasted."""
        self.tmux("send-keys", "-l", text)
        self.wait(r"(?ms)^❯\s%s(?!.*^❯)" % re.escape(text))
        self.keys("Enter")

    def choose(self, label):
        """Takes that option of the dialog on the screen; order and numbering of options depend on the version."""
        option = re.compile(r"[\s❯]+(?:\d+\. )?" + label)
        self.until(lambda: any(map(option.match, self.dialog())), "a dialog with %r" % label)
        self.until(lambda: self.step_towards(option), "%r to be taken" % label)

    def dialog(self):
        lines = self.screen().splitlines()
        return lines if any("Esc to cancel" in line for line in lines) else []

    def step_towards(self, option):
        """One key: a dialog that has just opened may swallow some, so each is judged by what the screen then shows."""
        lines = self.dialog()
        wanted = [number for number, line in enumerate(lines) if option.match(line)]
        if not wanted:
            return True
        cursor = max(number for number, line in enumerate(lines) if "❯" in line)
        self.keys("Enter" if cursor == wanted[-1] else "Down" if cursor < wanted[-1] else "Up")
        end = time.monotonic() + 2
        while self.dialog() == lines and time.monotonic() < end:
            time.sleep(0.1)
        return not self.dialog()

    def keys(self, *names):
        self.tmux("send-keys", *names)

    def close(self):
        """Waits for the client to be gone: until then it writes into the box."""
        client = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        self.tmux("kill-server")
        if client:
            self.until(lambda: not os.path.exists("/proc/" + client), "the client to end")
