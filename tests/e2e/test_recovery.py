"""After an emergency stop: everything is locked until a person decides in a dialog, and each choice does what it says."""
import os
import shutil
import uuid

import browser
from project import Project
from replies import agent, bash, tool
from test_allow import in_a_terminal
from test_interventions import ERROR, FAILING, REQUEST, after_each_call

# Two failures are told of, the third is refused from then on, the next attempt stops.
QUICK = {"patterns": {"repeat": {"soft": 2, "deny": 3, "stop": 4}}}
SPOIL = bash("echo spoiled > answer.txt")
STOPPING = [SPOIL] + [bash(FAILING)] * 5


def project(box, **interventions):
    box.write("check.sh", "echo '%s' >&2\nexit 3\n" % ERROR)
    made = Project(box)
    made.settings(interventions=dict(QUICK, **interventions))
    return made


def stopped(box, **interventions):
    """A project in which an agent spoiled a file, repeated itself, and was stopped; its session."""
    made = project(box, **interventions)
    box.script(main=STOPPING)
    session = box.run(REQUEST)["session_id"]
    assert (made.lock() or {}).get("mode") == "stopped", (made.lock(), after_each_call(box))
    return made, session


def is_locked(box, prompt, *arguments, permit=("Bash", "Read")):
    """Whether a session in this project may not even read."""
    box.server.requests.clear()
    box.script(main=[tool("Read", file_path=box.path("answer.txt")), bash("touch touched"), "over"])
    box.run(prompt, *arguments, permit=permit)
    results = box.tool_results()[-2:]
    assert not os.path.exists(box.path("touched")), results
    return all(failed and "/recover" in text for failed, text in results)


def test_the_page_of_an_incident_opens_in_a_browser(box):
    made, _ = stopped(box)
    folder, = made.incidents()
    assert {"incident.json", "index.html", "report.md"} <= set(os.listdir(folder)), os.listdir(folder)
    page = browser.Page(box, os.path.join(folder, "index.html"), "incident")
    assert page.title.startswith("Incident " + os.path.basename(folder)), page.title
    headings = " | ".join(page.texts("h1") + page.texts("h2") + page.texts("h3")).lower()
    for part in ("emergency stop", "what to do now", "timeline", "impact", "cause", "recommendations", "usage against limits",
                 "changes since the last safe checkpoint"):
        assert part in headings, (part, headings)
    for detail in (FAILING, ERROR, "spoiled", "rollback_and_retry", "plimsoll checkpoint restore"):
        assert detail in page.document, detail
    assert page.console == [] and page.requests == [], (page.console, page.requests)
    browser.Page(box, os.path.join(folder, "index.html"), "incident", width=400)


def test_a_second_a_resumed_and_a_forked_session_are_locked_too(box):
    made, session = stopped(box)
    assert is_locked(box, "go on")
    assert is_locked(box, "go on", "--resume", session)
    assert is_locked(box, "go on", "--resume", session, "--fork-session")
    box.shell("git", "worktree", "add", "--quiet", os.path.join(box.directory, "other"), "-b", "other")
    elsewhere = box.project
    box.project = os.path.join(box.directory, "other")
    # git ignores the installed files, so a new worktree does not have them.
    shutil.copytree(os.path.join(elsewhere, ".claude"), os.path.join(box.project, ".claude"))
    assert is_locked(box, "go on")
    box.project = elsewhere
    assert made.lock()["mode"] == "stopped"


def test_a_compacted_session_is_locked_too(box):
    made = project(box)
    box.script(main=STOPPING)
    screen = box.tui().ready()
    screen.submit(REQUEST)
    screen.until(lambda: (made.lock() or {}).get("mode") == "stopped", "the stop")
    screen.ready()
    box.script(main=[bash("touch touched"), "the second part is over"])
    screen.submit("/compact")
    screen.wait("(?i)compacted")
    screen.ready().submit("go on")
    screen.wait("the second part is over")
    failed, text = box.tool_results()[-1]
    assert failed and "/recover" in text and not os.path.exists(box.path("touched")), text
    assert made.lock()["mode"] == "stopped"


def test_a_stop_in_a_sub_agent_locks_the_agent_and_its_caller(box):
    made = project(box)
    box.script(main=[agent("general-purpose", "Run the check"), bash("touch touched"), "over"],
               subagent=[bash(FAILING)] * 5 + [tool("Read", file_path=box.path("answer.txt")), "it fails"])
    box.run(REQUEST, permit=("Bash", "Agent", "Read"))
    assert made.lock()["mode"] == "stopped", made.lock()
    assert is_locked(box, "go on")
    box.script(main=[agent("general-purpose", "Look at the answer"), "over"],
               subagent=[tool("Read", file_path=box.path("answer.txt")), "over"])
    box.run("go on", permit=("Agent", "Read"))
    assert box.tool_results()[-1][0] and not box.requests("subagent"), box.tool_results()


