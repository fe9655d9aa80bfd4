"""When the agent goes wrong: what the model is told, what is refused, and what a person can take back.

The model that goes wrong repeats one harmless script that fails.
"""
import os
import re

from project import Project
from replies import agent, bash, tool

REQUEST = "Raise the answer to 42"
FAILING = "sh check.sh"
ERROR = "the tide table is missing"


def project_with_a_failing_script(box, **sections):
    project = Project(box)
    box.write("check.sh", "echo '%s' >&2\nexit 3\n" % ERROR)
    project.commit("Add a check")
    if sections:
        project.settings(**sections)
    return project


def interventions(text):
    """(kind, pattern, sign) of everything that Plimsoll said in it."""
    return re.findall(r"Plimsoll \[(\w+)/(\w+)/(\w+)\]: ", text)


def after_each_call(box, kind="main"):
    """The kinds that the model was told of after its first, second … message."""
    return [[found[0] for found in interventions(request.last)] for request in box.requests(kind)[1:]]


def words(box, kind):
    """What the first intervention of that kind said, up to the next one or the end of the message."""
    for request in box.requests():
        found = re.search(r"Plimsoll \[%s/.*?(?=\nPlimsoll \[|\Z)" % kind, request.last, re.S)
        if found:
            return found.group(0)
    raise AssertionError("no %s in what the model was told" % kind)


def test_a_repeated_failing_command_is_corrected_then_refused_with_a_checkpoint_then_stopped(box):
    project = project_with_a_failing_script(box)
    box.script(main=[bash(FAILING)] * 7 + ["over"])
    session = box.run(REQUEST)["session_id"]
    told, results = after_each_call(box), box.tool_results()
    assert told[0] == told[1] == [], told
    assert told[2] == ["soft_correction"], told
    assert "checkpoint_rollback" in told[3], told
    assert all(ERROR in text for _, text in results[:4]), results
    assert ERROR not in results[4][1] and "repetitive_errors" in results[4][1], results[4]
    assert project.lock() and len(project.incidents()) == 1, told
    # The stop ends the turn where the client lets it; then the model reads of it when somebody talks to it again.
    box.script(main=[bash("echo still here"), "over"])
    box.run("What happened?", "--resume", session)
    incident = os.path.basename(project.incidents()[0])
    assert incident in words(box, "emergency_stop") and REQUEST in words(box, "emergency_stop")
    failed, text = box.tool_results()[-1]
    assert failed and incident in text and "/recover" in text, text

    correction = words(box, "soft_correction")
    assert "different approach" in correction and FAILING in correction and ERROR in correction, correction
    rollback = words(box, "checkpoint_rollback")
    kept = [checkpoint["id"] for checkpoint in project.checkpoints()]
    assert kept and any(one in rollback for one in kept), (kept, rollback)
    assert "plimsoll checkpoint restore" in rollback, rollback


def test_a_file_that_does_not_exist_is_named_in_the_correction(box):
    project_with_a_failing_script(box)
    missing = [box.path(name) for name in ("tides.txt", "harbour.txt", "quay.txt")]
    edits = [tool("Edit", file_path=path, old_string="41", new_string="42") for path in missing]
    box.script(main=edits + ["over"])
    box.run(REQUEST, permit=("Edit",))
    told = after_each_call(box)
    assert told[0] == told[1] == [] and told[2] == ["soft_correction"], told
    correction = words(box, "soft_correction")
    assert "hallucination/phantom_path" in correction and "quay.txt" in correction, correction


SCOPED = {"step_reviewer": {"scope": {"expected_paths": ["answer.txt"]},
                            "overrides": [{"paths": ["**"], "disabled_rules": ["out_of_scope"]}]},
          "interventions": {"strategy": {"type": "pattern_specific"}}}


def test_work_outside_the_scope_gets_the_request_the_paths_and_the_plan_again(box):
    project_with_a_failing_script(box, **SCOPED)
    box.script(main=[tool("TaskCreate", subject="Count the boats", description="all"),
                     tool("TaskCreate", subject="Write the number", description="down"),
                     tool("TaskUpdate", taskId="1", status="completed"),
                     tool("Write", file_path=box.path("harbour/notes.md"), content="boats\n"), "over"])
    box.run(REQUEST, permit=("Write", "TaskCreate", "TaskUpdate"))
    assert after_each_call(box) == [[], [], [], ["context_reinforcement"]], after_each_call(box)
    said = words(box, "context_reinforcement")
    assert "scope_creep" in said and REQUEST in said and "answer.txt" in said and "harbour/notes.md" in said, said
    assert "Write the number" in said, said


def test_throttled_limits_are_told_and_bite(box):
    project = project_with_a_failing_script(box, interventions={
        "patterns": {"calls_per_prompt": {"soft": 1, "deny": 4, "stop": 40}}, "limits": {"batch_size": 4}})
    box.script(main=[bash("echo %d" % number) for number in range(1, 5)]
               + [[bash("echo five > five"), bash("echo six > six"), bash("echo seven > seven")], "over"])
    box.run(REQUEST)
    told = after_each_call(box)
    assert told[3] == ["resource_throttling"], told
    notice = words(box, "resource_throttling")
    assert re.search(r"(?i)batch size\D{0,20}\b2\b", notice), notice
    assert re.search(r"(?i)file operations\D{0,20}\d", notice) and re.search(r"(?i)token\D{0,20}\d", notice), notice
    assert re.search(r"\b4\b.{0,20}calls", notice), notice
    ran = [name for name in ("five", "six", "seven") if os.path.exists(box.path(name))]
    assert len(ran) == 2, (ran, box.tool_results()[4:])
    assert not project.lock()


