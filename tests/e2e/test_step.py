"""The step reviewer in the client: what it refuses, asks and rewrites.

Everything that could be lost lies in the box.
"""
import os
import sys

from project import Project, plugin
from replies import agent, bash, tool
from test_hooks import refused

DISCARD = "git clean -fd"
SAVE = "git stash push --include-untracked"
SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")
# Put together here, so that nobody's scanner takes this file for a leak.
SECRET = "AKIA" + "Z7QKX4WNB2VHD6TM"


def with_untracked_work(box):
    project = Project(box)
    box.write("notes.txt", "work of an afternoon\n")
    return project


def test_what_git_cannot_bring_back_is_not_discarded(box):
    with_untracked_work(box)
    box.script(main=[bash(DISCARD), "over"])
    box.run("go")
    reason = refused(box)
    assert "discard_changes" in reason and "notes.txt" in reason and SAVE in reason
    assert box.read("notes.txt")


def test_after_the_advice_is_followed_the_same_command_runs(box):
    project = with_untracked_work(box)
    box.script(main=[bash(DISCARD), bash(SAVE), bash(DISCARD), "over"])
    box.run("go")
    assert [failed for failed, _ in box.tool_results()] == [True, False, False]
    assert not os.path.exists(box.path("notes.txt"))
    assert "work of an afternoon" in project.git("show", "stash@{0}^3:notes.txt")


def test_a_step_is_refused_in_a_sub_agent_too(box):
    with_untracked_work(box)
    box.script(main=[agent("general-purpose", "go"), "over"], subagent=[bash(DISCARD), "stopped"])
    box.run("go")
    assert "discard_changes" in refused(box, "subagent")
    assert box.read("notes.txt")


def asked_in_the_dialog(box, *arguments):
    """A deletion outside the project: only a person can know."""
    Project(box)
    kept = box.write(os.path.join(box.home, "projects/other/kept.txt"), "x")
    box.script(main=[bash("rm -rf ~/projects/other"), "over"])
    screen = box.tui(*arguments).ready()
    screen.submit("go")
    screen.wait("Do you want to proceed")
    assert "delete_outside_project" in screen.screen()
    assert os.path.exists(kept)
    return screen, kept


def test_a_question_is_seen_in_the_dialog_and_no_means_no(box):
    screen, kept = asked_in_the_dialog(box)
    screen.choose("No")
    screen.wait("What should Claude do instead")
    assert os.path.exists(kept)


def test_a_question_is_seen_in_auto_mode_and_yes_means_yes(box):
    screen, kept = asked_in_the_dialog(box, "--permission-mode", "auto")
    screen.choose("Yes")
    screen.until(lambda: not os.path.exists(kept), "the command to run")


def test_a_forced_push_runs_with_a_lease_and_loses_nobodys_commits(box):
    project = Project(box, install=False)
    colleague = os.path.join(box.directory, "colleague")
    box.shell("git", "clone", "--quiet", "--branch", "feature", project.remote, colleague)
    box.shell("git", "commit", "--quiet", "--allow-empty", "--message", "Theirs", directory=colleague)
    box.shell("git", "push", "--quiet", directory=colleague)
    project.change()
    project.commit("Ours")
    before = project.published()
    box.script(main=[bash("git push --force origin feature"), "over"])
    box.run("go", "--plugin-dir", plugin(box))
    (failed, output), = box.tool_results()
    assert failed and "stale info" in output
    assert project.published() == before
    assert "--force-with-lease" in box.told()


def test_a_file_with_a_secret_is_not_written(box):
    Project(box)
    text = 'KEY = "%s"\n' % SECRET
    box.script(main=[tool("Write", file_path=box.path("settings.py"), content=text), "over"])
    box.run("go", permit=("Write",))
    reason = refused(box)
    assert "secret_in_content" in reason and SECRET not in reason
    assert not os.path.exists(box.path("settings.py"))


def test_a_destructive_call_of_a_server_is_refused_and_a_harmless_one_runs(box):
    Project(box)
    log = os.path.join(box.directory, "calls.log")
    config = box.write(os.path.join(box.directory, "mcp.json"), {
        "mcpServers": {"forge": {"command": sys.executable, "args": [SERVER, log]}}})
    calls = [tool("mcp__forge__get_repository", repo="x"), tool("mcp__forge__delete_repository", repo="x")]
    search = tool("ToolSearch", query="select:mcp__forge__get_repository,mcp__forge__delete_repository", max_results=5)
    box.script(main=[search, *calls, "over"])
    box.run("go", "--mcp-config", config, permit=("Bash", "mcp__forge"))
    assert "destroy_data" in box.tool_results()[-1][1]
    with open(log) as calls:
        assert calls.read().split() == ["get_repository"]
