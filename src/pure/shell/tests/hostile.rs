//! Texts made to break the reader: it answers, within its limits, and says when it did not understand.

use super::listing::parsed;
use crate::pure::shell::{Budget, Opaque, Reading, Word, parse, syntax, walk};
use proptest::prelude::*;

#[test]
fn deep_nesting_is_said_and_not_followed() {
    for opening in
        ["(", "$(", "{ ", "if ", "\"$(", "${x:-", "$((", "[[ (", "while a; do ", "<(", "case x in x) "]
    {
        let text = opening.repeat(10_000);
        assert!(parsed(text.get(..60_000).unwrap_or(&text)).opaque.is_some(), "{opening}");
        for depth in [8, 20, 50, 90] {
            parsed(&opening.repeat(depth));
        }
    }
}

#[test]
fn an_unclosed_expansion_that_seems_to_hold_itself_is_said() {
    for text in [
        "a ${x#'}'$(", "a ${x#'}'`", "a \"${x#'}'$(\"", "a ${x:-'}'$(b", "a $((x'$(", "a ${x[$(",
        "a ${!x#'}'$(",
    ] {
        assert!(parsed(text).opaque.is_some(), "{text}");
    }
}

#[test]
fn prefixes_without_end_are_said_and_not_followed() {
    for prefix in ["time ", "time -p ", "coproc ", "time ! ", "time # x\n", "coproc time ", "time \\\n"] {
        assert_eq!(parsed(&format!("{}a", prefix.repeat(5_000))).opaque, Some(Opaque::TooDeep), "{prefix:?}");
    }
    assert_eq!(parsed(&"time a\n".repeat(500)).commands.len(), 500);
    assert_eq!(parsed("time time -p a b").commands.len(), 1);
}

#[test]
fn long_rows_of_anything_end_in_an_answer() {
    for piece in [
        "{a,", "{a,b}", "`", "\\`", "((", "<<E ", "cat <<E\nx\nE\n", "@(", "a=(", "$[", "${x[", "eval \"",
        "&", "$'",
    ] {
        let row: String = piece.repeat(20_000 / piece.len());
        parsed(&row);
        parsed(&format!("a {row}"));
    }
}

/// A few hundred bytes of each of these once took the parser longer than anybody waits for a hook.
#[test]
fn unclosed_expansions_in_a_row_are_not_followed() {
    for piece in
        ["${x\"}\"", "x=(${x$(", "x=(${\"", "${((\"", "${x#\"", "${x[\"", "\"}\"${x'", "${\"}\"`", "((;;"]
    {
        assert_eq!(parsed(&format!("a {}", piece.repeat(3_000))).opaque, Some(Opaque::TooDeep), "{piece}");
    }
}

#[test]
fn balanced_nesting_ends_in_an_answer() {
    for (open, close) in [("(", ")"), ("$(", ")"), ("{ ", "; }"), ("eval \"", "\""), ("if a; then ", "; fi")]
    {
        for depth in [5, 20, 40, 80, 2_000] {
            parsed(&format!("{}a{}", open.repeat(depth), close.repeat(depth)));
        }
    }
    assert_eq!(parsed(&format!("{}a{}", "(".repeat(500), ")".repeat(500))).opaque, Some(Opaque::TooDeep));
}

#[test]
fn texts_inside_texts_are_followed_so_far_and_no_further() {
    let nested =
        |depth: usize| (0..depth).fold("git push;".to_owned(), |text, _| format!("eval {}", quoted(&text)));
    assert!(parsed(&nested(4)).commands.iter().any(|each| each.program() == Some("git")));
    assert_eq!(parsed(&nested(9)).opaque, Some(Opaque::TooDeep));
}

#[test]
fn nesting_of_different_kinds_shares_one_limit() {
    let around = |open: &str, inside: &str, close: &str, depth: usize| {
        format!("{}{inside}{}", open.repeat(depth), close.repeat(depth))
    };
    for depth in [20, 45, 60, 95] {
        let substitutions = around("$(", "a", ")", depth);
        for inside in [
            format!("a $(( {substitutions} ))"),
            format!("a ${{x#{substitutions}}}"),
            format!("[[ {substitutions} ]]"),
        ] {
            parsed(&around("(", &inside, ")", depth));
            parsed(&format!("eval {}", quoted(&around("{ ", &inside, "; }", depth))));
        }
    }
}

