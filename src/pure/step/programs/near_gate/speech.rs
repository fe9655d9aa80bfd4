//! Texts that speak of a push past the git hook, also in pieces: `'--no-' + 'verify'`, `pu""sh`.

use crate::pure::shell::lists;

/// So many letters around a word belong to the same command.
const NEAR: usize = 64;

/// The words of a bypass, as letters and digits alone. git takes the beginning of an option for the whole.
const HIDDEN: [&str; 5] = ["noveri", "hookspath", "sendpack", "receivepack", "httppush"];

/// Commands with an option of the same name, of git and of other programs.
const OTHER_VERBS: [&str; 8] =
    ["commit", "merge", "rebase", "publish", "package", "cherrypick", "revert", "am"];

/// Whether a text may speak of one anywhere: a cheap look at what nearly no command says.
pub(super) fn may_speak(text: &str) -> bool {
    let letters = Letters::of(text);
    HIDDEN.iter().any(|word| letters.text.contains(word)) || has_pieces(text)
}

/// Whether a text speaks of a push that the git hook would not see.
pub(crate) fn speaks_of_bypass(text: &str) -> bool {
    let letters = Letters::of(text);
    let whole = letters.text.as_str();
    let mut spoken = HIDDEN.iter().flat_map(|word| whole.match_indices(word));
    if spoken.any(|(at, word)| letters.pushes_around(at, word, text)) {
        return true;
    }
    has_pieces(text) && whole.contains("push") && !whole.contains("commitno")
}

/// A program that hides one of our names: nobody writes them in pieces but to pass by.
pub(crate) fn hides_our_name(text: &str) -> bool {
    let letters = Letters::of(text);
    ["plimsoll", "reviewconfigyaml"].iter().any(|name| letters.text.contains(name))
        && !["plimsoll", "review-config.yaml"].iter().any(|name| text.to_ascii_lowercase().contains(name))
}

/// Whether a program changes the client's settings, however it puts their path together.
pub(crate) fn changes_settings(text: &str) -> bool {
    const WRITES: [&str; 7] = ["write", "dump(", "'w'", "\"w\"", "> ", "cp ", "mv "];
    let settings = |letters: &str| {
        let folder = letters.contains("claude");
        folder && ["settingsjson", "settingslocaljson"].iter().any(|name| letters.contains(name))
    };
    WRITES.iter().any(|word| text.contains(word)) && settings(&Letters::of(text).text)
}

/// A program that puts objects into a repository by itself: by a copy, or compressed as git does.
pub(crate) fn copies_objects(text: &str) -> bool {
    const COPIES: [&str; 7] = ["cpSync", "copytree", "copyfile", "copy(", "copy2(", "copyFile", "cp -"];
    let letters = Letters::of(text).text;
    let copies = letters.contains("gitobjects") && COPIES.iter().any(|word| text.contains(word));
    copies
        || (["objects", "zlib", "sha1"].iter().all(|word| letters.contains(word)) && text.contains("write"))
}

/// The letters and digits of a text in lower case, without everything between them.
struct Letters {
    text: String,
}

impl Letters {
    fn of(text: &str) -> Self {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
        Self { text: letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect() }
    }

    /// Whether the word at this place is said of a push, and not of a commit or a release.
    fn pushes_around(&self, at: usize, word: &str, original: &str) -> bool {
        let before = self.text.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
        let after = self.text.get(at + word.len()..).unwrap_or_default();
        if after.starts_with("fic") || after.starts_with("fie") {
            return false;
        }
        let after = after.get(..NEAR.min(after.len())).unwrap_or_default();
        let pushed = push_in(before);
        let other = OTHER_VERBS.iter().filter_map(|verb| before.rfind(verb)).max();
        if other.is_some_and(|other| pushed.is_none_or(|pushed| pushed < other)) {
            return false;
        }
        // A program that hands its arguments on: what it pushes is said elsewhere.
        let handed_on =
            || ["\"$@\"", "$*", "@ARGV", "sys.argv", "process.argv"].iter().any(|all| original.contains(all));
        let sets = word == "hookspath" && (before.contains("config") || after.contains("nowhere"));
        pushed.is_some() || push_in(after).is_some() || sets || (before.contains("git") && handed_on())
    }
}

