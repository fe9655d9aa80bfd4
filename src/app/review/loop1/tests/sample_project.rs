//! Projects for the tests of this line.

use crate::app::review::checks;
use crate::app::review::loop1::secrets::matched;
use crate::app::review::loop1::{Loop1Request, run};
use crate::app::review::progress::{ProgressEvent, ProgressListener};
use crate::app::review::project_files;
use crate::edge::state::{CheckCache, Homes, StateLayout};
use crate::pure::policy::Settings;
use crate::pure::project::Checks;
use crate::pure::review::loop1::{Inputs, SecretScan, Site};
use crate::pure::review::{GitPath, LoopOutcome, ObjectId, Pair, Side, TreeId};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::process::Command;

/// A tiny project in a temporary directory, whose `npm` and `cargo` are shell scripts of our own.
pub(crate) struct Project {
    _directory: tempfile::TempDir,
    top: Utf8PathBuf,
    pub(crate) request: Given,
}

/// The parts of the sample that a test may change before the loop runs.
pub(crate) struct Given {
    pub(crate) root: Utf8PathBuf,
    pub(crate) settings: Settings,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) secrets: SecretScan,
    pub(crate) cached: bool,
}

impl Project {
    pub(crate) fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let top = Utf8PathBuf::from_path_buf(directory.path().canonicalize().unwrap()).unwrap();
        let root = top.join("project");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(top.join("bin")).unwrap();
        let path = format!("{}:/usr/bin:/bin", top.join("bin"));
        let request = Given {
            root,
            settings: Settings::default(),
            environment: vec![("PATH".into(), path), ("HOME".into(), top.to_string())],
            secrets: scan_contents(&[("src/a.js", b"let a = 1;\n")]),
            cached: false,
        };
        Self { _directory: directory, top, request }
    }

    /// `npm run NAME` runs the script of that name.
    pub(crate) fn npm(scripts: &[(&str, &str)]) -> Self {
        let project = Self::empty();
        project.package("", scripts);
        project.program("npm", "echo \"$2\" >> ran; exec sh \"./.$2.sh\"");
        project
    }

    /// A package in a folder of the project.
    pub(crate) fn package(&self, folder: &str, scripts: &[(&str, &str)]) {
        let scripts: serde_json::Map<_, _> =
            scripts.iter().map(|(name, script)| (name.to_string(), (*script).into())).collect();
        for (name, script) in &scripts {
            self.write(&format!("{folder}/.{name}.sh"), script.as_str().unwrap());
        }
        let package = serde_json::json!({"packageManager": "npm@11.0.0", "scripts": scripts});
        self.write(&format!("{folder}/package.json"), &package.to_string());
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.file(name.trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn file(&self, name: &str) -> Utf8PathBuf {
        self.request.root.join(name)
    }

    /// Written by a child: a descriptor that another test's fork inherits from us would make the program "busy".
    pub(crate) fn program(&self, name: &str, script: &str) {
        let path = self.request.root.join("../bin").join(name);
        let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
        let status = Command::new("/bin/sh").args(["-c", write, path.as_str(), script]).status();
        assert!(status.unwrap().success());
    }

    pub(crate) fn run(&self) -> LoopOutcome {
        self.watched(&|_: ProgressEvent<'_>| {})
    }

    pub(crate) fn watched(&self, watch: &dyn ProgressListener) -> LoopOutcome {
        let request = Loop1Request { project: self.checks(), secrets: self.request.secrets.clone() };
        let outcome = run(&request, watch);
        checks::remember(&request.project);
        outcome
    }

    pub(crate) fn checks(&self) -> checks::CheckRequest {
        let Given { root, settings, environment, cached, .. } = &self.request;
        let files = files(root);
        let detected = Checks::detect(&project_files::read(root, &files), settings);
        let subprojects: std::collections::BTreeSet<String> =
            detected.subprojects().into_iter().map(String::from).collect();
        let whole = format!("{files:?}");
        let inputs = Inputs {
            tree: Some(TreeId(object_id(whole.as_bytes()))),
            files,
            independent: subprojects.clone(),
            subprojects,
        };
        let layout = StateLayout::in_repository(&self.top.join("git"));
        checks::CheckRequest {
            root: root.clone(),
            worktree: root.clone(),
            site: Site::Worktree,
            settings: settings.clone(),
            environment: environment.clone(),
            checks: detected,
            inputs,
            cache: cached.then(|| CheckCache::open(&layout, &Homes::new(&self.top.join("data"))).unwrap()),
            enclosure: None,
            fresh: Default::default(),
        }
    }

    /// The scripts that were really started.
    pub(crate) fn ran(&self) -> Vec<String> {
        self.ran_in("")
    }

    pub(crate) fn ran_in(&self, folder: &str) -> Vec<String> {
        let log = self.file(folder).join("ran");
        let mut names: Vec<String> =
            fs::read_to_string(log).unwrap_or_default().lines().map(String::from).collect();
        names.sort();
        names
    }
}

/// As git would list them, but for what the sample programs write.
fn files(root: &Utf8Path) -> Vec<Pair> {
    let mut left = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in folder.read_dir_utf8().unwrap().map(Result::unwrap) {
            let path = entry.path().to_owned();
            if entry.file_type().unwrap().is_dir() {
                left.push(path);
            } else if entry.file_type().unwrap().is_file() && entry.file_name() != "ran" {
                let side = Side { mode: 0o100_644, id: object_id(&fs::read(&path).unwrap()) };
                let name = path.strip_prefix(root).unwrap();
                files.push(Pair { path: GitPath::new(name.as_str()), old: None, new: Some(side) });
            }
        }
    }
    files.sort();
    files
}

fn object_id(content: &[u8]) -> ObjectId {
    let hex: String = blake3::hash(content).to_hex().chars().take(40).collect();
    ObjectId::parse(&hex).unwrap()
}

/// A scan of contents that are in no repository.
pub(crate) fn scan_contents(files: &[(&str, &[u8])]) -> SecretScan {
    let matches = files.iter().flat_map(|(path, content)| {
        crate::pure::secret::scan(path, content).into_iter().map(|found| matched(&GitPath::new(path), found))
    });
    SecretScan {
        patterns: crate::pure::secret::PATTERNS,
        scanned: files.len(),
        matches: matches.collect(),
        ..SecretScan::default()
    }
}