#[test]
fn endless_wrappers_are_not_taken_off() {
    for wrapper in [
        "sudo ", "env ", "xargs -I% ", "find . -exec ", "timeout 1 ", "docker run i ", "parallel ",
        "busybox ",
    ] {
        let text = format!("{}rm x", wrapper.repeat(4_000));
        assert!(parsed(&text).opaque.is_some(), "{wrapper}");
        assert!(
            parsed(&format!("{}rm x", wrapper.repeat(6)))
                .commands
                .iter()
                .any(|each| each.program() == Some("rm"))
        );
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn long_chains_are_followed_without_recursion() {
    let text = vec!["a"; 900].join(" && ");
    assert_eq!(parsed(&text).commands.len(), 900);
    let text = vec!["a"; 900].join(" | ");
    assert_eq!(parsed(&text).commands.len(), 900);
    let text = vec!["a"; 20_000].join(";");
    assert_eq!(parsed(&text).commands.len(), 20_000);
    assert_eq!(parsed(&vec!["a"; 5_000].join(" && ")).opaque, Some(Opaque::TooDeep));
}

#[test]
fn over_long_texts_and_nul_bytes_are_refused() {
    assert_eq!(parsed(&"a".repeat(1 << 20)).opaque, Some(Opaque::TooLong));
    assert_eq!(parsed("a\0b").opaque, Some(Opaque::NulByte));
    assert_eq!(parsed(&"a".repeat(64 * 1024)).commands.len(), 1);
}

#[test]
fn whole_and_valid_texts_are_told_from_others() {
    let is_valid = |text| {
        let read = syntax::read(text, walk::MAX_DEPTH, Reading::Thorough);
        read.is_some_and(|syntax| syntax.fault.is_none() && !syntax.runs_on)
    };
    for text in ["", "a", "a | b", "time a", "cat <<E\nx\nE"] {
        assert!(is_valid(text), "{text}");
    }
    for text in ["a )", "a 'b", "if a", "time a 'b", "a {b c"] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn broken_syntax_is_opaque() {
    for text in [
        "a )",
        "for",
        "a; fi",
        "if a; then fi",
        "for i in 1; do done\n# x",
        "a )\nb 'c",
        "bash -c 'a )'",
        "cat <<E\nit's\nE\nb 'c",
        "a ${b#'}; c '",
        "f( a 'b",
    ] {
        assert_eq!(parsed(text).opaque, Some(Opaque::Syntax), "{text}");
    }
}

/// The output of bash for each of these was compared with the list.
#[test]
fn of_an_unfinished_text_the_complete_lines_run() {
    for (text, complete) in [
        ("a 'b", 0),
        ("a; b \"c", 0),
        ("a\nb \"c", 1),
        ("a; b\nc\nd $(e", 3),
        ("a\nb `c", 1),
        ("a;\nb; \nc 'd", 2),
        ("a && b; \nif c; then d\ne 'f", 4),
        ("a \"b\nc\" \"d", 0),
        ("a # it's\nb 'c", 1),
        ("a <<E\nit's\nE\nb\nc 'd", 2),
        ("bash -c 'a\nb \"c'; d", 2),
        ("a && b \"$(cat <<'E'\nit's (c", 0),
        ("a\nb \"$(cat <<E\nx\nE\n) $(cat <<-\"E\"\n\tit's\n", 1),
    ] {
        let parsed = parsed(text);
        assert_eq!((parsed.opaque, parsed.commands.len()), (Some(Opaque::Unfinished), complete), "{text}");
    }
}

#[test]
fn an_unfinished_compound_command_is_listed_as_if_it_were_closed() {
    for text in [
        "if a; then rm x",
        "if rm x",
        "while a; do rm x\n",
        "a; { rm x",
        "( rm x",
        "a && rm x &&",
        "rm x |",
        "for i in 1; do if a; then { rm x",
        "until rm x",
        "function f { rm x",
        "[[ -n $(rm x)",
        "if rm x; then",
        "rm x\nfor i in 1 2; do\n  # Nothing yet\n",
        "for i in 1; do\n  rm x\n  # Cut off he",
        "for i in 1; do\n  { rm x\n    echo \"cut off",
        "rm x | while read p; do\n  a=$(b)\n  if c; then\n    d=$(e \"$a\" | f \"g",
    ] {
        let parsed = parsed(text);
        assert_eq!(parsed.opaque, Some(Opaque::Unfinished), "{text}");
        assert!(parsed.commands.iter().any(|each| each.program() == Some("rm")), "{text}: {parsed:?}");
    }
}

#[test]
fn a_worse_reason_is_not_hidden_by_an_unfinished_text() {
    assert_eq!(parsed("bash -c 'a \"b'; bash -c 'a )'").opaque, Some(Opaque::Syntax));
}

#[test]
fn an_unfinished_here_document_goes_on_to_the_end() {
    let parsed = parsed("a\nbash <<E\nrm x");
    let lines: Vec<_> = parsed.commands.iter().map(super::listing::line).collect();
    assert_eq!((parsed.opaque, lines), (None, vec!["a".to_owned(), "rm x | [ShellStdin]".to_owned()]));
}

#[test]
fn a_small_budget_ends_the_walk() {
    let mut budget = Budget::new(20);
    assert_eq!(parse("a; b; c; d; e; f; g; h", &mut budget).opaque, Some(Opaque::BudgetSpent));
    assert_eq!(parse("git status", &mut Budget::new(0)).opaque, Some(Opaque::BudgetSpent));
}

#[test]
fn multiplying_work_runs_into_the_budget() {
    let loops = "for x in 1 2 3 4 5 6 7 8 9; do ".repeat(8);
    let text = format!("{loops} a $x; {}", "done; ".repeat(8));
    assert_eq!(parsed(&text).opaque, Some(Opaque::BudgetSpent));
    let doubling = (0..24).map(|index| format!("x{}=$x{index}$x{index};", index + 1)).collect::<String>();
    parsed(&format!("x0=aaaaaaaaaa;{doubling} $x24"));
    let mutual = (0..20).map(|index| format!("f{index}() {{ f{0}; f{0}; }};", index + 1)).collect::<String>();
    parsed(&format!("{mutual} f0"));
    parsed(&format!("echo {}", "{a,b}".repeat(60)));
}

#[test]
fn loops_inside_loops_do_not_multiply_work() {
    let loops = (0..30).map(|index| format!("while a; do x{index}=1; ")).collect::<String>();
    let followed = parsed(&format!("{loops} b $x3; {}", "done; ".repeat(30)));
    assert_eq!((followed.opaque, followed.commands.len()), (None, 61));
    assert_eq!(followed.commands[60].words[1].text_lossy(), "1");
}

#[test]
fn hostile_program_texts_are_scanned_to_the_end() {
    for code in [
        "os.system(".repeat(2_000),
        "[".repeat(20_000),
        "x = ".repeat(5_000),
        "'".repeat(9_999),
        "f'{".repeat(900),
        format!("x = 'aaaaaaaa'\n{}", "x = x + x\n".repeat(5_000)),
        format!("x = ['a']\n{}", "x = [x, x]\n".repeat(5_000)),
        format!("x = ['a']\n{}", "x = [x]\n".repeat(6_000)),
        format!("x = 'exec(x)'\n{}", "exec(x + x)\n".repeat(4_000)),
        "eval(".repeat(9_000),
        "f(g.h(".repeat(9_000),
    ] {
        for interpreter in ["python3", "node", "perl", "ruby"] {
            parsed(&format!("{interpreter} - <<'E'\n{code}\nE\n"));
        }
    }
}

/// Pieces that mean something to a shell, so that random texts reach further than random characters would.
pub(super) fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec![
            "a", "git", "rm", "x=1", "$x", "${x:-", "}", "$(", ")", "`", "\"", "'", "\\", ";", "&&", "|", "&", "\n", " ", " ",
            "<<E\n", "E\n", ">", "<", "(", "{ ", " }", "if ", "then ", "fi", "for x in ", "do ", "done", "case ", "esac",
            "sudo ", "bash -c ", "eval ", "xargs ", "find . -exec ", "{}", "\\;", "*", "~", "[", "]", "#", "f() ", "$'",
            "$((", "))", "é", "\u{1F600}", "{a,b}", "python -c ", "os.system(", "env -S ", "$@", "${a[@]}", "\r", "\t",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Whole fragments and what may stand between them.
pub(super) fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a b",
        "x=1",
        "$(a)",
        "`a`",
        "{a",
        "{a,b}",
        "a}",
        "[ x",
        "a[b",
        "$x",
        "${x:-y z}",
        "'q r'",
        "\"q $x\"",
        "$'\\n'",
        "!a",
        "if a; then b; fi",
        "(a)",
        "{ a; }",
        "while a; do b; done",
        "f() { a; }",
        "for x in 1 2; do a; done",
        "a=(1 2)",
        "case a in b) c;; esac",
        "cat <<E\nq\nE\n",
        "((x=1))",
        "[[ a = b ]]",
        "bash -c 'a'",
        "eval a",
        "*",
        "~",
        "2>&1",
        ">f",
        "*(",
        "@(a|b)",
        "{a..c}",
        "%",
        "=",
        " ",
        " ",
        "; ",
        "\n",
        " && ",
        " | ",
        " & ",
        "\\\n",
        "<(a)",
        "$((1+1))",
        "é",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered_and_spans_slice_back(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        for command in parsed(&text).commands {
            prop_assert!(text.get(command.span.clone()).is_some(), "{:?} in {:?}", command.span, text);
        }
    }

    #[test]
    fn a_command_that_is_appended_is_listed(pieces in prop::collection::vec(fragment(), 0..8)) {
        let text = pieces.concat();
        let before = parsed(&text);
        if before.opaque.is_none() {
            let after = parsed(&format!("{text}\ngit push origin"));
            let listed = after.commands.iter().any(|each| {
                each.words.iter().map(Word::literal).eq([Some("git"), Some("push"), Some("origin")])
            });
            prop_assert!(after.opaque.is_some() || listed, "{text:?}");
        }
    }
}
