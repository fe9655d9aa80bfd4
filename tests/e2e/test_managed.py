"""Managed installation: the client runs hooks from the machine's settings, and `plimsoll doctor` tells when it does not."""
import json
import os
import shutil
import subprocess

from client import Skipped
from project import BUILD, Project
from replies import bash

COMMAND = "/usr/local/bin/plimsoll"


class Machine:
    """The system of this machine with a managed installation in it, seen only by what `wrap` starts."""

    def __init__(self, box, *options):
        self.box, self.image = box, os.path.join(box.directory, "image")
        for folder in ("etc", "usr/local/lib", "usr/local/bin"):
            os.makedirs(os.path.join(self.image, folder))
        self.plimsoll = os.path.join(BUILD, "bin/plimsoll")
        box.output += box.shell(self.plimsoll, "install", "--managed", "--root", self.image, "--from", BUILD, *options)
        layers = "".join("mount -t overlay overlay -o lowerdir=%s/%s:/%s /%s && " % (self.image, place, place, place)
                         for place in ("etc", "usr/local"))
        self.script = 'unshare %s sh -c \'%sexec "$@"\' sh' % ("-m" if os.geteuid() == 0 else "-rm", layers)
        probe = subprocess.run("%s test -x %s" % (self.script, COMMAND), shell=True, capture_output=True, text=True)
        if probe.returncode:
            raise Skipped("needs mount namespaces with overlays: " + probe.stderr.strip())

    def wrap(self, program):
        """A program that starts this one with the managed installation in place."""
        path = os.path.join(self.box.directory, "managed-" + os.path.basename(program))
        self.box.write(path, '#!/bin/sh\nexec %s %s "$@"\n' % (self.script, program), 0o755)
        return path

    def doctor(self):
        checks = json.loads(self.box.shell(self.wrap(COMMAND), "doctor", "--json", check=False))["checks"]
        return {check["name"]: check for check in checks}


def managed(box, *options):
    project = Project(box, install=False)
    machine = Machine(box, *options)
    client = box.client
    box.client = machine.wrap(client)
    return project, machine, client


def test_the_client_runs_managed_hooks_and_doctor_tells_when_it_does_not(box):
    project, machine, client = managed(box, "--no-sandbox")
    waiting = machine.doctor()["managed"]
    assert waiting["standing"] == "warn" and "no session ran here" in waiting["detail"], waiting
    # A project's own hooks do not run beside them.
    marker = os.path.join(box.temporary, "marker")
    box.write(".claude/settings.json", {"hooks": {"PreToolUse": [
        {"hooks": [{"type": "command", "command": "touch " + marker}]}]}})
    project.change("lost\n")
    box.script(main=[bash("git reset --hard"), "done"])
    box.run("tidy up", permit=("Bash",))
    assert "discard_changes" in box.told(), box.told()
    assert box.read("answer.txt") == "lost\n"
    assert not os.path.exists(marker)
    passed = machine.doctor()
    assert passed["managed"]["standing"] == "ok", passed
    assert passed["registration"]["detail"] == "registered in managed settings", passed

    # A client that drops the managed settings, as one with settings from a server may.
    box.client = client
    box.script(main=[bash("true"), "done"])
    box.run("go on", permit=("Bash",))
    dropped = machine.doctor()["managed"]
    assert dropped["standing"] == "fail" and "did not run the managed hooks" in dropped["detail"], dropped

    box.shell(machine.plimsoll, "uninstall", "--managed", "--root", machine.image)
    left = [os.path.join(folder, name) for folder, _, names in os.walk(machine.image) for name in names]
    assert left == [], left


def test_managed_settings_switch_the_sandbox_on(box):
    if not (shutil.which("bwrap") and shutil.which("socat")):
        raise Skipped("bubblewrap or socat is not installed")
    managed(box)
    box.write(os.path.join(box.home, ".ssh/id_test"), "private\n")
    box.write("look.py", "import os\nprint(os.listdir(os.path.expanduser('~/.ssh')))\n")
    assert "id_test" in box.shell("python3", "look.py")
    box.script(main=[bash("python3 look.py"), "done"])
    box.run("look", permit=("Bash",))
    assert box.tool_results()[-1][1].strip() == "[]", box.tool_results()
