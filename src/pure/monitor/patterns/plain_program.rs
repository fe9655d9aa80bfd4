//! Programs that check nothing: they read, move, copy, print, fetch.

/// Whether a program by this name runs no check, whatever its arguments are.
pub(super) fn is_plain(program: &str) -> bool {
    const PLAIN: [&str; 96] = [
        "[", "apt", "apt-get", "awk", "base64", "basename", "brew", "bzip2", "cat", "cd", "chmod", "chown",
        "clear", "column", "comm", "cp", "curl", "cut", "date", "df", "diff", "dig", "dirname", "du", "echo",
        "egrep", "env", "exit", "export", "false", "fd", "fgrep", "file", "find", "fold", "free", "gh",
        "git", "glab", "grep", "gunzip", "gzip", "head", "hexdump", "hostname", "id", "install", "jq",
        "kill", "killall", "less", "ln", "ls", "lsof", "md5", "md5sum", "mkdir", "mktemp", "more", "mv",
        "nl", "open", "paste", "pgrep", "pip", "pip3", "pkill", "popd", "printenv", "printf", "ps", "pushd",
        "pwd", "readlink", "realpath", "rg", "rm", "rmdir", "rsync", "scp", "sed", "set", "sha256sum",
        "sleep", "sort", "stat", "tail", "tar", "tee", "test", "touch", "tr", "tree", "true", "uniq",
        "unzip",
    ];
    const MORE: [&str; 17] = [
        ":", "alias", "break", "continue", "less", "local", "read", "return", "seq", "shift", "type",
        "uname", "unset", "wc", "wget", "which", "xxd",
    ];
    PLAIN.binary_search(&program).is_ok() || MORE.contains(&program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_only_read_and_move_are_plain() {
        for program in ["[", "cat", "git", "unzip", "wc", "true", "ls"] {
            assert!(is_plain(program), "{program}");
        }
        for program in ["cargo", "rtk", "make", "bash", "python3", "docker", "xargs", ""] {
            assert!(!is_plain(program), "{program}");
        }
    }
}
