//! `plimsoll explain`, run as a person or an agent would run it.

use crate::place::Place;

#[test]
fn the_whole_chain_is_shown_with_the_dangerous_part_marked() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    let answer = place.plimsoll(&["explain", "-v", "cd src && sudo timeout 5 rm -rf / && ls"]);
    assert_eq!(answer.code, 0, "{}", answer.told());
    let (chain, _) = answer.stdout.split_once("\nRisk").unwrap_or((&answer.stdout, ""));
    insta::assert_snapshot!(chain, @r"
    ✗ deny: it does not run, and the model gets an alternative

    Commands
      cd src
      rm -rf /  (through sudo, timeout)  (in src)
      ls  (in src)

    Effects
      deletes / and everything below, with another user's rights  [sudo timeout 5 rm -rf /]

    Looked up
      ship gate: not enrolled

    Rules
      system_or_home (floor, deny): would delete / with everything in it. Name the exact files instead
          cd src && sudo timeout 5 rm -rf / && ls
                    ^^^^^^^^^^^^^^^^^^^^^^^
    ");
}

#[test]
fn the_json_has_spans_that_slice_back() {
    let place = Place::new();
    let command = "echo 港 && rm -rf ~";
    let json = place.plimsoll(&["explain", command, "--json"]).json();
    assert_eq!((&json["answer"], &json["tool"]), (&"deny".into(), &"Bash".into()), "{json}");
    let span = &json["rules"][0]["span"];
    let at = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
    assert_eq!(command.get(at("start")..at("end")), Some("rm -rf ~"));
    assert_eq!(json["commands"][1]["command"], "rm -rf ~");
    assert_eq!(json["effects"][0]["kind"], "delete");
}

#[test]
fn commands_come_from_the_standard_input_and_other_tools_as_json() {
    let place = Place::new();
    let answer = place.plimsoll_with(&["explain", "-"], b"ls\nrm -rf \\\n  /\n");
    assert!(
        answer.stdout.starts_with("✗ deny: ") && answer.stdout.contains("  rm -rf \\\n  ^^^"),
        "{}",
        answer.told()
    );
    let input = "{\"file_path\": \".claude/settings.json\", \"content\": \"\"}";
    let answer = place.plimsoll(&["explain", "--tool", "Write", "--input", input]);
    assert!(answer.stdout.starts_with("✗ deny: "), "{}", answer.told());
    let answer = place.plimsoll(&["explain", "--tool", "Bash", "--input", "{\"x\": 1}"]);
    assert!(answer.stdout.starts_with("! ask: "), "{}", answer.told());
}

#[test]
fn it_works_without_git_and_with_broken_settings_and_says_so() {
    let place = Place::new();
    let answer = place.plimsoll(&["explain", "ls"]);
    assert!(
        answer.stdout.starts_with("✓ silent: ") && answer.stdout.contains("no git repository"),
        "{}",
        answer.told()
    );
    place.write("../home/.config/plimsoll/review-config.yaml", "step_reviewer: 7\n");
    let answer = place.plimsoll(&["explain", "rm -rf /"]);
    assert_eq!(answer.code, 0, "{}", answer.told());
    assert!(answer.stdout.contains("note: the settings cannot be read"), "{}", answer.told());
}

#[test]
fn what_cannot_be_explained_is_an_error() {
    let place = Place::new();
    for arguments in [
        &["explain"][..],
        &["explain", "--tool", "Write"],
        &["explain", "--tool", "Write", "--input", "{"],
        &["explain", "--cwd", "missing", "ls"],
        &["explain", "ls -l", "--cwd", "missing"],
        &["explain", "ls -l", "--force"],
        &["explain", "--tool", "Write", "--input", "{}", "ls"],
        &["explain", "--last", "ls"],
    ] {
        let answer = place.plimsoll(arguments);
        assert_eq!(answer.code, 2, "{arguments:?}: {}", answer.told());
    }
    let answer = place.plimsoll_with(&["explain", "-"], b"\xff");
    assert!(answer.code == 2 && answer.stderr.contains("UTF-8"), "{}", answer.told());
}

#[test]
fn text_that_would_steer_the_terminal_is_spelt_out_and_a_pipe_gets_no_colour() {
    let place = Place::new();
    let answer = place.plimsoll(&["explain", "echo '\u{1b}]0;owned\u{7}' && rm -rf /\u{202e}"]);
    assert!(!answer.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{}", answer.told());
}

#[test]
fn explaining_runs_nothing() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    place.write("proof", "still here");
    let answer = place.plimsoll(&["explain", "rm proof; touch made; $(touch made)"]);
    assert_eq!(answer.code, 0, "{}", answer.told());
    assert!(place.path("here/proof").exists() && !place.path("here/made").exists());
}

#[test]
fn the_answer_takes_six_lines_and_marks_what_it_is_about() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    let answer = place.plimsoll(&["explain", "cd src && sudo timeout 5 rm -rf / && ls; git push --force"]);
    insta::assert_snapshot!(answer.stdout, @r"
    ✗ deny: it does not run, and the model gets an alternative
      system_or_home: would delete / with everything in it. Name the exact files instead
      cd src && sudo timeout 5 rm -rf / && ls; git push --force
                ^^^^^^^^^^^^^^^^^^^^^^^
      do: if it has to be done, run it yourself in a terminal
      also: rewrite_remote (ask)
    ");
    assert_eq!(place.plimsoll(&["explain", "ls"]).stdout, "✓ silent: it runs without a message\n");
}

#[test]
fn an_unquoted_command_is_explained_with_all_its_options() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    let answer = place.plimsoll(&["explain", "git", "push", "--force", "--json", "a b"]);
    assert!(answer.stdout.contains("  git push --force --json 'a b'\n  ^^^"), "{}", answer.told());
    assert_eq!(place.plimsoll(&["explain", "--json", "ls", "-v"]).json()["text"], "ls -v");
}

#[test]
fn the_matrix_is_told_beside_the_answer_and_does_not_contradict_it() {
    let place = Place::new();
    place.git(&["init", "-q"]);
    let answer = place.plimsoll(&["explain", "-v", "rm -rf /"]);
    assert!(answer.stdout.contains(" alone: deny, as decided"), "{}", answer.told());
    for command in ["ls", "rm -rf target", "curl https://example.com", "git push --force", "sudo ls"] {
        let answer = place.plimsoll(&["explain", "-v", command]);
        let decided = answer.stdout.lines().next().unwrap().split([' ', ':']).nth(1).unwrap().to_owned();
        let matrix = answer.stdout.lines().find(|line| line.contains(" rationality alone: ")).unwrap();
        let agrees = matrix.contains(&format!("alone: {decided}, as decided"));
        assert!(agrees || matrix.contains("the rules decided otherwise"), "{command}: {matrix}");
    }
}
