//! Paths that a container shares with this machine.

use super::clients::names_tests;
use crate::pure::shell::{Command, Word, WordPart, Wrapper};
use crate::pure::step::effect::Target;
use crate::pure::step::path::target;
use crate::pure::step::place::Place;
use camino::{Utf8Path, Utf8PathBuf};

/// A directory of this machine in a container.
pub(crate) struct Mount {
    pub from: Word,
    pub to: Utf8PathBuf,
    pub writable: bool,
}

impl Mount {
    /// The mounts in the options of `docker run`.
    pub fn all(arguments: &[Word]) -> Vec<Self> {
        let mut mounts = Vec::new();
        for (index, word) in arguments.iter().enumerate() {
            let next = || arguments.get(index + 1).cloned();
            let text = word.literal_prefix();
            let attached = |option: &str| {
                text.strip_prefix(option).map(|rest| {
                    let mut value = word.clone();
                    if let Some(first) = value.parts.first_mut() {
                        *first = WordPart::Literal(rest.to_owned());
                    }
                    value
                })
            };
            let mount = match text {
                "-v" | "--volume" => next().and_then(|value| Self::volume(&value)),
                "--mount" => next().and_then(|value| Self::named(&value)),
                _ if text.starts_with("--mount=") => {
                    attached("--mount=").and_then(|value| Self::named(&value))
                }
                _ if text.starts_with("--volume=") => {
                    attached("--volume=").and_then(|value| Self::volume(&value))
                }
                _ if text.starts_with("-v") => attached("-v").and_then(|value| Self::volume(&value)),
                _ => None,
            };
            mounts.extend(mount);
        }
        mounts
    }

    /// `from:to` or `from:to:ro`. A name without a slash is a volume, not a directory.
    fn volume(value: &Word) -> Option<Self> {
        let (mut from, rest) = split(value, ":")?;
        // The shell leaves `~:/x` alone, but whoever wrote it meant the home directory.
        if from.literal() == Some("~") {
            from = Word { parts: vec![WordPart::Tilde(String::new())] };
        }
        let rest = rest.literal()?.to_owned();
        let mut rest = rest.split(':');
        let to = rest.next()?.into();
        let writable = !rest.next().is_some_and(|mode| mode.split(',').any(|option| option == "ro"));
        let is_volume = from.literal().is_some_and(|name| !name.starts_with(['/', '.', '~']));
        (!is_volume).then_some(Self { from, to, writable })
    }

    /// `type=bind,source=from,target=to`
    fn named(value: &Word) -> Option<Self> {
        let text = value.text_lossy();
        let field = |names: [&str; 3]| {
            let mut pairs = text.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| names.contains(name)).map(|(_, value)| value)
        };
        let from = match field(["source", "src", ""])? {
            "${PWD}" => Word { parts: vec![WordPart::Variable("PWD".into())] },
            path => Word::plain(path),
        };
        let writable = !text.split(',').any(|option| matches!(option, "ro" | "readonly"));
        Some(Self { from, to: field(["target", "dst", "destination"])?.into(), writable })
    }
}

/// A word in two, at the first of these signs in its known text.
fn split(word: &Word, sign: &str) -> Option<(Word, Word)> {
    for (index, part) in word.parts.iter().enumerate() {
        let WordPart::Literal(text) = part else { continue };
        let Some((before, after)) = text.split_once(sign) else { continue };
        let mut left = Word { parts: word.parts.get(..index)?.to_vec() };
        let mut right = Word::plain(after);
        if !before.is_empty() {
            left.parts.push(WordPart::Literal(before.to_owned()));
        }
        right.parts.extend_from_slice(word.parts.get(index + 1..)?);
        return Some((left, right));
    }
    None
}

/// A container that a command runs in, as far as it touches this machine.
pub(crate) struct Inside {
    /// Where a command starts in it.
    pub directory: Option<Utf8PathBuf>,
    /// Folders in it, those of this machine that they are, and whether it may write to them.
    shared: Vec<(Utf8PathBuf, Utf8PathBuf, bool)>,
    lasts: Lasts,
    /// Its name or its file says that it is there for tests, and the command works on nothing beyond it.
    pub is_for_tests: bool,
}

/// The lifetime of deleted data in a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lasts {
    /// A container that goes with the command, and that has nothing of this machine.
    Nothing,
    /// A container of this machine: its data directories may be volumes.
    Data,
    /// Another machine, or a pod of a cluster.
    Everything,
}

