//! The languages and tools of a project, by the file names at its root.

const MADE_WITH: [(&str, &str); 27] = [
    ("Cargo.toml", "Rust"),
    ("package.json", "JavaScript"),
    ("tsconfig.json", "TypeScript"),
    ("deno.json", "Deno"),
    ("pyproject.toml", "Python"),
    ("setup.py", "Python"),
    ("requirements.txt", "Python"),
    ("go.mod", "Go"),
    ("pom.xml", "Java (Maven)"),
    ("build.gradle", "Java (Gradle)"),
    ("build.gradle.kts", "Kotlin (Gradle)"),
    ("Gemfile", "Ruby"),
    ("composer.json", "PHP"),
    ("mix.exs", "Elixir"),
    ("Package.swift", "Swift"),
    ("pubspec.yaml", "Dart"),
    ("CMakeLists.txt", "C or C++ (CMake)"),
    ("Makefile", "make"),
    ("Dockerfile", "Docker"),
    ("compose.yaml", "Docker Compose"),
    ("docker-compose.yml", "Docker Compose"),
    ("next.config.js", "Next.js"),
    ("vite.config.ts", "Vite"),
    ("angular.json", "Angular"),
    ("main.tf", "Terraform"),
    ("flake.nix", "Nix"),
    ("justfile", "just"),
];

pub(crate) fn stack(root_names: &[String]) -> Vec<&'static str> {
    let mut stack: Vec<&'static str> = Vec::new();
    for (name, made_with) in MADE_WITH {
        if root_names.iter().any(|found| found == name) && !stack.contains(&made_with) {
            stack.push(made_with);
        }
    }
    if root_names.iter().any(|name| name.ends_with(".csproj") || name.ends_with(".sln")) {
        stack.push(".NET");
    }
    stack
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_technology_is_named_once() {
        let names = ["setup.py", "pyproject.toml", "x.sln", "Cargo.toml.orig"].map(String::from);
        assert_eq!(stack(&names), ["Python", ".NET"]);
    }
}
