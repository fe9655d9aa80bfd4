//! The command line for the installed version of CodeRabbit, from its own help.

/// The version and help texts of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manual {
    pub version: String,
    /// `--help`
    pub general: String,
    /// `review --help`; empty where there is none.
    pub review: String,
}

/// The content to review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OutsideReview {
    pub base_commit: Option<String>,
    /// The branch of the base.
    pub base_name: String,
    /// The change has untracked files.
    pub untracked: bool,
    /// The user left files out; they must not be sent.
    pub left_out: bool,
}

/// The arguments, and whether untracked files are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutsideCall {
    pub arguments: Vec<String>,
    pub sends_untracked: bool,
}

impl Manual {
    /// Whether the program names itself CodeRabbit.
    pub fn is_coderabbit(&self) -> bool {
        let about = [&self.general, &self.review, &self.version];
        about.iter().any(|text| text.to_ascii_lowercase().contains("coderabbit"))
    }

    /// `coderabbit 0.7.1`
    pub fn reviewer(&self) -> String {
        let number = self.version.split_whitespace().map(|word| word.trim_start_matches('v'));
        let number =
            number.filter(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
        let number: Option<String> = number.map(|word| word.chars().take(40).collect()).next();
        number.map_or_else(|| "coderabbit".into(), |number| format!("coderabbit {number}"))
    }

    pub fn call(&self, wanted: &OutsideReview) -> Result<OutsideCall, String> {
        let (command, help) = if offers(&self.review, "--agent") {
            (Some("review"), &self.review)
        } else if offers(&self.general, "--agent") {
            (None, &self.general)
        } else {
            return Err("has no --agent output; `coderabbit update` may bring it".into());
        };
        let mut arguments: Vec<String> = command.into_iter().chain(["--agent"]).map(String::from).collect();
        let knows_untracked = offers(help, "--include-untracked");
        if offers(help, "--type") {
            arguments.extend(["--type", "all"].map(String::from));
        }
        if wanted.left_out && !knows_untracked {
            return Err("cannot leave files out, and some are to be left out of this review".into());
        }
        let sends_untracked = knows_untracked && !wanted.left_out;
        if sends_untracked && wanted.untracked {
            arguments.push("--include-untracked".into());
        }
        let Some(commit) = &wanted.base_commit else {
            return Err("needs a base, and no remote branch shares history with this one".into());
        };
        if offers(help, "--base-commit") {
            arguments.extend(["--base-commit".into(), commit.clone()]);
        } else if offers(help, "--base") && !wanted.base_name.starts_with('-') {
            arguments.extend(["--base".into(), wanted.base_name.clone()]);
        } else {
            return Err("has no option for the base".into());
        }
        Ok(OutsideCall { arguments, sends_untracked })
    }
}

/// Whether the help names exactly this option.
fn offers(help: &str, option: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    help.split(|c: char| !inside(c)).any(|word| word == option)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "Options:\n  --agent  structured output\n  --committed\n  --uncommitted\n  --include-untracked\n  \
                       --base <branch>\n  --base-commit <sha>\n";
    const OLD: &str =
        "CodeRabbit\n  --agent\n  -t, --type <type>  all, committed, uncommitted\n  --base <branch>\n";

    fn wanted() -> OutsideReview {
        OutsideReview {
            base_commit: Some("abc".into()),
            base_name: "origin/main".into(),
            untracked: true,
            left_out: false,
        }
    }

    fn manual(general: &str, review: &str) -> Manual {
        Manual { version: "coderabbit v0.7.1 (linux)".into(), general: general.into(), review: review.into() }
    }

    fn line(manual: &Manual, wanted: &OutsideReview) -> Result<String, String> {
        manual.call(wanted).map(|call| call.arguments.join(" "))
    }

    #[test]
    fn the_options_are_those_that_the_help_names() {
        let new = manual("Commands:\n  review\n", NEW);
        assert_eq!(line(&new, &wanted()).unwrap(), "review --agent --include-untracked --base-commit abc");
        let old = manual(OLD, "");
        assert_eq!(line(&old, &wanted()).unwrap(), "--agent --type all --base origin/main");
        assert!(!old.call(&wanted()).unwrap().sends_untracked);
        assert!(manual("--plain --agentic", "").call(&wanted()).unwrap_err().contains("--agent"));
    }

    #[test]
    fn files_that_are_left_out_are_never_sent() {
        let wanted = OutsideReview { left_out: true, ..wanted() };
        let call = manual("", NEW).call(&wanted).unwrap();
        assert!(!call.sends_untracked && !call.arguments.contains(&"--include-untracked".to_string()));
        assert!(manual(OLD, "").call(&wanted).is_err());
    }

    #[test]
    fn without_a_base_nothing_is_sent() {
        let none = OutsideReview { base_commit: None, ..wanted() };
        assert!(manual("", NEW).call(&none).unwrap_err().contains("needs a base"));
        let option = OutsideReview { base_name: "--upload=x".into(), ..wanted() };
        assert!(manual(OLD, "").call(&option).is_err());
    }

    #[test]
    fn the_reviewer_is_named_with_its_version() {
        assert_eq!(manual(OLD, "").reviewer(), "coderabbit 0.7.1");
        assert_eq!(Manual { version: "dev".into(), ..Manual::default() }.reviewer(), "coderabbit");
        assert!(manual(OLD, "").is_coderabbit());
        assert!(!Manual { general: "cr - compile regexes".into(), ..Manual::default() }.is_coderabbit());
    }
}
