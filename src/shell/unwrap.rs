//! Takes wrappers off a command until the one is left that does the work, and lists that.

use super::command::{Assignment, Command, Directory, Stdin, Wrapper};
use super::nested::Shell;
use super::options::Options;
use super::parsed::Opaque;
use super::rule::{self, Inner, Rule};
use super::scope::{Value, join};
use super::walk::Walker;
use super::word::Word;

/// Wrappers around wrappers beyond this are not taken off.
const MAX_WRAPPERS: usize = 16;

/// What is left of a command after one wrapper was looked at.
pub(super) enum Step {
    Inner(Command),
    /// It wraps nothing that is known.
    Whole(Command),
    Done,
}

impl Walker<'_> {
    /// Unwraps a command and lists what it comes to.
    pub(super) fn run(&mut self, command: Command) {
        if self.enter() {
            self.follow(command);
            self.leave();
        } else {
            self.commands.push(command);
        }
    }

    fn follow(&mut self, mut command: Command) {
        let inherited = command.via.len();
        loop {
            if command.via.len() > inherited + MAX_WRAPPERS {
                self.note(Opaque::TooDeep);
                break;
            }
            if !self.spend(1 + command.words.len()) {
                break;
            }
            let Some(program) = command.program().map(str::to_owned) else { break };
            let own = command.via.get(inherited..).unwrap_or_default();
            if own.iter().all(|wrapper| matches!(wrapper, Wrapper::Builtin | Wrapper::Alias)) {
                if !own.contains(&Wrapper::Alias)
                    && let Some(text) = self.scope.aliases.get(&program).cloned()
                {
                    command.via.push(Wrapper::Alias);
                    let Some(words) = self.words_of(&text) else {
                        return self.nested(&text, &command, Shell::Same);
                    };
                    command.words.splice(..1, words);
                    continue;
                }
                if self.call(&program, &command) {
                    return;
                }
                self.apply_builtin(&program, &command);
            }
            let Some((rule, options)) = rule::find(&program, &command.words) else { break };
            command = match self.unwrap(rule, &options, command) {
                Step::Inner(inner) => inner,
                Step::Whole(whole) => {
                    command = whole;
                    break;
                }
                Step::Done => return,
            };
        }
        self.list(command);
    }

    /// Follows the body of a function of the text; false if there is none or it is being followed already.
    fn call(&mut self, program: &str, command: &Command) -> bool {
        let Some(&index) = self.scope.functions.get(program) else { return false };
        let Some(function) = self.functions.get_mut(index) else { return false };
        function.called = true;
        let (text, origin) = (function.text.clone(), function.origin.clone());
        self.scope.functions.remove(program);
        let positional = self.scope.get("@").map(Value::words);
        self.scope.set_positional(command.arguments());
        let mut outer = command.clone();
        outer.via.push(Wrapper::Function);
        self.nested_at(&text, &outer, Shell::Same, &origin);
        match positional {
            Some(words) => self.scope.set_positional(&words),
            None => {
                self.scope.set_positional(&[]);
                self.scope.forget("@");
            }
        }
        self.scope.functions.insert(program.to_owned(), index);
        true
    }

    fn unwrap(&mut self, rule: &Rule, options: &Options, mut command: Command) -> Step {
        if options.has(rule.inert) {
            return Step::Whole(command);
        }
        if let Some(text) = options.value(rule.text).and_then(Word::shell_text) {
            command.via.push(if rule.wrapper == Wrapper::Runner { Wrapper::ShellC } else { rule.wrapper });
            self.nested(&text, &command, Shell::Child);
            return Step::Done;
        }
        match rule.inner {
            Inner::Nothing => self.fed(rule, command),
            Inner::Words => self.words(rule, options, command),
            Inner::Text => self.joined(rule, options, command),
            Inner::Shell => self.shell(options, command),
            Inner::Xargs => self.xargs(options, command),
            Inner::Parallel => self.parallel(options, command),
            Inner::Find => self.find(command),
            Inner::Trap => {
                let text = command.words.get(options.rest).and_then(Word::shell_text).map(String::from);
                match text.filter(|text| text != "-") {
                    Some(text) => {
                        command.via.push(Wrapper::Trap);
                        self.nested(&text, &command, Shell::Same);
                        Step::Done
                    }
                    None => Step::Whole(command),
                }
            }
        }
    }

    fn words(&mut self, rule: &Rule, options: &Options, mut command: Command) -> Step {
        let mut words = command.words.get(options.rest..).unwrap_or_default().to_vec();
        let mut set = Vec::new();
        if rule.wrapper == Wrapper::Env {
            if words.first().and_then(Word::literal) == Some("-") {
                words.remove(0);
                command.unset.push("*".to_owned());
            }
            if options.has("-i --ignore-environment") {
                command.unset.push("*".to_owned());
            }
            let names = options.values("-u --unset").filter_map(Word::literal);
            command.unset.extend(names.map(str::to_owned));
            if let Some(text) = options.value("-S --split-string").and_then(Word::shell_text) {
                words.splice(..0, self.words_of(&text).unwrap_or_else(|| vec![Word::unknown()]));
            }
        }
        if rule.takes_assignments() {
            let count = words.iter().take_while(|word| word.split_assignment().is_some()).count();
            set.extend(words.drain(..count).filter_map(|word| word.split_assignment()));
        }
        if words.is_empty() {
            return self.fed(rule, command);
        }
        self.keep(rule, &mut command);
        if let Some(directory) = options.value(rule.directory) {
            command.directory = command.directory.enter(directory);
        }
        command.words = words;
        command.assignments.extend(set.into_iter().map(|(name, value)| Assignment { name, value }));
        command.via.push(rule.wrapper);
        Step::Inner(command)
    }

    /// Lists a wrapper that does something itself; its redirects are its own. What runs elsewhere runs anywhere.
    fn keep(&mut self, rule: &Rule, command: &mut Command) {
        if rule.kept {
            self.commands.push(command.clone());
            command.redirects.clear();
        }
        if rule.is_remote() {
            command.remote = true;
            command.directory = Directory::Unknown;
        }
    }

    fn joined(&mut self, rule: &Rule, options: &Options, mut command: Command) -> Step {
        let words = command.words.get(options.rest..).unwrap_or_default();
        let text = match join(words).shell_text() {
            Some(text) if !words.is_empty() => text.into_owned(),
            _ => return self.fed(rule, command),
        };
        self.keep(rule, &mut command);
        command.via.push(rule.wrapper);
        self.nested(&text, &command, if rule.wrapper == Wrapper::Eval { Shell::Same } else { Shell::Child });
        Step::Done
    }

    /// Without a command some wrappers start a shell, which reads what it is fed.
    fn fed(&mut self, rule: &Rule, mut command: Command) -> Step {
        let starts_shell =
            matches!(rule.wrapper, Wrapper::Sudo | Wrapper::Su | Wrapper::Chroot | Wrapper::Ssh);
        match self.standard_input(&command).filter(|_| starts_shell) {
            Some(text) => {
                self.keep(rule, &mut command);
                command.via.extend([rule.wrapper, Wrapper::ShellStdin]);
                command.stdin = Stdin::None;
                self.nested(&text, &command, Shell::Child);
                Step::Done
            }
            None => Step::Whole(command),
        }
    }

    fn shell(&mut self, options: &Options, mut command: Command) -> Step {
        let mut operands = command.words.get(options.rest..).unwrap_or_default().to_vec();
        if options.has("-c") {
            let Some(text) = operands.first().and_then(Word::shell_text).map(String::from) else {
                return Step::Whole(command);
            };
            command.via.push(Wrapper::ShellC);
            let arguments: Vec<_> = operands.drain(..).skip(2).collect();
            self.subshell(|walker| {
                walker.scope.set_positional(&arguments);
                walker.nested(&text, &command, Shell::Child);
            });
            return Step::Done;
        }
        let script = operands.first().filter(|word| !matches!(word.literal(), Some("-" | "/dev/stdin")));
        if script.is_some() && !options.has("-s") {
            return Step::Whole(command);
        }
        let Some(text) = self.standard_input(&command) else { return Step::Whole(command) };
        command.via.push(Wrapper::ShellStdin);
        command.stdin = Stdin::None;
        self.nested(&text, &command, Shell::Child);
        Step::Done
    }
}
