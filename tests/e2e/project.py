"""A git project with a remote and real, instant checks, into which Plimsoll is installed the way a person does it."""
import json
import os
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
PACKAGE = {"name": "answer", "version": "1.0.0", "private": True, "scripts": {
    "lint": "test -s answer.txt", "typecheck": "true", "format:check": "true", "build": "true",
    "test": "grep -q '^4' answer.txt"}}


def plugin(box, built=True):
    """The files of the plugin alone, without the rest of the checkout."""
    directory = os.path.join(box.directory, "plugin")
    for name in (".claude-plugin", "hooks", "commands", "agents", "skills"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(directory, name))
    if built:
        shutil.copytree(BUILD, os.path.join(directory, "build"))
    return directory


class Project:
    """On a branch that has an upstream, so that a bare `git push` needs nothing but permission."""

    def __init__(self, box, required_loops=None, install=True):
        self.box, self.remote = box, os.path.join(box.directory, "remote.git")
        box.shell("git", "init", "--quiet", "--bare", self.remote)
        self.git("init", "--quiet")
        box.write("package.json", PACKAGE)
        box.write("package-lock.json", {"name": "answer", "version": "1.0.0", "lockfileVersion": 3, "packages": {}})
        box.write("answer.txt", "41\n")
        self.commit("Start")
        self.git("remote", "add", "origin", self.remote)
        self.git("push", "--quiet", "origin", "main")
        self.git("switch", "--quiet", "--create", "feature")
        if install:
            self.install()
        self.git("push", "--quiet", "--set-upstream", "origin", "feature")
        if required_loops:
            self.configure("blocking:\n  required_loops: %s\n" % json.dumps(required_loops))

    def install(self):
        self.box.output += self.box.shell(os.path.join(ROOT, "install.sh"), "--project", self.box.project,
                                          "--no-build", PLIMSOLL_BUILD_DIR=BUILD)

    def configure(self, text):
        """The person's own configuration: a repository's may only tighten."""
        self.box.write(os.path.join(self.box.home, ".config/plimsoll/review-config.yaml"), text)

    def git(self, *arguments, **variables):
        return self.box.shell("git", *arguments, **variables).strip()

    def change(self, content="42\n"):
        self.box.write("answer.txt", content)

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def tree(self):
        """The tree of everything in the worktree that is not ignored, by an index of our own."""
        index = {"GIT_INDEX_FILE": os.path.join(self.box.temporary, "index")}
        self.git("add", "--all", **index)
        return self.git("write-tree", **index)

    def published(self):
        """What the remote has: a line with id and name for each ref."""
        return self.git("ls-remote", self.remote)

    def published_tree(self):
        return self.git("--git-dir", self.remote, "rev-parse", "feature^{tree}")

    def hook(self, name, event):
        """Feeds an event to an installed hook by hand, as any process of this user can."""
        path = os.path.join(self.box.home, ".local/share/plimsoll/hooks", name)
        return self.box.shell(path, stdin=json.dumps(event), CLAUDE_PROJECT_DIR=self.box.project)

    def loop_state(self):
        """The state file that people and tools read, or None before the first review."""
        path = self.box.path(".claude/state/loop-state.json")
        return json.loads(self.box.read(path)) if os.path.exists(path) else None

    def settings(self, **sections):
        """The same as values: JSON is YAML."""
        self.configure(json.dumps(sections))

    def plimsoll(self, *arguments, check=True):
        """The command as a script of the person's would run it: without a terminal."""
        return self.box.shell(os.path.join(self.data, "bin/plimsoll"), *arguments, check=check)

    @property
    def data(self):
        return os.path.join(self.box.home, ".local/share/plimsoll")

    def checkpoints(self):
        return json.loads(self.plimsoll("checkpoint", "list", "--json"))

    def incidents(self):
        """The folder of each incident."""
        folder = self.box.path(".git/plimsoll/incidents")
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))] if os.path.isdir(folder) else []

    def lock(self):
        """What keeps this project locked, or None."""
        folder = os.path.join(self.data, "locks")
        names = [name for name in os.listdir(folder) if name.endswith(".json")] if os.path.isdir(folder) else []
        if not names:
            return None
        # An empty file comes first and locks as well.
        return json.loads(self.box.read(os.path.join(folder, names[0])) or '{"mode": "unreadable"}')
