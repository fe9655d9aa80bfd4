use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Far more than any of these needs; only a hang gets there.
const AMPLE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(1);

fn shell(directory: &tempfile::TempDir, script: &str, deadline: Duration) -> Job {
    Job {
        argv: ["sh", "-c", script].map(String::from).to_vec(),
        directory: Utf8PathBuf::from_path_buf(directory.path().to_path_buf()).unwrap(),
        environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        deadline,
        slow_after: AMPLE,
    }
}

fn run_shell(script: &str, deadline: Duration) -> ProcessResult {
    run(&shell(&tempfile::tempdir().unwrap(), script, deadline), || {})
}

fn text(ended: &ProcessResult) -> String {
    String::from_utf8(ended.output.bytes()).unwrap()
}

/// A process is gone when it no longer exists or is only waiting to be reaped by init.
fn gone(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", process.trim()));
    status.map_or(true, |status| {
        status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

/// The kernel delivers KILL at once but takes the process apart at its leisure.
fn goes_away(process: &str) -> bool {
    let patience = Instant::now() + AMPLE;
    while !gone(process) && Instant::now() < patience {
        thread::yield_now();
    }
    gone(process)
}

#[test]
fn both_streams_arrive_in_the_order_they_were_written() {
    let ended = run_shell("echo one; echo two >&2; echo three; exit 3", AMPLE);
    assert!(matches!(ended.how, ExitKind::Exited(3)));
    assert_eq!(text(&ended), "one\ntwo\nthree\n");
}

#[test]
fn a_child_sees_only_the_environment_it_is_given_and_no_input() {
    let ended =
        run_shell("cat; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= -e ^PLIMSOLL_RUN=", AMPLE);
    assert_eq!(text(&ended), "PATH=/usr/local/bin:/usr/bin:/bin\n");
}

#[test]
fn a_flood_of_output_is_read_to_its_end_but_not_kept() {
    let ended = run_shell("head -c 20000000 /dev/zero | tr '\\0' 'x' | fold -w 99; echo; echo end", AMPLE);
    assert!(matches!(ended.how, ExitKind::Exited(0)));
    assert!(ended.output.is_truncated());
    assert!(ended.output.bytes().len() < 400 * 1024);
    assert!(text(&ended).ends_with("\nend\n"));
}

#[test]
fn a_grandchild_dies_with_the_group_at_the_deadline() {
    let ended = run_shell("sleep 600 & echo $!; wait", SHORT);
    assert!(matches!(ended.how, ExitKind::TimedOut));
    assert!(goes_away(&text(&ended)));
}

#[test]
fn a_child_that_ignores_the_polite_signal_dies_by_the_final_one() {
    let ended = run_shell("trap '' TERM; echo $$; while :; do sleep 600; done", SHORT);
    assert!(matches!(ended.how, ExitKind::TimedOut));
    assert!(goes_away(&text(&ended)));
}

#[test]
fn a_background_child_that_holds_the_pipe_does_not_hold_us() {
    let ended = run_shell("sleep 600 & echo $!", AMPLE);
    assert!(matches!(ended.how, ExitKind::Exited(0)));
    assert!(goes_away(&text(&ended)), "what a check leaves behind is ended");
}

#[test]
fn a_child_that_left_the_group_neither_holds_us_nor_outlives_the_run() {
    let stays = "sleep 600 & echo $!";
    for (script, deadline) in [
        ("setsid sleep 600 & echo $!".to_owned(), AMPLE),
        ("setsid sh -c 'echo $$; sleep 600' & sleep 600".to_owned(), SHORT),
        // A daemon: twice forked, a session of its own, no pipe of ours.
        (format!("exec 3>&1; setsid sh -c '({stays} >&3) >/dev/null 2>&1' 3>&3 & wait"), AMPLE),
        ("setsid sh -c 'trap \"\" TERM HUP; echo $$; echo > told; exec >/dev/null 2>&1; while :; do sleep 600; done' & read x < told".to_owned(), AMPLE),
        // It took off the variable that it was given, but the system hands us orphans.
        ("env -i /usr/bin/setsid /bin/sh -c 'echo $$; echo > told; exec /bin/sleep 600' & read x < told".to_owned(), AMPLE),
    ] {
        let ended = run_shell(&format!("mkfifo told; {script}"), deadline);
        let process = text(&ended);
        assert!(!process.trim().is_empty(), "{script}: {:?}", ended.how);
        // Other tests may have runs under way, of which the last ends such orphans.
        ProcessMark::new().end_all();
        assert!(process.lines().all(goes_away), "{script}: {process}");
    }
}

#[test]
fn only_a_program_that_is_nowhere_is_not_found() {
    let directory = tempfile::tempdir().unwrap();
    let mut job = shell(&directory, "", AMPLE);
    job.argv = vec!["no-such-program-anywhere".into()];
    assert!(matches!(run(&job, || {}).how, ExitKind::NotFound));

    std::fs::write(directory.path().join("plain"), "not executable").unwrap();
    job.argv = vec!["./plain".into()];
    assert!(matches!(run(&job, || {}).how, ExitKind::CouldNotStart(_)));

    for argv in [vec![], vec!["sh".into(), "nul\0byte".into()]] {
        job.argv = argv;
        assert!(matches!(run(&job, || {}).how, ExitKind::CouldNotStart(_)));
    }

    job = shell(&directory, "true", AMPLE);
    job.directory.push("gone");
    assert!(matches!(run(&job, || {}).how, ExitKind::CouldNotStart(_)));
}

#[test]
fn death_by_a_signal_is_told_apart_from_an_exit() {
    assert!(matches!(run_shell("kill -SEGV $$", AMPLE).how, ExitKind::Signalled(11)));
    assert!(matches!(run_shell("exit 139", AMPLE).how, ExitKind::Exited(139)));
}

#[test]
fn slowness_is_told_once_and_before_the_end() {
    let told = AtomicU32::new(0);
    let mut job = shell(&tempfile::tempdir().unwrap(), "sleep 600", SHORT);
    job.directory = "/".into();
    job.slow_after = Duration::from_millis(1);
    assert!(matches!(run(&job, || _ = told.fetch_add(1, Ordering::Relaxed)).how, ExitKind::TimedOut));
    assert_eq!(told.into_inner(), 1);
}
