//! Runs shell lines in a namespace whose programs only record how they were started.
//!
//! The file system of the namespace holds bash, a few harmless tools and the recorders: nothing that a line names can do
//! harm, whatever the line is.

use crate::coverage::Executed;
use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// Programs that are real: they print, wrap or read, and write nothing but their output.
const TOOLS: [&str; 22] = [
    "bash", "base64", "cat", "echo", "env", "false", "find", "head", "nice", "nohup", "printf", "readlink",
    "rev", "seq", "setsid", "sort", "stdbuf", "tee", "timeout", "tr", "true", "xargs",
];

const RECORDER: &str = r#"#!/bin/bash
output=; input=
[[ -f /proc/self/fd/1 ]] && output=$(/usr/bin/readlink /proc/$$/fd/1)
[[ -f /proc/self/fd/0 ]] && input=$(/usr/bin/readlink /proc/$$/fd/0)
printf '%s\0' "${0##*/}" "$@" $'\1' "$input" "$output" $'\2' >> /log/current
"#;

/// What a line leaves running ends with it, so that it is not taken for a part of the next one.
const DRIVER: &str = r#"
while IFS= read -r -d '' line; do
    : > /log/current
    cd /work && /usr/bin/timeout -s KILL 5 /usr/bin/bash --norc -c "$line" < /dev/null > /dev/null 2>&1
    kill -KILL -1
    while IFS= read -r -d '' field; do printf '%s\0' "$field"; done < /log/current
    printf '\3\0'
done < /log/lines 2> /dev/null
"#;

/// What each line started, in the order of the lines; or why the namespace could not be made.
pub(crate) fn run(lines: &[String], recorded: &[&str]) -> Result<Vec<Vec<Executed>>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let root = folder.path();
    prepare(root, recorded).map_err(|error| error.to_string())?;
    let mut texts = Vec::new();
    for line in lines {
        texts.extend_from_slice(line.as_bytes());
        texts.push(0);
    }
    fs::write(root.join("log/lines"), texts).map_err(|error| error.to_string())?;
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
    command.args([
        "--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/home", "--dir", "/home", "--dir", "/tmp",
    ]);
    command.arg("--bind").arg(root.join("log")).arg("/log");
    command.arg("--ro-bind").arg(root.join("bin")).arg("/usr/bin");
    command.args(["--symlink", "usr/bin", "/bin", "--ro-bind", "/usr/lib", "/usr/lib"]);
    for library in ["lib", "lib64"] {
        let path = Path::new("/").join(library);
        if path.exists() {
            command.arg("--ro-bind").arg(&path).arg(&path);
        }
    }
    command.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/work", "--chdir", "/work"]);
    command.args(["bash", "--norc", "-c"]);
    command.arg(format!("echo a > a.txt; echo b > b.txt; echo k=v > env.txt; {DRIVER}"));
    let mut child = command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("bwrap: {error}"))?;
    let mut output = Vec::new();
    let reading = child.stdout.take().map(|mut pipe| pipe.read_to_end(&mut output));
    let ended = child.wait_with_output().map_err(|error| error.to_string())?;
    if reading.is_none() || !ended.status.success() {
        return Err(String::from_utf8_lossy(&ended.stderr).into_owned());
    }
    Ok(records(&output))
}

fn prepare(root: &Path, recorded: &[&str]) -> std::io::Result<()> {
    fs::create_dir(root.join("bin"))?;
    fs::create_dir(root.join("log"))?;
    for tool in TOOLS {
        fs::copy(Path::new("/usr/bin").join(tool), root.join("bin").join(tool))?;
    }
    symlink("bash", root.join("bin/sh"))?;
    for name in recorded {
        let file = root.join("bin").join(name);
        fs::write(&file, RECORDER)?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

fn records(output: &[u8]) -> Vec<Vec<Executed>> {
    let mut lines = vec![];
    let mut current = vec![];
    let mut fields: Vec<String> = vec![];
    for field in output.split(|byte| *byte == 0) {
        match field {
            b"\x03" => lines.push(std::mem::take(&mut current)),
            b"\x02" => {
                if let Some(mark) = fields.iter().rposition(|field| field == "\x01") {
                    let mut behind = fields.split_off(mark).into_iter().skip(1);
                    let file = |path: Option<String>| path.filter(|path| path.starts_with("/work/"));
                    let (input, output) = (file(behind.next()), file(behind.next()));
                    current.push(Executed { arguments: std::mem::take(&mut fields), input, output });
                }
                fields.clear();
            }
            text => fields.push(String::from_utf8_lossy(text).into_owned()),
        }
    }
    lines
}
