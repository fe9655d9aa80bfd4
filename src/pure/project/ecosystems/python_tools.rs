//! Python tools of a project, called without changing files.

use super::python::Python;
use crate::pure::project::{CheckKind, CheckPlan};

pub(super) fn plan(kind: CheckKind, python: &Python<'_>) -> CheckPlan {
    let found = match kind {
        CheckKind::Lint => lint(python),
        CheckKind::Typecheck => typecheck(python),
        CheckKind::Format => format(python),
        CheckKind::Build => return CheckPlan::missing("a Python project is built only to be released"),
        CheckKind::Test => return tests(python),
        CheckKind::Integration | CheckKind::E2e => marked(kind, python),
    };
    found.unwrap_or_else(|| CheckPlan::missing(format!("no Python tool for {kind} is set up")))
}

fn ruff(python: &Python<'_>) -> Option<&'static str> {
    let file = python.folder.first_of(&["ruff.toml", ".ruff.toml"]);
    file.or_else(|| python.section("ruff").map(|_| "[tool.ruff]"))
        .or_else(|| python.depends_on("ruff").then_some("ruff in the requirements"))
}

fn lint(python: &Python<'_>) -> Option<CheckPlan> {
    let folder = python.folder;
    let flake8 = || {
        let section = ["setup.cfg", "tox.ini"].into_iter().find(|file| folder.says(file, "[flake8]"));
        folder.first_of(&[".flake8"]).or(section)
    };
    let pylint = || {
        let file = folder.first_of(&[".pylintrc", "pylintrc"]);
        file.or_else(|| python.section("pylint").map(|_| "[tool.pylint]"))
    };
    ruff(python)
        .map(|why| python.tool("ruff check .", why))
        .or_else(|| flake8().map(|why| python.tool("flake8", why)))
        .or_else(|| pylint().map(|why| python.tool("pylint --recursive=y .", why)))
}

fn typecheck(python: &Python<'_>) -> Option<CheckPlan> {
    let folder = python.folder;
    let mypy = || {
        let section = folder.says("setup.cfg", "[mypy]").then_some("setup.cfg");
        let why = folder.first_of(&["mypy.ini", ".mypy.ini"]).or(section);
        why.or_else(|| python.section("mypy").map(|_| "[tool.mypy]"))
    };
    // Without its own list of files mypy needs an argument.
    let listed = ["files", "packages", "modules"]
        .iter()
        .any(|key| python.section("mypy").is_some_and(|mypy| mypy.get(key).is_some()));
    let mypy_line = if listed { "mypy" } else { "mypy ." };
    let pyright = || {
        let file = folder.first_of(&["pyrightconfig.json"]);
        file.or_else(|| python.section("pyright").map(|_| "[tool.pyright]"))
    };
    let ty = || folder.first_of(&["ty.toml"]).or_else(|| python.section("ty").map(|_| "[tool.ty]"));
    mypy()
        .map(|why| python.tool(mypy_line, why))
        .or_else(|| pyright().map(|why| python.tool("pyright", why)))
        .or_else(|| {
            python.section("basedpyright").map(|_| python.tool("basedpyright", "[tool.basedpyright]"))
        })
        .or_else(|| ty().map(|why| python.tool("ty check", why)))
}

/// ruff as a linter does not imply ruff as a formatter.
fn format(python: &Python<'_>) -> Option<CheckPlan> {
    let folder = python.folder;
    let by_ruff = python.section("ruff").is_some_and(|ruff| ruff.get("format").is_some())
        || ["ruff.toml", ".ruff.toml"].iter().any(|file| folder.says(file, "[format]"))
        || folder.says(".pre-commit-config.yaml", "ruff-format");
    let black = python.section("black").map(|_| "[tool.black]");
    let black = black.or_else(|| python.depends_on("black").then_some("black in the requirements"));
    if by_ruff {
        return Some(python.tool("ruff format --check .", "ruff's format settings"));
    }
    black.map(|why| python.tool("black --check .", why))
}

fn tests(python: &Python<'_>) -> CheckPlan {
    let folder = python.folder;
    let set_up = python.section("pytest").is_some() || folder.has("pytest.ini") || folder.has("conftest.py");
    let is_test = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"))
    };
    if folder.has("manage.py") && !set_up && !python.depends_on("pytest") {
        return python.tool("python3 manage.py test", "manage.py");
    }
    match folder.below("").find(|path| is_test(path)) {
        Some(test) => python.tool("pytest -q", test),
        None => CheckPlan::missing("no test_*.py"),
    }
}

fn marked(kind: CheckKind, python: &Python<'_>) -> Option<CheckPlan> {
    let folder = python.folder;
    let folders = [format!("tests/{kind}"), format!("test/{kind}"), format!("tests/{kind}_tests")];
    if let Some(path) = folders.iter().find(|path| folder.has_folder(path)) {
        return Some(python.tool(&format!("pytest -q {path}"), &format!("{path}/")));
    }
    let options = python.section("pytest").and_then(|pytest| pytest.get("ini_options"));
    let markers = options.and_then(|options| options.get("markers")).and_then(|markers| markers.as_array());
    let name = |marker: &toml::Value| {
        marker.as_str().and_then(|text| text.split([':', '(']).next()).map(|name| name.trim().to_owned())
    };
    let marker = markers.into_iter().flatten().filter_map(name).find(|name| *name == kind.word())?;
    Some(python.tool(&format!("pytest -q -m {marker}"), &format!("marker `{marker}`")))
}