impl Inside {
    /// The container that this command runs in, if `docker run` or its like starts it.
    pub fn of(command: &Command, others: &[Command], place: &Place) -> Self {
        let around = others
            .iter()
            .take_while(|other| !std::ptr::eq(*other, command))
            .filter(|other| other.span.start <= command.span.start && other.span.end >= command.span.end)
            .filter(|other| {
                matches!(other.program(), Some("docker" | "podman" | "nerdctl" | "kubectl" | "oc"))
            })
            .last();
        let on_this_machine = command.via.contains(&Wrapper::Container)
            && !command.via.contains(&Wrapper::Ssh)
            && !matches!(around.and_then(Command::program), Some("kubectl" | "oc"));
        let arguments = around.map(Command::arguments).unwrap_or_default();
        let has = |names: &[&str]| {
            arguments.iter().any(|word| names.iter().any(|name| word.literal_prefix().starts_with(name)))
        };
        let thrown_away = has(&["--rm"]) && !has(&["-v", "--volume", "--mount"]);
        let lasts = match (on_this_machine, thrown_away) {
            (true, true) => Lasts::Nothing,
            (true, false) => Lasts::Data,
            (false, _) => Lasts::Everything,
        };
        let shared = Mount::all(arguments).into_iter().filter_map(|mount| {
            let from = target(&mount.from, Some(&place.cwd), place);
            Some((mount.to, from.path()?.to_owned(), mount.writable))
        });
        let named = arguments.iter().zip(arguments.iter().skip(1));
        let mut named = named.filter(|(option, _)| matches!(option.literal(), Some("-w" | "--workdir")));
        let directory = named.next().and_then(|(_, value)| value.literal()).map(Utf8PathBuf::from);
        let inner = command.words.first().and_then(Word::literal).unwrap_or_default();
        let front = arguments.iter().map_while(Word::literal).take_while(|word| *word != inner);
        let reaches_out = |word: &str| {
            word.contains("://")
                || ["-h", "-H", "--host", "-c=", "--context"].iter().any(|option| word.starts_with(option))
        };
        let is_for_tests = on_this_machine
            && front.clone().any(names_tests)
            && !front.into_iter().chain(command.literals()).any(reaches_out);
        Self { directory, shared: shared.collect(), lasts, is_for_tests }
    }

    /// Whether a deletion with everything below loses more than what the container was made with.
    pub fn keeps(&self, target: &Target) -> bool {
        let below = |starts: &[&str]| match target {
            Target::Path(path) | Target::Inside(path) | Target::Below(path) => {
                starts.iter().any(|start| path.starts_with(start))
            }
            Target::Matching(pattern) => starts.iter().any(|start| Utf8Path::new(pattern).starts_with(start)),
            Target::Unknown => false,
        };
        match self.lasts {
            Lasts::Nothing => false,
            Lasts::Data => below(&["/var/lib", "/data", "/var/opt", "/bitnami"]) && !below(&["/var/lib/apt"]),
            Lasts::Everything => !below(&["/tmp", "/var/tmp"]),
        }
    }

    /// The target on this machine of a target in the container that is changed there.
    pub fn here(&self, target: &Target) -> Option<Target> {
        self.seen(target, |writable| writable)
    }

    /// The same of one that is only read.
    pub fn read_here(&self, target: &Target) -> Option<Target> {
        self.seen(target, |_| true)
    }

    fn seen(&self, target: &Target, counts: impl Fn(bool) -> bool) -> Option<Target> {
        let shared = || self.shared.iter().filter(|(.., writable)| counts(*writable));
        let here = |path: &Utf8Path| {
            shared().find_map(|(to, from, _)| match path.strip_prefix(to) {
                Ok(rest) if rest.as_str().is_empty() => Some(from.clone()),
                Ok(rest) => Some(from.join(rest)),
                Err(_) => None,
            })
        };
        let above = |path: &Utf8Path| shared().find(|(to, ..)| to.starts_with(path));
        match target {
            Target::Path(path) => {
                here(path).or_else(|| above(path).map(|(_, from, _)| from.clone())).map(Target::Path)
            }
            Target::Inside(path) => here(path)
                .map(Target::Inside)
                .or_else(|| above(path).map(|(_, from, _)| Target::Path(from.clone()))),
            Target::Below(path) => here(path).map(Target::Below),
            Target::Matching(pattern) => {
                here(Utf8Path::new(pattern)).map(|pattern| Target::Matching(pattern.into_string()))
            }
            Target::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pure::step::Decision;
    use crate::pure::step::sample::shell;

    #[test]
    fn what_a_container_deletes_in_a_mounted_directory_is_gone_here() {
        for command in [
            "docker run -v /:/host alpine rm -rf /host",
            "docker run --rm -v $(pwd):/w alpine rm -rf /w/src",
            "docker run --rm -v \"$PWD\":/w -w /w alpine sh -c 'rm -rf src'",
            "docker run --mount type=bind,source=/etc,target=/x alpine rm -rf /x",
            "podman run --volume=/home/user:/h alpine sh -c 'rm -rf /h/*'",
        ] {
            assert!(shell(command).decision >= Decision::Ask, "{command}");
        }
    }

    #[test]
    fn what_outlives_a_container_or_lies_elsewhere_is_asked() {
        for command in [
            "docker exec db rm -rf /var/lib/postgresql/data",
            "docker run --rm -v pgdata:/data alpine rm -rf /data",
            "docker compose exec db sh -c 'rm -rf /data/*'",
            "kubectl exec db-0 -- rm -rf /srv",
            "ssh host 'rm -rf /srv/x'",
            "ssh host sudo useradd x",
        ] {
            assert_eq!(shell(command).decision, Decision::Ask, "{command}");
        }
    }

    #[test]
    fn what_stays_in_the_container_is_silent() {
        for command in [
            "docker run --rm alpine rm -rf /src",
            "docker run --rm alpine rm -rf /data",
            "docker run --rm -v $(pwd):/w:ro alpine rm -rf /w/src",
            "docker run --rm -v cache:/w alpine rm -rf /w/src",
            "docker run --rm -v \"$PWD\":/w -w /w node npm test",
            "docker run --rm -v \"$PWD\":/w alpine rm -rf /w/node_modules",
            "docker exec web rm -rf /var/cache/nginx",
            "docker run debian sh -c 'apt-get update && rm -rf /var/lib/apt/lists/*'",
            "ssh host 'rm -rf /tmp/build'",
            "kubectl exec web-0 -- rm -rf /tmp/x",
        ] {
            assert!(shell(command).decision < Decision::Ask, "{command}");
        }
    }
}
