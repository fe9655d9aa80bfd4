//! Shell lines as agents write them, with every construct that the reader claims to follow.

use crate::random::Random;
use std::fmt::Write;

/// Programs that only record how they were started.
pub(crate) const RECORDED: [&str; 10] =
    ["rm", "curl", "git", "tool", "dd", "chmod", "mv", "npm", "tar", "scp"];

const WORDS: [&str; 24] = [
    "a", "-rf", "--force", "x/y", "src", "-f", "main", "HEAD", "-v", "b.txt", "--", "k=v", "--out=o", "0",
    "..", "~/d", "a:b", "@x", "1,2", "%s", "-n1", "+x", "./t", "y",
];

const NAMES: [&str; 4] = ["v", "w", "opt", "dir"];

pub(crate) struct Grammar {
    random: Random,
    depth: usize,
    files: usize,
}

impl Grammar {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), depth: 0, files: 0 }
    }

    pub(crate) fn line(&mut self) -> String {
        self.depth = 0;
        let mut line = String::new();
        for index in 0..=self.random.below(4) {
            if index > 0 {
                line += self.random.pick(&["; ", "\n", " && ", "; ", " || "]);
            }
            let statement = self.statement();
            // A here-document needs the end of its line.
            line += statement.trim_end_matches(' ');
            if statement.contains("<<E") {
                line.push('\n');
                line += "true";
            }
        }
        line
    }

    fn deeper<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        made
    }

    fn statement(&mut self) -> String {
        if self.depth > 2 {
            return self.simple();
        }
        self.deeper(|this| match this.random.below(30) {
            0..=9 => this.simple(),
            10..=12 => this.setting(),
            13 => this.pipeline(),
            14 => this.condition(),
            15 => this.counted(),
            16 => this.reading(),
            17 => this.case(),
            18 => this.function(),
            19 => format!("( {} )", this.inner()),
            20 => format!("{{ {}; }}", this.inner()),
            21..=23 => this.text_for_shell(),
            24 => this.items(),
            25 => this.descriptor(),
            26 => this.file_then_run(),
            27 => this.built(),
            28 => this.positional(),
            _ => this.odd(),
        })
    }

    /// A statement that may stand in a compound command on one line.
    fn inner(&mut self) -> String {
        loop {
            let statement = self.statement();
            if !statement.contains("<<E") {
                return statement;
            }
        }
    }

    fn simple(&mut self) -> String {
        let mut text = String::new();
        if self.random.chance(8) {
            let _ = write!(text, "{}={} ", self.random.pick(&NAMES), self.word());
        }
        if self.random.chance(18) {
            text += self.random.pick(&[
                "command ", "env ", "env A=1 ", "env -u v ", "nice ", "nice -n 5 ", "timeout 5 ", "nohup ",
                "time ", "env -- ", "timeout -s KILL 5 ", "command -- ", "exec ", "builtin command ",
                "env -i ", "time -p ", "setsid -w ", "stdbuf -oL ", "\\command ",
            ]);
        }
        text += &self.program();
        for _ in 0..self.random.below(4) {
            text.push(' ');
            text += &self.word();
        }
        if self.random.chance(15) {
            text += &self.redirect();
        }
        text
    }

    fn redirect(&mut self) -> String {
        let file = self.file();
        let form = self.random.pick(&[" > ", " >> ", " 2> ", " &> ", " >| ", " 1>", " >"]);
        match self.random.below(8) {
            0 => " 2>&1".to_owned(),
            1 => format!(" <<< {}", self.word()),
            2 => " < /dev/null".to_owned(),
            3 => format!("{form}\"{file}\""),
            4 => format!(" {{fd}}>{file}"),
            _ => format!("{form}{file}"),
        }
    }

    fn file(&mut self) -> String {
        self.files += 1;
        format!("o{}", self.files % 50)
    }

    fn program(&mut self) -> String {
        let name = self.random.pick(&RECORDED);
        let (first, rest) = name.split_at(1);
        match self.random.below(40) {
            0 => format!("'{name}'"),
            1 => format!("\"{name}\""),
            2 => format!("\\{name}"),
            3 => format!("{first}\\{rest}"),
            4 => format!("$'\\x{:02x}{rest}'", first.as_bytes()[0]),
            5 => format!("/usr/bin/{name}"),
            6 => format!("$(echo {name})"),
            7 => format!("${{unset_name:-{name}}}"),
            8 => format!("{first}\"\"{rest}"),
            9 => format!("{first}''{rest}"),
            10 => format!("$'\\{:o}'{rest}", first.as_bytes()[0]),
            11 => format!("`echo {name}`"),
            12 => format!("\"$(printf '%s' {name})\""),
            13 => format!("{first}$unset_name{rest}"),
            14 => format!("{first}${{unset_name}}{rest}"),
            _ => name.to_owned(),
        }
    }

    fn name(&mut self) -> &'static str {
        self.random.pick(&NAMES)
    }

    fn literal(&mut self) -> &'static str {
        self.random.pick(&WORDS)
    }

    fn word(&mut self) -> String {
        let name = self.name();
        let text = self.literal();
        match self.random.below(64) {
            0 => format!("'{text}'"),
            1 => format!("\"{text}\""),
            2 => format!("\"{text} {}\"", self.literal()),
            3 => format!("${name}"),
            4 => format!("\"${name}\""),
            5 => format!("${{{name}}}"),
            6 => format!("\"${{{name}:-{text}}}\""),
            7 => format!("${{{name}:-{text}}}"),
            8 => format!("${{{name}#*/}}"),
            9 => format!("${{{name}%.*}}"),
            10 => format!("${{{name}/a/b}}"),
            11 => format!("${{{name}^^}}"),
            12 => format!("${{{name}:1:2}}"),
            13 => format!("${{#{name}}}"),
            14 => format!("$(({} + 1))", self.random.below(9)),
            15 => format!("$(echo {text})"),
            16 => format!("`echo {text}`"),
            17 => format!("{{{text},b}}"),
            18 => "{1..3}".to_owned(),
            19 => format!("$'{}\\x41'", text.replace('%', "")),
            20 => "\"${a[@]}\"".to_owned(),
            21 => "${a[1]}".to_owned(),
            22 => "\"$@\"".to_owned(),
            23 => "$1".to_owned(),
            24 => "$#".to_owned(),
            25 => format!("{text}${name}"),
            26 => format!("\"{text}${{{name}}}z\""),
            27 => format!("${{{name}:+{text}}}"),
            28 => format!("\"$(printf '%s-' {text} b)\""),
            29 => format!("a\\ {text}"),
            30 => "\"\"".to_owned(),
            31 => format!("${{!{name}}}"),
            32 => "${a[*]}".to_owned(),
            33 => format!("${{{name},,}}"),
            34 => "*.none".to_owned(),
            35 => format!("\"`echo {text}`\""),
            36 => format!("${{{name}:?}}"),
            37 => format!("${{{name}:={text}}}"),
            38 => "$*".to_owned(),
            39 => "${@:1}".to_owned(),
            40 => "\"${a[0]}\"".to_owned(),
            41 => format!("${{{name}//[a-f]/}}"),
            _ => text.to_owned(),
        }
    }

    fn setting(&mut self) -> String {
        let name = self.name();
        let word = self.word();
        let program = self.random.pick(&RECORDED);
        let text = self.literal();
        match self.random.below(20) {
            0 => format!("{name}={program}; ${name} {word}"),
            1 => format!("a=({program} {text} b); \"${{a[@]}}\""),
            2 => format!("a=({word} {text}); a+=(c)"),
            3 => format!("read {name} <<< \"{program} {text}\"; ${name}"),
            4 => format!("printf -v {name} '%s %s' {program} {text}; ${name}"),
            5 => format!("declare -n ref={name}; {name}={program}; $ref {text}"),
            6 => format!("mapfile -t a < <(printf '%s\\n' {program} {text}); \"${{a[@]}}\""),
            7 => format!("IFS=, read -r v w <<< {program},{text}; $v $w"),
            8 => format!("export {name}={word}"),
            9 => format!("declare {name}={program}; ${name} {text}"),
            10 => format!("{name}={text}; {name}+=z; tool ${name}"),
            11 => format!("{name}='{program} {text}'; ${name}"),
            12 => format!("{name}=\"{program} {text}\"; eval \"${name}\""),
            13 => format!("{name}=$(printf '%s' {program}); ${name} {word}"),
            14 => format!("local_{name}={program}; readonly local_{name} 2>/dev/null; $local_{name} {text}"),
            15 => format!("read -r v w < <(echo {program} {text}); $v $w"),
            16 => format!("unset {name}; {} ${name}", self.program()),
            17 => format!("readarray a <<< {program}; ${{a[0]}} {text}"),
            18 => format!("declare -A m=([k]={program}); ${{m[k]}} {text}"),
            _ => format!("{name}={word}"),
        }
    }

    fn pipeline(&mut self) -> String {
        let first = self.simple_without_exec();
        let second = self.simple_without_exec();
        match self.random.below(4) {
            0 => format!("{first} | {second}"),
            1 => format!("{first} |& {second}"),
            2 => format!("echo {} | {second}", self.word()),
            _ => format!("{first} | cat | {second}"),
        }
    }

    fn simple_without_exec(&mut self) -> String {
        loop {
            let simple = self.simple();
            if !simple.contains("exec ") && !simple.contains("time ") {
                return simple;
            }
        }
    }

    fn condition(&mut self) -> String {
        let (test, then) = (self.test(), self.inner());
        match self.random.below(4) {
            0 => format!("if {test}; then {then}; fi"),
            1 => format!("if {test}; then {then}; else {}; fi", self.inner()),
            2 => format!("{test} && {}", self.simple()),
            _ => format!("if {test}; then :; elif true; then {then}; fi"),
        }
    }

    fn test(&mut self) -> String {
        let name = self.name();
        let word = self.literal();
        match self.random.below(7) {
            0 => format!("[ -n \"${name}\" ]"),
            1 => format!("[[ ${name} == {word} ]]"),
            2 => "[[ -f a.txt ]]".to_owned(),
            3 => "true".to_owned(),
            4 => format!("(( {} > 0 ))", self.random.below(2)),
            5 => "! false".to_owned(),
            _ => format!("test {word} = {word}"),
        }
    }

    fn counted(&mut self) -> String {
        let body = self.inner();
        let program = self.random.pick(&RECORDED);
        match self.random.below(5) {
            0 => format!("for v in {} {}; do {body}; done", self.word(), self.word()),
            1 => format!("for v in {program} tool; do $v {}; done", self.literal()),
            2 => format!("for ((i=0; i<2; i++)); do {program} $i; {body}; done"),
            3 => format!("for v in {{1..2}}; do {program} \"$v\"; done"),
            _ => format!("for v in a b\ndo\n{body}\ndone"),
        }
    }

    fn reading(&mut self) -> String {
        let program = self.program();
        let text = self.literal();
        match self.random.below(5) {
            0 => format!("echo {text} | while read -r v; do {program} \"$v\"; done"),
            1 => format!("while read -r v w; do {program} $v; done <<< \"{text} b\""),
            2 => format!("printf '%s\\n' tool {text} | while read v; do $v {text}; done"),
            3 => format!("while IFS= read -r v; do {program} \"$v\"; done < <(echo {text})"),
            _ => format!("until {}; do {}; break; done", "false", self.simple()),
        }
    }

    fn case(&mut self) -> String {
        let name = self.name();
        let body = self.inner();
        format!("case ${name} in a) {body};; *) {};; esac", self.simple())
    }

    fn function(&mut self) -> String {
        let program = self.random.pick(&RECORDED);
        let text = self.literal();
        match self.random.below(6) {
            0 => format!("f() {{ {program} \"$@\"; }}; f {} {text}", self.word()),
            1 => format!("f() {{ local v=$1; {program} $v; }}; f {text}"),
            2 => format!("function f {{ {}; }}; f {text}", self.inner()),
            3 => format!("f() {{ shift; {program} \"$1\"; }}; f x {text}"),
            4 => format!("f() {{ \"$@\"; }}; f {program} {text}"),
            _ => format!("f() ( {} ); f", self.inner()),
        }
    }

    /// A short program text for another shell, without quotes of its own.
    fn plain_text(&mut self) -> String {
        let program = self.random.pick(&RECORDED);
        format!("{program} {} {}", self.literal(), self.literal())
    }

    fn text_for_shell(&mut self) -> String {
        let text = self.plain_text();
        let program = self.random.pick(&RECORDED);
        let argument = self.literal();
        match self.random.below(24) {
            0 => format!("bash -c '{text}'"),
            1 => format!("sh -c \"{text}\""),
            2 => format!("bash -c '{program} \"$1\"' _ {argument}"),
            3 => format!("bash -c '{program} $0 $1' {argument} b"),
            4 => format!("eval {text}"),
            5 => format!("eval \"{text}\""),
            6 => format!("echo '{text}' | bash"),
            7 => format!("printf '%s\\n' '{text}' | sh"),
            8 => format!("bash <<< '{text}'"),
            9 => format!("bash <<E\n{text}\nE\n"),
            10 => format!("cat <<'E' | bash\n{text}\nE\n"),
            11 => format!("sh -s -- {argument} <<< '{program} \"$1\"'"),
            12 => format!("base64 -d <<< {} | bash", base64(&text)),
            13 => format!("echo {} | base64 -d | sh", base64(&text)),
            14 => format!("bash -euo pipefail -c '{text}'"),
            15 => format!("bash -xc '{text}; {}'", self.plain_text()),
            16 => format!("echo \"{}\" | rev | bash", text.chars().rev().collect::<String>()),
            17 => format!("bash <(echo '{text}')"),
            18 => format!("source <(echo {text})"),
            19 => format!("eval \"$(echo {text})\""),
            20 => format!("$(echo {text})"),
            21 => format!("printf '\\x{:02x}{}' | bash", text.as_bytes()[0], text[1..].replace('%', "%%")),
            22 => format!("env bash -c '{text}'"),
            _ => format!("bash -c \"bash -c '{text}'\""),
        }
    }

    fn items(&mut self) -> String {
        let program = self.random.pick(&RECORDED);
        let text = self.literal();
        match self.random.below(8) {
            0 => format!("echo a b | xargs {program} {text}"),
            1 => format!("printf '%s\\n' a b | xargs -n1 {program}"),
            2 => format!("echo a | xargs -I{{}} {program} {{}} {text}"),
            3 => format!("find . -maxdepth 1 -name a.txt -exec {program} {{}} \\;"),
            4 => format!("find . -maxdepth 1 -name a.txt -exec {program} {text} {{}} +"),
            5 => format!("find . -maxdepth 1 -name a.txt | xargs {program}"),
            6 => format!("echo a | xargs -I% sh -c '{program} %'"),
            _ => format!("find . -maxdepth 1 -name a.txt -print0 | xargs -0 -r {program} {text}"),
        }
    }

    fn descriptor(&mut self) -> String {
        let file = self.file();
        let simple = self.plain_text();
        match self.random.below(7) {
            0 => format!("exec 3>{file}; {simple} >&3; exec 3>&-"),
            1 => format!("exec {{fd}}>{file}; {simple} >&$fd"),
            2 => format!("{{ {simple}; }} > {file}"),
            3 => format!("( {simple} ) >> {file}"),
            4 => format!("{simple} > >({})", self.plain_text()),
            5 => format!("{simple} <(echo x)"),
            _ => format!("{simple} 3>&1 > {file}"),
        }
    }

    fn file_then_run(&mut self) -> String {
        let file = format!("s{}", self.file());
        let text = self.plain_text();
        let other = format!("c{file}");
        let run = self.random.pick(&["bash", "sh", "source", ".", "bash -x"]);
        match self.random.below(8) {
            0 => format!("echo '{text}' > ./{file}; {run} ./{file}"),
            1 => format!("cat > ./{file} <<E\n{text}\nE\n{run} ./{file}"),
            2 => format!("printf '%s\\n' '{text}' | tee {file} >/dev/null; {run} ./{file}"),
            3 => format!("echo '{text}' > {file}; eval \"$(cat {file})\""),
            4 => format!("echo '{text}' > {file}; bash < {file}"),
            5 => format!("echo '{text}' > {file}; cat {file} | bash"),
            6 => format!("echo '{text}' > {file}; cat {file} > {other}; {run} ./{other}"),
            _ => format!("echo '{text}' > {file}; $(cat {file})"),
        }
    }

    fn built(&mut self) -> String {
        let program = self.random.pick(&RECORDED);
        let (first, rest) = program.split_at(1);
        let text = self.literal();
        match self.random.below(9) {
            0 => format!("v={first}; w={rest}; $v$w {text}"),
            1 => format!("{{{program},{text},b}}"),
            2 => format!("v=xx{program}; ${{v#xx}} {text}"),
            3 => format!("v={program}yy; ${{v%yy}} {text}"),
            4 => format!("v=z{program}z; ${{v:1:{}}} {text}", program.len()),
            5 => format!("v={}; ${{v,,}} {text}", program.to_uppercase()),
            6 => format!("v={program}; \"${{v}}\" {text}"),
            7 => format!("v=Q{rest}; ${{v/Q/{first}}} {text}"),
            _ => format!("x={program}; v=x; ${{!v}} {text}"),
        }
    }

    fn positional(&mut self) -> String {
        let program = self.random.pick(&RECORDED);
        let text = self.literal();
        match self.random.below(5) {
            0 => format!("set -- {program} {text}; \"$@\""),
            1 => format!("set -- {program} {text}; $1 $2"),
            2 => format!("set -- x {program} {text}; shift; $*"),
            3 => format!("set {program} b; $1 {text}"),
            _ => format!("set -- {program} {text}; ${{1}} ${{@:2}}"),
        }
    }

    fn odd(&mut self) -> String {
        let simple = self.plain_text();
        let program = self.random.pick(&RECORDED);
        match self.random.below(12) {
            0 => format!("trap '{simple}' EXIT"),
            1 => format!("{simple} & wait"),
            2 => format!("coproc {simple}; wait"),
            3 => format!("time {simple}"),
            4 => format!("alias zz='{simple}'"),
            5 => format!("x=$({simple})"),
            6 => format!("echo \"$({simple})\" > /dev/null"),
            7 => format!("[[ $({simple}) == x ]]"),
            8 => format!("(( x = $({program} 1; echo 1) ))"),
            9 => format!("cd /work && {simple}"),
            10 => format!("{simple} # comment ; {program} hidden"),
            _ => format!("echo '{simple}'; : {simple}"),
        }
    }
}

fn base64(text: &str) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for position in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * position) & 63) as usize] as char;
            encoded.push(if position <= chunk.len() { sign } else { '=' });
        }
    }
    encoded
}
