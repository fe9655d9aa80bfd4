//! A name for everything that the result of a check depends on.

use super::CheckRequest;
use crate::edge::run::{ProgramSearch, identity};
use crate::pure::project::{CheckCommand, PlannedCheck};
use crate::pure::text::digest;
use camino::{Utf8Path, Utf8PathBuf};

/// Variables that say who sits where, not what is to be done. All others count.
const INCIDENTAL: [&str; 26] = [
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "TERM",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TERM_SESSION_ID",
    "COLUMNS",
    "LINES",
    "WINDOWID",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "GPG_TTY",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "DBUS_SESSION_BUS_ADDRESS",
    "MAIL",
    "INVOCATION_ID",
];
const INCIDENTAL_PREFIXES: [&str; 7] =
    ["CLAUDE", "PLIMSOLL_", "XDG_SESSION_", "VSCODE_", "VTE_", "npm_lifecycle_", "npm_package_"];
/// Programs that run scripts, and so may answer under the name of a script.
const INTERPRETERS: [&str; 11] =
    ["node", "python3", "python", "ruby", "php", "java", "dotnet", "elixir", "rustc", "go", "sh"];
/// Written again whenever dependencies are installed.
const INSTALLED: [&str; 10] = [
    "node_modules/.bin",
    "node_modules/.package-lock.json",
    "node_modules/.modules.yaml",
    "node_modules/.yarn-state.yml",
    "node_modules/.yarn-integrity",
    ".venv/pyvenv.cfg",
    ".venv/bin",
    "venv/bin",
    "vendor/composer/installed.json",
    "deps",
];
/// Hold a folder for each version of Python, and in that the installed packages.
const PYTHON_LIBRARIES: [&str; 2] = [".venv/lib", "venv/lib"];
/// In the folder that a variable names: which toolchain a name like `cargo` or `python3` stands for.
const TOOLCHAINS: [(&str, &str); 6] = [
    ("HOME", ".rustup/settings.toml"),
    ("HOME", ".rustup/update-hashes"),
    ("RUSTUP_HOME", "settings.toml"),
    ("RUSTUP_HOME", "update-hashes"),
    ("HOME", ".pyenv/version"),
    ("HOME", ".tool-versions"),
];

/// Nothing if it cannot be told; then the check has to run.
pub(crate) fn of(
    request: &CheckRequest,
    planned: &PlannedCheck,
    command: &CheckCommand,
    environment: &[(String, String)],
) -> Option<String> {
    let directory = request.root.join(&planned.directory);
    let search = search(request, &directory, environment);
    let program = identity(&search.locate(command.argv.first()?)?)?;
    let interpreters = INTERPRETERS.iter().map(|name| search.locate(name).and_then(seen)).collect::<Vec<_>>();
    let toolchains = TOOLCHAINS
        .iter()
        .map(|(variable, name)| {
            value(environment, variable).and_then(|folder| seen(Utf8Path::new(folder).join(name)))
        })
        .collect::<Vec<_>>();
    let installed = [&request.root, &directory].map(|folder| installed(folder));
    let mut relevant: Vec<&(String, String)> = environment.iter().filter(|(name, _)| counts(name)).collect();
    relevant.sort();
    let meaning = serde_json::json!([
        env!("CARGO_PKG_VERSION"),
        planned.name,
        command.argv,
        planned.directory,
        format!("{:?} {:?}", command.success, request.site),
        program,
        interpreters,
        toolchains,
        installed,
        relevant,
        request.inputs.name(&planned.directory)?,
    ]);
    Some(digest(meaning.to_string()))
}

/// Where a check looks for its program.
pub(crate) fn search<'a>(
    request: &'a CheckRequest,
    directory: &'a Utf8Path,
    environment: &'a [(String, String)],
) -> ProgramSearch<'a> {
    let path = value(environment, "PATH").unwrap_or_default();
    ProgramSearch { directory, path, project: Some(&request.worktree) }
}

fn value<'a>(environment: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

fn installed(folder: &Utf8Path) -> Vec<Option<String>> {
    let versions = |library: &str| {
        let entries = folder.join(library).read_dir_utf8().into_iter().flatten().flatten();
        entries.map(|entry| entry.path().join("site-packages")).collect::<Vec<_>>()
    };
    let packages = PYTHON_LIBRARIES.iter().flat_map(|library| versions(library));
    INSTALLED.iter().map(|name| folder.join(name)).chain(packages).map(seen).collect()
}

fn seen(path: Utf8PathBuf) -> Option<String> {
    identity(&path)
}

fn counts(name: &str) -> bool {
    !INCIDENTAL.contains(&name) && !INCIDENTAL_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