/// The last place of the word, which is not a part of `pre-push`.
fn push_in(letters: &str) -> Option<usize> {
    letters.rmatch_indices("push").map(|(at, _)| at).find(|at| !letters.get(..*at).is_some_and(is_pre))
}

fn is_pre(front: &str) -> bool {
    front.ends_with("pre")
}

/// Whether the option stands there in two parts: `--no-%s`, `--no-$x`, `o=--no`, and the rest elsewhere.
fn has_pieces(text: &str) -> bool {
    let ends_early = |(at, front): (usize, &str)| {
        let rest = text.get(at + front.len()..).unwrap_or_default();
        let next = rest.strip_prefix('-').unwrap_or(rest).bytes().next();
        !next.is_some_and(|next| next.is_ascii_alphanumeric() || next == b'-')
    };
    let starts = |(at, _): (usize, &str)| {
        text.get(..at).and_then(|front| front.bytes().next_back()).is_none_or(|before| {
            matches!(before, b'\'' | b'"' | b'=' | b' ' | b',' | b'-' | b'(' | b'`' | b'}')
        })
    };
    text.contains("verify")
        && text.match_indices("--no").any(ends_early)
        && text.match_indices("verify").any(starts)
}

/// Programs that only show, search or keep words for people.
pub(super) fn is_for_people(program: &str) -> bool {
    const SHOWN: &str = "cat grep egrep rg ag ack head tail less more wc jq sort cut git gh glab hub fold column test [ [[ \
        echo printf print plimsoll tldr man which type read local declare typeset export set";
    lists(SHOWN, program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_push_past_the_hook_is_heard_in_pieces() {
        for text in [
            "git push --no-verify origin main",
            "subprocess.run(['git', 'push', '--no-' + 'verify', 'origin'])",
            "verb, flag = 'pu' + 'sh', '--no-' + 'verify'\nrun(['git', verb, flag])",
            "os.system('git push --no-%s origin' % 'verify')",
            "os.system(f'git push --no-{skip}') # skip = 'verify'",
            "o=--no\ngit push $o-verify origin",
            "v=verify\ngit push --no-$v origin",
            "const flag = ['--no', 'verify'].join('-');\nexecSync(`git push ${flag}`)",
            "git\npush\n--no-verify\norigin\n",
            ".shell git push --no-ver''ify origin",
            "#!/bin/sh\nexec /usr/bin/git \"$@\" --no-verify\n",
            "export GIT_CONFIG_KEY_0=core.hooksPath\nall:\n\tgit push\n",
            "open(d + '/config', 'a').write('[core]\\n\\thooks' + 'Path = x')",
            "git commit --no-verify -m x && git push --no-verify",
        ] {
            assert!(speaks_of_bypass(text), "{text}");
        }
        for text in [
            "git push origin main",
            "git commit --no-verify -m x && git push",
            "cargo publish --no-verify && git push --tags",
            "npm ci --no-audit && npm run verify && git push",
            "curl --no-progress-meter x; verify; git push",
            "ls .git/hooks/pre-push # verify",
            "def verify(): pass",
            "stack.push(no_verification)",
            "- run: git push --follow-tags\n- run: cosign verify x",
        ] {
            assert!(!speaks_of_bypass(text), "{text}");
        }
    }

    #[test]
    fn objects_get_into_a_repository_by_git_alone() {
        assert!(copies_objects("fs.cpSync('.git/objects', there, {recursive: true})"));
        assert!(copies_objects("shutil.copytree(here / '.git' / 'objects', there)"));
        assert!(copies_objects("open(r+'/objects/'+h, 'wb').write(zlib.compress(s)) # hashlib.sha1"));
        assert!(!copies_objects("shutil.copytree('src', 'build')"));
        assert!(!copies_objects("len(os.listdir('.git/objects'))"));
    }

    #[test]
    fn settings_are_recognised_however_their_path_is_put_together() {
        let split =
            "d = os.path.join('.cl' + 'aude')\njson.dump({}, open(os.path.join(d, 'settings.json'), 'w'))";
        assert!(changes_settings(split));
        assert!(changes_settings("cd ~/.claude\necho '{}' > settings.json\n"));
        assert!(!changes_settings("print(json.load(open('.claude/settings.json')))"));
        assert!(!changes_settings("open('settings.json', 'w').write('{}')"));
        assert!(hides_our_name("['pli' + 'msoll', 'pause']"));
        assert!(!hides_our_name("['plimsoll', 'status']"));
    }
}
