//! Editors, pagers and debuggers that start a shell on a command of their own.

use super::super::clients::values;
use super::super::{Meaning, ShellCall};
use super::other_languages::program_text;
use super::{given, quoted, run};

pub(crate) fn survey(program: &str, call: &ShellCall<'_>, meaning: &mut Meaning) {
    match program {
        "vim" | "nvim" | "vi" | "gvim" | "view" | "ex" => {
            let mut commands = values(call.arguments(), "-c --cmd");
            commands.extend(call.literals().filter_map(|text| text.strip_prefix('+')).map(str::to_owned));
            commands.extend(given(call));
            commands.iter().flat_map(|text| text.lines()).for_each(|line| in_vim(line, meaning));
        }
        "ed" => {
            let text = given(call).unwrap_or_default();
            run(meaning, text.lines().filter_map(|line| line.split_once('!')).map(|(_, command)| command));
        }
        "less" => run(meaning, call.literals().filter_map(|text| text.strip_prefix("+!"))),
        "gdb" | "lldb" => {
            let commands = values(call.arguments(), "-ex --ex --eval-command -o");
            let starts = |text: &str| {
                let fronts = ["shell ", "!", "platform shell "];
                fronts.iter().find_map(|front| text.trim().strip_prefix(front)).map(str::to_owned)
            };
            run(meaning, commands.iter().filter_map(|text| starts(text)));
        }
        "emacs" => values(call.arguments(), "--eval -eval --execute")
            .iter()
            .for_each(|text| program_text(text, meaning)),
        _ => {}
    }
}

/// `:silent !command`, `:%!command`, `:r !command`, `:call system('…')`, `:lua os.execute('…')`
fn in_vim(line: &str, meaning: &mut Meaning) {
    for front in ["system(", "systemlist(", "os.execute(", "io.popen(", "jobstart(", "execute("] {
        run(meaning, line.split_once(front).and_then(|(_, after)| quoted(after)));
    }
    if line.contains("delete(") {
        program_text(line, meaning);
    }
    let Some((before, command)) = line.split_once('!') else { return };
    // `w! file` and `Lazy! sync` insist; `s!a!b!` and text substitute.
    let address = before.trim_start_matches([':', ' ']).trim_end();
    let stands_alone = address.chars().all(|each| each.is_ascii_digit() || "%.,$'<>".contains(each));
    let command = match address {
        "silent" | "sil" => command.strip_prefix(' ').unwrap_or(command).trim_start_matches('!'),
        "r" | "read" | "w" | "write" if before.ends_with(' ') => command,
        _ if stands_alone => command,
        _ => return,
    };
    run(meaning, [command]);
}
