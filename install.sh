#!/bin/sh
# Builds Plimsoll and installs it into a project, for a user, or as a plugin; takes it out again.
# Every step can be repeated: after a failure, fix the cause it names and run the same line again.
set -eu

usage() {
    cat <<'END'
Usage: install.sh [--project DIR] [--shared] [options]   into one project (default: the git project you are in)
       install.sh --user [options]                       for all your projects (in CLAUDE_CONFIG_DIR or ~/.claude),
                                                         without binding any to the gate
       install.sh --plugin [options]                     only build into this checkout, for use as a plugin
       install.sh --uninstall [--project DIR | --user] [--purge] [--dry-run]

  --shared     register through a launcher that you commit, so that colleagues get the hooks with the project
  --sandbox    keep the agent's commands in the client's sandbox (Linux: needs bubblewrap and socat)
  --no-build   use binaries that are already built (PLIMSOLL_BUILD_DIR names their directory)
  --force      replace a command, agent or skill of the same name; yours is kept as NAME.plimsoll-backup
  --dry-run    print every action, change nothing
  --purge      with --uninstall: delete reviews, keys and programs too
  --version    print the version
  --help       print this
END
}

# One program under nine names: its own name tells it which hook it is.
hooks='session-start user-prompt-start user-prompt-review user-prompt-ship pre-tool-use post-tool-use stop config-change git-pre-push'
begin='# plimsoll: begin'
end='# plimsoll: end'

# ---- talking -------------------------------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }

# fail WHAT NEXT
fail() {
    printf 'install.sh: %s\n  next: %s\n' "$1" "$2" >&2
    exit 2
}

# act WHAT COMMAND…: does it, or in a dry run says that it would.
act() {
    what=$1
    shift
    if [ "$dry_run" = yes ]; then
        say "would $what"
    else
        "$@" || fail "could not $what" 'fix the cause above and run the same line again'
        say "$what"
    fi
}

# ---- files ---------------------------------------------------------------------------------------------------------

temporary=
trap '[ -z "$temporary" ] || rm -f "$temporary"' EXIT
trap 'exit 130' INT TERM

# replace FILE MODE < content: whole or not at all, so that a running hook never meets half a binary.
replace() {
    temporary=$(mktemp "$1.XXXXXX") || return 1
    if cat >"$temporary" && chmod "$2" "$temporary" && mv -f "$temporary" "$1"; then
        temporary=
    else
        rm -f "$temporary"
        return 1
    fi
}

copy() {
    make_directory "$(dirname "$2")" && replace "$2" "$3" <"$1"
}

# put PROGRAM PLACE: the hooks are links to the first of them, or copies where the file system has no links.
put() {
    first=$(dirname "$2")/${hooks%% *}
    if [ "$2" = "$first" ] || ! cmp -s "$1" "$first" || ! link "$first" "$2"; then
        copy "$1" "$2" 755
    fi
}

link() {
    temporary=$2.$$
    if ln -f "$1" "$temporary" 2>/dev/null && mv -f "$temporary" "$2"; then
        temporary=
    else
        rm -f "$temporary"
        return 1
    fi
}

