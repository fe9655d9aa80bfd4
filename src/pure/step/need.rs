//! The copies and checkpoints that a tool call needs before it runs.

use super::assessment::Nature;
use super::effect::{Effect, FoundEffect, Losing, Loss, Target};
use super::known::Known;
use super::place::Place;
use super::survey::Survey;
use super::zone::{self, DeletionRisk, lies_below};
use camino::Utf8PathBuf;
use std::collections::BTreeSet;

/// The files to save before a tool call runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Need {
    /// The call changes something.
    pub changes: bool,
    /// Files that the call overwrites or deletes, where they are known and few.
    pub copies: BTreeSet<Utf8PathBuf>,
    /// Losses beyond `copies`.
    pub more: More,
}

/// Losses beyond the known files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum More {
    #[default]
    Nothing,
    /// The call may overwrite files.
    Overwrites,
    /// The call deletes or discards something.
    Deletes,
    /// The call deletes files that only the shell will know.
    DeletesUnknown,
}

impl Need {
    /// `nature` covers all effects; the survey's own nature covers only the programs.
    pub fn of(survey: &Survey, place: &Place, known: &Known, nature: Nature) -> Self {
        let mut need = Self::default();
        for found in &survey.found {
            need.add(found, place, known);
        }
        if survey.rewrites {
            need.more = need.more.max(More::Overwrites);
        }
        need.changes |= match nature {
            Nature::Read | Nature::Network => false,
            Nature::Creation | Nature::Modification | Nature::System | Nature::Deletion => true,
        };
        need
    }

    fn add(&mut self, found: &FoundEffect, place: &Place, known: &Known) {
        if let Effect::Delete { target, .. } | Effect::Replace { target } = &found.effect
            && target.path().is_some_and(|path| path.as_str().contains(char::REPLACEMENT_CHARACTER))
        {
            // The name is not valid UTF-8, so the file is unknown.
            self.more = self.more.max(More::Overwrites);
        }
        match &found.effect {
            Effect::Delete { target, recursive } => match zone::deletion_risk(target, *recursive, place) {
                DeletionRisk::Harmless if matches!(target, Target::Below(_) | Target::Unknown) => {
                    self.more = self.more.max(unknown_deletion(found));
                }
                DeletionRisk::Harmless => {}
                DeletionRisk::Outside | DeletionRisk::Anything => self.more = self.more.max(More::Deletes),
                DeletionRisk::Depends(losing) | DeletionRisk::OutsideUnless(losing) => {
                    let loss = known.losses.get(&losing);
                    self.lose(loss, More::Deletes);
                    // A missing file is not a deletion. Build output is usually no loss, but
                    // somebody may have put work there.
                    let nothing = matches!(
                        (&losing, loss),
                        (Losing::Path { recursive: false, .. }, Some(Loss::Nothing))
                    );
                    if !nothing {
                        self.more = self.more.max(More::Overwrites);
                    }
                }
            },
            Effect::Discard { losing, .. } if !zone::disposable(losing, place) => {
                self.lose(known.losses.get(losing), More::Deletes);
                self.more = self.more.max(More::Overwrites);
            }
            Effect::Replace { .. } | Effect::Merge { .. } => {
                let loss = Losing::by_overwriting(&found.effect).and_then(|losing| known.losses.get(&losing));
                self.lose(loss, More::Overwrites);
            }
            Effect::Write { target: Target::Path(path), .. } if lies_below(path, "/dev") => {}
            Effect::Write { .. } => self.changes = true,
            _ => {}
        }
    }

    fn lose(&mut self, loss: Option<&Loss>, otherwise: More) {
        match loss {
            Some(Loss::Nothing | Loss::Unkept) => self.changes = true,
            Some(Loss::Copies(paths)) => self.copies.extend(paths.iter().cloned()),
            Some(Loss::TooLarge(_) | Loss::Matters(_) | Loss::Unknown(_)) | None => {
                self.more = self.more.max(otherwise);
            }
        }
    }

    pub fn is_nothing(&self) -> bool {
        !self.changes && self.copies.is_empty() && self.more == More::Nothing
    }
}

