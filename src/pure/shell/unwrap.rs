//! Takes wrappers off a command until the one is left that does the work, and lists that.

use super::command::{Assignment, Command, Directory, Stdin, Wrapper};
use super::nested::Shell;
use super::options::WrapperOptions;
use super::output;
use super::parsed::Opaque;
use super::per_item::loses_quotes;
use super::possible;
use super::rule::{self, WrappedPart, WrapperRule};
use super::scope::join;
use super::walk::Walker;
use super::word::{Word, WordPart};

/// Wrappers around wrappers beyond this are not taken off.
const MAX_WRAPPERS: usize = 16;

/// The result of looking at one wrapper of a command.
pub(super) enum Unwrapped {
    Inner(Command),
    /// It wraps nothing that is known.
    Whole(Command),
    Done,
}

impl<'t> Walker<'t> {
    /// Unwraps a command and lists what it comes to.
    pub(super) fn run(&mut self, command: Command) {
        if self.enter() {
            let mut possible = Vec::new();
            self.follow(command, &mut possible);
            for command in possible {
                self.subshell(|walker| walker.run(command));
            }
            self.leave();
        } else {
            self.push(command);
        }
    }

    /// Readings in which its open words turn out otherwise go to `possible`, for later.
    fn follow(&mut self, mut command: Command, possible: &mut Vec<Command>) {
        let inherited = command.via.len();
        loop {
            if command.via.len() > inherited + MAX_WRAPPERS {
                self.note(Opaque::TooDeep);
                break;
            }
            if !self.spend(1 + command.words.len()) {
                break;
            }
            let Some(program) = command.program() else {
                possible.extend(possible::by_known_program(&command));
                break;
            };
            let own = command.via.get(inherited..).unwrap_or_default();
            if own.iter().all(|wrapper| matches!(wrapper, Wrapper::Builtin | Wrapper::Alias)) {
                if !own.contains(&Wrapper::Alias)
                    && let Some(text) = self.scope.alias(program)
                {
                    command.via.push(Wrapper::Alias);
                    let Some(words) = self.words_of(&text) else {
                        return self.nested(&text, command, Shell::Same);
                    };
                    command.words.splice(..1, words);
                    continue;
                }
                if let Some(index) = self.scope.function(program) {
                    return self.call(index, command);
                }
                self.apply_builtin(program, &command);
            }
            let is_open = command.words.iter().any(Word::may_be_option);
            let Some((rule, options)) = rule::find(program, &command.words) else {
                if is_open {
                    possible.extend(possible::of_interpreter(&command));
                }
                let is_known = command.words.iter().all(|word| word.literal().is_some());
                if !is_known && rule::has_subcommands(program) {
                    possible.extend(possible::of_subcommand(&command));
                }
                break;
            };
            if is_open {
                possible.extend(possible::of_wrapper(rule, &options, &command));
            }
            command = match self.unwrap(rule, &options, command) {
                Unwrapped::Inner(inner) => inner,
                Unwrapped::Whole(whole) => {
                    command = whole;
                    break;
                }
                Unwrapped::Done => return,
            };
        }
        self.list(command);
    }

    /// Follows the body of a function of the text. While it is followed, its name stands for nothing.
    fn call(&mut self, index: usize, mut command: Command) {
        let Some(function) = self.functions.get_mut(index) else { return };
        function.called = true;
        let function = function.clone();
        let Some(name) = command.program().map(str::to_owned) else { return };
        if !self.spend(function.length()) {
            return self.push(command);
        }
        self.scope.set_function(&name, None);
        let positional = self.scope.get("@").map(|value| value.words().to_vec());
        self.scope.set_positional(command.arguments());
        command.via.push(Wrapper::Function);
        let listed = self.commands.len();
        let outer = self.locals.replace(Vec::new());
        self.within(command, |walker| walker.statement(&function.source, function.body));
        for (name, value) in std::mem::replace(&mut self.locals, outer).into_iter().flatten().rev() {
            self.scope.restore(&name, value);
        }
        self.multiplies |= self.starts_itself_twice(&name, listed);
        self.scope.set_positional(positional.as_deref().unwrap_or_default());
        if positional.is_none() {
            self.scope.forget("@");
        }
        self.scope.set_function(&name, Some(index));
    }

    /// Whether the commands listed since start this function beside itself more than once.
    fn starts_itself_twice(&self, name: &str, since: usize) -> bool {
        let since = self.commands.get(since..).unwrap_or_default();
        let itself = || since.iter().filter(|command| command.program() == Some(name));
        itself().count() > 1 && itself().any(|command| command.background)
    }