# Remembers the directories it had to make, to take them away again.
make_directory() {
    [ ! -d "$1" ] || return 0
    make_directory "$(dirname "$1")" && mkdir -p "$1" || return 1
    case $1 in
        "$share" | "$share"/* | "$build" | "$build"/*) ;;
        *) mkdir -p "$record" && printf '%s\n' "$1" >>"$record/directories" ;;
    esac
}

# each_file COMMAND: calls it with source and place of everything that goes into .claude.
each_file() {
    for file in "$source"/commands/*.md "$source"/agents/*.md "$source"/skills/plimsoll/*; do
        "$1" "$file" "${file#"$source"/}"
    done
    [ "$shared" = no ] || "$1" "$source/hooks/launch" plimsoll/launch
}

present() { [ -e "$1" ] || [ -L "$1" ]; }

# is_ours SOURCE PLACE: nobody changed what we put there.
is_ours() {
    [ -f "$claude/$2" ] || return 1
    cmp -s "$1" "$claude/$2" || cmp -s "$record/files/$2" "$claude/$2"
}

conflicts=
note_conflict() {
    present "$claude/$2" || return 0
    is_ours "$1" "$2" || conflicts="$conflicts
  $claude/$2"
}

place() {
    if [ -f "$claude/$2" ] && cmp -s "$1" "$claude/$2"; then
        [ "$dry_run" = yes ] || remember "$1" "$2"
        return 0
    fi
    if present "$claude/$2" && ! is_ours "$1" "$2"; then
        if present "$claude/$2.plimsoll-backup"; then
            fail "$claude/$2.plimsoll-backup is already there" 'move it away and run the same line again'
        fi
        act "keep your $claude/$2 as $2.plimsoll-backup" mv "$claude/$2" "$claude/$2.plimsoll-backup"
    fi
    act "write $claude/$2" write_file "$1" "$2"
}

write_file() { copy "$1" "$claude/$2" "$(mode_of "$1")" && remember "$1" "$2"; }
remember() { copy "$1" "$record/files/$2" 644; }
mode_of() { if [ -x "$1" ]; then echo 755; else echo 644; fi; }

take_back() {
    if ! present "$claude/$2"; then
        return 0
    elif is_ours "$1" "$2"; then
        act "remove $claude/$2" rm "$claude/$2"
        if present "$claude/$2.plimsoll-backup"; then
            act "restore your $claude/$2" mv "$claude/$2.plimsoll-backup" "$claude/$2"
        fi
    elif [ -f "$record/files/$2" ]; then
        say "kept, because it was changed: $claude/$2"
    fi
}

# What an earlier version, or --shared, put there and this run does not.
take_back_leftovers() {
    [ -d "$record/files" ] || return 0
    for listed in $(cd "$record/files" && find . -type f | sed 's,^\./,,'); do
        case $listed in
            plimsoll/launch) [ "$shared" = no ] || continue ;;
            *) [ ! -f "$source/$listed" ] || continue ;;
        esac
        take_back "$record/files/$listed" "$listed"
        [ "$dry_run" = yes ] || rm -f "$record/files/$listed"
    done
}

# ---- .gitignore ----------------------------------------------------------------------------------------------------

ignored() { printf '%s\n' "$begin" '.claude/state/' '.claude/logs/' '.claude/**/*.plimsoll-backup' "$end"; }
without_block() { awk -v begin="$begin" -v end="$end" '$0 == begin {skip = 1} !skip {print} $0 == end {skip = 0}' "$1"; }
with_block() {
    if [ -s "$1" ]; then
        without_block "$1" || return 1
    fi
    ignored
}

add_ignored() {
    file=$project/.gitignore
    if [ -L "$file" ] || [ -d "$file" ]; then
        say "note: $file is not a plain file; ignore .claude/state/ and .claude/logs/ yourself"
        return 0
    fi
    if [ -f "$file" ] && [ "$(sed -n "/^$begin\$/,/^$end\$/p" "$file")" = "$(ignored)" ]; then
        return 0
    fi
    act "ignore state and logs in $file" write_ignored
}

write_ignored() {
    mode=644
    mkdir -p "$record"
    if [ -f "$file" ]; then
        mode=$(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file")
        grep -qx "$begin" "$file" || cp "$file" "$record/gitignore.before"
    fi
    with_block "$file" >"$record/gitignore.after" && replace "$file" "$mode" <"$record/gitignore.after"
}

remove_ignored() {
    file=$project/.gitignore
    [ -f "$file" ] || return 0
    grep -qx "$begin" "$file" || return 0
    act "restore $file" restore_ignored
}

restore_ignored() {
    mkdir -p "$record"
    mode=$(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file")
    if ! cmp -s "$file" "$record/gitignore.after"; then
        without_block "$file" >"$record/gitignore.rest" && replace "$file" "$mode" <"$record/gitignore.rest"
    elif [ -f "$record/gitignore.before" ]; then
        replace "$file" "$mode" <"$record/gitignore.before"
    else
        rm "$file"
    fi
}

# ---- binaries ------------------------------------------------------------------------------------------------------

# built KIND NAME PROGRAM: where a program is, by the name it is installed under or, as in cargo's directories, by its own.
built() {
    for path in "$build/$1/$2" "$build/$3"; do
        if [ -f "$path" ]; then
            printf '%s\n' "$path"
            return 0
        fi
    done
    fail "$3 is not in $build" 'run install.sh without --no-build'
}

is_current() {
    for hook in $hooks; do
        [ -x "$build/hooks/$hook" ] || return 1
    done
    [ -x "$build/bin/plimsoll" ] || return 1
    [ -z "$(find "$source/src" "$source/Cargo.toml" "$source/Cargo.lock" -newer "$build/bin/plimsoll" 2>/dev/null)" ]
}

has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]; }

build_hooks() {
    host=$(rustc -vV | sed -n 's/^host: //p')
    musl=$(uname -m)-unknown-linux-musl
    if [ "$(uname -s)" = Linux ]; then
        has_target "$musl" || rustup target add "$musl" >/dev/null 2>&1 || true
        if has_target "$musl" && cargo_hooks "$musl"; then
            return 0
        fi
        say "note: no static build for $musl; hooks start more slowly without it (rustup target add $musl)"
        (
            RUSTFLAGS="${RUSTFLAGS-} -Ctarget-feature=+crt-static"
            export RUSTFLAGS
            cargo_hooks "$host"
        )
    else
        cargo_hooks "$host"
    fi
}

cargo_hooks() {
    (
        cd "$source" &&
            cargo build --release --locked --no-default-features --bin plimsoll-hook --target "$1" --target-dir "$target"
    ) || return 1
    for hook in $hooks; do
        put "$target/$1/release/plimsoll-hook" "$build/hooks/$hook" || return 1
    done
}

build_command() {
    (cd "$source" && cargo build --release --locked --bin plimsoll --target-dir "$target") &&
        copy "$target/release/plimsoll" "$build/bin/plimsoll" 755
}

build_all() {
    if is_current; then
        say "built already: $build"
        return 0
    fi
    if ! command -v cargo >/dev/null 2>&1; then
        fail 'cargo was not found' 'install Rust (rustup), or use --no-build with PLIMSOLL_BUILD_DIR'
    fi
    target=${CARGO_TARGET_DIR:-$source/target}
    act "build the hooks into $build/hooks" build_hooks
    act "build the command into $build/bin" build_command
}

install_binaries() {
    install_binary bin plimsoll plimsoll
    for hook in $hooks; do
        install_binary hooks "$hook" plimsoll-hook
    done
}

install_binary() {
    if [ "$dry_run" = yes ] && [ "$no_build" = no ]; then
        say "would install $share/$1/$2"
        return 0
    fi
    path=$(built "$1" "$2" "$3") || exit 2
    if [ -x "$share/$1/$2" ] && cmp -s "$path" "$share/$1/$2"; then
        return 0
    fi
    act "install $share/$1/$2" put "$path" "$share/$1/$2"
}

# ---- settings, enrolment, doctor -----------------------------------------------------------------------------------

# The command, installed or only built; empty if there is none yet.
find_command() {
    for command in "${PLIMSOLL_CLI-}" "$share/bin/plimsoll" "$build/bin/plimsoll" "$build/plimsoll"; do
        if [ -n "$command" ] && [ -x "$command" ]; then
            printf '%s\n' "$command"
            return 0
        fi
    done
}

register() {
    if [ "$shared" = yes ]; then
        "$cli" setup settings --file "$settings" --add --launcher "$@"
    else
        "$cli" setup settings --file "$settings" --add --hooks-dir "$share/hooks" "$@"
    fi
}

check_settings() {
    cli=$(find_command)
    if [ -z "$cli" ]; then
        say "would register the hooks in $settings"
    elif ! told=$(register --dry-run); then
        fail "$settings cannot be edited" 'fix the cause above and run the same line again'
    elif [ "$dry_run" = yes ]; then
        say "$told"
    fi
}

is_repository() { [ "$scope" = project ] && git -C "$project" rev-parse --git-dir >/dev/null 2>&1; }
enrol() { (cd "$project" && "$cli" enrol "$@" >/dev/null); }
sandbox_on() { (cd "$project" && "$cli" sandbox on >/dev/null); }

# ---- the two lines -------------------------------------------------------------------------------------------------

install() {
    if [ "$force" = no ]; then
        each_file note_conflict
        if [ -n "$conflicts" ]; then
            printf 'install.sh: files of these names are not ours, nothing was changed:%s\n' "$conflicts" >&2
            printf '  next: rename them, or use --force, which keeps each as NAME.plimsoll-backup\n' >&2
            exit 1
        fi
    fi
    [ "$no_build" = yes ] || build_all
    check_settings
    install_binaries
    if [ "$dry_run" = no ]; then
        mkdir -p "$record" && printf '%s\n' "$claude" >"$record/place"
        make_directory "$claude" || fail "could not make $claude" 'make its directory writable and run the same line again'
        cli=$(find_command)
    fi
    each_file place
    take_back_leftovers
    if [ "$dry_run" = no ]; then
        register || fail "could not register the hooks in $settings" 'fix the cause above and run the same line again'
    fi
    [ "$scope" = user ] || install_gate
    [ "$sandbox" = no ] || act "keep commands in $project in the sandbox" sandbox_on
    if [ "$dry_run" = no ]; then
        (cd "${project:-$HOME}" && "$cli" doctor) ||
            fail 'Plimsoll is installed, but something does not work' "follow the fixes above, then run: $cli doctor"
        say_next
    fi
}

say_next() {
    say "next: start a new Claude Code session in ${project:-a project} and type /review --claude, then /ship"
    command -v plimsoll >/dev/null 2>&1 ||
        say "      for your own terminal, put it on PATH: export PATH=\"$share/bin:\$PATH\""
}

install_gate() {
    if ! command -v git >/dev/null 2>&1; then
        say 'note: git is not on PATH: steps are reviewed, the ship gate needs git; run the same line again with it'
        return 0
    fi
    if ! is_repository; then
        say "note: $project is not a git repository: tool calls are reviewed, but the ship gate needs git"
        return 0
    fi
    add_ignored
    if [ "$shared" = yes ]; then
        say "note: commit $claude and .gitignore; colleagues run install.sh --shared once for the binaries"
    elif git -C "$project" ls-files --error-unmatch .claude/settings.json >/dev/null 2>&1; then
        say 'note: .claude/settings.json is tracked by git and now names paths of this machine; --shared avoids that'
    fi
    act "bind $project to the gate" enrol --yes
}

uninstall() {
    shared=yes
    cli=$(find_command)
    if [ -z "$cli" ]; then
        fail 'the plimsoll command is gone, and with it the way to edit settings' 'run install.sh --plugin, then this again'
    fi
    [ ! -f "$claude/settings.local.json.plimsoll-sandbox-backup" ] ||
        fail 'sandboxed mode is on here' 'run plimsoll sandbox off in the project, then this again'
    if is_repository; then
        act "release $project from the gate" enrol --remove
    fi
    if [ "$dry_run" = yes ]; then
        "$cli" setup settings --file "$settings" --remove --dry-run
    else
        "$cli" setup settings --file "$settings" --remove ||
            fail "could not remove the hooks from $settings" 'fix the cause above and run the same line again'
    fi
    each_file take_back
    shared=no
    take_back_leftovers
    [ "$scope" = user ] || remove_ignored
    if [ "$purge" = yes ]; then
        purge_state
    fi
    if [ "$dry_run" = no ]; then
        rm -rf "$record/files" "$record/place" "$record"/gitignore.*
        remove_directories
    fi
    if [ "$purge" = yes ]; then
        purge_share
    else
        say "kept: programs and keys in $share, and the project's reviews (--purge deletes them)"
    fi
}

# Deepest first, and only what is empty; the rest is remembered for a later --purge.
remove_directories() {
    [ -f "$record/directories" ] || return 0
    sort -ru "$record/directories" | while IFS= read -r directory; do
        rmdir "$directory" 2>/dev/null || [ ! -d "$directory" ] || printf '%s\n' "$directory"
    done >"$record/rest"
    mv "$record/rest" "$record/directories"
    [ -s "$record/directories" ] || rm -rf "$record"
}

purge_state() {
    for directory in "$claude/state" "$claude/logs"; do
        [ ! -d "$directory" ] || act "delete $directory" rm -rf "$directory"
    done
    if is_repository; then
        common=$(cd "$project" && cd "$(git rev-parse --git-common-dir)" && pwd -P)
        [ ! -d "$common/plimsoll" ] || act "delete $common/plimsoll" rm -rf "$common/plimsoll"
    fi
}

# Repositories that somebody bound by hand: without the programs their hook would refuse every push.
bound_elsewhere() {
    sed -n 's/^ *"common_dir": "\(.*\)",*$/\1/p' "$share"/enrolled/*.json 2>/dev/null |
        while IFS= read -r repository; do
            [ "$repository" = "$common" ] || [ ! -d "$repository" ] || printf '%s\n' "$repository"
        done
}

purge_share() {
    others=$(cat "$share"/installed/*/place 2>/dev/null | grep -Fvx "$claude" || true)
    bound=$(bound_elsewhere)
    if [ -n "$others$bound" ]; then
        say "kept: $share, because it still serves"
        printf '%s\n' "$others" "$bound" | sed '/^$/d; s/^/  /'
        say '  next: install.sh --uninstall for each, or plimsoll enrol --remove in it'
    elif [ -d "$share" ]; then
        act "delete $share" rm -rf "$share"
    fi
}

