"""The names that we install beside the client's own: none of the client's is lost, except the one that the README names."""
import glob
import os
import re

from project import ROOT, Project, plugin

TAKEN_OVER = {"review"}


def names(box, *arguments):
    """What a new session offers: the client lists it in its first message."""
    box.run("hello", *arguments)
    first = next(message for message in box.messages if message.get("subtype") == "init")
    return {kind: set(first.get(kind, ())) for kind in ("slash_commands", "agents", "skills")}


def ours():
    commands = {os.path.basename(path)[:-3] for path in glob.glob(os.path.join(ROOT, "commands/*.md"))}
    agents = {os.path.basename(path)[:-3] for path in glob.glob(os.path.join(ROOT, "agents/*.md"))}
    skills = set(os.listdir(os.path.join(ROOT, "skills")))
    return {"slash_commands": commands | skills, "agents": agents, "skills": commands | skills}


def test_a_project_install_takes_over_review_and_no_other_name_of_the_client(box):
    project = Project(box, install=False)
    before = names(box)
    project.install()
    after = names(box)
    for kind, mine in ours().items():
        assert before[kind] <= after[kind], (kind, before[kind] - after[kind])
        same = before[kind] & mine
        assert same <= TAKEN_OVER, (kind, same)
        assert kind == "skills" or mine <= after[kind], (kind, mine - after[kind])


def test_a_plugin_takes_over_no_name_of_the_client(box):
    Project(box, install=False)
    before = names(box)
    after = names(box, "--plugin-dir", plugin(box))
    for kind, mine in ours().items():
        assert before[kind] <= after[kind], (kind, before[kind] - after[kind])
        added = after[kind] - before[kind]
        assert all(name.startswith("plimsoll:") for name in added), (kind, added)
        assert kind == "skills" or {"plimsoll:" + name for name in mine} <= added, (kind, mine, added)


def offered(screen, name):
    """The commands and their aliases that the client offers for a typed name."""
    suggestion = re.compile(r"(?m)^[\s❯]*/([\w:-]+)(?: \(([\w, -]+)\))?  +\S")
    nothing = 'No commands match "/%s"' % name
    screen.tmux("send-keys", "-l", "/" + name)
    shown = screen.until(lambda: (text := screen.screen()) and (nothing in text or suggestion.search(text)) and text,
                         "suggestions for /" + name)
    screen.keys("C-u")
    screen.until(lambda: not suggestion.search(screen.screen()) and nothing not in screen.screen(), "an empty line")
    return {each for found in suggestion.findall(shown) for part in found for each in part.split(", ") if each}


def test_commands_and_aliases_that_only_a_terminal_knows_have_other_names(box):
    screen = box.tui().ready()
    taken = {name for name in ours()["slash_commands"] if name in offered(screen, name)}
    assert taken == TAKEN_OVER, taken
