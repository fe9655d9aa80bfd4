"""The hooks in the client: they bite in every mode, survive their own removal, and never fail silently.

The refused commands are harmless should they run. Where the client would itself stop a write to its settings, the test
takes the other one, so that only our hook can be what refused.
"""
import os

from project import Project, plugin
from replies import CHECKS, agent, bash, quality_checker

UNREGISTER = "echo '{}' > .claude/settings.json"
UNHOOK = "git config core.hooksPath elsewhere"


def refused(box, kind="main"):
    """The reason that the model was given for its only call."""
    (failed, reason), = box.tool_results(kind)
    assert failed, "it ran: " + reason
    return reason


def test_a_refusal_reaches_the_model_as_an_error_with_its_reason(box):
    Project(box)
    box.script(main=[bash(UNHOOK), "over"])
    box.run("go")
    assert "hooksPath" in refused(box)
    assert "elsewhere" not in box.read(".git/config")


def test_everyday_commands_run_without_a_word(box):
    Project(box)
    box.script(main=[bash("git status --short && cat answer.txt"), "over"])
    box.run("go")
    assert box.tool_results() == [(False, "41")]
    assert "hook additional context" not in box.requests()[-1].last


def test_the_floor_holds_in_a_sub_agent(box):
    Project(box)
    box.script(main=[agent("general-purpose", "go"), "over"], subagent=[bash(UNHOOK), "stopped"])
    box.run("go")
    assert "hooksPath" in refused(box, "subagent")
    assert "elsewhere" not in box.read(".git/config")


def test_the_floor_holds_where_permissions_are_bypassed(box):
    Project(box)
    settings = box.read(".claude/settings.json")
    box.script(main=[bash(UNREGISTER), "over"])
    # IS_SANDBOX lets root use this mode, as in a container.
    box.run("go", "--permission-mode", "bypassPermissions", IS_SANDBOX="1")
    assert "settings.json" in refused(box)
    assert box.read(".claude/settings.json") == settings


def test_hooks_stay_alive_when_the_settings_are_overwritten_under_a_running_session(box):
    Project(box)
    noticed = os.path.join(box.home, "noticed")
    entry = [{"hooks": [{"type": "command", "command": "touch", "args": [noticed], "timeout": 10}]}]
    box.write(os.path.join(box.home, ".claude/settings.json"), {"hooks": {"ConfigChange": entry}})
    box.script(main=["hello there", bash(UNHOOK), "that is over"])
    screen = box.tui().ready()
    screen.submit("hi")
    screen.wait("hello there")
    box.write(".claude/settings.json", {"model": "opus"})
    screen.until(lambda: os.path.exists(noticed), "the client to notice the new settings")
    screen.submit("go")
    screen.wait("that is over")
    assert "hooksPath" in refused(box)
    assert "elsewhere" not in box.read(".git/config")


def test_the_plugin_reviews_under_its_own_name(box):
    project = Project(box, install=False)
    project.change()
    box.script(main=[quality_checker("plimsoll:quality-checker"), "over"], subagent=CHECKS)
    box.run("/plimsoll:review --free --yes", "--plugin-dir", plugin(box))
    assert "Review requested" in box.told() and "answer.txt" in box.told()
    assert project.loop_state()["loop_1_passed"] is True


def test_a_plugin_without_its_binaries_asks_instead_of_keeping_silent(box):
    box.script(main=[bash("touch ran.txt"), "over"])
    box.run("go", "--plugin-dir", plugin(box, built=False))
    assert "binaries are missing" in refused(box)
    assert not os.path.exists(box.path("ran.txt"))
