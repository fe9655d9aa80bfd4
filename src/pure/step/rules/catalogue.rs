//! Every built-in rule, in the order of the documentation.

use crate::pure::step::Decision::{self, Ask, Deny, Warn};
use crate::pure::step::rule::{Level, Rule, Set};

const fn floor(name: &'static str, about: &'static str) -> Rule {
    Rule { name, level: Level::Floor, set: Set::Essential, decision: Deny, about }
}

const fn gate(name: &'static str, decision: Decision, about: &'static str) -> Rule {
    Rule { name, level: Level::Gate, set: Set::Essential, decision, about }
}

const fn essential(name: &'static str, decision: Decision, about: &'static str) -> Rule {
    Rule { name, level: Level::Step, set: Set::Essential, decision, about }
}

const fn further(name: &'static str, decision: Decision, about: &'static str) -> Rule {
    Rule { name, level: Level::Step, set: Set::All, decision, about }
}

pub(crate) static FORK_BOMB: Rule = floor("fork_bomb", "a command that starts itself endlessly");
pub(crate) static FORMAT_DEVICE: Rule =
    floor("format_device", "formatting, wiping or partitioning a disk; destroying a volume or a pool");
pub(crate) static DEVICE: Rule = floor("device", "writing to a raw device");
pub(crate) static SYSTEM_OR_HOME: Rule = floor(
    "system_or_home",
    "deleting or changing the root, a system directory or the home directory recursively",
);
pub(crate) static OWN_FILES: Rule =
    floor("own_files", "changing Plimsoll's own programs, settings, rules or state, or reading its key");
pub(crate) static SPEAKS_FOR_THE_PERSON: Rule =
    floor("speaks_for_the_person", "acting as the person, the terminal or the client towards Plimsoll");
pub(crate) static GATE_BYPASS: Rule =
    gate("gate_bypass", Deny, "bypassing the git hook of an enrolled repository");
pub(crate) static PUSH_ELSEWHERE: Rule = gate(
    "push_elsewhere",
    Ask,
    "sending content from a repository that is not enrolled, while the session's repository is",
);
pub(crate) static PUSH_ALONE: Rule = gate(
    "push_alone",
    Deny,
    "a push or a publication combined with other commands, where no git hook checks the result",
);
pub(crate) static SHIP_GATE: Rule = gate("ship_gate", Deny, "sending content that lacks a required review");
pub(crate) static OPAQUE: Rule = essential("opaque", Ask, "a command that Plimsoll cannot read");
pub(crate) static PREVENT_RECURSIVE_DELETION: Rule = essential(
    "prevent_recursive_deletion",
    Deny,
    "deleting directories with files that git cannot restore: uncommitted, untracked or precious files",
);
pub(crate) static LOSE_FILE: Rule =
    essential("lose_file", Deny, "deleting, emptying or replacing a single file that git cannot restore");
pub(crate) static DELETE_OUTSIDE_PROJECT: Rule =
    essential("delete_outside_project", Ask, "deleting outside the project and the temporary directories");
pub(crate) static DISCARD_CHANGES: Rule =
    essential("discard_changes", Deny, "git commands that discard uncommitted work");
pub(crate) static DISCARD_HISTORY: Rule = essential(
    "discard_history",
    Ask,
    "git commands that lose commits or stashes, or the means to restore them",
);
pub(crate) static OTHER_SESSION: Rule = essential(
    "other_session",
    Ask,
    "taking away what another live session wrote in the same folder and no commit holds",
);
pub(crate) static REWRITE_REMOTE: Rule =
    essential("rewrite_remote", Ask, "replacing or deleting commits on the remote");
pub(crate) static RUN_FETCHED_CODE: Rule =
    essential("run_fetched_code", Deny, "running downloaded or decoded code that nobody has read");
pub(crate) static NETWORK_SHELL: Rule =
    essential("network_shell", Deny, "giving another machine a shell on this one");
