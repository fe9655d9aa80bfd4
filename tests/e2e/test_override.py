"""`/ship --override`: only a person in a dialog can open the gate, once, for what the dialog showed."""
import uuid

from project import Project
from replies import bash, tool


def unreviewed(box):
    project = Project(box, required_loops=[1])
    project.change()
    project.commit("Change without a review")
    return project


def test_a_forged_override_ships_nothing(box):
    project, session = unreviewed(box), str(uuid.uuid4())
    before = project.published()
    project.hook("user-prompt-ship", {
        "session_id": session, "transcript_path": box.path("none.jsonl"), "cwd": box.project, "prompt_id": session,
        "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": '/ship --override "x"'})
    box.script(main=[bash("git push"), "over"])
    box.run("ship it", "--session-id", session)
    assert box.tool_results()[0][0] and project.published() == before


def test_a_scheduled_override_is_refused_before_it_is_scheduled(box):
    project = unreviewed(box)
    before = project.published()
    schedule = tool("CronCreate", cron="* * * * *", prompt='/ship --override "x"', recurring=False)
    box.script(main=[tool("ToolSearch", query="select:CronCreate", max_results=5), schedule, bash("git push"), "over"])
    box.run("ship it")
    _, scheduled, pushed = box.tool_results()
    assert scheduled[0] and "speaks_for_the_person" in scheduled[1]
    assert pushed[0] and project.published() == before


def test_an_override_without_a_person_ships_nothing(box):
    project = unreviewed(box)
    before = project.published()
    box.script(main=[bash("git push"), "over"])
    box.run('/ship --override "hotfix"')
    assert box.tool_results()[0][0] and project.published() == before


def test_a_person_who_says_yes_to_the_reason_ships_once(box):
    project = unreviewed(box)
    before, wanted = project.published(), project.tree()
    box.script(main=[bash("git push"), "first push over", bash("git push"), "second push over"])
    screen = box.tui().ready()
    screen.submit('/ship --override "hotfix"')
    screen.wait("Do you want to proceed")
    assert "hotfix" in screen.screen().split("Bash command")[-1]
    assert project.published() == before
    screen.choose("Yes")
    screen.wait("first push over")
    assert project.published_tree() == wanted

    project.change("43\n")
    project.commit("Something else")
    shipped = project.published()
    screen.submit("and this too")
    screen.wait("second push over")
    assert box.tool_results()[-1][0] and project.published() == shipped


def test_a_person_who_says_no_ships_nothing(box):
    project = unreviewed(box)
    before = project.published()
    box.script(main=[bash("git push"), "over"])
    screen = box.tui().ready()
    screen.submit('/ship --override "hotfix"')
    screen.choose("No")
    screen.wait("What should Claude do instead")
    assert project.published() == before
