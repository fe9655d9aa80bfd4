//! What hooks take in a very large project while its capture goes on beside them, and after it: 200,000 files, and 1 GB of
//! untracked data. Then the capture is killed again and again, and goes on each time. Times are wall time beyond that of a
//! program that does nothing. Prints; judges nothing.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot set up its place has nothing to measure"
)]

#[path = "../tests/support/programs.rs"]
mod programs;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROMPTS: usize = 6;
const KILLS: [u64; 5] = [1, 2, 4, 6, 8];

fn main() {
    for (name, make) in [("199,000 files", many_files as fn(&Utf8Path)), ("1 GB untracked", much_data)] {
        let place = Place::new();
        make(&place.project);
        place.report(name);
        place.kill_again_and_again();
    }
}

fn many_files(project: &Utf8Path) {
    for folder in 0..1_990 {
        let folder = project.join(format!("part{}/folder{folder}", folder % 40));
        fs::create_dir_all(&folder).unwrap();
        for file in 0..100 {
            fs::write(folder.join(format!("file{file}.txt")), format!("{folder} {file}\n").repeat(20))
                .unwrap();
        }
    }
}

/// 400 files of 2.5 MiB that nothing can press together.
fn much_data(project: &Utf8Path) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    fs::create_dir_all(project.join("data")).unwrap();
    for file in 0..400 {
        let bytes: Vec<u8> = (0..2_621_440 / 8).flat_map(|_| random()).collect();
        fs::write(project.join(format!("data/{file}.bin")), bytes).unwrap();
    }
}

struct Place {
    _directory: tempfile::TempDir,
    root: Utf8PathBuf,
    project: Utf8PathBuf,
}

