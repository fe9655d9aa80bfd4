//! Ruby projects: their tools, run by bundler.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

pub(super) fn present(folder: &ProjectFolder<'_>) -> bool {
    folder.has("Gemfile")
}

pub(super) fn plan(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let bundled = |line: &str, why: &str| CheckPlan::tool(format!("bundle exec {line}"), why);
    let lints_with_rubocop = folder.has(".rubocop.yml");
    let lints_with_standard = folder.has(".standard.yml") || folder.says("Gemfile", "\"standard\"");
    match kind {
        CheckKind::Lint if lints_with_rubocop => bundled("rubocop", ".rubocop.yml"),
        CheckKind::Lint if lints_with_standard => bundled("standardrb", "standard"),
        CheckKind::Typecheck if folder.has("sorbet/config") => bundled("srb tc", "sorbet/config"),
        CheckKind::Typecheck if folder.has("Steepfile") => bundled("steep check", "Steepfile"),
        CheckKind::Format if lints_with_rubocop || lints_with_standard => {
            CheckPlan::missing("the layout is checked as it is linted")
        }
        CheckKind::Test => tests(folder),
        CheckKind::Integration if folder.has_folder("spec/integration") => {
            bundled("rspec spec/integration", "spec/integration/")
        }
        CheckKind::Integration if folder.has("bin/rails") && folder.has_folder("test/integration") => {
            bundled("rails test test/integration", "test/integration/")
        }
        CheckKind::E2e if folder.has_folder("spec/system") => bundled("rspec spec/system", "spec/system/"),
        CheckKind::E2e if folder.has("bin/rails") && folder.has_folder("test/system") => {
            bundled("rails test:system", "test/system/")
        }
        CheckKind::Build => CheckPlan::missing("a Ruby project has nothing to build"),
        _ => CheckPlan::missing(format!("no tool for {kind} is set up beside the Gemfile")),
    }
}

fn tests(folder: &ProjectFolder<'_>) -> CheckPlan {
    if folder.has(".rspec") || folder.has_folder("spec") {
        CheckPlan::tool("bundle exec rspec", "spec/")
    } else if folder.has("bin/rails") && folder.has_folder("test") {
        CheckPlan::tool("bundle exec rails test", "bin/rails")
    } else if folder.has("Rakefile") && folder.has_folder("test") {
        CheckPlan::tool("bundle exec rake test", "Rakefile")
    } else {
        CheckPlan::missing("no spec/ and no test/ beside the Gemfile")
    }
}
