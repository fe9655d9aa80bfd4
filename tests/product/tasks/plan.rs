//! Plans become tasks, once.

use super::Tasking;
use crate::answer::told;
use crate::context::TestContext;

const PLAN: &str = "# Plan\n\n- [ ] Log in\n  - scope: `src/**`\n  - [ ] wrong passwords are refused\n- [x] Set up\n- [ ] Log out\n";

#[test]
fn a_plan_is_imported_once_however_often_it_is_read() {
    let context = TestContext::new();
    context.write("plan.md", PLAN);
    let first = context.task(&["import", "plan.md"]);
    assert_eq!(first["added"].as_array().unwrap().len(), 2);
    assert_eq!((&first["added"][0]["scope"][0], &first["ticked"]), (&"src/**".into(), &1.into()));
    let second = context.task(&["import", "./plan.md"]);
    assert_eq!((second["added"].as_array().unwrap().len(), &second["unchanged"]), (0, &2.into()));
    assert_eq!(context.task(&["list"])["tasks"].as_array().unwrap().len(), 2);
}

#[test]
fn a_changed_plan_changes_what_nobody_began_and_ticks_complete_nothing() {
    let context = TestContext::new();
    context.write("plan.md", PLAN);
    context.task(&["import", "plan.md"]);
    context.start_as("s", "T-2");
    let changed =
        PLAN.replace("src/**", "lib/**").replace("- [ ] Log out\n", "- [x] Log out\n  - scope: x\n")
            + "- [ ] New\n";
    context.write("plan.md", changed);
    let again = context.task(&["import", "plan.md"]);
    assert_eq!(again["redefined"][0]["scope"][0], "lib/**");
    assert_eq!(again["kept"][0]["id"], "T-2");
    assert_eq!(again["added"][0]["title"], "New");
    assert_eq!(context.task(&["show", "T-2"])["status"], "IN_PROGRESS");
    context.task(&["release", "T-2"]);
    assert_eq!(context.task(&["import", "plan.md"])["kept"][0]["id"], "T-2", "given back is not unbegun");
}

#[test]
fn a_plan_that_is_missing_or_no_text_is_an_error_and_adds_nothing() {
    let context = TestContext::new();
    context.write("binary.md", b"- [ ] x\xff\xfe\n");
    for (file, word) in [("nowhere.md", "no file"), ("binary.md", "not text")] {
        let output = context.plimsoll(&["task", "import", file]);
        assert!(output.status.code() == Some(2) && told(&output).contains(word), "{}", told(&output));
    }
    context.write("bad.md", format!("- [ ] {}\n- [ ] Good\n", "x".repeat(300)));
    let output = context.plimsoll(&["task", "import", "bad.md"]);
    assert!(output.status.code() == Some(1) && told(&output).contains("not imported"), "{}", told(&output));
    assert_eq!(context.task(&["list"])["tasks"].as_array().unwrap().len(), 1);
}

#[test]
fn a_plan_with_a_secret_in_it_is_still_imported_once() {
    let context = TestContext::new();
    // Put together at run time, so that no scanner takes this file for a leak.
    let secret = format!("{}_{}", "ghp", "kQ7xZ2mV9rT4wB8nL3sD6fH1jP5cYgXaWeUi");
    context.write("plan.md", format!("- [ ] Rotate {secret}\n  - accept: {secret} is gone\n"));
    for _ in 0..2 {
        let output = context.plimsoll(&["task", "import", "plan.md"]);
        assert!(output.status.success(), "{output:?}");
    }
    let listed = context.task(&["list"]);
    assert!(listed.to_string().contains("Rotate ghp_…") && !listed.to_string().contains(&secret), "{listed}");
    assert_eq!(listed.to_string().matches("Rotate").count(), 1, "{listed}");
    assert!(context.events().iter().all(|event| !event.to_string().contains("redefined")));
}
