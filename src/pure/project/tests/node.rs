use super::*;

const PACKAGE: &str = "package.json";

#[test]
fn a_javascript_project_is_checked_by_its_own_scripts() {
    let package = r#"{"scripts": {"lint": "eslint .", "type-check": "tsc", "format-check": "prettier -c .",
        "build": "vite build", "test": "vitest"}}"#;
    assert_eq!(
        detected(&[(PACKAGE, package), ("pnpm-lock.yaml", "")]),
        [
            "lint: pnpm run lint",
            "typecheck: pnpm run type-check",
            "format: pnpm run format-check",
            "build: pnpm run build",
            "test: pnpm run test"
        ]
    );
}

#[test]
fn the_package_manager_is_the_declared_one_then_the_one_that_wrote_the_lock_file() {
    for (file, field, manager) in [
        ("pnpm-lock.yaml", "", "pnpm"),
        ("yarn.lock", "", "yarn"),
        ("bun.lock", "", "bun"),
        ("bun.lockb", "", "bun"),
        ("package-lock.json", "", "npm"),
        ("README.md", "", "npm"),
        ("yarn.lock", "pnpm@9.1.0+sha512.abc", "pnpm"),
        ("yarn.lock", "; echo no", "yarn"),
    ] {
        let package = format!(r#"{{"packageManager": "{field}", "scripts": {{"lint": "x"}}}}"#);
        let found = detected(&[(PACKAGE, &package), (file, "")]);
        assert_eq!(found[0], format!("lint: {manager} run lint"), "{file} {field}");
    }
}

#[test]
fn a_script_that_checks_nothing_is_missing() {
    let package = r#"{"scripts": {"lint": " ", "test": "echo \"Error: no test specified\" && exit 1"}}"#;
    let found = detected(&[(PACKAGE, package)]);
    assert_eq!(found[0], "lint: - script `lint` in package.json checks nothing");
    assert_eq!(
        found[1],
        "typecheck: - no script `typecheck`, `type-check`, `check-types`, `types:check` in package.json"
    );
    assert_eq!(found[4], "test: - script `test` in package.json checks nothing");
}

#[test]
fn a_script_that_rewrites_or_never_ends_gives_way_to_the_tool_itself() {
    let package = r#"{"scripts": {"lint": "eslint --fix .", "test": "jest --watch"}, "jest": {}}"#;
    let found = detected(&[(PACKAGE, package), ("eslint.config.mjs", "")]);
    assert_eq!(found[0], "lint: node_modules/.bin/eslint .");
    assert_eq!(found[4], "test: node_modules/.bin/jest --ci");
    let alone = detected(&[(PACKAGE, package.replace(r#", "jest": {}"#, "").as_str())]);
    assert_eq!(alone[0], "lint: - script `lint` in package.json would rewrite files");
    assert_eq!(alone[4], "test: - script `test` in package.json would never end");
    let harmless = r#"{"scripts": {"test": "jest --watchAll=false"}}"#;
    assert_eq!(detected(&[(PACKAGE, harmless)])[4], "test: npm run test");
}

#[test]
fn without_scripts_the_tools_that_are_set_up_are_called() {
    for (file, package, expected) in [
        (
            "biome.json",
            "{}",
            &["lint: node_modules/.bin/biome check .", "format: node_modules/.bin/biome format ."][..],
        ),
        (".oxlintrc.json", "{}", &["lint: node_modules/.bin/oxlint"]),
        (".eslintrc.json", "{}", &["lint: node_modules/.bin/eslint ."]),
        ("x", r#"{"eslintConfig": {}}"#, &["lint: node_modules/.bin/eslint ."]),
        ("tsconfig.json", "{}", &["typecheck: node_modules/.bin/tsc --noEmit -p ."]),
        (
            "tsconfig.json",
            r#"{"devDependencies": {"vue-tsc": "2"}}"#,
            &["typecheck: node_modules/.bin/vue-tsc --noEmit"],
        ),
        (
            "x",
            r#"{"devDependencies": {"svelte-check": "4"}}"#,
            &["typecheck: node_modules/.bin/svelte-check"],
        ),
        (".prettierrc", "{}", &["format: node_modules/.bin/prettier --check ."]),
        ("x", r#"{"dependencies": {"prettier": "3"}}"#, &["format: node_modules/.bin/prettier --check ."]),
        ("dprint.json", "{}", &["format: node_modules/.bin/dprint check"]),
        ("vitest.config.ts", "{}", &["test: node_modules/.bin/vitest run"]),
        ("x", r#"{"devDependencies": {"jest": "30"}}"#, &["test: node_modules/.bin/jest --ci"]),
        ("x", "{}", &[]),
    ] {
        assert_eq!(commands(&[(PACKAGE, package), (file, "")]), expected, "{file} {package}");
    }
    let plug_and_play = [(PACKAGE, "{}"), ("biome.json", ""), (".pnp.cjs", "")];
    assert_eq!(detected(&plug_and_play)[0], "lint: yarn run biome check .");
    let references =
        [(PACKAGE, "{}"), ("tsconfig.json", "{\"files\": [], \"references\": [{\"path\": \"./a\"}]}")];
    assert_eq!(detected(&references)[1], "typecheck: node_modules/.bin/tsc -b --noEmit");
}

#[test]
fn a_broken_package_json_leaves_every_check_unknown_rather_than_missing() {
    for broken in ["{", "[]", r#"{"scripts": []}"#, r#"{"scripts": {"lint": 1}}"#] {
        let found = detected(&[(PACKAGE, broken)]);
        assert!(found.iter().all(|line| line.contains(": ? package.json: ")), "{broken}: {found:?}");
        assert_eq!(found.len(), 5);
    }
    let names: BTreeSet<String> = [PACKAGE.to_string()].into();
    let unreadable = BTreeMap::from([(PACKAGE.to_string(), Manifest::Unreadable("too large".into()))]);
    let manifests = Manifests::new(names, unreadable, BTreeSet::new());
    assert_eq!(
        lines(&manifests, &Settings::default(), &[CheckKind::Lint]),
        ["lint: ? package.json: too large"]
    );
    assert!(commands(&[(PACKAGE, "\u{feff}{}")]).is_empty());
}

#[test]
fn workspaces_are_checked_from_the_top_where_any_of_them_has_the_script() {
    let member = ("packages/a/package.json", r#"{"scripts": {"lint": "x"}}"#);
    let other = ("packages/b/package.json", r#"{"scripts": {}}"#);
    for (root, extra, expected) in [
        (r#"{"workspaces": ["packages/*"]}"#, "x", "lint: npm run lint --workspaces --if-present"),
        ("{}", "pnpm-workspace.yaml", "lint: npm run lint --workspaces --if-present"),
        (r#"{"packageManager": "pnpm@9"}"#, "pnpm-workspace.yaml", "lint: pnpm --recursive run lint"),
        (r#"{"packageManager": "bun@1", "workspaces": []}"#, "x", "lint: bun run --filter * lint"),
        (
            r#"{"packageManager": "yarn@4.1.0", "workspaces": []}"#,
            "x",
            "lint: yarn workspaces foreach --all run lint",
        ),
        (
            r#"{"packageManager": "yarn@1.22.0", "workspaces": []}"#,
            "x",
            "lint: - not every workspace has a script `lint`, which yarn 1 insists on",
        ),
    ] {
        let found = detected(&[(PACKAGE, root), (extra, ""), member, other]);
        assert_eq!(found[0], expected, "{root}");
        assert_eq!(found.len(), 5, "{found:?}");
    }
}

#[test]
fn turbo_nx_and_moon_are_asked_for_tasks_that_they_declare() {
    let turbo = "{ // comment\n \"tasks\": {\"lint\": {}, \"web#test\": {},} }";
    assert_eq!(
        commands(&[(PACKAGE, "{}"), ("turbo.json", turbo)]),
        ["lint: node_modules/.bin/turbo run lint", "test: node_modules/.bin/turbo run test"]
    );
    let nx = r#"{"targetDefaults": {"build": {"cache": true}}}"#;
    assert_eq!(
        commands(&[(PACKAGE, "{}"), ("nx.json", nx)]),
        ["build: node_modules/.bin/nx run-many -t build"]
    );
    let moon = "tasks:\n  typecheck:\n    command: 'tsc'\n";
    assert_eq!(commands(&[(PACKAGE, "{}"), (".moon/tasks.yml", moon)]), ["typecheck: moon run :typecheck"]);
    assert!(detected(&[(PACKAGE, "{}"), ("turbo.json", "{")])[0].starts_with("lint: ? turbo.json: "));
}

#[test]
fn tests_against_the_outside_world_belong_to_loop_4() {
    let package = r#"{"scripts": {"test:integration": "x", "test:e2e": "y"}}"#;
    assert_eq!(
        beyond(&[(PACKAGE, package)]),
        ["integration: npm run test:integration", "e2e: npm run test:e2e"]
    );
    for (file, expected) in [
        ("playwright.config.ts", "e2e: node_modules/.bin/playwright test"),
        ("cypress.config.js", "e2e: node_modules/.bin/cypress run"),
    ] {
        assert_eq!(beyond(&[(PACKAGE, "{}"), (file, "")])[1], expected);
    }
}
