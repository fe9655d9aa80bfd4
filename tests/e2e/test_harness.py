"""The harness itself, and what it relies on in the client; needs no build of Plimsoll.

The hook here is a few lines of Python that answer by a word in the command, and keep every event they see.
"""
import json
import os

from replies import agent, as_told, bash, question, report

HOOK = """#!/usr/bin/env python3
import json, os, sys
event = json.load(sys.stdin)
with open(os.path.join(os.environ["HOME"], "events.jsonl"), "a") as file:
    file.write(json.dumps(event) + "\\n")
if event["hook_event_name"] == "SessionStart":
    with open(os.environ["CLAUDE_ENV_FILE"], "a") as file:
        file.write('export PATH="/our/bin:$PATH"\\n')
if event["hook_event_name"] == "PreToolUse" and event["tool_name"] == "Bash":
    command = event["tool_input"]["command"]
    decision = next((word for word in ("deny", "ask") if word in command), None)
    if decision:
        print(json.dumps({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "for a reason",
            "updatedInput": {"command": command.replace("ask", "rewritten")}}}))
"""
EVENTS = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PermissionRequest", "PostToolUse",
          "PostToolUseFailure", "PostToolBatch", "Stop", "ConfigChange")


def guarded(box):
    hook = box.write(os.path.join(box.home, "hook.py"), HOOK, 0o755)
    entry = [{"hooks": [{"type": "command", "command": hook, "args": [], "timeout": 30}]}]
    box.write(".claude/settings.json", {"hooks": dict.fromkeys(EVENTS, entry)})
    return box


def events(box, *names):
    seen = [json.loads(line) for line in box.read(os.path.join(box.home, "events.jsonl")).splitlines()]
    return [event for event in seen if event["hook_event_name"] in names]


def test_a_denied_command_does_not_run_and_the_model_learns_why(box):
    guarded(box).script(main=[bash("touch deny.txt"), "I was stopped."])
    result = box.run("go")
    assert result["result"] == "I was stopped."
    assert not os.path.exists(box.path("deny.txt"))
    (failed, text), = box.tool_results()
    assert failed and "for a reason" in text


def test_an_ask_without_a_person_is_a_denial(box):
    guarded(box).script(main=[bash("touch ask.txt"), "over"])
    box.run("go")
    assert not os.path.exists(box.path("ask.txt")) and not os.path.exists(box.path("rewritten.txt"))
    (failed, text), = box.tool_results()
    assert failed and "for a reason" in text


def test_the_dialog_of_an_ask_shows_reason_and_rewritten_command_and_yes_runs_it(box):
    guarded(box).script(main=[bash("touch ask.txt"), "that is over"])
    screen = box.tui().ready()
    screen.submit("go")
    screen.wait("for a reason")
    screen.wait("touch rewritten.txt")
    screen.choose("Yes")
    screen.wait("that is over")
    assert os.path.exists(box.path("rewritten.txt")) and not os.path.exists(box.path("ask.txt"))


def test_a_refused_dialog_ends_the_turn_without_any_further_event(box):
    guarded(box).script(main=[bash("touch ask.txt"), "still here"])
    screen = box.tui().ready()
    screen.submit("go")
    screen.choose("No")
    screen.wait("What should Claude do instead")
    assert not os.path.exists(box.path("rewritten.txt"))
    screen.submit("and now?")
    screen.wait("still here")
    assert not events(box, "PostToolUse", "PostToolUseFailure", "PostToolBatch")


def test_a_person_answers_a_question_and_the_hooks_see_the_answer(box):
    guarded(box).script(main=[question("Proceed?", "Yes, run it", "No"), "answered"])
    screen = box.tui().ready()
    screen.submit("go")
    screen.choose("No")
    screen.wait("answered")
    event, = events(box, "PostToolUse")
    assert event["tool_input"]["answers"] == {"Proceed?": "No"}


def test_trusting_the_folder_by_hand_starts_the_session(box):
    guarded(box).script(main=["hello there"])
    screen = box.tui(trusted=False)
    screen.choose("Yes, I trust")
    screen.ready().submit("hi")
    screen.wait("hello there")


def test_the_path_of_the_session_start_hook_reaches_bash_in_agent_and_sub_agent(box):
    guarded(box).script(main=[bash("echo $PATH"), agent("general-purpose", "run `echo $PATH`"), "over"],
                        subagent=[as_told(r"echo \$PATH"), report])
    box.run("go")
    assert all("/our/bin:" in text for _, text in box.tool_results()), box.tool_results()


def test_a_project_command_arrives_once_as_prompt_and_once_as_expansion(box):
    guarded(box).write(".claude/commands/review.md", "---\ndescription: ours\n---\nReview with $ARGUMENTS.\n")
    box.run("/review --free")
    assert "Review with --free." in box.told()
    prompt, = events(box, "UserPromptSubmit")
    expansion, = events(box, "UserPromptExpansion")
    assert prompt["prompt"] == "/review --free"
    assert (expansion["command_name"], expansion["command_args"]) == ("review", "--free")
    assert prompt["prompt_id"] == expansion["prompt_id"]


def test_resume_and_continue_keep_the_session_id(box):
    guarded(box)
    session = box.run("one")["session_id"]
    assert box.run("two", "--resume", session)["session_id"] == session
    assert box.run("three", "--continue")["session_id"] == session