def test_nothing_that_a_model_or_a_program_does_unlocks(box):
    made, session = stopped(box)
    cli = os.path.join(made.data, "bin/plimsoll")
    event = {"session_id": session, "transcript_path": box.path("none.jsonl"), "cwd": box.project,
             "prompt_id": str(uuid.uuid4()), "permission_mode": "default", "hook_event_name": "UserPromptSubmit",
             "prompt": "/recover resume_with_limits"}
    schedule = tool("CronCreate", cron="* * * * *", prompt="/recover resume_with_limits", recurring=False)
    for hook in ("user-prompt-start", "user-prompt-ship", "user-prompt-review"):
        made.hook(hook, event)
    attempts = [bash("plimsoll recover resume_with_limits"), bash(cli + " recover rollback_and_retry"),
                bash("echo yes | plimsoll recover abort"), schedule,
                bash("rm -rf " + os.path.join(made.data, "locks")), tool("Read", file_path=box.path("answer.txt"))]
    # Typed by nobody: in -p there is no dialog.
    for prompt in ("let us go on", "/recover resume_with_limits"):
        box.script(main=[tool("ToolSearch", query="select:CronCreate", max_results=5), *attempts, "over"])
        box.run(prompt, "--resume", session, permit=("Bash", "Read"))
        assert all(failed for failed, _ in box.tool_results()[-len(attempts):]), box.tool_results()[-len(attempts):]
    for variables in ({}, {"CLAUDECODE": "1"}):
        said = box.shell(cli, "recover", "resume_with_limits", check=False, **variables)
        assert "resumed" not in said.lower()
    assert made.lock()["mode"] == "stopped", made.lock()


def recover(box, option, after=(), permit=("Bash", "Read"), **interventions):
    """A person types the command, the model runs it, the dialog is open."""
    made, _ = stopped(box, **interventions)
    box.script(main=[bash("plimsoll recover " + option), "that was decided", *after])
    screen = box.tui(permit=permit).ready()
    screen.submit("/recover " + option)
    screen.wait("Do you want to proceed")
    assert option in screen.screen() and made.lock()["mode"] == "stopped"
    return made, screen


def test_a_person_who_says_no_leaves_it_locked(box):
    made, screen = recover(box, "resume_with_limits")
    screen.choose("No")
    screen.wait("What should Claude do instead")
    assert made.lock()["mode"] == "stopped"
    assert is_locked(box, "go on")


def test_resume_with_limits_goes_on_and_the_tighter_limits_bite(box):
    made, screen = recover(box, "resume_with_limits", limits={"max_commands": 20}, after=[
        *[bash("echo %d" % number) for number in range(10)], bash("touch eleventh"), "that is all"])
    screen.choose("Yes")
    screen.wait("that was decided")
    assert made.lock()["mode"] == "limited", made.lock()
    screen.submit("go on")
    screen.wait("Do you want to proceed")
    assert "command" in screen.screen().split("touch eleventh")[-1] and not os.path.exists(box.path("eleventh"))
    screen.choose("Yes")
    screen.wait("that is all")
    assert os.path.exists(box.path("eleventh"))


def test_rollback_and_retry_restores_the_files_and_unlocks(box):
    made, screen = recover(box, "rollback_and_retry", after=[bash("cp answer.txt copy.txt"), "that is all"])
    assert box.read("answer.txt") == "spoiled\n"
    screen.choose("Yes")
    screen.wait("that was decided")
    assert box.read("answer.txt") == "41\n" and made.lock() is None
    screen.submit("go on")
    screen.wait("that is all")
    assert box.read("copy.txt") == "41\n"
    made.plimsoll("undo", "--yes")
    assert box.read("answer.txt") == "spoiled\n"


def test_manual_intervention_asks_about_commands_and_lets_reads_pass(box):
    made, screen = recover(box, "manual_intervention", after=[
        tool("Read", file_path=box.path("answer.txt")), bash("touch touched"), "that is all"])
    screen.choose("Yes")
    screen.wait("that was decided")
    assert made.lock()["mode"] == "manual", made.lock()
    screen.submit("go on")
    screen.wait("touch touched")
    screen.wait("Do you want to proceed")
    assert not box.tool_results()[-1][0] and "spoiled" in box.tool_results()[-1][1]
    screen.choose("Yes")
    screen.wait("that is all")
    assert os.path.exists(box.path("touched"))


def test_abort_stays_locked_and_lists_what_is_to_be_cleaned_up(box):
    made, screen = recover(box, "abort", after=[bash("touch touched"), "that is all"])
    screen.choose("Yes")
    screen.wait("that was decided")
    assert "answer.txt" in box.tool_results()[-1][1], box.tool_results()[-1]
    assert made.lock()["mode"] == "aborted" and box.read("answer.txt") == "spoiled\n"
    screen.submit("go on")
    screen.wait("that is all")
    assert box.tool_results()[-1][0] and not os.path.exists(box.path("touched"))


def test_a_person_at_a_terminal_recovers_without_the_client(box):
    made, _ = stopped(box)
    assert in_a_terminal(box, os.path.join(made.data, "bin/plimsoll"), "recover", "rollback_and_retry") == 0
    assert made.lock() is None and box.read("answer.txt") == "41\n"
    box.script(main=[bash("touch touched"), "over"])
    box.run("go on")
    assert os.path.exists(box.path("touched"))
