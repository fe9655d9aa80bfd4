//! Programs that may overwrite files which no effect names: formatters, archives, package managers, scripts, git.

use super::ShellCall;
use super::invocation::Invocation;
use super::line::ProgramLine;
use crate::pure::shell::{NameTable, Word, lists};
use crate::pure::step::assessment::Nature;

/// Whether a call may overwrite files of the project that its effects do not name. What nobody knows may.
pub(crate) fn rewrites(program: &str, nature: Nature, call: &ShellCall<'_>) -> bool {
    match nature {
        // A request for help or the version does nothing; a script may mean something else by it.
        Nature::Read if says_more_than_help(call) => unknown_files(program, call),
        Nature::Read | Nature::Creation => match program {
            "split" | "csplit" => true,
            "awk" | "gawk" | "mawk" | "nawk" => call.literals().any(prints_into_unknown_file),
            _ => false,
        },
        Nature::Modification | Nature::Network | Nature::System | Nature::Deletion => {
            unknown_files(program, call)
        }
    }
}

fn says_more_than_help(call: &ShellCall<'_>) -> bool {
    let help = call.literals().any(|text| matches!(text, "--help" | "--version" | "-version"));
    help && call.arguments().len() > 1
}

/// `print > FILENAME`: a comparison has no print in front of it; the effects of the text report names in quotes.
fn prints_into_unknown_file(text: &str) -> bool {
    text.match_indices('>').any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
        let statement = before.rsplit([';', '{', '}', '\n']).next().unwrap_or_default();
        let name = after.trim_start_matches(['>', ' ']);
        let starts_name = name.starts_with(|first: char| first.is_alphabetic() || "$(_".contains(first));
        statement.contains("print") && (starts_name || name.contains("\" "))
    })
}

fn unknown_files(program: &str, call: &ShellCall<'_>) -> bool {
    if program == "git" {
        return git(call);
    }
    let line = ProgramLine::of(program, call);
    if let Some(careful) = CAREFUL_PROGRAMS.find(line.program).and_then(|at| CAREFUL.get(at)) {
        let mut words = line.words(careful.valued);
        let verb = match line.program {
            "npm" | "yarn" | "pnpm" | "bun" => words.find(|word| !matches!(*word, "run" | "run-script")),
            _ => words.next(),
        };
        let spared = verb.map_or(lists(careful.verbs, "-"), |verb| {
            // `test:unit` and `build-docs` are what they begin with.
            let front = verb.split([':', '-']).next().unwrap_or(verb);
            lists(careful.verbs, verb) || lists(careful.verbs, front)
        });
        let runs = lists(careful.programs, "docker") && line.words("").any(|word| lists("run exec cp", word));
        return !spared || runs || fixes(&line);
    }
    if lists(CLIENTS, line.program) {
        return line.words("").any(|word| lists(FETCHES, word));
    }
    NAMED_BY_EFFECTS.find(line.program).is_none() || fixes(&line)
}

/// Whether an option makes a checker, a test run or a download write what no word names.
fn fixes(line: &ProgramLine<'_>) -> bool {
    const FIXES: &str = "--fix --fix-only --write --update-snapshot --updateSnapshot --update-snapshots --update --snapshot-update --bless --unsafe-fixes --autocorrect --auto-correct";
    let own = match line.program {
        "curl" => {
            "-O -J -D -c --remote-name* --remote-header-name --dump-header --cookie-jar --trace* --stderr --etag-save --hsts --libcurl"
        }
        "http" | "https" | "xh" => "-d --download",
        "jest" | "vitest" | "playwright" => "-u",
        _ => "",
    };
    let asked_to = line.call.command.assignments.iter().any(|assignment| {
        ["UPDATE", "BLESS", "OVERWRITE", "TRYBUILD", "REGEN"]
            .iter()
            .any(|word| assignment.name.contains(word))
    });
    asked_to || line.has(FIXES) || line.has(own)
}

/// Subcommands of git that leave the working tree alone. Those that take something else away say so themselves.
const GIT_CAREFUL: &str = "add branch bundle clone commit commit-tree config credential fetch fsck gc hash-object init ls-remote maintenance mktag mktree notes pack-refs prune push reflog remote repack replace rerere send-email send-pack symbolic-ref tag update-index update-ref update-server-info write-tree";

fn git(call: &ShellCall<'_>) -> bool {
    match Invocation::parse(call) {
        Some(git) if git.subcommand == "config" => {
            let names_file =
                |word: &Word| word.literal_prefix().starts_with("--f") || word.literal() == Some("-f");
            git.arguments.iter().any(names_file)
        }
        Some(git) => !lists(GIT_CAREFUL, git.subcommand),
        None => !call.arguments().is_empty(),
    }
}

/// Programs of which only some subcommands are known to leave other files alone; `-` stands for none.
struct Careful {
    programs: &'static str,
    valued: &'static str,
    verbs: &'static str,
}

/// The outputs of a runner's test, build or check can be made again.
const RUNS: &str = "- all analyze bench build check ci clean compile coverage cover debug deps dev dist doc docs e2e info integration jar lint package preview run serve server smoke start static storybook stop test tests type typecheck types unit verify vet watch";

