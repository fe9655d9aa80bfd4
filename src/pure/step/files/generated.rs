//! Generated files and precious files, recognised by their names.

/// Always generated, in any folder.
const ALWAYS: [&str; 27] = [
    ".DS_Store", ".angular", ".dart_tool", ".eggs", ".gradle", ".ipynb_checkpoints", ".mypy_cache", ".next",
    ".nox", ".nuxt", ".nyc_output", ".parcel-cache", ".pytest_cache", ".ruff_cache", ".sass-cache",
    ".svelte-kit", ".tox", ".turbo", ".vite", ".zig-cache", "DerivedData", "Thumbs.db", "__pycache__",
    "bower_components", "elm-stuff", "htmlcov", "node_modules",
];
const ALWAYS_ENDINGS: [&str; 16] = [
    ".class", ".egg-info", ".gcda", ".gcno", ".log", ".o", ".obj", ".orig", ".pyc", ".pyd", ".pyo", ".swo",
    ".swp", ".tmp", ".tsbuildinfo", "~",
];

/// Usually build output, though somebody may have put work there.
const USUALLY: [&str; 32] = [
    ".cache", ".coverage", ".docusaurus", ".output", ".stack-work", ".terraform", ".tmp", ".venv",
    ".webpack", "Pods", "_build", "build", "cmake-build-debug", "cmake-build-release", "cov", "coverage",
    "coverage.html", "coverage.out", "coverage.xml", "dist", "dist-newstyle", "logs", "out",
    "playwright-report", "storybook-static", "target", "temp", "test-results", "tmp", "venv", "zig-cache",
    "zig-out",
];

/// Whether a file, a directory or a pattern of this name is never worth keeping.
pub(crate) fn is_always_generated(name: &str) -> bool {
    ALWAYS.contains(&name)
        || ALWAYS_ENDINGS.iter().any(|ending| name.ends_with(ending) && name != *ending)
        || name.ends_with(".py[co]")
        || name.ends_with(".py[cod]")
}

/// Whether a file or directory of this name is the output of a build or a test run, provided that git tracks none of it.
pub(crate) fn is_usually_generated(name: &str) -> bool {
    USUALLY.contains(&name) || is_always_generated(name)
}

/// Whether a directory of this name holds what a build or a test run makes, whatever directory it lies in.
pub(crate) fn is_build_directory(name: &str) -> bool {
    const BY_HAND: [&str; 8] = [".cache", ".coverage", ".tmp", "Pods", "cov", "logs", "temp", "tmp"];
    is_usually_generated(name) && !BY_HAND.contains(&name) && !name.starts_with("coverage.")
}

/// Whether a file of this name is the output of a compiler or a packager.
pub(crate) fn is_compiled(name: &str) -> bool {
    const ENDINGS: [&str; 20] = [
        ".a", ".aab", ".apk", ".deb", ".dll", ".dylib", ".exe", ".gem", ".ipa", ".jar", ".lib", ".nupkg",
        ".pdb", ".rlib", ".rmeta", ".rpm", ".so", ".war", ".wasm", ".whl",
    ];
    ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
}

/// Whether git usually ignores a file of this name although nobody could recreate it: keys,
/// environments, databases, state.
pub(crate) fn is_precious(name: &str) -> bool {
    const ENDINGS: [&str; 18] = [
        ".age", ".db", ".db3", ".jks", ".kdbx", ".key", ".keystore", ".mdb", ".ovpn", ".p12", ".pem", ".pfx",
        ".ppk", ".rdb", ".sqlite", ".sqlite3", ".tfstate", ".tfvars",
    ];
    const NAMES: [&str; 12] = [
        ".envrc", ".htpasswd", ".netrc", ".pgpass", "credentials", "credentials.json", "id_dsa", "id_ecdsa",
        "id_ed25519", "id_rsa", "secrets.json", "service-account.json",
    ];
    let lower;
    let name = match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => {
            lower = name.to_ascii_lowercase();
            &lower
        }
        false => name,
    };
    let is_environment = name == ".env" || name.starts_with(".env.") || name.ends_with(".env");
    let is_shown =
        || ["example", "sample", "template", "dist", "defaults"].iter().any(|word| name.contains(word));
    let is_state = || name.starts_with("secrets.") || name.contains(".sqlite") || name.contains(".tfstate");
    let ends = |ending: &&str| name.len() > ending.len() && name.ends_with(*ending);
    let is_precious = (is_environment && !is_shown())
        || NAMES.contains(&name)
        || (name.contains('.') && (is_state() || ENDINGS.iter().any(ends)));
    is_precious && !is_always_generated(name) && name != "thumbs.db"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_can_be_made_again() {
        for name in ["node_modules", "a.pyc", "*.pyc", "*~", ".DS_Store", "x.log", "*.py[co]"] {
            assert!(is_always_generated(name), "{name}");
        }
        for name in ["target", "build", "src", ".log", "~", "*.py", "log", "*"] {
            assert!(!is_always_generated(name), "{name}");
        }
        assert!(is_usually_generated("target") && !is_usually_generated("src"));
        assert!(is_build_directory("target") && !is_build_directory("tmp") && !is_build_directory("src"));
    }

    #[test]
    fn names_tell_what_nobody_could_make_again() {
        for name in
            [".env", ".env.local", "prod.env", "app.sqlite3", "app.sqlite-wal", "server.pem", "id_rsa"]
        {
            assert!(is_precious(name), "{name}");
        }
        for name in [".env.example", ".environment", "main.rs", "keyboard", "db", ".pem", "Thumbs.db"] {
            assert!(!is_precious(name), "{name}");
        }
    }
}
