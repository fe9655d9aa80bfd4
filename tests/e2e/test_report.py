"""The page of a project: what a person sees after a real session, in a real browser, by day and by night."""
import os

import browser
from project import Project
from replies import CHECKS, bash, quality_checker


def test_the_page_of_a_project_opens_in_a_browser(box):
    project = Project(box, required_loops=[1, 2])
    project.change()
    box.script(main=[quality_checker(), "the review is over"], subagent=CHECKS)
    box.run("/review --free --yes")
    # The page shows the newest session.
    box.script(main=[bash("git reset --hard"), bash("echo '<img src=x onerror=alert(1)>'"), "done"])
    box.run("tidy up", permit=("Bash",))
    command = os.path.join(box.home, ".local/share/plimsoll/bin/plimsoll")
    box.shell(command, "checkpoint", "create", "-m", "before the end")
    path = os.path.join(box.temporary, "page.html")
    box.shell(command, "report", "--output", path)
    page = browser.Page(box, path, "report")
    assert page.title.startswith("May not ship: "), page.title
    headings = " | ".join(page.texts("h1") + page.texts("h2") + page.texts("h3")).lower()
    for part in ("may not ship", "why it may not ship", "loops", "findings", "the session", "checkpoints"):
        assert part in headings, (part, headings)
    for detail in ("Loop 2 not run", "discard_changes", "git reset --hard", "plimsoll checkpoint restore"):
        assert detail in page.document, detail
    assert "<img" not in page.document
    assert page.console == [] and page.requests == [], (page.console, page.requests)
    browser.Page(box, path, "report", dark=True)
    browser.Page(box, path, "report", width=400)


def test_the_page_of_a_team_opens_in_a_browser(box):
    project = Project(box, required_loops=[1])
    key = os.path.join(box.home, "id_test")
    box.shell("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    with open(key + ".pub") as public:
        box.write(".claude/config/allowed-signers", "ada@example.com " + public.read())
    project.commit("Ada may sign")
    project.git("push", "--quiet", "--no-verify")
    project.change()
    project.plimsoll("review", "run", "--loop", "1")
    project.commit("Raise the answer")
    project.plimsoll("attest", "--key", key)
    project.change("43\n")
    project.commit("<img src=x onerror=alert(1)>")
    path = os.path.join(box.temporary, "team.html")
    project.plimsoll("report", "--team", "--output", path)
    page = browser.Page(box, path, "team")
    assert page.title.startswith("1 of 2 commits shipped reviewed"), page.title
    headings = " | ".join(page.texts("h2")).lower()
    for part in ("overrides", "without an attestation", "findings that came back", "attestations", "people"):
        assert part in headings, (part, headings)
    rows = " | ".join(page.texts("tr"))
    assert "Raise the answer" in rows and "ada@example.com" in rows and "<img src=x onerror=alert(1)>" in rows, rows
    assert "<img" not in page.document and "<rect" in page.document
    assert page.console == [] and page.requests == [], (page.console, page.requests)
    browser.Page(box, path, "team", dark=True)
    browser.Page(box, path, "team", width=400)
