//! The test coverage that a tool prints as one number.

/// The last total in the output; `None` for several packages without a total.
pub(super) fn coverage(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| total(line.trim())).or_else(|| only_package(text))
}

fn total(line: &str) -> Option<f64> {
    let percents = || line.split(|c: char| c.is_whitespace() || "()[]|".contains(c)).filter_map(percent_word);
    let lower = line.to_ascii_lowercase();
    if let Some(at) = lower.find("all files").filter(|at| *at <= "# ".len() + 2) {
        // Istanbul, v8, node's own runner, deno: statements or lines first.
        line.get(at..)?.split('|').nth(1).and_then(number)
    } else if let Some(row) = line.strip_prefix("Lines") {
        // Istanbul's summary; PHPUnit.
        row.trim_start().strip_prefix(':').and_then(|_| percents().next())
    } else if line.starts_with("Line Coverage:") || line.contains("LOC (") && line.ends_with("covered.") {
        // SimpleCov, new and old.
        percents().next()
    } else if line.starts_with("TOTAL") {
        // llvm-cov: regions, functions, lines; coverage.py: lines alone.
        percents().nth(2).or_else(|| percents().next())
    } else if line.starts_with("[TOTAL]") || line.ends_with("| Total") || line.starts_with("| Total") {
        // Mix, older and newer; coverlet, where lines come first.
        percents().next()
    } else if line.starts_with("total:") && line.contains("(statements)") || line.contains("% coverage,") {
        // `go tool cover -func`; tarpaulin.
        percents().next()
    } else {
        None
    }
}

/// `go test -cover` prints a line for each package, and none for all.
fn only_package(text: &str) -> Option<f64> {
    let mut printed = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("coverage: ")?;
        percent_word(rest.strip_suffix(" of statements").unwrap_or(rest).split_whitespace().next()?)
    });
    let first = printed.next()?;
    printed.next().is_none().then_some(first)
}

fn percent_word(word: &str) -> Option<f64> {
    word.strip_suffix('%').and_then(number)
}

fn number(text: &str) -> Option<f64> {
    text.trim().trim_end_matches('%').parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_read_where_the_tool_prints_it() {
        for (tool, text, expected) in [
            (
                "jest",
                "File      | % Stmts | % Branch |\nAll files |    82.5 |    70.1 |\n a.ts | 1 | 2 |",
                Some(82.5),
            ),
            ("istanbul", "Statements   : 80% ( 8/10 )\nLines        : 82.5% ( 33/40 )", Some(82.5)),
            ("node", "# file | line % | branch %\n# all files  |  82.50 |    70.10 |   1.00 |", Some(82.5)),
            ("llvm-cov", "TOTAL  100  10  90.00%  20  3  85.00%  200  35  82.50%  0  0  -", Some(82.5)),
            ("pytest-cov", "TOTAL    120     12    90%", Some(90.0)),
            ("pytest-cov", "TOTAL    120     12   40   4   90%\n\n3 passed in 0.1s", Some(90.0)),
            ("tarpaulin", "82.50% coverage, 33/40 lines covered", Some(82.5)),
            ("go", "ok  \texample.org/a\t0.1s\tcoverage: 82.5% of statements", Some(82.5)),
            ("go", "ok a 0.1s coverage: 82.5% of statements\nok b 0.1s coverage: 10.0% of statements", None),
            ("go cover", "a.go:3:\tF\t100.0%\ntotal:\t\t(statements)\t82.5%", Some(82.5)),
            ("phpunit", " Summary:\n  Classes: 50.00% (1/2)\n  Lines:   82.50% (33/40)", Some(82.5)),
            ("simplecov", "Line Coverage: 82.5% (33 / 40)\nBranch Coverage: 50.0% (1 / 2)", Some(82.5)),
            (
                "simplecov",
                "Coverage report generated for RSpec to /c. 33 / 40 LOC (82.5%) covered.",
                Some(82.5),
            ),
            ("coverlet", "| Total   | 82.5%  | 70%    | 80%    |\n+---------+", Some(82.5)),
            ("mix", "Percentage | Module\n-----------|------\n    82.50% | Total", Some(82.5)),
            ("excoveralls", "[TOTAL]  82.5%\n----------------", Some(82.5)),
            ("none", "All files | lots |", None),
            ("none", "Lines changed: 20%", None),
            ("none", "TOTAL 900%", None),
            ("none", "test result: ok. 3 passed", None),
        ] {
            assert_eq!(coverage(text), expected, "{tool}: {text}");
        }
    }
}
