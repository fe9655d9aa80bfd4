"""Sandboxed mode in the real client: reviewed content ships through `plimsoll push`, and the agent's commands reach nothing else."""
import json
import os
import shutil

from client import Skipped
from project import Project
from replies import CHECKS, agent, bash, quality_checker, read_all, report, reviewer, verdict
from test_review_ship import gate

SHIPS = [bash("git add answer.txt"), bash("git commit -m 'Raise the answer'"), bash("plimsoll push"), report]
# A program of the project whose text no hook reads: tries everything that would decide what ships, and says what worked.
NOSY = '''
import glob, json, os, subprocess, sys
home, done = os.path.expanduser("~"), []
data = home + "/.local/share/plimsoll"

def attempt(name, action):
    try:
        if action():
            done.append(name)
    except (OSError, subprocess.SubprocessError):
        pass

def written(path):
    existed = os.path.exists(path)
    with open(path, "a"):
        pass
    return existed or os.path.exists(path)

def quiet(*command):
    return subprocess.run(command, capture_output=True, timeout=20).returncode == 0

attempt("read the key", lambda: open(data + "/seal.key", "rb").read())
attempt("read an ssh key", lambda: open(home + "/.ssh/id_test").read())
attempt("list enrolments", lambda: os.listdir(data + "/enrolled"))
attempt("write a receipt", lambda: written(".git/plimsoll/receipts/00000099.json"))
attempt("write the pre-push hook", lambda: written(".git/hooks/pre-push"))
attempt("write git's config", lambda: written(".git/config"))
attempt("configure git", lambda: quiet("git", "config", "x.y", "z"))
attempt("write the user's git config", lambda: written(home + "/.gitconfig"))
attempt("write the configuration", lambda: written(home + "/.config/plimsoll/review-config.yaml"))
attempt("write settings", lambda: written(".claude/settings.local.json"))
attempt("write a program", lambda: written(data + "/bin/plimsoll"))
attempt("start a profile", lambda: written(home + "/.bashrc"))
attempt("push", lambda: quiet("git", "push", "origin", "HEAD:refs/heads/evil"))
attempt("push without hooks", lambda: quiet("git", "push", "--no-verify", "origin", "HEAD:refs/heads/evil2"))
attempt("write to the remote", lambda: written(sys.argv[1] + "/refs/heads/evil3"))
attempt("override the gate", lambda: quiet("plimsoll", "push", "origin", "HEAD:refs/heads/evil4"))
print("worked: " + json.dumps(done))
'''


def sandboxed(box, **options):
    if not (shutil.which("bwrap") and shutil.which("socat")):
        raise Skipped("bubblewrap or socat is not installed")
    project = Project(box, **options)
    box.write(os.path.join(box.home, ".ssh/id_test"), "private\n")
    box.write(os.path.join(box.home, ".bashrc"), "")
    box.output += project.plimsoll("sandbox", "on")
    return project


def worked(box):
    """What the nosy program reported, in each of its runs."""
    return [json.loads(text.split("worked: ")[1].splitlines()[0]) for _, text in box.tool_results() if "worked: " in text]


def test_a_reviewed_change_ships_through_plimsoll_push(box):
    project = sandboxed(box)
    project.change()
    reviewed = project.tree()
    box.script(main=[quality_checker(), reviewer(), "the review is over"], subagent=CHECKS + [read_all, verdict()])
    box.run("/review --claude --yes", permit=("Bash", "Agent", "Read"), timeout=150)
    state = project.loop_state()
    assert state["loop_1_passed"] and state["loop_2_passed"], state
    assert "Commands run sandboxed here" in box.told()

    box.script(main=[agent("git-agent", "Commit, push."), "shipped"], subagent=SHIPS)
    box.run("/ship")
    assert gate(box) == ["APPROVED"]
    assert "This session is sandboxed: push with `plimsoll push`." in box.told()
    assert project.published_tree() == reviewed
    assert project.git("rev-parse", "HEAD") in project.published()


def test_the_agents_commands_reach_nothing_that_decides_what_ships(box):
    project = sandboxed(box, required_loops=[1])
    box.write("nosy/__main__.py", NOSY)
    project.change()
    box.script(main=[quality_checker(), "the review is over"], subagent=CHECKS)
    box.run("/review --free --yes")
    project.change("43\n")
    project.commit("Change what was reviewed")
    before = project.published()

    command = "python3 -m nosy " + project.remote
    box.script(main=[bash(command), bash("plimsoll push; " + command), bash("plimsoll push"), bash("git add -A"), "I give up"])
    box.run("ship it anyway")
    assert worked(box) == [[]], box.tool_results()
    (_, _), (refused, why), (closed, blocked), (failed, _) = box.tool_results()
    assert refused and "sandbox" in why, why
    assert closed and "Nothing was pushed" in blocked, blocked
    assert not failed
    assert project.published() == before

    # Without the sandbox the same program does nearly all of it, so the test can fail.
    control = box.shell("python3", "-m", "nosy", project.remote)
    done = json.loads(control.split("worked: ")[1])
    assert {"read the key", "write the pre-push hook", "push without hooks", "write to the remote"} <= set(done), done


def test_a_test_of_the_project_reaches_nothing_either(box):
    project = sandboxed(box, required_loops=[1])
    box.write("nosy/__main__.py", NOSY)
    package = json.loads(box.read("package.json"))
    package["scripts"]["test"] = "python3 -m nosy %s > %s/said" % (project.remote, box.temporary)
    box.write("package.json", package)
    before = project.published()
    box.script(main=[quality_checker(), "the review is over"], subagent=CHECKS)
    box.run("/review --free --yes")
    said = json.loads(box.read(os.path.join(box.temporary, "said")).split("worked: ")[1])
    assert said == [], said
    assert project.published() == before
