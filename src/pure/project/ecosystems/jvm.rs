//! Java and Kotlin projects: maven and gradle, by the project's own wrapper where there is one.

use crate::pure::project::folder::ProjectFolder;
use crate::pure::project::{CheckKind, CheckPlan};

const GRADLE: [&str; 2] = ["build.gradle", "build.gradle.kts"];

pub(super) fn maven_present(folder: &ProjectFolder<'_>) -> bool {
    folder.has("pom.xml")
}

pub(super) fn gradle_present(folder: &ProjectFolder<'_>) -> bool {
    folder.first_of(&GRADLE).is_some()
}

pub(super) fn maven(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let program = if folder.has("mvnw") { "./mvnw" } else { "mvn" };
    let declares = |plugin: &str| folder.says("pom.xml", plugin);
    let goals = match kind {
        CheckKind::Lint => {
            let plugins = [
                ("maven-checkstyle-plugin", "checkstyle:check"),
                ("maven-pmd-plugin", "pmd:check"),
                ("spotbugs-maven-plugin", "compile spotbugs:check"),
            ];
            let declared = plugins.into_iter().filter(|(plugin, _)| declares(plugin)).map(|(_, goals)| goals);
            declared.collect::<Vec<_>>().join(" ")
        }
        CheckKind::Typecheck => "test-compile".into(),
        CheckKind::Format if declares("spotless-maven-plugin") => "spotless:check".into(),
        CheckKind::Build => "-DskipTests package".into(),
        CheckKind::Test => "test".into(),
        CheckKind::Integration if declares("maven-failsafe-plugin") => "verify".into(),
        CheckKind::Format | CheckKind::Integration | CheckKind::E2e => String::new(),
    };
    match goals.as_str() {
        "" => CheckPlan::missing(format!("no plugin for {kind} in pom.xml")),
        goals => CheckPlan::tool(format!("{program} -q -B {goals}"), "pom.xml"),
    }
}

pub(super) fn gradle(kind: CheckKind, folder: &ProjectFolder<'_>) -> CheckPlan {
    let file = folder.first_of(&GRADLE).unwrap_or_default();
    let program = if folder.has("gradlew") { "./gradlew" } else { "gradle" };
    let says = |text: &str| folder.says(file, text);
    let task = match kind {
        CheckKind::Lint => {
            [("detekt", "detekt"), ("ktlint", "ktlintCheck"), ("checkstyle", "checkstyleMain")]
                .into_iter()
                .find(|(plugin, _)| says(plugin))
                .map(|(_, task)| task)
        }
        CheckKind::Typecheck => (!says("com.android")).then_some("testClasses"),
        CheckKind::Format => says("spotless").then_some("spotlessCheck"),
        CheckKind::Build => Some("assemble"),
        CheckKind::Test => Some("test"),
        CheckKind::Integration => says("integrationTest").then_some("integrationTest"),
        CheckKind::E2e => says("e2eTest").then_some("e2eTest"),
    };
    match task {
        Some(task) => CheckPlan::tool(format!("{program} -q --console=plain {task}"), file),
        None => CheckPlan::missing(format!("no plugin or task for {kind} in {file}")),
    }
}
