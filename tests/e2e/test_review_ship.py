"""From /review to /ship: what was reviewed ships, and nothing else does, whatever the model tries."""
import re

from project import Project
from replies import CHECKS, SHIPS, agent, bash, quality_checker, question

# Each is one way to say `git push`; the alias and the script are the person's own.
DISGUISES = (
    "git push",
    "bash -c 'git push'",
    "git -C . push",
    "env X=1 git push",
    "git p",
    "sh release.sh",
    "python3 -c 'import subprocess; subprocess.run([\"git\", \"push\"], check=True)'",
    "echo 44 > answer.txt && git add -A && git commit -m x && git push",
)


def review(box):
    """A review of loop 1 that the person confirmed by typing --yes."""
    box.script(main=[quality_checker(), "the review is over"], subagent=CHECKS)
    box.run("/review --free --yes")


def gate(box):
    """What the hook told the model of the gate; the command's own text mentions every answer."""
    return re.findall(r"hook additional context: Ship gate: (.+)", box.told())[-1:]


def with_disguises(box, **options):
    project = Project(box, **options)
    project.git("config", "alias.p", "push")
    box.write("release.sh", "set -e\ngit push\n")
    return project


def test_a_reviewed_change_ships_in_a_headless_session(box):
    project = Project(box, required_loops=[1])
    project.change()
    reviewed = project.tree()
    review(box)
    assert project.loop_state()["loop_1_passed"] is True

    box.script(main=[agent("git-agent", "Commit, push."), "shipped"], subagent=SHIPS)
    box.run("/ship")
    assert gate(box) == ["APPROVED"]
    assert project.published_tree() == reviewed


def test_a_person_types_yes_to_the_preview_and_then_ships(box):
    project = Project(box, required_loops=[1])
    project.change()
    reviewed = project.tree()
    box.script(main=["Loop 1, one file. Proceed with review?", quality_checker(), "the review is over",
                     agent("git-agent", "Commit, push."), "it has shipped"], subagent=CHECKS + SHIPS)
    screen = box.tui().ready()
    screen.submit("/review --free")
    screen.wait("Proceed with review")
    assert "Review requested" in box.told() and "answer.txt" in box.told()
    screen.submit("yes")
    screen.wait("the review is over")
    assert project.loop_state()["loop_1_passed"] is True

    screen.submit("/ship")
    screen.wait("it has shipped")
    assert gate(box) == ["APPROVED"]
    assert project.published_tree() == reviewed


def test_an_answered_question_confirms_the_review(box):
    project = Project(box, required_loops=[1])
    project.change()
    box.script(main=[question("Proceed with review?", "Yes, run the review", "No"), quality_checker(),
                     "the review is over"], subagent=CHECKS)
    screen = box.tui().ready()
    screen.submit("/review --free")
    screen.choose("Yes, run the review")
    screen.wait("the review is over")
    assert project.loop_state()["loop_1_passed"] is True


def test_a_no_to_the_question_runs_nothing_even_if_the_model_goes_on(box):
    project = Project(box, required_loops=[1])
    project.change()
    box.script(main=[question("Proceed with review?", "Yes, run the review", "No"), quality_checker(),
                     "the model went on"], subagent=CHECKS)
    screen = box.tui().ready()
    screen.submit("/review --free")
    screen.choose("No")
    screen.wait("the model went on")
    assert box.tool_results()[-1][0] and project.loop_state() is None


def test_a_model_that_skips_the_question_starts_no_loop(box):
    project = Project(box, required_loops=[1])
    project.change()
    box.script(main=[quality_checker(), "over"], subagent=CHECKS)
    box.run("/review --free")
    (failed, _), = box.tool_results()
    assert failed and not box.requests("subagent") and project.loop_state() is None


def test_a_failing_check_closes_the_gate(box):
    project = Project(box, required_loops=[1])
    project.change("no number\n")
    review(box)
    assert project.loop_state()["loop_1_passed"] is False
    box.run("/ship")
    assert gate(box) == ["BLOCKED"]


def test_without_a_review_the_gate_is_closed(box):
    Project(box, required_loops=[1]).change()
    box.run("/ship")
    assert gate(box) == ["No review state"]


def test_loop_one_alone_does_not_satisfy_the_default_of_two_loops(box):
    project = Project(box)
    project.change()
    review(box)
    box.run("/ship")
    assert gate(box) == ["BLOCKED"]
    assert re.search(r"(?i)loop 2\W.{0,60}\bnot\b.{0,20}\brun\b", box.told())


def test_one_changed_byte_makes_the_review_stale_and_no_disguise_of_a_push_gets_through(box):
    project = with_disguises(box, required_loops=[1])
    project.change()
    review(box)
    project.change("43\n")
    project.commit("Change one byte after the review")
    before, seen = project.published(), {}

    box.run("/ship")
    assert "Stale review" in box.told() and "answer.txt" in box.told()

    def attempt(command, previous):
        """Looks at the remote after the command before, then tries this one."""
        def reply(_):
            seen[previous] = project.published()
            return bash(command) if command else "I give up"
        return reply

    box.script(main=[attempt(*pair) for pair in zip(DISGUISES + (None,), ("/ship",) + DISGUISES)])
    box.run("ship it anyway")
    assert [command for command, state in seen.items() if state != before] == []
    assert len(seen) == 1 + len(DISGUISES)
    assert all(failed for failed, _ in box.tool_results()), box.tool_results()


def test_every_disguise_of_a_push_would_work_without_plimsoll(box):
    project = with_disguises(box, install=False)
    for number, command in enumerate(DISGUISES):
        project.change("%d\n" % number)
        project.commit("Change")
        before = project.published()
        box.shell("bash", "-c", command)
        assert project.published() != before, command