# The client writes a message into its transcript some time after the call has begun.
TRANSCRIPT_HAS_TWO_MESSAGES = (
    "for n in $(seq 200); do [ \"$(cat \"$(ls -t ~/.claude/projects/*/*.jsonl | head -n 1)\""
    " | grep -c '\"output_tokens\"')\" -lt 2 ] || break; sleep 0.1; done")

# Which limit, the tool calls before it, how much each answer costs, and the word that the refusal contains.
LIMITS = (
    ({"max_commands": 2}, [bash("echo 1"), bash("echo 2")], 120, "command"),
    ({"max_tokens": 5000}, [bash("echo 1"), bash(TRANSCRIPT_HAS_TWO_MESSAGES), bash("echo 3")], 3000, "token"),
    ({"max_execution_seconds": 1}, [bash("sleep 2")], 120, "second"),
)


def test_limits_of_commands_tokens_and_time_bite_at_the_next_call(box):
    project = project_with_a_failing_script(box)
    for limits, before, tokens, word in LIMITS:
        project.settings(interventions={"limits": limits})
        box.server.usage = {"input_tokens": tokens - 20, "output_tokens": 20}
        box.script(main=before + [bash("touch " + word), "over"])
        box.run(REQUEST)
        failed, text = box.tool_results()[-1]
        assert failed and word in text.lower() and not os.path.exists(box.path(word)), (word, text)
        assert not box.tool_results()[0][0], box.tool_results()


def test_a_person_decides_about_a_reached_limit(box):
    project_with_a_failing_script(box, interventions={"limits": {"max_commands": 2}})
    box.script(main=[bash("echo 1"), bash("echo 2"), bash("touch third"), "that is over"])
    screen = box.tui().ready()
    screen.submit(REQUEST)
    screen.wait("Do you want to proceed")
    assert "command" in screen.screen() and not os.path.exists(box.path("third"))
    screen.choose("Yes")
    screen.wait("that is over")
    assert os.path.exists(box.path("third"))


def test_an_automatic_rollback_restores_the_files_and_undo_takes_it_back(box):
    project = project_with_a_failing_script(box, interventions={"checkpoint_rollback": {"mode": "automatic"}})
    spoiled = "41 and a half\n"
    box.write("notes.txt", "work of an afternoon\n")
    box.script(main=[bash("printf '41 and a half\\n' > answer.txt && rm notes.txt")] + [bash(FAILING)] * 4 + ["over"])
    box.run(REQUEST)
    assert "checkpoint_rollback" in after_each_call(box)[4], after_each_call(box)
    assert box.read("answer.txt") == "41\n" and box.read("notes.txt") == "work of an afternoon\n"
    project.plimsoll("undo", "--yes")
    assert box.read("answer.txt") == spoiled and not os.path.exists(box.path("notes.txt"))
    project.plimsoll("undo", "--yes")
    assert box.read("answer.txt") == "41\n"


def claims(box):
    """The requests in which the model was asked to show what it had said."""
    return [request for request in box.requests()
            if any(sign == "unproven_claim" for _, _, sign in interventions(request.last))]


def test_a_claim_that_no_run_shows_is_asked_for_once_and_the_run_answers_it(box):
    project_with_a_failing_script(box)
    box.script(main=[bash("npm test"), bash("echo 'exports.answer = 42' > answer.js"), "All tests pass.", bash("npm test"),
                     "All tests pass."])
    result = box.run(REQUEST)
    assert len(claims(box)) == 1 and "npm test" in box.requests()[3].last, box.requests()[3].last
    assert result["result"] == "All tests pass." and len(box.requests()) == 5


def test_a_claim_that_is_only_repeated_ends_the_turn(box):
    project_with_a_failing_script(box)
    box.script(main=[bash("echo 42 > answer.txt"), "All tests pass.", "All tests pass, believe me."])
    result = box.run(REQUEST)
    assert len(claims(box)) == 1 and len(box.requests()) == 3
    assert result["result"] == "All tests pass, believe me."


def test_a_claim_after_a_run_is_not_asked_about(box):
    project_with_a_failing_script(box)
    box.script(main=[bash("echo 42 > answer.txt"), bash("npm test"), "All tests pass."])
    box.run(REQUEST)
    assert claims(box) == [] and len(box.requests()) == 3


def test_what_one_agent_repeats_is_told_to_that_agent_alone(box):
    project_with_a_failing_script(box)
    box.script(main=[agent("general-purpose", "Run the check"), bash("echo fine"), "over"],
               subagent=[bash(FAILING)] * 3 + ["it fails"])
    box.run(REQUEST)
    assert after_each_call(box, "subagent") == [[], [], ["soft_correction"]], after_each_call(box, "subagent")
    assert after_each_call(box) == [[], []], after_each_call(box)


def test_honest_work_is_left_alone(box):
    """A red test, a change, a green one; the same look twice; three calls at once."""
    project_with_a_failing_script(box)
    box.script(main=[bash("npm test"), bash("echo no > answer.txt"), bash("npm test"), bash("echo 42 > answer.txt"),
                     bash("npm test"), bash("git status --short"), bash("git status --short"),
                     [bash("cat check.sh")] * 3, "The tests pass."])
    box.run(REQUEST)
    assert interventions(box.told()) == []
