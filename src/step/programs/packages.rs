//! Package managers: publishing, what cannot be taken back, and packages that the system needs.

use super::table::{Tool, destroys, disrupts, exposes, publishes};

const LOCAL_REGISTRY: &str = "--registry=http://localhost* --registry=http://127.0.0.1*";
const JAVASCRIPT: &str =
    "--registry --prefix -C --dir --cwd -w --workspace --userconfig --otp --tag --loglevel --filter -F";
const UNATTENDED: &str =
    "-y --yes --assume-yes --assumeyes -qq --force-yes --noconfirm --non-interactive <yes";

pub static TOOLS: &[Tool] = &[
    Tool {
        names: &["npm", "pnpm", "bun", "jsr", "deno"],
        valued: JAVASCRIPT,
        reads: "",
        rows: &[
            publishes("publish", "this package", "npm publish --access public", "npm pack")
                .unless(LOCAL_REGISTRY),
            publishes(
                "recursive|multi|m publish",
                "these packages",
                "pnpm recursive publish",
                "pnpm recursive run x",
            ),
            destroys(
                "unpublish",
                "removes a package that others may depend on",
                "npm unpublish pkg --force",
                "npm view pkg",
            ),
            disrupts("deprecate", "mark a package as deprecated", "npm deprecate pkg x", "npm outdated"),
            publishes(
                "dist-tag|dist-tags add|set|rm",
                "another version under a tag",
                "npm dist-tag add pkg@1 latest",
                "npm dist-tag ls pkg",
            ),
            exposes(
                "owner|author|access|token|team|org add|rm|remove|grant|public|set|create|revoke|delete|destroy",
                "change who may publish",
                "npm owner add x pkg",
                "npm owner ls pkg",
            ),
        ],
    },
    Tool {
        names: &["yarn"],
        valued: "--registry --cwd --tag --new-version --access --otp",
        reads: "run add remove why info exec config",
        rows: &[publishes("* publish", "this package", "yarn npm publish", "yarn run publish")
            .unless(LOCAL_REGISTRY)],
    },
    Tool {
        names: &[
            "lerna", "changeset", "wasm-pack", "elm", "vsce", "ovsx", "flit", "hatch", "poetry", "uv", "pdm",
            "wapm",
        ],
        valued: "--directory -C --project --config -o --output",
        reads: "",
        rows: &[
            publishes("publish", "this package", "poetry publish --build", "poetry build")
                .unless("--repository=testpypi -r=testpypi -r=test --index=testpypi"),
            destroys("unpublish", "removes what others may use", "vsce unpublish x.y", "vsce ls"),
        ],
    },
    Tool {
        names: &["semantic-release", "release-it"],
        valued: "",
        reads: "",
        rows: &[publishes("", "a release", "npx semantic-release", "npx semantic-release --dry-run")
            .unless("-d --version -v --no-publish")],
    },
    Tool {
        names: &["np"],
        valued: "--tag --branch",
        reads: "",
        rows: &[publishes("", "this package", "npx np --yolo", "npx np --preview")
            .unless("--preview --no-publish --version")],
    },
    Tool {
        names: &["rebar3"],
        valued: "",
        reads: "",
        rows: &[publishes("hex publish", "this package", "rebar3 hex publish", "rebar3 hex search x")],
    },
    Tool {
        names: &["buildah"],
        valued: "--authfile --root",
        reads: "",
        rows: &[publishes("push", "an image", "buildah push org/x", "buildah bud -t x .")],
    },
    Tool {
        names: &["skopeo"],
        valued: "--authfile --src-creds --dest-creds --format",
        reads: "",
        rows: &[
            publishes(
                "copy ? docker://*",
                "an image",
                "skopeo copy dir:x docker://org/x",
                "skopeo copy docker://org/x dir:x",
            ),
            destroys(
                "delete",
                "deletes what others may use",
                "skopeo delete docker://org/x",
                "skopeo inspect docker://org/x",
            ),
        ],
    },
    Tool {
        names: &["nx"],
        valued: "",
        reads: "",
        rows: &[publishes("release", "a release", "nx release publish", "nx release --skip-publish")
            .unless("--skip-publish -d version changelog plan")],
    },
    Tool {
        names: &["cargo"],
        valued: "--config --color -C -Z --manifest-path",
        reads: "",
        rows: &[
            publishes("publish", "this crate", "cargo +stable publish -p x", "cargo publish --dry-run -p x")
                .unless("-n --list"),
            publishes("workspaces|ws publish", "these crates", "cargo ws publish", "cargo ws list"),
            publishes(
                "release|smart-release",
                "this crate",
                "cargo release patch --execute",
                "cargo release patch",
            )
            .needs("-x --execute"),
            disrupts(
                "yank",
                "withdraw a version that others may use",
                "cargo yank --version 1.0.0",
                "cargo tree",
            ),
            exposes("owner", "change who may publish", "cargo owner --add x", "cargo owner --list")
                .needs("-a --add -r --remove"),
        ],
    },
    Tool {
        names: &["release-plz", "goreleaser"],
        valued: "--config -f",
        reads: "",
        rows: &[publishes(
            "release",
            "a release",
            "goreleaser release --clean",
            "goreleaser release --snapshot",
        )
        .unless("--snapshot --skip-publish --skip=publish* --draft")],
    },
    Tool {
        names: &[
            "twine", "maturin", "luarocks", "anaconda", "stack", "cabal", "snapcraft", "setup.py", "hf",
            "huggingface-cli",
        ],
        valued: "--config-file --site",
        reads: "check list",
        rows: &[
            publishes(
                "upload|publish",
                "this package",
                "python -m twine upload dist/*",
                "twine check dist/*",
            )
            .unless("--repository=testpypi -r=testpypi"),
            publishes("* upload", "this package", "python setup.py sdist upload", "python setup.py sdist"),
            publishes(
                "release|push|promote",
                "this package",
                "snapcraft release x 1 stable",
                "snapcraft status x",
            ),
            destroys(
                "repo|repo-files delete",
                "deletes what others may use",
                "huggingface-cli repo delete x",
                "huggingface-cli whoami",
            ),
        ],
    },
    Tool {
        names: &["gem", "ollama", "oras", "nuget", "choco", "opam", "apptainer", "singularity"],
        valued: "",
        reads: "",
        rows: &[
            publishes("push|publish", "this package", "gem push x-1.gem", "gem build x.gemspec"),
            disrupts(
                "yank|delete",
                "withdraw a version that others may use",
                "gem yank x -v 1",
                "gem list x",
            ),
            exposes("owner", "change who may publish", "gem owner x --add y", "gem owner x")
                .needs("-a --add -r --remove"),
        ],
    },
    Tool {
        names: &["pod", "dotnet"],
        valued: "",
        reads: "",
        rows: &[
            publishes(
                "trunk|nuget push",
                "this package",
                "dotnet nuget push x.nupkg",
                "dotnet nuget locals all -l",
            )
            .unless("--source=local* -s=local* --source=./*"),
            destroys(
                "trunk|nuget delete|deprecate",
                "withdraws what others may use",
                "dotnet nuget delete x 1",
                "dotnet nuget list source",
            ),
            destroys(
                "ef database drop",
                "drops the database",
                "dotnet ef database drop -f",
                "dotnet ef migrations list",
            ),
        ],
    },
    Tool {
        names: &["dart", "flutter", "expo", "eas", "sbt"],
        valued: "",
        reads: "",
        rows: &[
            publishes("pub publish|lish", "this package", "dart pub publish", "dart pub get").unless("-n"),
            publishes(
                "publish|submit|publishSigned|*/publish|*/publishSigned",
                "this package",
                "eas submit",
                "eas build",
            )
            .unless("--no-publish"),
        ],
    },
    Tool {
        names: &["mvn", "mvnw", "gradle", "gradlew"],
        valued: "-f --file --configuration --tests --task -pl --projects -p --project-dir -P -s --settings",
        reads: "publishToMavenLocal dependencies tasks help properties projects",
        rows: &[publishes(
            "* deploy|release:perform|deploy:deploy|publish|*:publish|publishAllPublications*|publishPlugins|\
             uploadArchives|publishToSonatype|publishAndRelease*|closeAndRelease*",
            "this artefact",
            "./gradlew clean publish",
            "./gradlew publishToMavenLocal",
        )
        .unless("-Dmaven.deploy.skip -Dmaven.deploy.skip=true -m")],
    },
    Tool {
        names: &["jf", "jfrog", "crane", "regctl", "ko"],
        valued: "--authfile --platform",
        reads: "",
        rows: &[
            destroys("delete|rt", "deletes what others may use", "jf rt del repo/x", "jf rt search repo/x")
                .needs("delete del"),
            destroys(
                "image|tag|manifest delete|rm",
                "deletes what others may use",
                "regctl tag rm org/x:1",
                "regctl tag ls org/x",
            ),
            publishes("push|publish", "an image", "crane push x.tar org/x", "crane digest org/x"),
        ],
    },
    Tool {
        names: &["apt", "apt-get", "aptitude", "dnf", "yum", "microdnf", "zypper", "apk", "flatpak"],
        valued: "-t --target-release -o --option -c --config-file",
        reads: "list search show info",
        rows: &[
            disrupts(
                "remove|purge|autoremove|autopurge|erase|rm|uninstall",
                "remove packages from the system",
                "sudo apt-get purge -y nginx",
                "sudo apt-get install -y nginx",
            )
            .needs(UNATTENDED)
            .unless("-s --simulate --dry-run"),
            disrupts("del", "remove packages from the system", "sudo apk del openssh", "apk info")
                .unless("-s --simulate"),
        ],
    },
    Tool {
        names: &["snap"],
        valued: "",
        reads: "",
        rows: &[disrupts("remove", "remove a package with its data", "sudo snap remove lxd", "snap list")],
    },
    Tool {
        names: &["pacman", "yay", "paru"],
        valued: "",
        reads: "",
        rows: &[disrupts(
            "",
            "remove packages from the system",
            "sudo pacman -Rns nginx",
            "pacman -Qi nginx",
        )
        .needs("-R --remove")
        .unless("-p --print -S -Q")],
    },
    Tool {
        names: &["dpkg", "rpm"],
        valued: "",
        reads: "",
        rows: &[disrupts("", "remove packages from the system", "sudo rpm -e nginx", "rpm -qi nginx")
            .needs("-e --erase -P --purge -r --remove")
            .unless("-q -l -L -s -S -i -U -V --list --install --query --simulate --test")],
    },
];
