//! Package managers: publishing, what cannot be taken back, and packages that the system needs.

use super::table::{ProgramTable, destroys, disrupts, exposes, programs, publishes};

const LOCAL_REGISTRY: &str = "--registry=http://localhost* --registry=http://127.0.0.1*";
const JAVASCRIPT: &str =
    "--registry --prefix -C --dir --cwd -w --workspace --userconfig --otp --tag --loglevel --filter -F";
const UNATTENDED: &str =
    "-y --yes --assume-yes --assumeyes -qq --force-yes --noconfirm --non-interactive <yes";

pub(crate) static TOOLS: &[ProgramTable] = &[
    programs("npm pnpm bun jsr deno").valued(JAVASCRIPT).rows(&[
        publishes("publish", "this package").unless(LOCAL_REGISTRY),
        publishes("recursive|multi|m publish", "these packages"),
        destroys("unpublish", "removes a package that others may depend on"),
        disrupts("deprecate", "mark a package as deprecated"),
        publishes("dist-tag|dist-tags add|set|rm", "another version under a tag"),
        exposes(
            "owner|author|access|token|team|org add|rm|remove|grant|public|set|create|revoke|\
                 delete|destroy",
            "change who may publish",
        ),
        exposes("config|c set script-shell|shell", "run another program for every script"),
    ]),
    programs("yarn")
        .valued("--registry --cwd --tag --new-version --access --otp")
        .reads("run add remove why info exec config")
        .rows(&[
            publishes("* publish", "this package").unless(LOCAL_REGISTRY),
            exposes("config set registry|npmRegistryServer", "install packages from another registry")
                .unless("https://registry.yarnpkg.com* https://registry.npmjs.org* http://localhost*"),
        ]),
    programs("lerna changeset wasm-pack elm vsce ovsx flit hatch poetry uv pdm wapm")
        .valued("--directory -C --project --config -o --output")
        .rows(&[
            publishes("publish", "this package")
                .unless("--repository=testpypi -r=testpypi -r=test --index=testpypi"),
            destroys("unpublish", "removes what others may use"),
        ]),
    programs("semantic-release release-it")
        .rows(&[publishes("", "a release").unless("-d --version -v --no-publish")]),
    programs("np")
        .valued("--tag --branch")
        .rows(&[publishes("", "this package").unless("--preview --no-publish --version")]),
    programs("rebar3").rows(&[publishes("hex publish", "this package")]),
    programs("buildah").valued("--authfile --root").rows(&[publishes("push", "an image")]),
    programs("skopeo").valued("--authfile --src-creds --dest-creds --format").rows(&[
        publishes("copy ? docker://*", "an image"),
        destroys("delete", "deletes what others may use"),
    ]),
    programs("nx")
        .rows(&[publishes("release", "a release").unless("--skip-publish -d version changelog plan")]),
    programs("cargo").valued("--config --color -C -Z --manifest-path").rows(&[
        publishes("publish", "this crate").unless("-n --list"),
        publishes("workspaces|ws publish", "these crates"),
        publishes("release|smart-release", "this crate").needs("-x --execute"),
        disrupts("yank", "withdraw a version that others may use"),
        exposes("owner", "change who may publish").needs("-a --add -r --remove"),
    ]),
    programs("release-plz goreleaser").valued("--config -f").rows(&[
        publishes("release", "a release").unless("--snapshot --skip-publish --skip=publish* --draft")
    ]),
    programs("twine maturin luarocks anaconda stack cabal snapcraft setup.py hf huggingface-cli")
        .valued("--config-file --site")
        .reads("check list")
        .rows(&[
            publishes("upload|publish", "this package").unless("--repository=testpypi -r=testpypi"),
            publishes("* upload", "this package"),
            publishes("release|push|promote", "this package"),
            destroys("repo|repo-files delete", "deletes what others may use"),
        ]),
    programs("gem ollama oras nuget choco opam apptainer singularity").rows(&[
        publishes("push|publish", "this package"),
        disrupts("yank|delete", "withdraw a version that others may use"),
        exposes("owner", "change who may publish").needs("-a --add -r --remove"),
    ]),
    programs("pod dotnet").rows(&[
        publishes("trunk|nuget push", "this package").unless("--source=local* -s=local* --source=./*"),
        destroys("trunk|nuget delete|deprecate", "withdraws what others may use"),
        destroys("ef database drop", "drops the database"),
    ]),
    programs("dart flutter expo eas sbt").rows(&[
        publishes("pub publish|lish", "this package").unless("-n"),
        publishes("publish|submit|publishSigned|*/publish|*/publishSigned", "this package")
            .unless("--no-publish"),
    ]),
    programs("mvn mvnw gradle gradlew")
        .valued(
            "-f --file --configuration --tests --task -pl --projects -p --project-dir -P -s \
                 --settings",
        )
        .reads("publishToMavenLocal dependencies tasks help properties projects")
        .rows(&[publishes(
            "* deploy|release:perform|deploy:deploy|publish|*:publish|publishAllPublications*|\
                 publishPlugins|uploadArchives|publishToSonatype|publishAndRelease*|closeAndRelease*",
            "this artefact",
        )
        .unless("-Dmaven.deploy.skip -Dmaven.deploy.skip=true -m")]),
    programs("jf jfrog crane regctl ko").valued("--authfile --platform").rows(&[
        destroys("delete|rt", "deletes what others may use").needs("delete del"),
        destroys("image|tag|manifest delete|rm", "deletes what others may use"),
        publishes("push|publish", "an image"),
    ]),
    programs("apt apt-get aptitude dnf yum microdnf zypper apk flatpak")
        .valued("-t --target-release -o --option -c --config-file")
        .reads("list search show info")
        .rows(&[
            disrupts(
                "remove|purge|autoremove|autopurge|erase|rm|uninstall",
                "remove packages from the system",
            )
            .needs(UNATTENDED)
            .unless("-s --simulate --dry-run"),
            disrupts("del", "remove packages from the system").unless("-s --simulate"),
        ]),
    programs("brew").rows(&[
        disrupts("services stop|kill", "stop every service").needs("--all"),
        disrupts("uninstall|remove|rm", "remove what other packages need").needs("--ignore-dependencies"),
    ]),
    programs("emerge").rows(&[disrupts("", "remove packages from the system")
        .needs("--unmerge -C --depclean")
        .unless("-p --pretend -a --ask")]),
    programs("nix-collect-garbage")
        .rows(&[destroys("", "deletes every older generation").needs("-d --delete-old --delete-older-than")]),
    programs("pip pip3").rows(&[exposes("config set ?", "install packages from somebody else's index")
        .needs("*index-url *trusted-host")]),
    programs("snap").rows(&[
        disrupts("remove", "remove a package with its data"),
        disrupts("stop", "stop or switch off a service"),
    ]),
    programs("pacman yay paru").rows(&[disrupts("", "remove packages from the system")
        .needs("-R --remove")
        .unless("-p --print -S -Q")]),
    programs("dpkg rpm").rows(&[disrupts("", "remove packages from the system")
        .needs("-e --erase -P --purge -r --remove")
        .unless("-q -l -L -s -S -i -U -V --list --install --query --simulate --test")]),
];