# ---- arguments -----------------------------------------------------------------------------------------------------

scope=project
directory=
shared=no
uninstall=no
dry_run=no
no_build=no
force=no
purge=no
sandbox=no
source=$(cd "$(dirname "$0")" && pwd -P)

while [ $# -gt 0 ]; do
    case $1 in
        --project)
            [ $# -ge 2 ] || fail '--project needs a directory' 'install.sh --project DIR'
            directory=$2
            shift
            ;;
        --user) scope=user ;;
        --plugin) scope=plugin ;;
        --shared) shared=yes ;;
        --uninstall) uninstall=yes ;;
        --dry-run) dry_run=yes ;;
        --no-build) no_build=yes ;;
        --force) force=yes ;;
        --purge) purge=yes ;;
        --sandbox) sandbox=yes ;;
        --version)
            sed -n 's/^version = "\(.*\)"/plimsoll \1/p' "$source/Cargo.toml"
            exit 0
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) fail "unknown argument: $1" 'install.sh --help' ;;
    esac
    shift
done

if [ "$scope" != project ] && { [ -n "$directory" ] || [ "$shared" = yes ]; }; then
    fail "--$scope goes with neither --project nor --shared" 'install.sh --help'
fi
if [ "$sandbox" = yes ] && { [ "$scope" != project ] || [ "$uninstall" = yes ]; }; then
    fail '--sandbox is for installing into a project' 'install.sh --project DIR --sandbox'