    fn unwrap(&mut self, rule: &WrapperRule, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        if options.has(rule.inert) {
            return Unwrapped::Whole(command);
        }
        let origins = self.origins();
        if let Some(text) = options.value(rule.text).and_then(|word| word.shell_text(origins)) {
            let own = command.words.iter().filter(|word| word.literal() != Some(&text)).cloned();
            self.list_own(&own.collect::<Vec<_>>(), &command);
            command.via.push(if rule.wrapper == Wrapper::Runner { Wrapper::ShellC } else { rule.wrapper });
            self.nested(&text, command, Shell::Child);
            return Unwrapped::Done;
        }
        match rule.inner {
            WrappedPart::Nothing => self.fed(rule, options, command),
            WrappedPart::Words => self.words(rule, options, command),
            WrappedPart::Text => self.joined(rule, options, command),
            WrappedPart::Shell => self.shell(options, command),
            WrappedPart::Xargs => self.xargs(options, command),
            WrappedPart::Parallel => self.parallel(options, command),
            WrappedPart::Find => self.find(command),
            WrappedPart::Crontab => self.crontab(options, command),
            WrappedPart::Trap => {
                let text = command.words.get(options.rest).and_then(|word| word.shell_text(origins));
                match text.filter(|text| text != "-").map(String::from) {
                    Some(text) => {
                        command.via.push(Wrapper::Trap);
                        self.set_trap(text, command);
                        Unwrapped::Done
                    }
                    None => Unwrapped::Whole(command),
                }
            }
        }
    }

