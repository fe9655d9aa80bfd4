//! The options with which a program does more than without. Options that make it harmless are never among them: what is
//! only partly known may not take anything back.

use crate::pure::shell::{NameTable, Word, WordPart};
use crate::pure::step::programs::{clients, storage, table};

/// The worst meaning of an open word.
#[derive(Default)]
pub(crate) struct Worst {
    pub flags: Vec<&'static str>,
    /// Options that take the next word as their value.
    pub valued: Vec<&'static str>,
    /// Words that say what the program does.
    pub verbs: Vec<&'static str>,
    /// Letters behind which the rest of a cluster is a value.
    takes: &'static str,
    /// Every letter that the program knows, if that is known here.
    letters: &'static str,
}

struct Row {
    programs: &'static [&'static str],
    flags: &'static str,
    valued: &'static str,
    takes: &'static str,
}

const fn row(programs: &'static [&'static str], flags: &'static str, valued: &'static str) -> Row {
    Row { programs, flags, valued, takes: "" }
}

const ROWS: &[Row] = &[
    row(&["rm", "srm", "wipe"], "-r -R --recursive", ""),
    row(&["find", "gfind", "bfs"], "-delete", "-fprint -fprint0 -fls -fprintf"),
    row(&["chmod", "chown", "chgrp", "chattr", "setfacl"], "-R --recursive", ""),
    row(&["cp", "gcp"], "-r -a --recursive --archive", "-t --target-directory"),
    row(&["mv", "gmv", "ln", "install"], "", "-t --target-directory"),
    Row { takes: "e", ..row(&["rsync"], "--delete --del", "-e --rsh") },
    Row {
        takes: "fC",
        ..row(
            &["tar", "gtar", "bsdtar"],
            "--remove-files",
            "-C --directory -I --use-compress-program --to-command -F --info-script --checkpoint-action",
        )
    },
    row(&["unzip"], "", "-d"),
    Row { takes: "ef", ..row(&["sed", "gsed", "perl"], "-i --in-place", "") },
    Row { takes: "s", ..row(&["truncate"], "-s0 --size=0", "-s --size") },
    Row {
        takes: "oHdFTAbeKmuwXx",
        ..row(&["curl", "curlie"], "", "-o --output -d -F -T -X --data-binary --json")
    },
    Row { takes: "OoPtTUi", ..row(&["wget", "wget2"], "", "-O --output-document --post-file --body-file") },
    row(&["man"], "", "-P --pager"),
    Row { takes: "okSt", ..row(&["sort", "gsort"], "", "-o --compress-program") },
    row(&["split", "gsplit"], "", "--filter"),
    row(&["zip"], "", "-TT --unzip-command"),
    row(&["cmake"], "", "-E"),
    Row { takes: "jCf", ..row(&["make", "gmake"], "", "-f --file --eval -E") },
    Row { takes: "oiplRLDF", ..row(&["ssh", "scp", "sftp"], "", "-o -R") },
    row(&["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat"], "", "-e -c --exec --sh-exec"),
    row(&["gpg", "gpg2"], "--export-secret-keys", ""),
    row(&["fuser"], "-k -m", ""),
    row(&["sysctl"], "-w -p --system", ""),
    row(&["pkill", "killall", "skill"], "", "-u --user"),
    row(&["umount"], "-a --all", ""),
    Row { takes: "XfFH", ..row(&["gh", "glab"], "", "-X --method -f -F --input --body-file") },
    row(&["vim", "nvim", "vi", "gvim", "view", "ex", "gdb", "lldb"], "", "-c --cmd -ex -o"),
    row(&["emacs", "Rscript", "R", "julia", "elixir", "groovy"], "", "--eval -e"),
    row(
        &["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "rbash"],
        "",
        "-o -O --rcfile --init-file",
    ),
    row(&["python", "python3", "perl", "ruby", "node", "php", "lua"], "", "-W -X -I -r -d -l -S"),
    row(&["ansible"], "", "-a --args"),
    row(&["docker", "podman", "nerdctl"], "--privileged --pid=host", "-v --volume --mount"),
];

/// Where a program stands in the rows.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static AT: NameTable<usize, 256> = {
    let (mut table, mut at) = (NameTable::new(), 0);
    while at < ROWS.len() {
        let mut name = 0;
        while name < ROWS[at].programs.len() {
            table.put(ROWS[at].programs[name], at);
            name += 1;
        }
        at += 1;
    }
    table
};

/// A subcommand of git, its flags, its options with a value, and every letter it knows; a `:` follows those with a value.
const GIT: &[(&str, &str, &str, &str)] = &[
    ("reset", "--hard --merge", "", "qpN"),
    ("checkout", "-f --force", "-B", "b:B:U:fqtdlmp23"),
    ("switch", "-f --force --discard-changes", "-C --force-create", "c:C:fqtdm"),
    ("restore", "-W --worktree", "", "s:U:SWpqm23"),
    ("clean", "-f --force -x", "", "e:fndxXqi"),
    ("rm", "-f --force -r", "", "fnrq"),
    ("branch", "-D -f --force -M", "", "u:dDmMcCfrlqavit"),
    ("tag", "-d --delete", "", "m:F:u:dlafsn"),
    ("worktree", "-f --force", "", "f"),
    ("submodule", "-f --force", "", "fq"),
    ("fetch", "-f --force", "--upload-pack", "j:o:fakptquvn46"),
    ("pull", "", "--upload-pack", "j:o:fakptquvn46rsSX"),
    ("clone", "", "-u --upload-pack", "u:b:c:o:j:qvnls"),
    (
        "push",
        "-f --force --mirror --delete -d --prune --no-verify --receive-pack=program --exec=program",
        "",
        "o:fdnuqv46",
    ),
    ("update-ref", "-d --stdin", "", "m:dz"),
    ("symbolic-ref", "-d --delete", "", "m:dq"),
    ("checkout-index", "-f --force", "", "fanquz"),
    ("read-tree", "--reset -u", "", "mniuv"),
    ("gc", "--prune=now", "", "q"),
    ("apply", "-R --reverse", "", "C:p:Rz3v"),
    ("config", "--unset --add --replace-all --global --system", "", "f:elz"),
    ("rebase", "", "-x --exec", "C:s:X:S:x:ifmnpqrv"),
    ("grep", "", "-O --open-files-in-pager", "A:B:C:e:f:m:OivwlLcnq"),
    ("difftool", "", "-x --extcmd", "x:t:dgy"),
    ("archive", "", "--exec", "o:lv"),
    ("diff", "--no-index", "", "U:O:S:G:pwbR"),
];

