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

/// The part of a check's result that an edit could change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EditEffect {
    /// Comments: nothing.
    Nothing,
    /// Layout, and comments that speak to a linter: what a linter or formatter says.
    Lint,
    Code,
}

impl EditEffect {
    pub(super) fn of(path: &str, from: &str, to: &str) -> Self {
        if from == to {
            return Self::Code;
        }
        let layout = if means_layout(path) { Layout::Kept } else { Layout::Ignored };
        let lines = |text| without_comments(text, layout).collect::<Vec<_>>();
        if lines(from) == lines(to) {
            return Self::Nothing;
        }
        if tokens(from, layout) == tokens(to, layout) { Self::Lint } else { Self::Code }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Kept,
    Ignored,
}

/// Whether lines and indentation mean something in this language.
fn means_layout(path: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        ".py", ".pyi", ".pyx", ".sh", ".bash", ".nim", ".hs", ".elm", ".fs", ".ml", ".mli", ".erb", ".eex",
        ".heex",
    ];
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

const DIRECTIVES: [&str; 10] =
    ["nolint", "noqa", "eslint", "@ts-", "type:", "go:", "pragma", "pylint", "rubocop", "coverage"];
/// Those that only a linter reads.
const OF_LINTERS: [&str; 7] = ["nolint", "noqa", "eslint", "pylint", "rubocop", "biome-ignore", "oxlint"];

fn is_comment(line: &str) -> bool {
    const MARKS: [&str; 8] = ["// ", "///", "//!", "/* ", "/**", "* ", "# ", "-- "];
    MARKS.iter().any(|mark| line.starts_with(mark)) || matches!(line, "//" | "#" | "*" | "*/" | "/*")
}

/// The lines that are no comments, in most languages. What speaks to a compiler or a linter is none.
fn without_comments(text: &str, layout: Layout) -> impl Iterator<Item = &str> {
    let speaks = |line: &str| DIRECTIVES.iter().any(|word| line.contains(word));
    let code = move |line: &&str| {
        let line = line.trim();
        !(line.is_empty() || (is_comment(line) && !speaks(line)))
    };
    let shown = move |line| if layout == Layout::Kept { str::trim_end(line) } else { str::trim(line) };
    text.lines().filter(code).map(shown)
}

/// The text without comments for people and linters and, unless it means something, without layout.
fn tokens(text: &str, layout: Layout) -> String {
    let mut tokens = String::with_capacity(text.len());
    for line in text.lines() {
        let code = without_remark(line).trim_end();
        match layout {
            Layout::Kept if code.trim().is_empty() => {}
            Layout::Kept => tokens.extend([code, "\n"]),
            Layout::Ignored => tokens.extend(code.chars().filter(|c| !c.is_whitespace())),
        }
    }
    match layout {
        Layout::Kept => tokens,
        // A formatter puts a comma behind the last of several lines.
        Layout::Ignored => tokens.replace(",)", ")").replace(",]", "]").replace(",}", "}"),
    }
}

/// A line up to its comment, unless a compiler reads that.
fn without_remark(line: &str) -> &str {
    let read_by_compiler =
        |remark: &str| DIRECTIVES.iter().any(|word| remark.contains(word) && !OF_LINTERS.contains(word));
    let begins = |at: usize| {
        let (before, remark) = line.split_at(at);
        let outside = before.matches(['"', '\'', '`']).count().is_multiple_of(2);
        let alone = before.is_empty() || before.ends_with(char::is_whitespace);
        outside && alone && !read_by_compiler(remark)
    };
    let marks = line.match_indices("//").chain(line.match_indices("# "));
    let first = marks.map(|(at, _)| at).filter(|at| begins(*at)).min();
    first.and_then(|at| line.get(..at)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_matters_to_those_checks_that_can_tell_the_difference() {
        for (path, from, to, effect) in [
            ("a.go", "// one\nx := 1", "// two\nx := 1", EditEffect::Nothing),
            ("a.go", "x, _ := f()", "x, _ := f() //nolint:errcheck // best effort", EditEffect::Lint),
            (
                "a.go",
                "\t_ = f() //nolint:errcheck\n",
                "\t//nolint:errcheck // why\n\t_ = f()\n",
                EditEffect::Lint,
            ),
            (
                "a.ts",
                "add(\n\tname.replace(/x/, \"\"),\n);",
                "add(name.replace(/x/, \"\"));",
                EditEffect::Lint,
            ),
            ("a.py", "x = f()", "x = f()  # noqa: E501", EditEffect::Lint),
            ("a.py", "if a:\n    b()\n    c()", "if a:\n    b()\nc()", EditEffect::Code),
            ("a.ts", "let x = y;", "let x = y; // @ts-ignore", EditEffect::Code),
            ("a.go", "//go:build linux\nx", "//go:build darwin\nx", EditEffect::Code),
            ("a.rs", "let a = 1;", "let a = 2;", EditEffect::Code),
            ("a.ts", "get(\"http://a\")", "get(\"http://b\")", EditEffect::Code),
            ("a.rs", "x", "x", EditEffect::Code),
        ] {
            assert_eq!(EditEffect::of(path, from, to), effect, "{path}: {from} → {to}");
        }
    }
}