pub(crate) static SEND_SECRET: Rule =
    essential("send_secret", Deny, "sending a key, a password or an environment file to another machine");
pub(crate) static READ_SECRET: Rule = essential(
    "read_secret",
    Ask,
    "reading private keys, stored credentials or other secrets into the conversation",
);
pub(crate) static SENSITIVE_FILE: Rule = essential(
    "sensitive_file",
    Ask,
    "writing files that run later or open the machine: profiles, keys, schedules, system files, git hooks",
);
pub(crate) static SECRET_IN_CONTENT: Rule =
    essential("secret_in_content", Deny, "writing a key or a password into a file that git does not ignore");
pub(crate) static HARMFUL_SCRIPT: Rule =
    essential("harmful_script", Ask, "writing a script with commands that would be refused");
pub(crate) static DESTROY_DATA: Rule = essential(
    "destroy_data",
    Ask,
    "destroying data in databases, clusters, clouds, volumes, forges or on other machines",
);
pub(crate) static EXPOSE: Rule = essential(
    "expose",
    Ask,
    "weakening protection that others rely on: world-writable trees, setuid programs, accounts, sudoers",
);
pub(crate) static METADATA_ADDRESS: Rule = essential(
    "metadata_address",
    Deny,
    "requests to a cloud's metadata service, which hands out credentials",
);
pub(crate) static DISRUPT_SYSTEM: Rule =
    further("disrupt_system", Ask, "stopping services, processes of others, the network or the machine");
pub(crate) static PUBLISH: Rule = further("publish", Ask, "publishing a package, an image or a release");
pub(crate) static FORGE_WRITE: Rule =
    further("forge_write", Ask, "writing to a forge directly, without a local commit");
pub(crate) static OUT_OF_SCOPE: Rule =
    further("out_of_scope", Ask, "changing files that the declared scope forbids");
pub(crate) static LIMIT_FILE_OPERATIONS: Rule =
    further("limit_file_operations", Ask, "more file operations since the last prompt than the limit allows");
pub(crate) static WARN_EXTERNAL_NETWORK: Rule =
    further("warn_external_network", Warn, "a request to another machine");
pub(crate) static CUSTOM_RULES_UNREADABLE: Rule = essential(
    "custom_rules_unreadable",
    Ask,
    "a call that your own rules may cover, while the rule file is unreadable",
);
pub(crate) static RISK_AND_RATIONALITY: Rule = further(
    "risk_and_rationality",
    Warn,
    "a call that no other rule covers, with a risk too high for its rationality",
);

pub static ALL: [&Rule; 36] = [
    &FORK_BOMB,
    &FORMAT_DEVICE,
    &DEVICE,
    &SYSTEM_OR_HOME,
    &OWN_FILES,
    &SPEAKS_FOR_THE_PERSON,
    &GATE_BYPASS,
    &PUSH_ELSEWHERE,
    &PUSH_ALONE,
    &SHIP_GATE,
    &OPAQUE,
    &PREVENT_RECURSIVE_DELETION,
    &LOSE_FILE,
    &DELETE_OUTSIDE_PROJECT,
    &DISCARD_CHANGES,
    &DISCARD_HISTORY,
    &OTHER_SESSION,
    &REWRITE_REMOTE,
    &RUN_FETCHED_CODE,
    &NETWORK_SHELL,
    &SEND_SECRET,
    &READ_SECRET,
    &SENSITIVE_FILE,
    &SECRET_IN_CONTENT,
    &HARMFUL_SCRIPT,
    &DESTROY_DATA,
    &EXPOSE,
    &METADATA_ADDRESS,
    &DISRUPT_SYSTEM,
    &PUBLISH,
    &FORGE_WRITE,
    &OUT_OF_SCOPE,
    &LIMIT_FILE_OPERATIONS,
    &WARN_EXTERNAL_NETWORK,
    &CUSTOM_RULES_UNREADABLE,
    &RISK_AND_RATIONALITY,
];