    fn words(&mut self, rule: &WrapperRule, options: &WrapperOptions, mut command: Command) -> Unwrapped {
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
            let split = options.value("-S --split-string").map(|word| word.shell_text(self.origins()));
            if let Some(text) = split.flatten() {
                // Behind a program's name, so that assignments are read as words.
                let split = self.words_of(&format!("env {text}"));
                let split = split.unwrap_or_else(|| vec![Word::unknown(), Word::unknown()]);
                words.splice(..0, split.into_iter().skip(1));
            }
        }
        if rule.takes_assignments() {
            let count = words.iter().take_while(|word| word.split_assignment().is_some()).count();
            set.extend(words.drain(..count).filter_map(|word| word.split_assignment()));
        }
        if words.is_empty() {
            return self.fed(rule, options, command);
        }
        // `entr -s 'a b'`: no program is called like that, so a shell takes it apart.
        if let [only] = words.as_slice()
            && rule.wrapper == Wrapper::Runner
            && let Some(text) = only.shell_text(self.origins()).filter(|text| text.trim().contains(' '))
        {
            let text = text.into_owned();
            self.keep(rule, options, &mut command);
            command.via.push(Wrapper::ShellC);
            self.nested(&text, command, Shell::Child);
            return Unwrapped::Done;
        }
        self.keep(rule, options, &mut command);
        if let Some(directory) = options.value(rule.directory) {
            command.directory = command.directory.enter(directory);
        }
        command.words = words;
        command.assignments.extend(set.into_iter().map(|(name, value)| Assignment { name, value }));
        command.via.push(rule.wrapper);
        Unwrapped::Inner(command)
    }

    /// `rlwrap -l ~/.bashrc x`: what its own words name is read or written by the wrapper itself.
    pub(super) fn list_own(&mut self, own: &[Word], command: &Command) {
        if own.iter().any(names_hidden) {
            self.push(Command { words: own.to_vec(), redirects: Vec::new(), ..command.clone() });
        }
    }

    /// Lists a wrapper that does something itself; its redirects are its own. What runs elsewhere runs anywhere.
    fn keep(&mut self, rule: &WrapperRule, options: &WrapperOptions, command: &mut Command) {
        if rule.kept {
            self.push(command.clone());
            command.redirects.clear();
        } else {
            // Behind an option that the table does not know stands what may be its value.
            let ends_in_option = options.rest.checked_sub(1).and_then(|at| command.words.get(at));
            let value = ends_in_option.is_some_and(|word| word.starts_with("-"));
            self.list_own(
                command.words.get(..options.rest + usize::from(value)).unwrap_or_default(),
                command,
            );
        }
        if rule.is_remote(options, &command.words) {
            command.remote = true;
            command.directory = Directory::Unknown;
        }
    }

    fn joined(&mut self, rule: &WrapperRule, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        let words = command.words.get(options.rest..).unwrap_or_default();
        let text = match join(words).shell_text(self.origins()) {
            Some(text) if !words.is_empty() => text.into_owned(),
            _ => return self.fed(rule, options, command),
        };
        let meant = (rule.wrapper != Wrapper::Eval && loses_quotes(words)).then(|| words.to_vec());
        self.keep(rule, options, &mut command);
        command.via.push(rule.wrapper);
        // The shell will take it apart otherwise; what was meant is looked at as well.
        if let Some(words) = meant {
            self.run(Command { words, ..command.clone() });
        }
        self.nested(&text, command, if rule.wrapper == Wrapper::Eval { Shell::Same } else { Shell::Child });
        Unwrapped::Done
    }

    /// Without a command some wrappers start a shell, which reads what it is fed.
    fn fed(&mut self, rule: &WrapperRule, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        let starts_shell = matches!(
            rule.wrapper,
            Wrapper::Sudo | Wrapper::Su | Wrapper::Chroot | Wrapper::Ssh | Wrapper::ShellStdin
        );
        let Some(text) = self.text_read(&command).filter(|_| starts_shell) else {
            return Unwrapped::Whole(command);
        };
        self.list_unsure(&command);
        self.keep(rule, options, &mut command);
        if rule.wrapper != Wrapper::ShellStdin {
            command.via.push(rule.wrapper);
        }
        self.nested(&text, read_out(command), Shell::Child);
        Unwrapped::Done
    }

    /// Every line is a time and a command.
    fn crontab(&mut self, options: &WrapperOptions, command: Command) -> Unwrapped {
        let from_file = command.words.get(options.rest).is_some_and(|word| word.literal() != Some("-"));
        let Some(text) = self.text_read(&command).filter(|_| !from_file) else {
            return Unwrapped::Whole(command);
        };
        self.push(command.clone());
        let shell = read_out(command);
        for job in text.lines().filter_map(scheduled) {
            self.nested(job, shell.clone(), Shell::Child);
        }
        Unwrapped::Done
    }

    fn shell(&mut self, options: &WrapperOptions, mut command: Command) -> Unwrapped {
        let operands = command.words.get(options.rest..).unwrap_or_default();
        if options.has("-c") {
            let text = operands.first().and_then(|word| word.shell_text(self.origins()));
            let Some(text) = text.map(String::from) else { return Unwrapped::Whole(command) };
            let arguments = operands.get(2..).unwrap_or_default().to_vec();
            command.via.push(Wrapper::ShellC);
            return self.with_arguments(&text, command, &arguments);
        }
        let script = operands.first().filter(|word| !matches!(word.literal(), Some("-" | "/dev/stdin")));
        if let (Some(script), false) = (script, options.has("-s")) {
            let [WordPart::Stream(producer)] = script.parts.as_slice() else {
                return Unwrapped::Whole(command);
            };
            let text = output::with_files(&self.commands, *producer);
            let text = text.and_then(|text| text.shell_text(self.origins()).map(String::from));
            let Some(text) = text else { return Unwrapped::Whole(command) };
            let arguments = operands.get(1..).unwrap_or_default().to_vec();
            if output::of(&self.commands, *producer).is_none() {
                self.push(command.clone());
            }
            return self.with_arguments(&text, read_out(command), &arguments);
        }
        let Some(text) = self.text_read(&command) else { return Unwrapped::Whole(command) };
        let arguments = operands.to_vec();
        self.list_unsure(&command);
        self.with_arguments(&text, read_out(command), &arguments)
    }

    /// Lists a shell whose text comes out of a file, which may hold something else by then, as one that nobody has read.
    fn list_unsure(&mut self, command: &Command) {
        if self.standard_input(command).is_none() {
            self.push(command.clone());
        }
    }

    /// Follows the text of another shell that has these positional parameters.
    fn with_arguments(&mut self, text: &str, command: Command, arguments: &[Word]) -> Unwrapped {
        self.subshell(|walker| {
            walker.scope.set_positional(arguments);
            walker.nested(text, command, Shell::Child);
        });
        Unwrapped::Done
    }
}

/// The command as a shell that has its text from standard input, which leaves nothing there to read.
fn read_out(mut command: Command) -> Command {
    command.via.push(Wrapper::ShellStdin);
    command.stdin = Stdin::None;
    command.fed_by.clear();
    command
}

/// A path to a hidden file, which a wrapper's options hardly ever name.
fn names_hidden(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, WordPart::Literal(text) if text.contains("/.")))
}

/// The command of one line of a crontab.
fn scheduled(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let fields = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for _ in 0..fields {
        rest = rest.split_once([' ', '\t'])?.1.trim_start();
    }
    Some(rest.split('%').next().unwrap_or(rest))
}
