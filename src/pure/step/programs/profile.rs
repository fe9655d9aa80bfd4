//! The nature of programs, where their effects do not tell it: readers, makers, builders, callers, unknown ones.

use super::ShellCall;
use super::invocation::Invocation;
use crate::pure::shell::{NameTable, Word, lists};
use crate::pure::step::assessment::Nature;

pub(crate) fn nature(program: &str, call: &ShellCall<'_>) -> Nature {
    let has = |names: &[&str]| call.literals().any(|text| names.contains(&text));
    match program {
        _ if has(&["--version", "--help", "-version"]) => Nature::Read,
        "git" => git(call),
        "sed" | "perl" | "gawk" => match call.literals().any(edits_in_place) {
            true => Nature::Modification,
            false if program == "perl" => Nature::System,
            false => Nature::Read,
        },
        "sort" if has(&["-o"]) => Nature::Modification,
        _ => LISTED.find(program).unwrap_or_else(|| by_verb(program, call)),
    }
}

/// Whether the first word after the program is rather a verb than a file or a text.
pub(crate) fn takes_subcommands(program: &str) -> bool {
    static RUNNERS: NameTable<(), 64> = NameTable::of(
        "ant bazel buck2 gradle gradlew just lerna make meson mvn mvnw ng ninja nx rake \
        sbt task turbo",
        (),
    );
    RUNNERS.find(program).is_some() || LISTED.find(program).is_none()
}

fn edits_in_place(text: &str) -> bool {
    text == "--in-place"
        || text.starts_with("--in-place=")
        || (text.starts_with("-i")
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('i')))
}

/// Programs whose first word says what they do.
fn by_verb(program: &str, call: &ShellCall<'_>) -> Nature {
    let Some(verbs) = VERBS.iter().find(|verbs| verbs.programs.contains(&program)) else {
        return Nature::System;
    };
    let words =
        || call.arguments().iter().filter_map(Word::literal).filter(|text| !text.starts_with(['-', '+']));
    let says = |list: &str| match words().next() {
        None => lists(list, "-"),
        Some(_) => words().take(2).any(|word| lists(list, word)),
    };
    let otherwise = |list: &str| lists(list, "*");
    match () {
        () if says(verbs.read) => Nature::Read,
        () if says(verbs.fetch) => Nature::Network,
        () if says(verbs.build) || otherwise(verbs.build) => Nature::Modification,
        () if otherwise(verbs.fetch) => Nature::Network,
        () => Nature::System,
    }
}

fn git(call: &ShellCall<'_>) -> Nature {
    let Some(Invocation { subcommand, arguments, .. }) = Invocation::parse(call) else {
        return Nature::Modification;
    };
    let mut rest = arguments.iter().map(|word| word.literal().unwrap_or_default()).peekable();
    match subcommand {
        _ if GIT_READERS.find(subcommand).is_some() => Nature::Read,
        "clone" | "fetch" | "ls-remote" | "pull" | "push" | "send-email" | "submodule" => Nature::Network,
        "branch" | "config" | "remote" | "stash" | "tag" | "worktree" | "notes" => match rest.peek().copied()
        {
            None if subcommand != "stash" => Nature::Read,
            Some(
                "-a" | "-v" | "-vv" | "-l" | "-r" | "list" | "show" | "--list" | "--get" | "--show-current",
            ) => Nature::Read,
            None | Some(_) => Nature::Modification,
        },
        _ => Nature::Modification,
    }
}

/// Subcommands of git that change nothing.
static GIT_READERS: NameTable<(), 128> = NameTable::of(
    "annotate archive blame cat-file check-attr check-ignore cherry count-objects \
    describe diff diff-files diff-index diff-tree for-each-ref fsck grep help log ls-files ls-tree \
    merge-base name-rev range-diff reflog rev-list rev-parse shortlog show show-branch show-ref status \
    var verify-commit verify-tag version whatchanged",
    (),
);