const CAREFUL: &[Careful] = &[
    Careful {
        programs: "cargo",
        valued: "-p --package --manifest-path --features --target --profile -j",
        verbs: "- b bench build c check clean clippy d deny doc expand audit llvm-cov machete nextest package publish rustc rustdoc t test login yank owner",
    },
    Careful { programs: "go", valued: "-C", verbs: "- build clean test vet" },
    Careful {
        programs: "npm yarn pnpm bun",
        valued: "--prefix --filter -w --workspace -C --cwd",
        verbs: "bench build check ci clean compile coverage dev doc docs e2e lint outdated audit pack preview publish serve start storybook t test tests typecheck types unit watch login whoami",
    },
    Careful {
        programs: "ant bazel buck2 gradle gradlew just lerna make meson mvn mvnw ng ninja nx rake sbt task turbo \
            xcodebuild zig dotnet swift mix stack cabal dune flutter dart",
        valued: "-C -f --file -j --directory",
        verbs: RUNS,
    },
    Careful {
        programs: "docker podman nerdctl docker-compose",
        valued: "-f --file -p --project-name",
        verbs: "build buildx compose down export images kill login network pull push restart rm rmi save start stop system tag up volume",
    },
    Careful {
        programs: "systemctl service launchctl",
        valued: "",
        verbs: "start stop restart reload enable disable kickstart",
    },
];

/// Where a program stands in the list.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, which refuses an index out of bounds"
)]
static CAREFUL_PROGRAMS: NameTable<usize, 128> = {
    let (mut table, mut at) = (NameTable::new(), 0);
    while at < CAREFUL.len() {
        table.put(CAREFUL[at].programs, at);
        at += 1;
    }
    table
};

/// Programs that speak to another machine, and their words that bring files from there.
const CLIENTS: &str = "aws az doctl flyctl gcloud gh glab helm heroku hub kubectl netlify oc vercel \
    wrangler";
const FETCHES: &str = "checkout clone co cp download env export fetch mv pull rsync sync";

/// Programs whose effects name every file of the project that they overwrite, or that make only what can be made again.
static NAMED_BY_EFFECTS: NameTable<(), 512> = NameTable::of(
    ". c++ cc chgrp chmod chown clang clang++ clang-tidy cmp cp ctest curl \
    cypress dcfldd dd detekt eslint flake8 g++ gawk gcc gcp golangci-lint gotestsum gsed gmv hadolint \
    http https install javac jest kill killall kotlinc ld ln markdownlint mkdir mocha mosh mv mypy nc \
    ncat nohup phpstan phpunit pkill playwright pylint pyright pytest rm rmdir rsync rspec rustc scp \
    sed shred sleep sort source sponge ssh standardrb stylelint swiftlint tee telnet touch trap \
    truncate tsc unlink vitest vue-tsc wait webpack xh",
    (),
);

#[cfg(test)]
mod tests {
    use crate::pure::step::sample;

    #[test]
    fn what_may_overwrite_files_that_nobody_names_is_told_from_what_does_not() {
        for command in [
            "tar xf a.tar",
            "unzip -o a.zip",
            "prettier --write .",
            "cargo fmt",
            "npm run format",
            "make format",
            "git checkout other",
            "git apply x.patch",
            "git stash pop",
            "git pull",
            "patch -p1 < x.patch",
            "python3 x.py",
            "./deploy.sh",
            "frobnicate",
            "npm install",
            "eslint --fix src",
            "cargo run",
            "go run .",
            "curl -O https://example.com/u.txt",
            "wget https://example.com/u.txt",
            "jest -u",
            "$RUN now",
            "split big",
            "UPDATE_EXPECT=1 cargo test",
            "aws s3 cp s3://a/b .",
            "kubectl cp a:/b c",
            "docker compose run x",
            "tmux send-keys x",
            "eval \"$x\"",
            "./release.sh --version 1.2",
            "awk '{ print > FILENAME }' a",
            "awk '{ print $1 > $2\".txt\" }' a",
            "git config --file a x.y z",
            "curl -D a https://example.com",
            "cp --parents a/b c",
            "rsync -R a/b c",
            "docker run -v .:/w x sh -c 'echo x > /w/a'",
        ] {
            assert!(sample::rewrites(command), "{command}");
        }
        for command in [
            "git status",
            "git commit -m x",
            "git add .",
            "git push",
            "ls",
            "cat a",
            "cp a b",
            "mv a b",
            "rm a",
            "echo x > a",
            "cargo test --lib",
            "cargo build",
            "npm test",
            "npm run build",
            "npm run test:unit",
            "go test ./...",
            "make",
            "make test",
            "python3 -m pytest -q",
            "npx tsc --noEmit",
            "eslint src",
            "mkdir x",
            "chmod +x a",
            "curl https://example.com",
            "gh pr view 3",
            "kubectl get pods",
            "awk '$1 > 5 { print $2 }' a",
            "awk '{ if (a > b) print a }' a",
            "frobnicate --version",
            "git config user.name x",
            "docker compose up -d",
            "x=1",
        ] {
            assert!(!sample::rewrites(command), "{command}");
        }
    }
}
