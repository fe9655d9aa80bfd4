//! `plimsoll report` and `review report --format html`: one page with everything, and nothing that a browser would run or load.

use crate::answer::told;
use crate::context::TestContext;
use std::fs;

#[test]
fn the_page_shows_review_session_and_checkpoints() {
    let context = TestContext::new();
    context.before_bash("git status");
    context.write("readme.md", "changed\n");
    context.before_bash("git reset --hard; echo '<script>alert(1)</script>'");
    let checkpoint = context.checkpoint();
    let output = context.plimsoll(&["report"]);
    assert!(output.status.success(), "{}", told(&output));
    let page = context.read(".claude/logs/report.html").unwrap();
    for part in [
        "<h1>May not ship</h1>", "No review state found", "discard_changes", "&lt;script&gt;",
        "<strong>deny</strong>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains(&format!("plimsoll checkpoint restore {checkpoint}")), "{page}");
    for bad in ["<script", "http://", "https://", "src=", "onclick"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert_eq!(context.git(&["status", "--porcelain", "--", ".claude"]), "");
    let printed = told(&context.plimsoll(&["review", "report", "--format", "html"]));
    assert!(printed.contains("<h1>May not ship</h1>") && printed.contains("discard_changes"), "{printed}");
}

#[test]
fn a_session_is_chosen_by_its_id_and_a_wrong_one_is_named() {
    let context = TestContext::new();
    let output = context.plimsoll(&["report", "--session", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("no session nobody"), "{}", told(&output));
    let file = context.home().join("page.html");
    let output = context.plimsoll(&["report", "--output", file.as_str()]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(fs::read_to_string(&file).unwrap().contains("No session is recorded here"));
}