/// The nature of every call of a program, where all calls share it. A name in two lists belongs to the first.
static LISTED: NameTable<Nature, 1024> = {
    let mut listed = NameTable::new();
    listed.put(READERS, Nature::Read);
    listed.put(CREATORS, Nature::Creation);
    listed.put(MODIFIERS, Nature::Modification);
    listed.put(CALLERS, Nature::Network);
    listed
};

/// They look, compute or print; where they write after all, an effect says so.
const READERS: &str = ": [ [[ ack ag alias apropos arch awk b2sum base32 base64 basename bat bc bind blkid \
    break cal cat cd cksum clear cloc cmp column comm command continue csplit csvcut csvlook cut date \
    declare delta df diff diffstat dig dirname dirs dmesg du dust echo egrep env exa exit expand export \
    expr eza factor false fd fdfind fgrep file find fmt fold free fzf getconf getent getopts glow gojq \
    grep groups hash head hexdump history host hostname htop iconv id ifconfig iostat ip jobs join jq \
    last ldd less let lld local locale locate logname look ls lsb_release lsblk lscpu lsof lspci lsusb \
    man md5 md5sum mdfind more netstat nl nm nproc nslookup numfmt objdump od otool paste pathchk pgrep \
    pidof ping popd pr printenv printf ps pstree pushd pwd read readarray readelf readlink readonly \
    realpath return rev rg seq set sha1sum sha256sum sha512sum shasum shellcheck shift shopt shuf size \
    sleep sort ss stat strings stty sum sw_vers tac tail test time times tldr tokei top tput tr tree \
    true tsort tty type typeset ulimit umask unalias uname unexpand uniq unset uptime users vm_stat \
    vmstat w wait watch wc whatis whereis which who whoami xmllint xsel xxd yes yq zcat zgrep zipinfo";

const CREATORS: &str = "ln mkdir mkfifo mktemp tee touch";

/// They change files as builds, tests, formatters and archivers do.
const MODIFIERS: &str = "ant autoconf automake autopep8 babel bazel biome black bsdtar buck2 bunzip2 bzip2 \
    c++ cc chgrp chmod chown clang clang++ clang-format clang-tidy cmake cmp convert cp cpio csc ctest \
    cypress dart dd detekt dprint esbuild eslint ffmpeg flake8 g++ gcc gci gofmt gofumpt goimports \
    golangci-lint gotestsum gradle gradlew gunzip gzip hadolint install isort jar java javac jest just \
    kotlinc ktlint lcov ld lerna m4 make markdownlint meson mocha mv mvn mvnw mypy ng ninja nox nx \
    patch phpstan phpunit playwright pre-commit prek prettier protoc pylint pyright pytest rake rm \
    rmdir rollup rspec rubocop ruff rustc rustfmt sbt shfmt spotless standardrb stylelint swc swiftlint \
    tar task tox truncate tsc tsx turbo uglifyjs unlink unxz unzip vite vitest vue-tsc webpack \
    xcodebuild xz zig zip zstd";

const CALLERS: &str = "aria2c curl ftp glab http https mosh nc ncat rclone rsync scp sftp ssh telnet wget \
    xh yt-dlp";

/// Programs, and their verbs that read, that build, and that fetch. `*` stands for every other verb, `-` for none.
struct Verbs {
    programs: &'static [&'static str],
    read: &'static str,
    build: &'static str,
    fetch: &'static str,
}