/// Scripts delete what their arguments name; that is no reason to stop each of them.
fn unknown_deletion(found: &FoundEffect) -> More {
    if found.inside.is_none() { More::DeletesUnknown } else { More::Deletes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::client::Tool;
    use crate::pure::step::{Action, sample, survey};
    use camino::Utf8Path;

    /// With a copy to be taken of everything that is overwritten or deleted.
    fn need(command: &str) -> Need {
        let tool = Tool::Bash { command: command.to_owned() };
        let raw = serde_json::json!({ "command": command }).to_string();
        let (place, mut known) = (sample::place(), Known::default());
        let looked = survey(&Action::read(&tool, &raw), &place, &known);
        for question in looked.questions {
            match question {
                crate::pure::step::Question::Loss(
                    losing @ (Losing::Content(_) | Losing::Path { .. } | Losing::Contents(_)),
                ) => {
                    let path = match &losing {
                        Losing::Content(path) | Losing::Path { path, .. } => path.clone(),
                        other => format!("{other:?}").into(),
                    };
                    known.losses.insert(losing, Loss::Copies(vec![path]));
                }
                other => sample::answer(other, &mut known),
            }
        }
        let looked = survey(&Action::read(&tool, &raw), &place, &known);
        let nature = crate::pure::step::risk::worst(&looked, &place, &known);
        Need::of(&looked, &place, &known, nature)
    }

    #[test]
    fn every_spelling_that_takes_bytes_away_names_the_file() {
        for command in [
            "echo x > u.txt",
            ": > u.txt",
            "> u.txt",
            "echo x >| u.txt",
            "make &> u.txt",
            "cat <> u.txt",
            "cp a u.txt",
            "cp -f a ./u.txt",
            "cp -t . u.txt",
            "cp /x/u.txt .",
            "mv a u.txt",
            "install -m 644 a u.txt",
            "ln -sf x u.txt",
            "ln -sf /x/u.txt",
            "tee u.txt",
            "echo x | tee a u.txt",
            "echo x | sponge u.txt",
            "dd if=a of=u.txt",
            "truncate -s 0 u.txt",
            "truncate -s 5 u.txt",
            "shred u.txt",
            "unlink u.txt",
            "rm u.txt",
            "sort -o u.txt u.txt",
            "sort -uo u.txt a",
            "sort --output=u.txt a",
            "shuf -o u.txt a",
            "uniq a u.txt",
            "xxd -r a u.txt",
            "sed -i s/a/b/ u.txt",
            "perl -pi -e s/a/b/ u.txt",
            "yq -i .a=1 u.txt",
            "curl -o u.txt https://example.com",
            "curl -sSLo u.txt https://example.com",
            "wget -O u.txt https://example.com",
            "rsync a/u.txt .",
            "scp a u.txt",
            "tar cf u.txt src",
            "tar -czf u.txt src",
            "zip u.txt a",
            "cd . && echo x > u.txt",
            "bash -c 'echo x > u.txt'",
            "python3 -c \"open('u.txt','w').write('x')\"",
            "python3 -c \"import os; os.remove('u.txt')\"",
            "mv u.txt v.txt && echo x > v.txt",
            "mv u.txt v.txt; mv v.txt w.txt; rm w.txt",
            "ln -s u.txt l; echo x > l",
            "sed -n 'w u.txt' a",
            "sed 's/a/b/gw u.txt' a",
            "git diff --output=u.txt",
            "git archive -o u.txt HEAD",
            "git mv -f a u.txt",
            "pandoc a.md -o u.txt",
            "openssl rand -out u.txt 10",
        ] {
            let need = need(command);
            let path = Utf8PathBuf::from("/home/user/project/u.txt");
            assert!(need.copies.contains(&path), "{command}: {need:?}");
        }
    }

    #[test]
    fn what_nobody_can_name_wants_a_checkpoint() {
        for command in [
            "echo x > $f", "cp a $d/", "tar xf a.tar", "patch -p1 < a.patch", "git apply a.patch",
            "python3 x.py", "cp -r * $d", "rm \"$f\"", "mv u.txt /tmp/", "git checkout other",
        ] {
            assert!(need(command).more > More::Nothing, "{command}");
        }
        assert_eq!(need("rm \"$f\"").more, More::DeletesUnknown);
    }

    #[test]
    fn what_takes_nothing_away_needs_no_copy() {
        for command in ["git status", "cat u.txt", "ls > /dev/null", "grep x u.txt 2>/dev/null"] {
            assert!(need(command).is_nothing(), "{command}: {:?}", need(command));
        }
        for command in
            ["echo x >> u.txt", "tee -a u.txt", "touch u.txt", "chmod +x u.txt", "mkdir x", "mv u.txt v"]
        {
            let need = need(command);
            let named = need.copies.contains(Utf8Path::new("/home/user/project/u.txt"));
            assert!(!named && need.more == More::Nothing && need.changes, "{command}: {need:?}");
        }
    }
}
