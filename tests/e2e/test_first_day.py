"""The first day: a new user in a fresh home installs, changes one line, reviews it and ships it, and nothing is in the way."""
import os

from project import BUILD, PACKAGE, ROOT
from replies import CHECKS, agent, bash, quality_checker, read_all, report, reviewer, verdict
from test_review_ship import gate

SHIPS = [bash("git add --all"), bash("git commit -m 'Raise the answer'"), bash("git push"), report]
PERMIT = ("Bash", "Agent", "Read")


class Repository:
    """A project of the user on `main`, whose upstream has everything."""

    def __init__(self, box, name):
        self.box, self.remote = box, os.path.join(box.directory, name + ".git")
        self.place = os.path.join(box.directory, name)
        os.makedirs(self.place, exist_ok=True)
        box.shell("git", "init", "--quiet", "--bare", "-b", "main", self.remote)
        self.git("init", "--quiet")
        for file, content in (("package.json", PACKAGE), ("answer.txt", "41\n"), (".gitignore", "node_modules\n")):
            box.write(os.path.join(self.place, file), content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Start")
        self.git("remote", "add", "origin", self.remote)
        self.git("push", "--quiet", "--set-upstream", "origin", "main")

    def git(self, *arguments):
        return self.box.shell("git", *arguments, directory=self.place).strip()

    def change(self, content="42\n"):
        self.box.write(os.path.join(self.place, "answer.txt"), content)

    def published(self):
        """The files on the remote, and the one line that the user changes."""
        remote = ("--git-dir", self.remote)
        return self.git(*remote, "ls-tree", "-r", "--name-only", "main").split(), self.git(*remote, "show", "main:answer.txt")


def install(box, *arguments, directory):
    box.output += box.shell(os.path.join(ROOT, "install.sh"), *arguments, "--no-build", directory=directory,
                            PLIMSOLL_BUILD_DIR=BUILD)


def terminal(box, repository):
    box.project = repository.place
    return box.tui(permit=PERMIT).ready()


def review(box, screen):
    """`/review --claude` with a yes to its preview; returns what the preview said."""
    box.script(main=["Loops 1 and 2, one file. Proceed with review?", quality_checker(), reviewer(), "the review is over"],
               subagent=CHECKS + [read_all, verdict()])
    screen.submit("/review --claude")
    screen.wait("Proceed with review")
    preview = box.told()
    screen.submit("yes")
    screen.wait("the review is over")
    return preview


def ship(box, screen, last="it has shipped"):
    box.script(main=[agent("git-agent", "Commit, push."), last], subagent=SHIPS)
    screen.submit("/ship")
    screen.wait(last)
    return gate(box)


def no_word_about_our_files(text):
    return not [line for line in text.splitlines() if line.strip().strip('",').startswith(".claude/")]


def test_a_new_user_installs_into_a_project_and_ships_one_line(box):
    repository = Repository(box, "project")
    install(box, "--project", repository.place, directory=repository.place)
    assert "nothing to commit: git ignores what was installed" in box.output, box.output
    assert repository.git("status", "--porcelain", "--untracked-files=all") == ""

    repository.change()
    screen = terminal(box, repository)
    preview = review(box, screen)
    context = preview[preview.index("Review requested"):]
    assert '"answer.txt"' in context and no_word_about_our_files(context), context
    report = box.shell(os.path.join(box.home, ".local/share/plimsoll/bin/plimsoll"), "review", "report")
    assert ".claude/" not in report and ".gitignore" not in report, report

    assert ship(box, screen) == ["APPROVED"]
    files, answer = repository.published()
    assert (files, answer) == ([".gitignore", "answer.txt", "package.json"], "42")
    assert repository.git("status", "--porcelain", "--untracked-files=all") == ""
    assert not screen.dialog(), screen.screen()


def test_a_new_user_installs_for_all_projects_and_ships_from_two(box):
    first, second = Repository(box, "project"), Repository(box, "second")
    install(box, "--user", directory=box.home)
    first.change()
    second.change("43\n")
    screen = terminal(box, first)
    review(box, screen)

    # The review of the first says nothing about the second.
    other = terminal(box, second)
    box.script(main=["not yet"])
    other.submit("/ship")
    other.wait("not yet")
    assert gate(box) == ["No review state"]
    review(box, other)
    assert ship(box, other) == ["APPROVED"]
    assert second.published()[1] == "43"

    box.project = first.place
    assert first.published()[1] == "41"
    assert ship(box, screen, "it has shipped as well") == ["APPROVED"]
    assert first.published() == ([".gitignore", "answer.txt", "package.json"], "42")
    for repository in (first, second):
        assert repository.git("status", "--porcelain", "--untracked-files=all") == ""
