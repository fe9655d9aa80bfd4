"""Allow once: a refused step runs only after a person's request and their yes in a dialog, once."""
import os
import pty
import re

from project import Project
from replies import bash

STEP = "rm -rf notes"


def refused(box):
    """A project with a folder that git does not know, and the id of the refusal to delete it."""
    project = Project(box, required_loops=[1])
    box.write("notes/idea.md", "worth keeping\n")
    box.script(main=[bash(STEP), "refused"])
    box.run("clean up")
    is_error, text = box.tool_results()[0]
    assert is_error and os.path.exists(box.path("notes")), text
    return project, re.search(r"/allow ([0-9a-f]+)", text).group(1)


def in_a_terminal(box, *command):
    """Runs a program as a person at a terminal does; returns its exit status."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(box.project)
        os.execvpe(command[0], command, box.environment())
    said = b""
    try:
        while chunk := os.read(descriptor, 4096):
            said += chunk
            word = re.search(rb"Type (\w+) to confirm: $", said)
            if word:
                os.write(descriptor, word.group(1) + b"\n")
    except OSError:
        pass  # The terminal closes when the program ends.
    box.output += said.decode()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_person_who_types_the_id_and_says_yes_lets_it_run_once(box):
    _, id = refused(box)
    box.script(main=[bash(STEP), "first over", bash(STEP), "second over"])
    screen = box.tui().ready()
    screen.submit("/allow " + id)
    screen.wait("Do you want to proceed")
    # The newer client draws a line beside the text, which breaks where the screen ends.
    assert "You allowed this once" in " ".join(screen.screen().replace("│", " ").split()), screen.screen()
    assert os.path.exists(box.path("notes"))
    screen.choose("Yes")
    screen.wait("first over")
    assert not os.path.exists(box.path("notes"))
    box.write("notes/idea.md", "again\n")
    screen.submit("once more")
    screen.wait("second over")
    assert box.tool_results()[-1][0] and os.path.exists(box.path("notes"))


def test_a_request_without_a_person_runs_nothing(box):
    _, id = refused(box)
    box.script(main=[bash(STEP), "over"])
    box.run("/allow " + id)
    is_error, text = box.tool_results()[0]
    assert is_error and "You allowed this once" in text and os.path.exists(box.path("notes")), text


def test_a_request_from_another_terminal_asks_in_the_client(box):
    _, id = refused(box)
    program = os.path.join(box.home, ".local/share/plimsoll/bin/plimsoll")
    assert in_a_terminal(box, program, "allow", "ffffff") == 2
    assert in_a_terminal(box, program, "allow", id) == 0
    box.script(main=[bash(STEP), "over"])
    screen = box.tui().ready()
    screen.submit("try again")
    screen.choose("No")
    screen.wait("What should Claude do instead")
    assert os.path.exists(box.path("notes"))


def test_a_rewritten_command_is_what_runs(box):
    project = Project(box, required_loops=[1])
    project.configure("blocking: {required_loops: [1]}\nstep_reviewer: {rules: {custom_rules_path: rules.yaml}}\n")
    box.write(os.path.join(box.home, ".config/plimsoll/rules.yaml"), """version: 1
rules:
  - name: gentle
    when: {program: echo, argument: --force}
    answer: modify
    reason: force is not needed
    instead_option: {from: --force, to: --keep}
    examples: {hit: [echo deploy --force], miss: [echo deploy]}
""")
    box.script(main=[bash("echo deploy --force"), "over"])
    box.run("deploy")
    is_error, text = box.tool_results()[0]
    assert not is_error and "deploy --keep" in text and "--force" not in text.split("hook")[0], text
    assert "[gentle]: force is not needed" in box.told()
