#!/bin/sh
# Builds Plimsoll and calls `plimsoll install`, `upgrade` or `uninstall`, which do the rest.
# Every step can be repeated: after a failure, fix the cause it names and run the same line again.
set -eu

usage() {
    cat <<'END'
Usage:
  install.sh [--project DIR] [options]   into one project (default: the git
                                         project you are in)
  install.sh --user [options]            for all your projects, in
                                         CLAUDE_CONFIG_DIR or ~/.claude; enrols
                                         none of them with the gate
  install.sh --managed [options]         for every user of the machine, by its
                                         administrator
  install.sh --plugin                    only build into this checkout, for use
                                         as a plugin
  install.sh --upgrade [--dry-run]       new programs and files for everything
                                         that is installed
  install.sh --uninstall [--project DIR | --user | --managed] [options]

Options:
  --shared      register through a launcher that you commit, so that colleagues
                get the hooks with the project
  --sandbox     keep the agent's commands in the client's sandbox (Linux: needs
                bubblewrap and socat)
  --link        link plimsoll into ~/.local/bin (--no-link: do not ask)
  --statusline  show the gate in Claude Code's status line (--no-statusline: do
                not ask)
  --force       replace a command, agent or skill of the same name; yours is
                kept as NAME.plimsoll-backup
  --no-sandbox  with --managed: leave the sandbox as it is
  --root DIR    with --managed: into the image of a system in this folder
  --purge       with --uninstall: delete reviews, keys and programs too
  --no-build    use programs that are already built (PLIMSOLL_BUILD_DIR names
                their directory)
  --dry-run     print every action, change nothing
  -q, --quiet   print notes and problems only
  -v, --verbose list each file
  --version     print the version
  -h, --help    print this
END
}

# One program under nine names: its own name tells it which hook it is.
hooks='session-start user-prompt-start user-prompt-review user-prompt-ship pre-tool-use post-tool-use stop config-change git-pre-push'

say() { printf '%s\n' "$*"; }

# fail WHAT NEXT
fail() {
    printf 'install.sh: %s\n  next: %s\n' "$1" "$2" >&2
    exit 2
}

# put COMMAND PROGRAM PLACE: whole or not at all, so that a running hook never meets half a program.
put() {
    new=$3.plimsoll-new
    mkdir -p "$(dirname "$3")" && rm -f "$new" && "$1" "$2" "$new" && chmod 755 "$new" && mv -f "$new" "$3"
}

is_current() {
    for hook in $hooks; do
        [ -x "$build/hooks/$hook" ] || return 1
    done
    [ -x "$build/bin/plimsoll" ] || return 1
    [ -z "$(cd "$source" && find src commands agents skills hooks Cargo.toml Cargo.lock \
        -newer "$build/bin/plimsoll" 2>/dev/null)" ]
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
    first=$build/hooks/${hooks%% *}
    put cp "$target/$1/release/plimsoll-hook" "$first" || return 1
    for hook in $hooks; do
        [ "$build/hooks/$hook" = "$first" ] || put ln "$first" "$build/hooks/$hook" 2>/dev/null ||
            put cp "$first" "$build/hooks/$hook" || return 1
    done
}

build_command() {
    (cd "$source" && cargo build --release --locked --bin plimsoll --target-dir "$target") &&
        put cp "$target/release/plimsoll" "$build/bin/plimsoll"
}

build_all() {
    if is_current; then
        say "built already: $build"
    elif [ "$dry_run" = yes ]; then
        say "would build the programs into $build"
    else
        command -v cargo >/dev/null 2>&1 ||
            fail 'cargo was not found' 'install Rust (rustup), or use --no-build with PLIMSOLL_BUILD_DIR'
        target=${CARGO_TARGET_DIR:-$source/target}
        again='fix the cause above and run the same line again'
        build_hooks || fail "could not build the hooks into $build/hooks" "$again"
        build_command || fail "could not build the command into $build/bin" "$again"
        say "built: $build"
    fi
}

# find_command PLACE…: the first that is there; empty if there is none.
find_command() {
    for command in "$@"; do
        if [ -x "$command" ]; then
            printf '%s\n' "$command"
            return 0
        fi
    done
}

verb=install
dry_run=no
no_build=no
source=$(cd "$(dirname "$0")" && pwd -P)
build=${PLIMSOLL_BUILD_DIR:-$source/build}

# A mistake is named before the build, which takes minutes.
before=
for argument; do
    shift
    case $before$argument in
        --project=*)
            directory=${argument#--project=}
            [ -d "$directory" ] || fail "$directory is not a directory" 'name a folder that exists with --project'
            ;;
        --root=*) ;;
        --plugin | --upgrade | --uninstall) verb=${argument#--} && continue ;;
        --no-build) no_build=yes && continue ;;
        --dry-run) dry_run=yes ;;
        --version) sed -n 's/^version = "\(.*\)"/plimsoll \1/p' "$source/Cargo.toml" && exit 0 ;;
        --help | -h) usage && exit 0 ;;
        --project | --root) before=$argument= && set -- "$@" "$argument" && continue ;;
        --user | --managed | --shared | --sandbox | --no-sandbox | --link | --no-link | --statusline | --no-statusline) ;;
        --force | --purge | --quiet | -q | --verbose | -v) ;;
        *) fail "unknown option: $argument" 'install.sh --help' ;;
    esac
    before=
    set -- "$@" "$argument"
done
[ -z "$before" ] || fail "${before%=} needs a folder" 'install.sh --help'

if [ "$verb" = plugin ]; then
    [ "$no_build" = no ] || fail '--plugin only builds, so --no-build leaves nothing to do' 'install.sh --plugin'
    [ $# = 0 ] || [ "$* $dry_run" = '--dry-run yes' ] || fail "--plugin goes with no other option: $*" 'install.sh --help'
    build_all
    say "ready: claude --plugin-dir '$source'"
    exit 0
fi

case ${XDG_DATA_HOME-} in
    /*) data=$XDG_DATA_HOME/plimsoll ;;
    *) data=${HOME-}/.local/share/plimsoll ;;
esac

if [ "$verb" = uninstall ]; then
    plimsoll=$(find_command "$data/bin/plimsoll" "$build/bin/plimsoll" "$build/plimsoll")
    [ -n "$plimsoll" ] || fail "plimsoll, which uninstalls, is neither in $data/bin nor in $build" \
        'if Plimsoll is installed, run install.sh --plugin and then this again'
else
    [ "$no_build" = yes ] || build_all
    plimsoll=$(find_command "$build/bin/plimsoll" "$build/plimsoll")
    if [ -z "$plimsoll" ] && [ "$dry_run" = yes ]; then
        say "would run: $build/bin/plimsoll $verb $*"
        say 'next: install.sh --plugin, which only builds; then --dry-run lists every action'
        exit 0
    fi
    [ -n "$plimsoll" ] || fail "plimsoll is not in $build" 'run install.sh without --no-build'
    set -- --from "$build" "$@"
fi
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
exec "$plimsoll" "$verb" "$@"