/// One answer of a hook.
struct Answered {
    took: Duration,
    decision: String,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let project = root.join("project");
        for folder in ["home", "project"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        assert!(Command::new("git").args(["init", "-q"]).arg(&project).status().unwrap().success());
        fs::write(project.join("notes.txt"), "notes\n").unwrap();
        Self { _directory: directory, root, project }
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.root.join("home"))
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .current_dir(&self.project)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    fn timed(&self, program: impl AsRef<std::ffi::OsStr>, input: &str) -> (Duration, String) {
        let mut command = self.command(program);
        let begin = Instant::now();
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        (begin.elapsed(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn hook(&self, hook: &str, event: &str, fields: Value) -> Answered {
        let empty = (0..5).map(|_| self.timed("true", "").0).min().unwrap();
        let mut input = json!({"session_id": "s", "cwd": self.project, "hook_event_name": event,
            "transcript_path": self.root.join("t.jsonl")});
        for (key, value) in fields.as_object().unwrap() {
            input[key] = value.clone();
        }
        let (took, answer) = self.timed(binary(hook), &input.to_string());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str();
        let decision = match (decision, &answer["systemMessage"]) {
            (Some(decision), _) => decision.to_owned(),
            (None, Value::String(_)) => "note".to_owned(),
            (None, _) => "silent".to_owned(),
        };
        Answered { took: took.saturating_sub(empty), decision }
    }

    fn session(&self) -> Answered {
        self.hook("session-start", "SessionStart", json!({"source": "startup"}))
    }

    /// A prompt, its first change, a step that takes something away, and what follows it.
    fn prompt(&self, number: usize) -> [(&'static str, Answered); 4] {
        let call = |tool: &str, input: Value| {
            let id = format!("toolu_{number}_{tool}");
            json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": {}})
        };
        let notes = self.project.join("notes.txt");
        let write = call("Write", json!({"file_path": notes, "content": "new\n"}));
        let remove = call("Bash", json!({"command": "rm notes.txt"}));
        let fields = json!({"prompt": "go on", "prompt_id": number.to_string()});
        [
            ("user-prompt-start", self.hook("user-prompt-start", "UserPromptSubmit", fields)),
            ("pre-tool-use Write, first change", self.hook("pre-tool-use", "PreToolUse", write)),
            ("pre-tool-use rm, a loss", self.hook("pre-tool-use", "PreToolUse", remove.clone())),
            ("post-tool-use", self.hook("post-tool-use", "PostToolUse", remove)),
        ]
    }

    fn report(&self, name: &str) {
        println!("\n{name}");
        let begin = Instant::now();
        show("session-start", &[self.session()]);
        let rows: Vec<_> = (0..PROMPTS).map(|number| self.prompt(number)).collect();
        println!("while the capture goes on, {PROMPTS} prompts");
        table(&rows);
        while self.is_busy() {
            std::thread::sleep(Duration::from_millis(200));
        }
        println!("  captured and tidied up after {:.1} s", begin.elapsed().as_secs_f64());
        let rows: Vec<_> = (PROMPTS..2 * PROMPTS).map(|number| self.prompt(number)).collect();
        println!("after it");
        table(&rows);
        show("session-start", &[self.session()]);
        while self.is_busy() {
            std::thread::sleep(Duration::from_millis(200));
        }
        let data = self.root.join("home/.local/share/plimsoll/checkpoints");
        println!("  kept: {:.1} MiB", mebibytes(&data));
    }

    fn background(&self) -> Child {
        self.command(binary("plimsoll")).arg("background").stdin(Stdio::null()).spawn().unwrap()
    }

    /// Whether a background process is at work here.
    fn is_busy(&self) -> bool {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let mut here = processes.filter(|process| {
            let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let cwd = fs::read_link(process.path().join("cwd")).unwrap_or_default();
            words.ends_with(b"plimsoll\0background\0") && cwd == self.project.as_std_path()
        });
        here.next().is_some()
    }

    fn kill_again_and_again(&self) {
        println!("killed again and again");
        fs::remove_dir_all(self.root.join("home/.local")).unwrap();
        for seconds in KILLS {
            let mut child = self.background();
            let end = Instant::now() + Duration::from_secs(seconds);
            while Instant::now() < end && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(20));
            }
            let read = read_by(&child);
            let _ = child.kill();
            child.wait().unwrap();
            println!("  after {seconds} s: {} safe; this one read {read:.0} MiB", self.progress());
        }
        let begin = Instant::now();
        let mut child = self.background();
        let mut read = 0.0;
        while child.try_wait().unwrap().is_none() {
            read = f64::max(read, read_by(&child));
            std::thread::sleep(Duration::from_millis(20));
        }
        println!("  the last one ends after {:.1} s and read {read:.0} MiB", begin.elapsed().as_secs_f64());
        let leftovers = Command::new("find")
            .args([self.root.join("home").as_str(), "-name", "tmp_*", "-o", "-name", ".tmp*"])
            .output()
            .unwrap();
        println!("  files left behind: {}", String::from_utf8_lossy(&leftovers.stdout).lines().count());
    }

    fn progress(&self) -> String {
        let folder = self.root.join("home/.local/share/plimsoll/checkpoints");
        let beside = folder.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
        let mut notes = beside.filter_map(|path| path.join("progress").read_dir_utf8().ok()).flatten();
        let note = notes.next().and_then(|note| fs::read(note.unwrap().path()).ok());
        match note.and_then(|note| serde_json::from_slice::<Value>(&note).ok()) {
            Some(note) => format!("{} of {} files", note["files"], note["of"]),
            None => "no portion, or everything".into(),
        }
    }
}

fn show(name: &str, answers: &[Answered]) {
    let mut times: Vec<_> = answers.iter().map(|one| one.took.as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    let decisions: Vec<_> = answers.iter().map(|one| one.decision.as_str()).collect();
    println!(
        "  {name:<34} median {:>6.3} s, worst {:>6.3} s  {}",
        times[times.len() / 2],
        times[times.len() - 1],
        decisions.join(" ")
    );
}

fn table(rows: &[[(&'static str, Answered); 4]]) {
    for column in 0..4 {
        let answers: Vec<_> = rows
            .iter()
            .map(|row| Answered { took: row[column].1.took, decision: row[column].1.decision.clone() })
            .collect();
        show(rows[0][column].0, &answers);
    }
}

/// What the process and its children that ended have read so far, in MiB.
fn read_by(child: &Child) -> f64 {
    let text = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap_or_default();
    let bytes = text.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse::<f64>().ok());
    bytes.unwrap_or_default() / (1024.0 * 1024.0)
}

fn mebibytes(folder: &Utf8Path) -> f64 {
    let mut bytes = 0;
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => waiting.push(entry.into_path()),
                Ok(found) => bytes += found.len(),
                Err(_) => {}
            }
        }
    }
    bytes as f64 / (1024.0 * 1024.0)
}

/// The programs of this build, or those in a folder that is named and laid out as install.sh does it.
fn binary(name: &str) -> std::path::PathBuf {
    let named = std::env::args().skip(1).find(|argument| Path::new(argument).is_dir());
    let kind = if name == "plimsoll" { "bin" } else { "hooks" };
    named.map_or_else(|| programs::program(name), |folder| Path::new(&folder).join(kind).join(name))
}