/// Subcommands of git that lose or send something, and those of its subcommands.
const GIT_VERBS: &str =
    "reset clean push send-pack http-push filter-branch filter-repo drop clear expire delete remove deinit";

impl Worst {
    /// Whether any option or verb makes this program worse.
    pub fn knows(program: &str) -> bool {
        AT.find(program).is_some()
            || table::tool(program).is_some()
            || storage::writer(program).is_some()
            || clients::client(program).is_some()
    }

    pub fn of(program: &str) -> Self {
        let mut worst = Self::default();
        for row in AT.find_all(program).filter_map(|at| ROWS.get(at)) {
            worst.flags.extend(row.flags.split_ascii_whitespace());
            worst.valued.extend(row.valued.split_ascii_whitespace());
            worst.takes = if row.takes.is_empty() { worst.takes } else { row.takes };
        }
        worst.flags.extend(table::needed(program));
        worst.verbs.extend(table::verbs(program));
        let needed =
            || storage::writer(program).into_iter().flat_map(|(needs, _)| needs.split_ascii_whitespace());
        worst.verbs.extend(needed().filter(|word| !word.starts_with('-')));
        worst.flags.extend(
            needed().map(|option| option.trim_end_matches('*')).filter(|option| option.starts_with('-')),
        );
        let client = clients::client(program);
        worst.valued.extend(client.into_iter().flat_map(|(_, options, ..)| options.split_ascii_whitespace()));
        worst
    }

    pub fn of_git(subcommand: &str) -> Self {
        let verbs = GIT_VERBS.split_ascii_whitespace().collect();
        let Some((_, flags, valued, letters)) = GIT.iter().find(|(name, ..)| *name == subcommand) else {
            return Self { verbs, ..Self::default() };
        };
        let (flags, valued) = (flags.split_ascii_whitespace(), valued.split_ascii_whitespace());
        Self { flags: flags.collect(), valued: valued.collect(), verbs, takes: "", letters }
    }

    /// Whether a word may be this option: as it stands, or a letter of a cluster.
    pub fn fits(&self, word: &Word, option: &str) -> bool {
        if !word.may_be_option() {
            return false;
        }
        let is_letter = option.len() == 2 && !option.starts_with("--");
        let has_one_dash = !is_letter && !option.starts_with("--");
        let is_named = |name: &str| named_by(word).is_some_and(|named| named.may_be(name));
        word.may_be(option)
            || option.split_once('=').is_some_and(|(name, _)| is_named(name))
            || (is_letter && self.is_cluster(word))
            || (has_one_dash && word.may_be(&format!("-{option}")))
    }

    /// Whether the run may add letters to this word.
    fn is_cluster(&self, word: &Word) -> bool {
        let known = word.known_text();
        let before = word.literal_prefix().chars().skip(1);
        let mut letters = known.strip_prefix('-').unwrap_or(&known).chars();
        !known.starts_with("--")
            && !before.into_iter().any(|letter| self.takes_value(letter))
            && letters.all(|letter| self.knows_letter(letter))
    }

    fn takes_value(&self, letter: char) -> bool {
        self.takes.contains(letter) || self.letters.contains(&format!("{letter}:"))
    }

    /// Whether a cluster ends with a letter that takes the next word.
    pub fn takes_value_at_end(&self, cluster: &str) -> bool {
        cluster.chars().skip(1).last().is_some_and(|letter| self.takes_value(letter))
    }

    fn knows_letter(&self, letter: char) -> bool {
        match self.letters {
            "" => letter.is_ascii_alphanumeric(),
            known => letter != ':' && known.contains(letter),
        }
    }

    /// Whether this text can be an option of the program at all.
    pub fn allows(&self, text: &str) -> bool {
        match text.strip_prefix('-') {
            Some(letters) if !letters.starts_with('-') => {
                let known = letters.chars().take_while(|letter| self.knows_letter(*letter)).count();
                known == letters.len() || letters.chars().take(known).any(|letter| self.takes_value(letter))
            }
            Some(_) => true,
            None => false,
        }
    }
}

/// The part of a word before `=`: the name of its option.
fn named_by(word: &Word) -> Option<Word> {
    let mut parts = Vec::new();
    for part in &word.parts {
        match part {
            WordPart::Literal(text) => match text.split_once('=') {
                Some((name, _)) => {
                    parts.push(WordPart::Literal(name.to_owned()));
                    return Some(Word { parts });
                }
                None => parts.push(part.clone()),
            },
            other => parts.push(other.clone()),
        }
    }
    None
}
