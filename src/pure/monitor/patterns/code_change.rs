//! Which changes could change what a check shows.

/// Whether it is the source of a program: a change to it voids the runs before it. A change to a setting or a style could, too,
/// but seldom does, and nobody is held up for it.
pub(super) fn is_source(path: &str, project: &str) -> bool {
    const SOURCES: [&str; 64] = [
        "rs", "go", "py", "pyi", "pyx", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue",
        "svelte", "astro", "java", "kt", "kts", "scala", "groovy", "gradle", "rb", "erb", "rake", "php",
        "cs", "fs", "vb", "razor", "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "swift", "ex",
        "exs", "eex", "heex", "erl", "hs", "ml", "mli", "lua", "dart", "zig", "nim", "jl", "clj", "cljs",
        "elm", "sol", "pl", "pm", "sh", "bash", "sql", "proto", "graphql",
    ];
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    SOURCES.contains(&ending) && is_work(path, project)
}

/// Whether it belongs to the work: no notes, no scratch file, no plan of the agent.
pub(super) fn is_work(path: &str, project: &str) -> bool {
    let inside = !project.is_empty() && path.starts_with(project);
    let scratch = path.starts_with("/tmp/") || path.starts_with("/private/tmp/");
    !((scratch && !inside) || path.contains("/.claude/") || path.starts_with(".claude/"))
}

pub(super) fn is_test(path: &str) -> bool {
    let lower = path.to_lowercase();
    ["test", "spec"].iter().any(|word| lower.contains(word))
}