fi
[ "$purge" = no ] || [ "$uninstall" = yes ] || fail '--purge needs --uninstall' 'install.sh --uninstall --purge'
[ -n "${HOME-}" ] || fail 'HOME is not set' 'set it to your home directory'
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

case ${XDG_DATA_HOME-} in
    /*) share=$XDG_DATA_HOME/plimsoll ;;
    *) share=$HOME/.local/share/plimsoll ;;
esac
build=${PLIMSOLL_BUILD_DIR:-$source/build}
record=$share/installed/none
project=
common=

case $scope in
    plugin)
        [ "$uninstall" = no ] || fail '--plugin has nothing to uninstall' "delete $source/build"
        [ "$no_build" = no ] || fail '--plugin only builds, so --no-build leaves nothing to do' 'install.sh --plugin'
        build_all
        say "ready: claude --plugin-dir '$source'"
        exit 0
        ;;
    user)
        case ${CLAUDE_CONFIG_DIR-} in
            /*) claude=$CLAUDE_CONFIG_DIR ;;
            *) claude=$HOME/.claude ;;
        esac
        ;;
    project)
        if [ -z "$directory" ]; then
            directory=$(git rev-parse --show-toplevel 2>/dev/null || pwd)
        fi
        [ -d "$directory" ] || fail "$directory is not a directory" 'install.sh --project DIR'
        project=$(cd "$directory" && pwd -P)
        [ "$project" != "$(cd "$HOME" && pwd -P)" ] || fail 'the home directory is not a project' 'install.sh --user'
        claude=$project/.claude
        ;;
esac
settings=$claude/settings.json
record=$share/installed/$(printf '%s' "$claude" | cksum | tr ' ' '-')

if [ "$uninstall" = yes ]; then
    uninstall
else
    install
fi