const VERBS: &[Verbs] = &[
    Verbs {
        programs: &["cargo"],
        read: "tree metadata search version locate-project pkgid",
        build: "build b check c test t run r clippy fmt doc bench fix clean nextest llvm-cov expand deny audit insta init new remove machete",
        fetch: "install update add fetch publish login yank owner",
    },
    Verbs {
        programs: &["npm", "yarn", "pnpm", "bun", "npx", "bunx", "deno"],
        read: "ls list view info outdated why explain root prefix help config",
        build: "run test t start build lint format typecheck exec dlx version pack *",
        fetch: "install i ci add update upgrade publish audit create init login -",
    },
    Verbs {
        programs: &["go"],
        read: "version env list doc help tool",
        build: "build test run vet fmt generate mod clean work fix",
        fetch: "get install",
    },
    Verbs {
        programs: &["pip", "pip3", "uv", "pipx", "poetry", "conda", "mamba", "pdm", "hatch"],
        read: "list show freeze check tree version info help",
        build: "run build version lock venv test uninstall remove",
        fetch: "*",
    },
    Verbs {
        programs: &[
            "gem", "bundle", "composer", "brew", "apt", "apt-get", "dnf", "yum", "apk", "pacman", "port",
            "nix", "rustup",
        ],
        read: "list show info search outdated env policy which doctor help",
        build: "exec check",
        fetch: "install update upgrade add require fetch bundle push publish",
    },
    Verbs {
        programs: &["docker", "podman", "nerdctl"],
        read: "ps images logs inspect version info stats top port diff history ls config events",
        build: "build cp tag save export buildx",
        fetch: "pull push login search",
    },
    Verbs {
        programs: &["docker-compose"],
        read: "ps logs config images top port",
        build: "build",
        fetch: "pull push",
    },
    Verbs {
        programs: &[
            "kubectl", "oc", "helm", "aws", "gcloud", "az", "gh", "hub", "doctl", "heroku", "flyctl",
            "vercel", "netlify", "wrangler",
        ],
        read: "version completion help",
        build: "",
        fetch: "*",
    },
    Verbs {
        programs: &["terraform", "tofu", "pulumi"],
        read: "validate show output version providers graph console preview state",
        build: "fmt",
        fetch: "init plan get apply import refresh up",
    },
    Verbs {
        programs: &["mise", "asdf", "nvm", "pyenv", "rbenv", "volta"],
        read: "ls list current which where env tasks doctor versions settings",
        build: "run exec x tasks fmt trust use set r task local shell",
        fetch: "install i upgrade plugins",
    },
    Verbs {
        programs: &[
            "dotnet", "swift", "flutter", "mix", "stack", "cabal", "dune", "opam", "lein", "clj", "sam",
            "cdk", "rails", "php", "artisan",
        ],
        read: "--info list version doctor routes",
        build: "build test run format clean compile publish analyze pack spec",
        fetch: "restore install deps.get pub add fetch update",
    },
    Verbs {
        programs: &["systemctl", "service", "journalctl", "launchctl", "crontab"],
        read: "status list-units is-active is-enabled show cat list list-timers -l",
        build: "",
        fetch: "",
    },
    Verbs {
        programs: &["plimsoll"],
        read: "explain score replay rules stats gate config doctor help",
        build: "review demo",
        fetch: "",
    },
    Verbs {
        programs: &["tmux", "screen"],
        read: "ls list-sessions capture-pane display-message",
        build: "",
        fetch: "",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::step::sample;

    #[test]
    fn everyday_commands_have_the_nature_they_have() {
        let cases = [
            ("git status", Nature::Read),
            ("git -C sub log --oneline -5", Nature::Read),
            ("git branch -a", Nature::Read),
            ("git branch x", Nature::Modification),
            ("git stash", Nature::Modification),
            ("git stash list", Nature::Read),
            ("git commit -m x", Nature::Modification),
            ("git fetch origin", Nature::Network),
            ("ls -la | head -3 && wc -l x", Nature::Read),
            ("sed -n 1,5p x", Nature::Read),
            ("sed -i s/a/b/ x", Nature::Modification),
            ("mkdir -p a/b", Nature::Creation),
            ("cargo test --lib", Nature::Modification),
            ("cargo install x", Nature::Network),
            ("npm test", Nature::Modification),
            ("npm ci", Nature::Network),
            ("pip install x", Nature::Network),
            ("go test ./...", Nature::Modification),
            ("make check", Nature::Modification),
            ("curl http://localhost", Nature::Network),
            ("docker ps", Nature::Read),
            ("gh pr view 3", Nature::Network),
            ("terraform apply --help", Nature::Read),
            ("python3 x.py", Nature::System),
            ("./deploy.sh", Nature::System),
            ("frobnicate", Nature::System),
        ];
        for (command, nature) in cases {
            assert_eq!(sample::nature(command), nature, "{command}");
        }
    }
}
