//! Projects for the tests of this line.

use super::secrets::scan_contents;
use super::{Event, Request, run};
use crate::policy::Settings;
use crate::review::LoopOutcome;
use camino::Utf8PathBuf;
use std::fs;
use std::process::Command;

/// A tiny project in a temporary directory, whose `npm` and `cargo` are shell scripts of our own.
pub(super) struct Project {
    _directory: tempfile::TempDir,
    pub(super) request: Request,
}

impl Project {
    pub(super) fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let root = top.join("project");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(top.join("bin")).unwrap();
        let path = format!("{}:/usr/bin:/bin", top.join("bin"));
        let request = Request {
            root,
            settings: Settings::default(),
            environment: vec![("PATH".into(), path), ("HOME".into(), top.into_string())],
            secrets: scan_contents(&[("src/a.js", b"let a = 1;\n")]),
        };
        Self { _directory: directory, request }
    }

    /// `npm run NAME` runs the script of that name.
    pub(super) fn npm(scripts: &[(&str, &str)]) -> Self {
        let project = Self::empty();
        let scripts: serde_json::Map<_, _> =
            scripts.iter().map(|(name, script)| (name.to_string(), (*script).into())).collect();
        for (name, script) in &scripts {
            fs::write(project.file(&format!(".{name}.sh")), script.as_str().unwrap()).unwrap();
        }
        let package = serde_json::json!({"packageManager": "npm@11.0.0", "scripts": scripts});
        fs::write(project.file("package.json"), package.to_string()).unwrap();
        project.program("npm", "echo \"$2\" >> ran; exec sh \"./.$2.sh\"");
        project
    }

    pub(super) fn file(&self, name: &str) -> Utf8PathBuf {
        self.request.root.join(name)
    }

    /// Written by a child: a descriptor that another test's fork inherits from us would make the program "busy".
    pub(super) fn program(&self, name: &str, script: &str) {
        let path = self.request.root.join("../bin").join(name);
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let status = Command::new("/bin/sh").args(["-c", write, path.as_str(), script]).status();
        assert!(status.unwrap().success());
    }

    pub(super) fn run(&self) -> LoopOutcome {
        run(&self.request, &|_: Event<'_>| {})
    }

    /// The scripts that were really started.
    pub(super) fn ran(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_to_string(self.file("ran")).unwrap_or_default().lines().map(String::from).collect();
        names.sort();
        names
    }
}
